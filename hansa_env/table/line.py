"""The line of a game at the table: every position that it came through, and the decisions between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hansa_env.play.game import Game
from hansa_env.render.words import Move
from hansa_env.ruleset import Ruleset
from hansa_env.table.start import Start


class Line:
    """A game with the positions behind it, so that any of them can be shown. It only grows.

    Args:
        start: what it begins from.
        decisions: what was decided since.

    Attributes:
        game: the game as it stands.
        moves: its decisions.
        records: (number of decisions + 1) game records, by the number of decisions before them.
    """

    def __init__(self, start: Start, decisions: Sequence[str] = ()) -> None:
        self.start = start
        self.game = start.game()
        self.moves: list[Move] = []
        self.records: list[np.void] = [self.game.state.copy()]
        for text in decisions:
            self.play(text)

    def copy(self) -> Line:
        """The same, to look ahead on."""
        other = Line.__new__(Line)
        other.start, other.game = self.start, self.game.copy()
        other.moves, other.records = self.moves[:], self.records[:]
        return other

    def __len__(self) -> int:
        return len(self.moves)

    @property
    def ruleset(self) -> Ruleset:
        return self.game.ruleset

    @property
    def decisions(self) -> list[str]:
        return [move.text for move in self.moves]

    def play(self, text: str) -> Move:
        """Play a decision. Raises IllegalAction, and then changes nothing."""
        move = self.game.move(text)
        self.game.play(text)
        self.moves.append(move)
        self.records.append(self.game.state.copy())
        return move

    def game_at(self, number: int) -> Game:
        """The game after so many decisions, for looking ahead; it knows nothing of its beginning."""
        return Game.from_state(self.ruleset, self.records[number])
