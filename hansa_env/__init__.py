"""Hansa Teutonica as a reinforcement-learning environment."""

from hansa_env.batch import HansaBatch, IllegalAction
from hansa_env.game import Game, RecordError
from hansa_env.notation import NotationError
from hansa_env.position import PositionError
from hansa_env.registration import register_environments
from hansa_env.ruleset import Ruleset, RulesetError
from hansa_env.warmup import warmup

__all__ = [
    "Game",
    "HansaBatch",
    "IllegalAction",
    "NotationError",
    "PositionError",
    "RecordError",
    "Ruleset",
    "RulesetError",
    "warmup",
]
__version__ = "0.1.0"

register_environments()
