"""Openings as positions: what was decided in games that came to the same position, by whatever way, is counted together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hansa_agents.openings.play import NOTHING, PART, Begun, dealt_again
from hansa_env import Ruleset
from hansa_env.formats.notation import decision_text
from hansa_env.formats.openings import MOST_BEGINNINGS, MOST_POSITIONS, Beginning, Position, Taken
from hansa_env.formats.setup import setup_of
from hansa_env.render.words import number_of

#: Decimals of wins.
DIGITS = 2


def positions_of(ruleset: Ruleset, begun: Begun, least: int) -> tuple[list[Beginning], list[Position]]:
    """The positions that at least so many games came to, each before those it leads to, the beginnings among them.

    A game that comes back to a position counts there once, as what it decided the first time. A decision that leads back is
    told, but not where it leads.

    Raises:
        ValueError: no position was come to so often, or there would be more than a file holds.
    """
    games, depth = begun.actions.shape
    game, step, known, place, counts = met(begun)
    after, action = begun.keys[game, step + 1], begun.actions[game, step].astype(np.int64)
    wins = begun.wins[game, begun.seats[game, step]]
    kept = np.flatnonzero(counts >= least)
    if not len(kept):
        raise ValueError(
            f"no position was reached in {least} of {number_of(games, 'game')}; expected a smaller --least, or more games"
        )
    if len(kept) > MOST_POSITIONS:
        raise ValueError(
            f"{len(kept):,} positions; a file holds {MOST_POSITIONS:,}: expected a larger --least or a smaller --depth"
        )
    place_after = np.searchsorted(known, after)
    place_after = np.where(known[np.minimum(place_after, len(known) - 1)] == after, place_after, -1)
    before, later = np.unique(np.stack([place, place_after])[:, place_after >= 0], axis=1)
    ways = longest_ways(before, later, len(known))
    if ways is None:
        written = np.isin(before, kept) & np.isin(later, kept)
        before, later = before[written], later[written]
        soonest = np.full(len(known), depth)
        np.minimum.at(soonest, place, step)
        on = ~leading_back(before, later, np.argsort(soonest, kind="stable"))
        ways = longest_ways(before[on], later[on], len(known))
        assert ways is not None
    order = kept[np.lexsort((known[kept], ways[kept]))]
    number = np.full(len(known), -1, np.int64)
    number[order] = np.arange(len(order))
    rows = np.flatnonzero(number[place] >= 0)
    texts, setups = _texts(ruleset, begun, game[rows], step[rows], action[rows], number[place[rows]])

    found: list[dict[int, list]] = [{} for _ in order]
    for row in rows[np.argsort(number[place[rows]], kind="stable")]:
        goes = int(number[place_after[row]]) if place_after[row] >= 0 else -1
        if goes <= number[place[row]]:  # it leads back
            goes = -1
        taken = found[number[place[row]]].setdefault(int(action[row]), [0, 0.0, after[row], goes])
        taken[0] += 1
        taken[1] += float(wins[row])
        if taken[2] != after[row]:  # a hidden marker came, another in each game
            taken[3] = -1
    positions = [_position(each, number, texts) for number, each in enumerate(found)]
    first = np.unique(begun.keys[:, 0])
    beginnings = [(int(number[at]), setups[int(number[at])]) for at in np.searchsorted(known, first) if number[at] >= 0]
    if len(beginnings) > MOST_BEGINNINGS:
        raise ValueError(f"{len(beginnings):,} ways to begin; a file holds {MOST_BEGINNINGS:,}: expected a larger --least")
    return [Beginning(setup=setup, position=at) for at, setup in sorted(beginnings, key=lambda one: one[0])], positions


def fitting_least(begun: Begun, least: int) -> int:
    """The number of games nearest to `least` by which `positions_of` has a beginning, and no more than a file holds."""
    positions = met(begun)
    counts = positions.counts
    of_beginnings = counts[np.isin(positions.known, begun.keys[:, 0])]
    fits = 1
    for some, most in ((counts, MOST_POSITIONS), (of_beginnings, MOST_BEGINNINGS)):
        if len(some) > most:
            fits = max(fits, int(np.sort(some)[-most - 1]) + 1)
    return min(max(fits, least), int(of_beginnings.max()))


class Met(NamedTuple):
    """The positions that games came to.

    Attributes:
        game, step: (K,) int64, which game decided there, the first time that it came there, and which decision that was.
        known: (P,) their keys, sorted.
        place: (K,) int64, the position of each of these decisions.
        counts: (P,) int64, how many games came to each.
    """

    game: np.ndarray
    step: np.ndarray
    known: np.ndarray
    place: np.ndarray
    counts: np.ndarray


def met(begun: Begun) -> Met:
    """Each position that the games came to, and how many did."""
    game, step = first_decisions(begun)
    return Met(game, step, *np.unique(begun.keys[game, step], return_inverse=True, return_counts=True))


def first_decisions(begun: Begun) -> tuple[np.ndarray, np.ndarray]:
    """What each game decided when it first came to a position: games (K,) and numbers (K,) of decisions, in order."""
    game, step = np.nonzero(begun.actions != NOTHING)
    key = begun.keys[game, step]
    order = np.lexsort((step, key, game))
    again = (np.diff(game[order]) == 0) & (key[order[1:]] == key[order[:-1]])
    first = np.ones(len(game), bool)
    first[order[1:][again]] = False
    return game[first], step[first]


def longest_ways(before: np.ndarray, after: np.ndarray, count: int) -> np.ndarray | None:
    """The longest way to each of so many positions, (count,) int64, where `before` (K,), in order, lead to `after` (K,) by one
    decision; None where a position leads back to itself.

    In one game a position may come after ten decisions and in another after five, so the number of decisions alone does not put
    it before those that it leads to.
    """
    first = np.searchsorted(before, np.arange(count + 1))
    waits_for = np.bincount(after, minlength=count)
    found, way, done = np.zeros(count, np.int64), 0, 0
    ready = np.flatnonzero(waits_for == 0)
    while len(ready):
        found[ready] = way
        way, done = way + 1, done + len(ready)
        many = first[ready + 1] - first[ready]
        edges = np.arange(many.sum()) + np.repeat(first[ready] - (np.cumsum(many) - many), many)
        met, times = np.unique(after[edges], return_counts=True)
        waits_for[met] -= times
        ready = met[waits_for[met] == 0]
    return found if done == count else None


def leading_back(before: np.ndarray, after: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Which decisions from `before` (K,), in order, to `after` (K,) lead back to a position on the way to them: (K,) bool.

    Without these none of the positions (N,), all numbers below N, leads to itself. Ways begin at the first of them.
    """
    first, goes = np.searchsorted(before, np.arange(len(positions) + 1)).tolist(), after.tolist()
    back, following = np.zeros(len(before), bool), first[:-1]
    seen, on_way = bytearray(len(positions)), bytearray(len(positions))
    for begins in positions.tolist():
        way = [] if seen[begins] else [begins]
        seen[begins] = on_way[begins] = 1
        while way:
            here = way[-1]
            edge = following[here]
            if edge == first[here + 1]:
                on_way[way.pop()] = 0
                continue
            following[here] += 1
            there = goes[edge]
            back[edge] = on_way[there]
            if not seen[there]:
                seen[there] = on_way[there] = 1
                way.append(there)
    return back


