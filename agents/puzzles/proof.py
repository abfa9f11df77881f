"""Which decisions win for certain within the turn: every line of the turn is gone through.

A line wins if it ends the game in this turn and its seat wins alone, whatever other seats answer in the turn and whatever
mission cards they hold. Which marker comes next is chance that a turn never waits for: markers are laid at its end, so a line
that comes to that has not won. What a line that ends the turn may win later does not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hansa_agents.puzzles.reach import may_end
from hansa_env import HansaBatch, Ruleset
from hansa_env.boards.missions import MISSIONS
from hansa_env.engine.identity import hash_games
from hansa_env.engine.results import masks_of, ranks_of, scores_of
from hansa_env.engine.state import ASK_MARKER, OVER

#: What follows from a decision, beside the numbers of positions of the next layer.
LOST, WON = -1, -2
#: How many decisions a puzzle's proof may try.
MOST_TRIED = 25_000


class Proof(NamedTuple):
    """What was found of a position.

    Attributes:
        actions: (K,) int64, the legal decisions; wins: (K,) bool, which of them win for certain.
        tried: how many decisions were tried in all.
    """

    actions: np.ndarray
    wins: np.ndarray
    tried: int


class _Layer(NamedTuple):
    """Positions after equally many decisions: (N,) bool whether the seat decides, and by edge (E,) from which to what."""

    own: np.ndarray
    source: np.ndarray
    target: np.ndarray


def prove(ruleset: Ruleset, game: np.ndarray, most: int) -> Proof | None:
    """Go through the rest of a turn.

    Args:
        game: a record (1,), in which the seat whose turn it is decides.
        most: decisions that may be tried; each takes about a kilobyte at the time.

    Returns:
        None where there are more decisions to try, or nobody can decide.
    """
    seat, turns, tried = int(game["seat"][0]), int(game["turns"][0]), 0
    if game["asked"][0] == OVER or seat != game["turn"][0]:
        return None
    layers: list[_Layer] = []
    actions, positions = np.zeros(0, np.int64), game
    while len(positions):
        source, action = np.nonzero(masks_of(ruleset, positions))
        actions = actions if layers else action
        tried += len(source)
        if tried > most:
            return None
        after = positions.take(source)
        HansaBatch.holding(ruleset, after, 0).step_legal(action)
        over = (after["asked"] == OVER) & (after["turns"] == turns)
        target = np.where(over, LOST, 0)
        rows = np.flatnonzero(over)
        target[rows[wins_alone(ruleset, after.take(rows), seat)]] = WON
        target[(after["turns"] != turns) | (after["asked"] == ASK_MARKER)] = LOST
        rows = np.flatnonzero(target == 0)
        target[rows[~may_end(ruleset, after.take(rows), seat)]] = LOST
        own = positions["seat"] == seat
        if layers:  # who has won already need not look on; at the root every decision is asked about
            done = np.zeros(len(positions), bool)
            done[source[target == WON]] = True
            target[(done & own)[source] & (target == 0)] = LOST
        rows = np.flatnonzero(target == 0)
        keys = hash_games(after.take(rows)) if len(rows) else np.zeros(0, np.uint64)
        _, first, number = np.unique(keys, return_index=True, return_inverse=True)
        target[rows] = number
        layers.append(_Layer(own, source, target))
        positions = after.take(rows[first])
    return Proof(actions, _values(layers), tried)


def _values(layers: Sequence[_Layer]) -> np.ndarray:
    """Whether each decision of the first layer wins: of the seat's own one that wins is enough, of the others' all must."""
    values, wins = np.zeros(0, bool), np.zeros(0, bool)
    for layer in reversed(layers):
        wins = layer.target == WON
        on = layer.target >= 0
        wins[on] = values[layer.target[on]]
        count = len(layer.own)
        won, all_of = np.bincount(layer.source[wins], minlength=count), np.bincount(layer.source, minlength=count)
        values = np.where(layer.own, won > 0, won == all_of)
    return wins


def wins_alone(ruleset: Ruleset, games: np.ndarray, seat: int) -> np.ndarray:
    """(N,) bool: in which games that are over the seat wins alone, whatever cards the others hold."""
    won = _alone(ruleset, games, seat)
    if ruleset.missions and won.any():
        for other in range(ruleset.players):
            for card in range(len(MISSIONS)):
                rows = np.flatnonzero(won & (games["missions"][:, seat] != card))
                if other != seat and len(rows):
                    held = games.take(rows)
                    held["missions"][:, other] = card
                    won[rows] = _alone(ruleset, held, seat)
    return won


def _alone(ruleset: Ruleset, games: np.ndarray, seat: int) -> np.ndarray:
    if not len(games):
        return np.zeros(0, bool)
    first = ranks_of(ruleset, games, scores_of(ruleset, games)) == 0
    return first[:, seat] & (first.sum(axis=1) == 1)
