"""What a network foresees for every seat at a position: where the turn ends, if it is played on as the network would.

A network learned what positions are worth to who decides. From the view of another seat, in the middle of a turn, it does not
see what is still to come in it, and its values move with every action. At the end of a turn all has come, whichever of its
decisions was asked about.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import softmax

from hansa_env.boards.missions import MISSIONS
from hansa_env.engine import kernels
from hansa_env.engine.results import masks_of, observations_of, ranks_of, scores_of
from hansa_env.engine.rules.scoring import BY_WIN
from hansa_env.engine.state import OVER, copies_of, new_games, put_records
from hansa_env.engine.tables import tables_of
from hansa_env.engine.view.observation import observation_size
from hansa_env.play.result import win_shares
from hansa_env.ruleset import Ruleset

#: A network: from observations (M, D) int8 and masks (M, A) to logits (M, A) and values (M,).
Look = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
#: Decisions of a position that are likely: at least so likely, and no more than so many.
LEAST, WIDEST = 0.1, 4
#: Ways to deal the mission cards that are not known, over which the mean of results is taken.
DEALS = 32
#: Decisions after which a turn is left as it is; none is known that takes nearly so many.
LONGEST = 300


class Foreseen(NamedTuple):
    """What N positions come to for every seat: the values of a network where their games go on, the results where they end.

    Attributes:
        games: (N,) records of where the values are taken; of several places, the likeliest where the game goes on.
        values: (N, P), in the unit of a network's value, over the places where the game goes on.
        own: (N, P), 0 to 1, how likely the seat has a question of its own there, as when a network learned.
        over: (N,), 0 to 1, how likely the game is over.
        results: (N, P), the shares of the win where it is, by how likely that is; rows sum to `over`.
    """

    games: np.ndarray
    values: np.ndarray
    own: np.ndarray
    over: np.ndarray
    results: np.ndarray

    @classmethod
    def going_on(cls, games: np.ndarray, values: np.ndarray, own: np.ndarray) -> Foreseen:
        """Where no game is over."""
        return cls(games, values, own, np.zeros(len(games)), np.zeros(values.shape))


def foresee(ruleset: Ruleset, games: np.ndarray, look: Look) -> Foreseen:
    """What a network foresees where the turns of games (N,) end, with no more than the deciding seats know.

    Each decision that it thinks likely is played, and after it the likeliest until the turn has ended: the mean counts, by how
    likely they were. Where a game ends, its result counts.
    """
    number, weights, first = likely_decisions(ruleset, games, look)
    ends = to_the_end_of_the_turn(ruleset, first, games["turns"][number], look)
    askers, is_over = games["seat"][number], ends["asked"] == OVER
    over = np.bincount(number, weights * is_over, len(games))
    results, values, own = np.zeros((3, len(games), ruleset.players))
    if is_over.any():
        rows = np.flatnonzero(is_over)
        found = results_as_known(ruleset, ends.take(rows), askers[rows])
        np.add.at(results, number[rows], weights[rows, None] * found)
    if not is_over.all():
        rows = np.flatnonzero(~is_over)
        on = ends.take(rows)
        part = (weights[rows] / np.bincount(number[rows], weights[rows], len(games))[number[rows]])[:, None]
        np.add.at(values, number[rows], part * values_of_seats(ruleset, on, askers[rows], look))
        np.add.at(own, number[rows], part * asked_at(ruleset, on))
    order = np.lexsort((is_over, number))  # of each game the places where it goes on come first, the likeliest of them before
    return Foreseen(ends.take(order[np.flatnonzero(np.diff(number, prepend=-1))]), values, own, over, results)


def asked_at(ruleset: Ruleset, games: np.ndarray) -> np.ndarray:
    """Whether each seat has a question of its own at games (N,): (N, P) bool."""
    return (np.arange(ruleset.players) == games["seat"][:, None]) & (games["asked"] != OVER)[:, None]


def likely_decisions(ruleset: Ruleset, games: np.ndarray, look: Look) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """After each likely decision of games (N,), the likeliest of each game first: the number of the game (M,), how likely it is
    among them (M,), and the game (M,), in which what is hidden is shuffled. A game that is over stays as it is."""
    tables, copies = tables_of(ruleset), new_games(len(games))
    kernels.hide_games(games, tables, copies)
    masks, running = masks_of(ruleset, copies), copies["asked"] != OVER
    logits = look(observations_of(ruleset, copies), masks)[0]
    likely = softmax(np.where(masks | ~running[:, None], logits, -np.inf), axis=1)
    order = np.argsort(-likely, axis=1, kind="stable")[:, :WIDEST]
    likely = np.take_along_axis(likely, order, axis=1)
    kept = (likely >= LEAST) & running[:, None]
    kept[:, 0] = True
    number, place = np.nonzero(kept)
    likely, actions, found = likely[number, place], order[number, place], copies.take(number)
    _step(ruleset, found, np.where(running[number], actions, kernels.NO_ACTION))
    return number, likely / np.bincount(number, likely)[number], found


def to_the_end_of_the_turn(ruleset: Ruleset, games: np.ndarray, turns: np.ndarray, look: Look) -> np.ndarray:
    """Games (N,) as they stand when the turn is over that was on after so many turns (N,), or they are: copies."""
    ends, rows, copies = games.copy(), np.arange(len(games)), games
    for _ in range(LONGEST):
        on = np.flatnonzero((copies["asked"] != OVER) & (copies["turns"] == turns[rows]))
        if not len(on):
            break
        rows, copies = rows[on], copies.take(on)
        _step(ruleset, copies, look(observations_of(ruleset, copies), masks_of(ruleset, copies))[0].argmax(axis=1))
        put_records(ends, rows, copies)
    return ends


def _step(ruleset: Ruleset, games: np.ndarray, actions: np.ndarray) -> None:
    written = kernels.StepBuffers.of(ruleset, len(games))
    kernels.step_games(games, tables_of(ruleset), actions, BY_WIN, False, *written, 0, len(games))


def values_of_seats(ruleset: Ruleset, games: np.ndarray, askers: np.ndarray, look: Look) -> np.ndarray:
    """The values (N, P) float32 of games (N,) from every seat's view, with no more than the askers (N,) know.

    A seat's view shows its mission card (R11), which only its owner knows: the mean over those that it may have counts.
    """
    if not ruleset.missions:
        return _as_they_lie(ruleset, games, look)
    own = games["missions"][np.arange(len(games)), askers]
    others = (np.arange(games["missions"].shape[1]) != askers[:, None]) & (games["missions"] >= 0)
    total = np.zeros((len(games), ruleset.players))
    for card in range(len(MISSIONS)):
        dealt = copies_of(games, len(games))
        dealt["missions"][others] = card
        total += _as_they_lie(ruleset, dealt, look) * (own != card)[:, None]
    return (total / (len(MISSIONS) - 1)).astype(np.float32)


def _as_they_lie(ruleset: Ruleset, games: np.ndarray, look: Look) -> np.ndarray:
    values, masks = np.empty((len(games), ruleset.players), np.float32), masks_of(ruleset, games)
    views = np.empty((len(games), observation_size(ruleset)), np.int8)
    for seat in range(ruleset.players):
        kernels.observe_games(games, tables_of(ruleset), np.full(len(games), seat, np.int8), views, 0, len(games))
        values[:, seat] = look(views, masks)[1]
    return values


def results_as_known(ruleset: Ruleset, games: np.ndarray, askers: np.ndarray) -> np.ndarray:
    """The share of the win of every seat at ends of games (N,), (N, P) float64, with no more than the askers (N,) know.

    Of mission cards (R11) that is their own: the mean counts over many ways in which the others may have been dealt.
    """
    if not ruleset.missions:
        return results_of(ruleset, games)
    total, rows = np.zeros((len(games), ruleset.players)), np.arange(len(games))
    dealt, rng = games.copy(), np.random.default_rng(0)  # the same ways for all, so that only what is known counts
    for _ in range(DEALS):
        cards = np.broadcast_to(rng.permutation(len(MISSIONS)), (len(games), len(MISSIONS)))
        others = cards[cards != games["missions"][rows, askers][:, None]].reshape(len(games), -1)
        for seat in range(ruleset.players):
            dealt["missions"][:, seat] = np.where(askers == seat, games["missions"][:, seat], others[:, seat])
        total += results_of(ruleset, dealt)
    return total / DEALS


def results_of(ruleset: Ruleset, games: np.ndarray) -> np.ndarray:
    """The share of the win (R7.9) of every seat as the boards of games (N,) stand: (N, P) float64; who ties shares."""
    return win_shares(ranks_of(ruleset, games, scores_of(ruleset, games)))
