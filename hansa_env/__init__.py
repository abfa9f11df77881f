"""Hansa Teutonica as a reinforcement-learning environment."""
# ruff: noqa: E402

from hansa_env.start import begin

begin()  # before what takes seconds to import

from hansa_env.api.registration import register_environments
from hansa_env.engine.view.graph import GraphTables, graph_tables
from hansa_env.engine.view.observation import observation_blocks, observation_fields, observation_high
from hansa_env.formats.errors import NotationError, PositionError, RecordError
from hansa_env.play.agents import Agent
from hansa_env.play.batch import HansaBatch
from hansa_env.play.errors import ActionTypeError, AgentError, AgentFault, EngineError, IllegalAction
from hansa_env.play.game import Game
from hansa_env.play.learner_batch import LearnerBatch
from hansa_env.play.registry import agent_names, make_agent, register
from hansa_env.ruleset import Ruleset, RulesetError
from hansa_env.version import __version__
from hansa_env.warmup import warmup

__all__ = [
    "ActionTypeError",
    "Agent",
    "AgentError",
    "AgentFault",
    "EngineError",
    "Game",
    "GraphTables",
    "HansaBatch",
    "IllegalAction",
    "LearnerBatch",
    "NotationError",
    "PositionError",
    "RecordError",
    "Ruleset",
    "RulesetError",
    "__version__",
    "agent_names",
    "graph_tables",
    "make_agent",
    "observation_blocks",
    "observation_fields",
    "observation_high",
    "register",
    "warmup",
]

register_environments()
