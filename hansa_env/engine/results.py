"""What game records hold, as arrays: what seats see and may do, scores and places (R7); and why games ended."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.action_space import num_actions
from hansa_env.engine.kernels import NO_ACTION, mask_games, observe_games, rank_games, score_games
from hansa_env.engine.rules.scoring import score_columns
from hansa_env.engine.state import END_BY_LIMIT, REASONS
from hansa_env.engine.tables import tables_of
from hansa_env.engine.view.observation import observation_size
from hansa_env.ruleset import Ruleset


def observations_of(ruleset: Ruleset, games: np.ndarray) -> np.ndarray:
    """What the deciding seats of games (N,) see: (N, D) int8."""
    views = np.empty((len(games), observation_size(ruleset)), np.int8)
    observe_games(games, tables_of(ruleset), np.full(len(games), NO_ACTION, np.int8), views, 0, len(games))
    return views


def masks_of(ruleset: Ruleset, games: np.ndarray) -> np.ndarray:
    """What the deciding seats of games (N,) may do: (N, A) bool; all False where a game is over."""
    masks = np.empty((len(games), num_actions(ruleset)), np.bool_)
    mask_games(games, tables_of(ruleset), masks, 0, len(games))
    return masks


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


def end_reason(game: np.void) -> str | None:
    """Why a game is over, of `REASONS`; None while it runs."""
    return REASONS[game["reason"]]


def rule_that_ended(game: np.void) -> str | None:
    """The same, but None too for a game that the turn limit cut off, as records have it."""
    reason = end_reason(game)
    return None if reason == END_BY_LIMIT else reason
