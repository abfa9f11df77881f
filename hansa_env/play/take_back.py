"""What people may take back of a game, and whom they have to ask first: one policy, at the table and in the terminal.

A person takes back their own last decision, with what agents answered to it; what another person decided since stands, unless
both sit at one screen or keyboard. If something hidden has been seen since, a marker of the pile or what the end of a game
lays open, nobody can unsee it. Then every other person at the game has to agree. Who plays against agents alone has nobody to
ask.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from hansa_env.engine.state import OVER


class NotAgreed(ValueError):
    """Something hidden has been seen since, and others have to agree. Attributes: seats: theirs."""

    def __init__(self, seats: frozenset[int]) -> None:
        who = ", ".join(map(str, sorted(seats)))
        super().__init__(f"what was hidden has been seen since; to take it back, seat {who} has to agree")
        self.seats = seats


def stands_after(seats: Sequence[int], people: Collection[int], held: Collection[int]) -> int | None:
    """How many decisions stand once the last one by a person is taken back.

    Args:
        seats: who gave each decision so far.
        people: the seats whose decisions are people's.
        held: the seats of who asks.

    Returns:
        The number, or None: no person has decided yet, or the last one to decide was another.
    """
    for number in reversed(range(len(seats))):
        if seats[number] in people:
            return number if seats[number] in held else None
    return None


def has_to_agree(before: np.void, now: np.void, people: Collection[int], seat: int) -> frozenset[int]:
    """The seats of the people who have to agree that a decision of a seat is taken back.

    Args:
        before: the game record before that decision.
        now: the game record as the game stands, with `before` behind it.
        people: the seats that people hold.
        seat: whose decision it was.
    """
    return frozenset(people) - {seat} if shows_more(before, now) else frozenset()


def shows_more(before: np.void, now: np.void) -> bool:
    """Whether something that was hidden at a game record has been seen at a later one of the same game."""
    return markers_seen(now) > markers_seen(before) or bool(now["asked"] == OVER != before["asked"])


def markers_seen(game: np.void) -> int:
    """How many markers of the pile everybody has seen; those on plates lie face down."""
    return int(game["drawn"]) - int((game["plate_of"] >= 0).sum())
