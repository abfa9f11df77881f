"""The share of the win of every seat at every moment of a game, from what an agent thought at the questions of each."""

from __future__ import annotations

from collections.abc import Sequence


def chances(points: Sequence[tuple[int, int, float]], last: int, players: int, winners: Sequence[int]) -> list[list[float]]:
    """By the number of decisions before it, 0 .. last, each seat's share of the win; every row sums to 1.

    An agent says what the seat expects that decides. A seat keeps its share until it is asked again, an even one before it was
    asked at all, and all together are brought to a sum of 1. A game that is over has its winners' shares at the end.

    Args:
        points: (number of decisions before it, seat, value) in order.
        last: how many decisions the game has.
        players: seats.
        winners: seats that have won, none while the game runs.
    """
    held = [1 / players] * players
    rows, left = [], list(points)
    for number in range(last + 1):
        while left and left[0][0] <= number:
            _, seat, value = left.pop(0)
            held[seat] = value
        total = sum(held)
        rows.append([share / total for share in held] if total > 0 else [1 / players] * players)
    if winners:
        rows[last] = [1 / len(winners) if seat in winners else 0.0 for seat in range(players)]
    return [[round(share, 4) for share in row] for row in rows]
