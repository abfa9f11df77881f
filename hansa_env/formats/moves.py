"""The decisions of a game in the notation, with whose they were and what followed them, and its turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Followed(NamedTuple):
    """What followed a decision by itself: of whom it is told, the words, as of a decision, and whether they go on in the
    sentence before; `answer`: the question and the text, where it is the answer to a question that was not asked."""

    seat: int
    words: str
    goes_on: bool = False
    answer: tuple[str, str] | None = None


class Move(NamedTuple):
    """A decision: at which turn of the game (from 0), whose turn that is, who decided what at which question; `then`: what
    followed it by itself, where that is known (`hansa_env.render.followed`)."""

    turn: int
    active: int
    seat: int
    asked: str
    text: str
    then: tuple[Followed, ...] = ()


class Turn(NamedTuple):
    """What happens in a turn: its number, from 1, whose it is, and the places of its decisions, first and after the last."""

    number: int
    active: int
    first: int
    last: int


def turns_of(moves: Sequence[Move]) -> Iterator[Turn]:
    """The turns in which decisions were taken."""
    first = 0
    for place in range(1, len(moves) + 1):
        if place == len(moves) or moves[place].turn != moves[first].turn:
            yield Turn(moves[first].turn + 1, moves[first].active, first, place)
            first = place


def answers_of(moves: Sequence[Move]) -> list[tuple[str, str]]:
    """The decisions of one seat, each the name of its question and its text, those among them that followed by themselves."""
    found: list[tuple[str, str]] = []
    for move in moves:
        found.append((move.asked, move.text))
        found += [one.answer for one in move.then if one.answer is not None and one.seat == move.seat]
    return found
