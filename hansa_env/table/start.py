"""What a game at the table begins from: a deal, or a position."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from hansa_env.formats.modules import ruleset_of_position
from hansa_env.play.arguments import MAX_TURNS
from hansa_env.play.game import Game
from hansa_env.ruleset import Ruleset


@dataclass(frozen=True)
class Start:
    """The beginning of a game, as JSON data that are kept with it and never shown: they hold what is hidden.

    Attributes:
        data: of a deal the keys of a ruleset, `setup`, `seed` and `max_turns`; of a position `position` and `seed`.
    """

    data: dict

    @classmethod
    def dealt(cls, ruleset: Ruleset, seed: int | None = None) -> Start:
        """A new game; without a seed, of one that nobody knows."""
        game = Game(ruleset, new_seed() if seed is None else seed)
        return cls._of(game, MAX_TURNS)

    @classmethod
    def of_record(cls, game: Game) -> Start:
        """Of the game that a record came to."""
        return cls._of(game, game.max_turns)

    @classmethod
    def of_position(cls, position: dict) -> Start:
        """A position; what is hidden is dealt anew."""
        return cls({"position": {**position, "legal": None}, "seed": new_seed()})

    @classmethod
    def _of(cls, game: Game, max_turns: int | None) -> Start:
        return cls({**game.ruleset.config, "setup": game.setup, "seed": game.seed, "max_turns": max_turns})

    def without_end(self) -> Start:
        """The same, but that no number of turns ends the game."""
        return self if self.is_position else Start({**self.data, "max_turns": None})

    @property
    def is_position(self) -> bool:
        return "position" in self.data

    def begins_elsewhere(self, other: Start) -> bool:
        """Whether it is another position than a game began from, as that of a game from a position that was dealt anew."""
        return self.is_position and self.data["position"] != other.data.get("position")

    @property
    def ruleset(self) -> Ruleset:
        return ruleset_of_position(self.data["position"]) if self.is_position else Ruleset.from_config(self.data)

    def game(self, decisions: Sequence[str] = ()) -> Game:
        """The game after these decisions."""
        if self.is_position:
            game = Game.from_position(self.data["position"], self.data["seed"])
        else:
            game = Game(self.ruleset, self.data["seed"], self.data["setup"], self.data["max_turns"])
        for text in decisions:
            game.play(text)
        return game

    def reshuffled(self, decisions: Sequence[str], viewer: int | None = None) -> tuple[Start, list[str]]:
        """A beginning and decisions that come to the same position, with what not everybody has seen by then dealt anew, but
        for the mission card of a seat; a position has the card of who decides there, and no other."""
        other = self.game(decisions).copy(reshuffle=new_seed(), own_card=False, viewer=viewer)
        if self.is_position:
            return Start.of_position(other.position()), []
        return Start._of(other, self.data["max_turns"]), list(decisions)


def new_seed() -> int:
    return secrets.randbits(63)
