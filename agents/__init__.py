"""Players of Hansa Teutonica, and the arena in which they meet."""

from hansa_env.play.agents import Agent
from hansa_env.play.errors import AgentError
from hansa_env.play.registry import agent_names, make_agent, register

__all__ = ["Agent", "AgentError", "agent_names", "make_agent", "register"]
