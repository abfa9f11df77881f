"""How ended games came out: places by R7.9, ties of the edition included."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.compile import kernel
from hansa_env.engine.scoring import standing
from hansa_env.engine.tables import tables
from hansa_env.ruleset import Ruleset


@kernel
def rank_games(games, rules, scores, ranks):
    """The place of every seat, given the scores (N, P, 7), into ranks (N, P)."""
    t = rules[0]
    for i in range(games.size):
        for seat in range(t["players"]):
            own = standing(games[i], t, scores[i], seat)
            better = 0
            for other in range(t["players"]):
                better += standing(games[i], t, scores[i], other) > own
            ranks[i, seat] = better


def ranks_of(ruleset: Ruleset, games: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Places (N, P) int64 of the seats of games (N,) with their scores (N, P, 7): 0 = first, who shares a place has the
    better one. The winners are those at 0."""
    ranks = np.zeros(scores.shape[:2], np.int64)
    rank_games(games, tables(ruleset), scores, ranks)
    return ranks
