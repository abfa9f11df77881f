"""Who sits where: the line-ups of a match."""

from __future__ import annotations

from collections.abc import Sequence


class MatchError(ValueError):
    """A match cannot be played as asked; says why."""


def line_ups(names: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """Who sits where, line-up by line-up.

    As many names as players: that line-up and all its rotations. Fewer: the list repeated round the table, begun with
    each of its names (random, greedy at three: r g r and g r g), and all rotations of these, so that every agent holds
    every seat equally often. Line-ups that come out the same are played once.

    Raises:
        MatchError: no names, or more than players.
    """
    if not 1 <= len(names) <= players:
        raise MatchError(f"{len(names)} agents for {players} players; expected 1 to {players}")
    starts = 1 if len(names) == players else len(names)
    found: dict[tuple[str, ...], None] = {}
    for start in range(starts):
        table = [names[(start + seat) % len(names)] for seat in range(players)]
        for turn in range(players):
            found[tuple(table[turn:] + table[:turn])] = None
    return list(found)
