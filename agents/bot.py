"""A base class for bots that are written by hand: one game at a time, in the words of the notation."""

from __future__ import annotations

import reprlib
from abc import abstractmethod
from pathlib import Path
from random import Random
from types import CodeType

import numpy as np

from hansa_agents.streams import streams_of
from hansa_env import Game, Ruleset
from hansa_env.engine.kernels import NO_ACTION
from hansa_env.formats.errors import NotationError
from hansa_env.formats.notation import parse_decision
from hansa_env.play.agents import Agent, game_records
from hansa_env.play.errors import NoAnswer
from hansa_env.play.illegal import some_legal


class Bot(Agent):
    """An agent that answers one game at a time; subclasses write `choose`.

    Args:
        ruleset: the game it is to play.
        seed: of the numbers it is given.
    """

    sees = "games"

    def __init__(self, ruleset: Ruleset, seed: int = 0) -> None:
        self.ruleset, self.seed = ruleset, seed

    @abstractmethod
    def choose(self, game: Game, random: Random) -> str:
        """One of `game.legal()`, for the seat `game.seat` at the question `game.asked`.

        Args:
            game: a copy, its hidden markers reshuffled: it may be played on, and copied (`game.copy()`).
            random: the same numbers whenever this seed meets this moment of this game, in whatever batch it is played.
        """

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Actions (N,) int64 for game records (N,). Raises NoAnswer, TypeError: `choose` named no decision."""
        if not hasattr(self, "ruleset") or not hasattr(self, "seed"):
            raise TypeError(
                f"{type(self).__name__}.__init__ does not call super().__init__(ruleset, seed); expected that it does"
            )
        games = game_records(inputs)
        streams, actions = streams_of(games, self.seed), np.full(len(games), NO_ACTION)
        for row in np.flatnonzero(masks.any(axis=1)).tolist():
            text = self.choose(Game.from_state(self.ruleset, games[row]), Random(int(streams[row])))
            if not isinstance(text, str):
                raise TypeError(
                    f"choose() returned {reprlib.repr(text)}; expected one of game.legal(), for an index game.describe(index)"
                )
            try:
                actions[row] = parse_decision(self.ruleset, games[row], text)
            except NotationError as error:
                legal = some_legal(self.ruleset, games[row], text, "game.legal()")
                raise NoAnswer(f"chose{_where(self.choose)} what cannot be played: {error}; legal: {legal}") from error
        return actions


def _where(choose: object) -> str:
    """Where a method begins, if that is known."""
    code = getattr(choose, "__code__", None)
    if not isinstance(code, CodeType):
        return ""
    return f", in the method at {Path(code.co_filename).name:.80}, line {code.co_firstlineno},"
