"""Scores and places of games (R7), from Python."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.kernels import rank_games, score_games
from hansa_env.engine.rules.scoring import score_columns
from hansa_env.engine.tables import tables_of
from hansa_env.ruleset import Ruleset


def scores_of(ruleset: Ruleset, games: np.ndarray) -> np.ndarray:
    """(N, P, K) int16 as the boards of games (N,) stand: the columns that `score_columns` names."""
    scores = np.zeros((len(games), ruleset.players, len(score_columns(ruleset))), np.int16)
    score_games(games, tables_of(ruleset), scores, 0, len(games))
    return scores


def ranks_of(ruleset: Ruleset, games: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Places (N, P) int64 (R7.9) of the seats of games (N,) with their scores (N, P, K) int16: 0 = first; seats that tie
    share the better place. The winners are those at 0."""
    ranks = np.zeros(scores.shape[:2], np.int64)
    rank_games(games, tables_of(ruleset), scores, ranks, 0, len(games))
    return ranks
