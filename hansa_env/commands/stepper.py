"""Stepping through a game in the terminal."""

from __future__ import annotations

import sys

from hansa_env.commands.board import board_as_text, board_that_fits
from hansa_env.commands.output import print_wrapped
from hansa_env.formats.moves import turns_of
from hansa_env.play.game import Game
from hansa_env.render.thoughts import estimate_in_words
from hansa_env.render.words import asked_to, move_in_words

HELP = (
    "Enter or n: next decision; b: back; t: next turn; p: turn before; a number: go there; f: first; e: to the end; "
    "o: the board on or off; m: as a map or in letters; q: quit"
)
_CLEAR = "\033[H\033[2J"


class Stepper:
    """Shows a game decision by decision.

    Args:
        game: whole.
        clears: whether the screen is cleared before each, as on a terminal.
    """

    def __init__(self, game: Game, clears: bool) -> None:
        self.game, self.clears, self.board = game, clears, True
        self.letters = False
        self.moves = game.told_moves()
        self.last = len(self.moves)
        self.turns = [turn.first for turn in turns_of(self.moves)]
        self.shown = game.rewound(0)

    def run(self, place: int = 0) -> bool:
        """Step, from after so many decisions on; False when whoever watches has had enough, True at the end."""
        while True:
            self._show(place)
            while (then := self._place_after(place)) == place:
                pass
            if then is None:
                return False
            if then > self.last:
                return True
            place = then

    def _place_after(self, place: int) -> int | None:
        """Where what is said leads from a place: one beyond the last is the end; None to quit."""
        print(f"-- {place} of {self.last}; h: help --", end=" ", file=sys.stderr, flush=True)
        answer = sys.stdin.readline()
        said = answer.strip().lower()
        if not answer or said in ("q", "quit"):
            return None
        if said.isdecimal():
            if len(said) < 10 and int(said) <= self.last:
                return int(said)
            print(f"There are {self.last} decisions.")
            return place
        if said in ("o", "m"):
            self.board, self.letters = (not self.board, self.letters) if said == "o" else (True, not self.letters)
            self._show(place)
            return place
        goes = {
            "": place + 1, "n": place + 1, "b": max(place - 1, 0), "f": 0, "e": self.last + 1,
            "t": min((first for first in self.turns if first > place), default=self.last if place < self.last else place + 1),
            "p": max((first for first in self.turns if first < place), default=0),
        }  # fmt: skip
        if said not in goes:
            print_wrapped(HELP)
            return place
        return goes[said]

    def _show(self, place: int) -> None:
        game = self.shown = self._game_at(place)
        ruleset = game.ruleset
        if self.clears:
            print(_CLEAR, end="")
        if self.board:
            print(f"{board_as_text(game) if self.letters else board_that_fits(game)}\n")
        if place > 0:
            move = self.moves[place - 1]
            print(f"{place} of {self.last}, turn {move.turn + 1}: {self._who(move.seat)} {move_in_words(ruleset, move)}")
        if place < self.last:
            asked = self.moves[place]
            print(f"{self._who(asked.seat)} is asked to {asked_to(game.position())}")
            estimate = self.game.estimates.get(place)
            if estimate is not None:
                print(f"  {self.game.thinker(asked.seat)} estimates:")
                for line in estimate_in_words(ruleset, asked.asked, estimate):
                    print(f"    {line}")
        sys.stdout.flush()

    def _game_at(self, place: int) -> Game:
        game = self.shown if len(self.shown.decisions) <= place else self.game.rewound(0)
        for move in self.moves[len(game.decisions) : place]:
            game.play(move.text)
        return game

    def _who(self, seat: int) -> str:
        return f"seat {seat}" + (f" ({self.game.names[seat]})" if self.game.names else "")
