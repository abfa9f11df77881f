"""The share of the win of every seat at every moment of a game, from what agents thought at its questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def chances(thoughts: Mapping[int, Mapping], seats: Sequence[int], players: int, winners: Sequence[int]) -> list[list[float]]:
    """By the number of decisions before it, 0 .. M, each seat's share of the win; every row sums to 1.

    Where an agent has an opinion on every seat, that is the row. Others say what the seat expects that decides: then a seat
    keeps its share until it is asked again, an even one before it was asked at all, and all together are brought to a sum of 1.
    A game that is over has its winners' shares at the end.

    Args:
        thoughts: estimates by the number of decisions before them, as `hansa_env.play.estimates.in_notation` writes them.
        seats: who decides after 0, 1, ... decisions; at least as far as there are thoughts.
        players: seats of the game.
        winners: seats that have won, none while the game runs; then the last of the M + 1 rows is theirs.
    """
    held, rows = [1 / players] * players, []
    for number, seat in enumerate(seats):
        thought = thoughts.get(number)
        if thought is not None and thought.get("seats") is not None:
            held = list(thought["seats"])
        elif thought is not None and thought["value"] is not None:
            held[seat] = thought["value"]
        total = sum(held)
        rows.append([share / total for share in held] if total > 0 else [1 / players] * players)
    if winners:
        rows[-1] = [1 / len(winners) if seat in winners else 0.0 for seat in range(players)]
    return [[round(share, 4) for share in row] for row in rows]
