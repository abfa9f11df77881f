"""Who sits where: the line-ups of a match."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache
from itertools import combinations, permutations
from typing import TypeVar

Name = TypeVar("Name")


class MatchError(ValueError):
    """A match cannot be played as asked; says why."""


def line_ups(names: Sequence[Name], players: int) -> list[tuple[Name, ...]]:
    """Who sits where, line-up by line-up.

    As many names as players: that line-up and all its rotations. Fewer: the list repeated round the table, begun with
    each of its names (random, greedy at three: r g r and g r g), and all rotations of these. More: all rotations of every
    choice of as many as there are players, in the order given. So every agent holds every seat equally often. Line-ups
    that come out the same are played once.

    Raises:
        MatchError: no names.
    """
    if not names:
        raise MatchError("there are 0 agents; expected at least 1")
    if len(names) > players:
        tables = [list(chosen) for chosen in combinations(names, players)]
    else:
        starts = 1 if len(names) == players else len(names)
        tables = [[names[(start + seat) % len(names)] for seat in range(players)] for start in range(starts)]
    rotations = (tuple(table[turn:] + table[:turn]) for table in tables for turn in range(players))
    return list(dict.fromkeys(rotations))


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
