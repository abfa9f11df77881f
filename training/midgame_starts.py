"""Positions from the middle of games, where some of the games of self-play begin."""

from __future__ import annotations

import numpy as np

from hansa_env import HansaBatch
from hansa_env.engine import kernels, state

#: Positions that are kept, the latest; how many of the games under way are noted after a rollout, of fewer games all.
POSITIONS, NOTED = 1024, 32


class MidgameStarts:
    """The positions of a shard.

    Args:
        share: of the games that begin in one of them, once there are POSITIONS.
    """

    def __init__(self, share: float) -> None:
        self.share = share
        self.games = state.new_games(POSITIONS if share else 1)
        self.count = np.zeros(1, np.int64)  # noted so far, in an array so that a checkpoint keeps it

    def noted(self) -> np.ndarray:
        """The positions there are: the first ones, until there are POSITIONS."""
        return self.games[: self.count[0]]

    def note(self, batch: HansaBatch, random: np.random.Generator) -> None:
        """Keep some of the positions in which games stand."""
        if self.share:
            rows = random.choice(batch.num_games, min(NOTED, batch.num_games), replace=False)
            self.games[(self.count[0] + np.arange(len(rows))) % POSITIONS] = batch.games.take(rows)
            self.count += len(rows)

    def begin(self, batch: HansaBatch, rows: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """Let some of the games in these rows, just dealt, begin in positions instead, with their hidden markers reshuffled.

        Returns their rows.
        """
        if not self.share or self.count[0] < POSITIONS:
            return rows[:0]
        rows = rows[random.random(len(rows)) < self.share]
        games = self.games.take(random.integers(POSITIONS, size=len(rows)))
        kernels.reshuffle_games(games, batch.tables, random.integers(2**64, dtype=np.uint64), 0, len(rows))
        games["seed"] = batch.games["seed"][rows]  # from which the games after these follow
        batch.put(rows, games)
        return rows
