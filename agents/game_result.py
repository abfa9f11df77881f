"""What comes of one game of a match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np

from hansa_agents.intervals import Deals
from hansa_env import Game, Ruleset
from hansa_env.engine.state import END_BY_LIMIT
from hansa_env.play.result import win_shares

FORFEIT = "forfeit"
#: What is said of the figures of a match that was stopped.
SHORT_ONES = "games under way, the longer ones, are missing, so short games count somewhat too much"


class Forfeit(NamedTuple):
    """Whose fault ended a game, at which seat's question, and what it did."""

    agent: str
    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game of a match.

    Attributes:
        number: its place in the match; seed: what names the game, the same for each line-up.
        agents: names by seat; specs: what they were made of.
        reason: "prestige", "markers", "cities" or "stalled"; "truncated" by the turn limit; "forfeit".
        turns: how many there were; decisions, seconds: taken by each seat's agent.
        scores: (P, K) points by seat, the columns that `score_columns` names; of a game that was not played to its end, as the
            board stood.
        ranks: (P,) places by seat (R7.9), 0 = first, ties share. In a forfeited game every seat of the agent at fault
            shares the last place and all others the first.
        forfeit: None unless an agent failed.
        actions: every action index in order, None unless the match was asked to keep them.
        models: hashes of the agents' models by seat, None where there is none; empty where that is not known.
        version: of the package that played it, None where that is not known.
    """

    number: int
    seed: int
    agents: tuple[str, ...]
    specs: tuple[str, ...]
    reason: str
    turns: int
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    scores: np.ndarray
    ranks: np.ndarray
    forfeit: Forfeit | None = None
    actions: np.ndarray | None = None
    models: tuple[str | None, ...] = ()
    version: str | None = None

    @property
    def truncated(self) -> bool:
        """Whether the turn limit ended it."""
        return self.reason == END_BY_LIMIT

    @property
    def shares(self) -> np.ndarray:
        """(P,) share of the win by seat; tied winners share one win."""
        return win_shares(self.ranks)

    def record(self, ruleset: Ruleset, max_turns: int | None) -> dict:
        """The game as a record (`hansa-record/1`). Raises ValueError if its actions were not kept."""
        return self.game(ruleset, max_turns).record()

    def game(self, ruleset: Ruleset, max_turns: int | None) -> Game:
        """The game, played again. Raises ValueError if its actions were not kept."""
        if self.actions is None:
            raise ValueError(f"game {self.number}: its actions were not kept; play the match with keep=Keep(actions=True)")
        game = Game(ruleset, self.seed, max_turns=max_turns)
        for action in self.actions.tolist():
            game.play_action(action)
        game.agents = list(self.agents)
        return game


def whole_beginning(results: Iterable[GameResult]) -> list[GameResult]:
    """Those of a match's games before which none is missing, by number. Of games that are played side by side the short ones
    end first: to count all that had ended when a match was stopped would count the short ones."""
    found = {result.number: result for result in results}
    first = next(number for number in count() if number not in found)
    return [found[number] for number in range(first)]


def forfeited_ranks(at_fault: np.ndarray) -> np.ndarray:
    """The places (P,) of a game forfeited by the seats (P,) bool: the others share the first, or all do where none is left."""
    others = int((~at_fault).sum())
    return np.where(at_fault, others, 0)


def deals_of(results: Sequence[GameResult]) -> Deals:
    """On which deals the games were played."""
    return Deals.of([result.seed for result in results], [result.agents for result in results])
