"""Players of Hansa Teutonica, and the arena in which they meet."""

from hansa_agents.bot import Bot
from hansa_agents.streams import uniform_numbers
from hansa_env.play.agents import Agent
from hansa_env.play.errors import AgentError
from hansa_env.play.registry import agent_names, make_agent, register

__all__ = ["Agent", "AgentError", "Bot", "agent_names", "make_agent", "register", "uniform_numbers"]
