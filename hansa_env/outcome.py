"""How games came out: places by R7.9, ties of the edition included."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.kernels import rank_games
from hansa_env.engine.tables import tables
from hansa_env.ruleset import Ruleset


def ranks_of(ruleset: Ruleset, games: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Places (N, P) int64 of the seats of games (N,) with their scores (N, P, 7) int16: 0 = first, who shares a place has
    the better one. The winners are those at 0."""
    ranks = np.zeros(scores.shape[:2], np.int64)
    rank_games(games, tables(ruleset), scores, ranks, 0, len(games))
    return ranks
