"""Who sits where: the line-ups of a match."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import TypeVar

Name = TypeVar("Name")
#: Line-ups of a match, all of which are held in memory.
MOST_LINE_UPS = 10**6


class MatchError(ValueError):
    """A match cannot be played as asked; says why."""


def line_ups(names: Sequence[Name], players: int, featuring: Name | None = None) -> list[tuple[Name, ...]]:
    """Who sits where, line-up by line-up; with `featuring`, where that one of the names sits too.

    As many names as players: that line-up and all its rotations. Fewer: the list repeated round the table, begun with
    each of its names (random, greedy at three: r g r and g r g), and all rotations of these. More: all rotations of every
    choice of as many as there are players, in the order given. So every agent holds every seat equally often. Line-ups
    that come out the same are played once.

    Raises:
        MatchError: no names, or so many that there are more than MOST_LINE_UPS.
    """
    if not names:
        raise MatchError("there are 0 agents; expected at least 1")
    if len(names) > players:
        wanted = [place for place, name in enumerate(names) if featuring in (None, name)]
        _check_tables(len(names), len(wanted), players)
        tables = [[names[place] for place in chosen] for chosen in _choices(len(names), wanted, players)]
    else:
        starts = 1 if len(names) == players else len(names)
        tables = [[names[(start + seat) % len(names)] for seat in range(players)] for start in range(starts)]
    rotations = (tuple(table[turn:] + table[:turn]) for table in tables for turn in range(players))
    return list(dict.fromkeys(rotations))


def _check_tables(names: int, wanted: int, players: int) -> None:
    """Raises MatchError where too many tables have one of the wanted names."""
    tables = comb(names, players) - comb(names - wanted, players)
    if tables * players > MOST_LINE_UPS:
        fewer = "name fewer, or let some meet (hansa arena --results FILE) and place the others (hansa ladder --file FILE)"
        how = fewer if wanted == names else "leave some of them out (hansa ladder --exclude NAME)"
        raise MatchError(f"{names} agents come to {tables:,} tables; expected at most {MOST_LINE_UPS // players:,}: {how}")


def _choices(names: int, wanted: Sequence[int], players: int) -> list[tuple[int, ...]]:
    """The choices of so many places that have a wanted one, in their order; no others are gone through."""
    others = sorted(set(range(names)).difference(wanted))
    return sorted(
        tuple(sorted((*some, *rest)))
        for count in range(1, players + 1)
        for some in combinations(wanted, count)
        for rest in combinations(others, players - count)
    )


def may_take_turns(names: Sequence[Hashable], players: int) -> bool:
    """Whether another choice of agents may play each deal: there are more than seats, and each is another."""
    return players < len(names) == len(set(names))


@cache
def orders(players: int) -> list[tuple[int, ...]]:
    """Ways to sit round a table: of the seats of a line-up, which one moves to each seat.

    Who sits just before whom matters more than the seat. All rotations of a line-up in all these orders put everybody as
    often as everybody else at every distance behind each of the others.
    """
    if players == 4:  # less than all will not do
        return [(0, *others) for others in permutations(range(1, 4))]
    return [tuple(step * seat % players for seat in range(players)) for step in range(1, players)] if players > 2 else [(0, 1)]
