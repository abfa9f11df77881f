"""The line of a game at the table: every position that it came through, and the decisions between them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from hansa_env.formats.moves import Move
from hansa_env.play.errors import IllegalAction
from hansa_env.play.game import Game
from hansa_env.play.take_back import shows_more
from hansa_env.render.followed import with_what_followed
from hansa_env.ruleset import Ruleset
from hansa_env.table.errors import NotAllowed, Refused, TooLate
from hansa_env.table.seats import Seat
from hansa_env.table.start import Start
from hansa_env.table.store import DECIDED, UNDONE, Event


def standing_decisions(events: Iterable[Event]) -> list[str]:
    """The decisions that stand after what happened. Raises ValueError: an event is none."""
    decisions: list[str] = []
    for event in events:
        if event.kind == DECIDED:
            decisions.append(event.text)
        elif event.kind == UNDONE:
            del decisions[int(event.text) :]
    return decisions


def seats_after(seats: Iterable[Seat], events: Iterable[Event]) -> list[Seat]:
    """Who sits where after what happened. Raises ValueError: an event is none."""
    now = list(seats)
    for event in events:
        if event.kind not in (DECIDED, UNDONE):
            if event.seat is None:
                raise ValueError(f"event {event.seq} names no seat")
            now[event.seat] = Seat.model_validate_json(event.text)
    return now


def not_legal(game: Game, text: str) -> Refused:
    """Of a decision that a game does not take, for the person who gave it."""
    if game.over:
        return Refused(f"{text[:80]!r} comes after the end of the game")
    legal = ", ".join(game.legal()[:6])
    return Refused(f"{text[:80]!r} is not legal at the question {game.asked!r}; legal are {legal} ...")


class Line:
    """A game with the positions behind it, so that any of them can be shown. It only grows.

    Args:
        start: what it begins from.
        decisions: what was decided since.

    Attributes:
        game: the game as it stands.
        records: (number of decisions + 1) game records, by the number of decisions before them.
    """

    def __init__(self, start: Start, decisions: Sequence[str] = ()) -> None:
        self.start = start
        self.game = start.game()
        self.records: list[np.void] = [self.game.state.copy()]
        self._moves: list[Move] = []
        for text in decisions:
            self.play(text)

    def check_number(self, number: int) -> None:
        """Raises Refused: the game has not come to a position after so many decisions."""
        if not 0 <= number <= len(self):
            raise Refused(f"at is {number}; the game has {len(self)} decisions")

    def copy(self) -> Line:
        """The same, to look ahead on."""
        other = Line.__new__(Line)
        other.start, other.game = self.start, self.game.copy()
        other.records, other._moves = self.records[:], self._moves[:]
        return other

    def __len__(self) -> int:
        return len(self.records) - 1

    @property
    def moves(self) -> list[Move]:
        """Its decisions, each with what followed it."""
        return self._moves[:]

    @property
    def ruleset(self) -> Ruleset:
        return self.game.ruleset

    @property
    def decisions(self) -> list[str]:
        return [move.text for move in self._moves]

    def play(self, text: str) -> Move:
        """Play a decision. Raises IllegalAction, and then changes nothing."""
        self.game.play(text)
        self.records.append(self.game.state.copy())
        self._moves += with_what_followed(self.ruleset, self.game.moves()[-1:], self.records[-2:])
        return self._moves[-1]

    def after(self, held: Collection[int], texts: Sequence[str], names: Sequence[str]) -> Line:
        """A copy that goes on with decisions of whoever holds these seats, one after the other.

        Args:
            held: their seats.
            texts: what they decide.
            names: who sits where, for people to read.

        Raises:
            TooLate: the game is over. NotAllowed: another seat decides. Refused: one is not legal, or is decided before
                something is seen that the one before it shows.
        """
        if self.game.over:
            raise TooLate("the game is over")
        ahead = self.copy()
        for number, text in enumerate(texts, 1):
            seat = ahead.game.seat
            if seat is None:
                raise not_legal(ahead.game, text)
            if seat not in held:
                raise NotAllowed(f"seat {seat} ({names[seat]}) decides now, not you")
            try:
                ahead.play(text)
            except IllegalAction:
                raise not_legal(ahead.game, text) from None
            if number < len(texts) and shows_more(self.records[-1], ahead.game.state):
                raise Refused(f"after {text[:80]!r} something is seen that is hidden now; decide the rest after that")
        return ahead

    def game_at(self, number: int) -> Game:
        """The game after so many decisions, for looking ahead; it knows nothing of its beginning."""
        return Game.from_state(self.ruleset, self.records[number])
