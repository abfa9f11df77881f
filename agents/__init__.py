"""Players of Hansa Teutonica behind one protocol, and the arena in which they meet."""

from hansa_agents.protocol import Agent, AgentError
from hansa_agents.registry import agent_names, make_agent, register

__all__ = ["Agent", "AgentError", "agent_names", "make_agent", "register"]
