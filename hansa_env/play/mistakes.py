"""Mistakes: what the actions of a game cost whoever took them, as an agent judges them.

An *action* is everything that a seat decides from a question `act` to the next, and each answer that it gives in the turn of
another. Every decision is judged where it was taken, from what was known there: its loss is the best value among the decisions
that the agent weighed well (`hansa_env.play.weighing`) less the value of the one that was taken, in shares of the win, so that
nobody is blamed for the dice of the pile or for what others did later. A decision that was taken is always judged: where the
agent did not weigh it well, whoever asks the agent asks once more about it alone. An action loses what its decisions lose
together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hansa_env.formats.moves import Move
from hansa_env.play.weighing import well_weighed

#: A value as small as this is not divided by.
LEAST_SHARE = 0.01


class Judged(NamedTuple):
    """An action that was judged.

    Attributes:
        first, last: the numbers of decisions before it and after its last.
        seat: whose.
        best: the decision that was found best where the most was lost, played: the one that was taken there; at: its number.
        share: the share of the win that was to be had at the beginning, by the best decision.
        loss: of that share, 0 where the best was played.
    """

    first: int
    last: int
    seat: int
    at: int
    best: str
    played: str
    share: float
    loss: float


class _Loss(NamedTuple):
    """Of a decision: the best one, its value, and by how much that of the one taken is less."""

    best: str
    share: float
    lost: float


def judged_actions(moves: Sequence[Move], estimates: Mapping[int, dict]) -> list[Judged]:
    """The actions of a game of which every decision can be judged, in order.

    Args:
        moves: the decisions.
        estimates: by decision what an agent thought before it, as `hansa_env.play.estimates.in_notation` writes it, with the
            value of the decision that was taken. An agent that values no decision judges none; where it looked at one alone,
            and that was taken, nothing is lost: a game itself plays what is forced, so there was a choice.
    """
    found: list[Judged] = []
    if all(value is None for estimate in estimates.values() for _, _, value in estimate["likeliest"]):
        return found
    for first, last in actions(moves):
        losses = [loss for number in range(first, last) if (loss := _loss(moves, estimates, number)) is not None]
        if len(losses) < last - first:
            continue
        at = max(range(last - first), key=lambda place: losses[place].lost)
        total = min(sum(loss.lost for loss in losses), 1.0)
        taken = moves[first + at].text
        found.append(
            Judged(first, last, moves[first].seat, first + at, losses[at].best, taken, losses[0].share, round(total, 3))
        )
    return found


def actions(moves: Sequence[Move]) -> list[tuple[int, int]]:
    """The numbers of the first decision of each action, and behind its last."""
    found: list[tuple[int, int]] = []
    for number, move in enumerate(moves):
        before = moves[number - 1] if number else None
        if before is None or move.asked == "act" or (move.seat, move.turn) != (before.seat, before.turn):
            found.append((number, number + 1))
        else:
            found[-1] = found[-1][0], number + 1
    return found


def _loss(moves: Sequence[Move], estimates: Mapping[int, dict], number: int) -> _Loss | None:
    """What a decision lost; None where it cannot be judged."""
    estimate = estimates.get(number)
    if estimate is None:
        return None
    taken, values = moves[number].text, well_weighed(estimate)
    own = next((value for text, _, value in estimate["likeliest"] if text == taken), None)
    if own is None and [text for text, *_ in estimate["likeliest"]] == [taken]:
        own = estimate["value"]  # the agent looked at nothing else
        values = {} if own is None else {taken: own}
    if own is None or not values:
        return None
    values[taken] = own
    best = max(values, key=lambda text: (values[text], text == taken))
    return _Loss(best, values[best], values[best] - own)


def accuracy(judged: Sequence[Judged]) -> float | None:
    """How much of what was to be had the actions kept, 0 to 1: the mean of what is left of each one's share; None of none."""
    kept = [1 - min(one.loss / max(one.share, LEAST_SHARE), 1.0) for one in judged]
    return sum(kept) / len(kept) if kept else None


def worst(judged: Sequence[Judged], most: int = 5, least: float = 0.01) -> list[Judged]:
    """Those that lost the most, but at least so much, the worst first."""
    return sorted((one for one in judged if one.loss >= least), key=lambda one: (-one.loss, one.first))[:most]