def _position(found: dict[int, list], number: int, texts: dict[tuple[int, int], str]) -> Position:
    taken = [
        Taken(texts[number, action], count, round(wins, DIGITS), goes if goes >= 0 else None)
        for action, (count, wins, _, goes) in found.items()
    ]
    return Position(sum(one.games for one in taken), sorted(taken, key=lambda one: (-one.games, one.text)))


def _texts(
    ruleset: Ruleset, begun: Begun, game: np.ndarray, step: np.ndarray, action: np.ndarray, number: np.ndarray
) -> tuple[dict[tuple[int, int], str], dict[int, dict]]:
    """By position and action index its text, and by position at the beginning of a game its setup: each from the first game
    that came to it, played once more so far."""
    _, first = np.unique(np.stack([number, action]), axis=1, return_index=True)
    texts: dict[tuple[int, int], str] = {}
    setups: dict[int, dict] = {}
    wanted = np.unique(game[first])
    for part in range(0, len(wanted), PART):
        rows = wanted[part : part + PART]
        mine = first[np.isin(game[first], rows)]

        def note(at: int, records: np.ndarray, rows: np.ndarray = rows, mine: np.ndarray = mine) -> None:
            for row in mine[step[mine] == at]:
                record = records[int(np.searchsorted(rows, game[row]))]
                texts[int(number[row]), int(action[row])] = decision_text(ruleset, record, int(action[row]))
                if at == 0:
                    setups.setdefault(int(number[row]), setup_of(ruleset, record))

        dealt_again(ruleset, begun, rows, note)
    return texts, setups
