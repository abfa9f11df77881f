"""An agent that decides uniformly at random."""

from __future__ import annotations

import numpy as np

from hansa_agents.streams import streams_of
from hansa_env.engine import kernels
from hansa_env.engine.tables import tables_of
from hansa_env.play.agents import Agent, game_records, without_idle_rows
from hansa_env.play.estimates import Estimate
from hansa_env.ruleset import Ruleset


class RandomAgent(Agent):
    """Every legal decision is equally likely.

    Its choice is a function of its seed and the game record (see `hansa_agents.streams`): the same game goes the same
    way alone or in any batch.
    """

    sees = "games"
    values_decisions = False

    def __init__(self, ruleset: Ruleset, seed: int = 0) -> None:
        self.ruleset, self.seed = ruleset, seed

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for game records (N,)."""
        games = game_records(inputs)
        actions = np.empty(len(games), np.int64)
        kernels.pick_random(games, tables_of(self.ruleset), streams_of(games, self.seed), actions, 0, len(games))
        return without_idle_rows(actions, masks)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        """Equal shares, no values."""
        return Estimate((masks / np.maximum(masks.sum(axis=1, keepdims=True), 1)).astype(np.float32))
