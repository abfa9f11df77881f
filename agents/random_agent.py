"""An agent that decides uniformly at random."""

from __future__ import annotations

import numpy as np

from hansa_agents.protocol import Agent, without_idle_rows
from hansa_agents.registry import no_argument
from hansa_agents.streams import fill_streams
from hansa_env.engine import kernels
from hansa_env.engine.tables import tables
from hansa_env.ruleset import Ruleset


class RandomAgent(Agent):
    """Every legal decision is equally likely.

    Its choice is a function of its seed and the game record (see `hansa_agents.streams`): the same game goes the same
    way alone or in any batch.
    """

    sees = "games"

    def __init__(self, ruleset: Ruleset, seed: int = 0) -> None:
        self._rules = tables(ruleset)
        self._seed = np.uint64(seed % 2**64)

    @classmethod
    def from_spec(cls, ruleset: Ruleset, seed: int, argument: str | None) -> RandomAgent:
        """The agent of the spec "random". Raises `AgentError` for an argument."""
        no_argument("random", argument)
        return cls(ruleset, seed)

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for game records (N,)."""
        games = np.ascontiguousarray(inputs)
        states, actions = np.empty(len(games), np.uint64), np.empty(len(games), np.int64)
        fill_streams(games, self._seed, states)
        kernels.pick_random(games, self._rules, states, actions, 0, len(games))
        return without_idle_rows(actions, masks)
