"""What comes of one game of a match."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np

from hansa_agents.intervals import Deals
from hansa_env import Game, Ruleset
from hansa_env.engine.state import END_BY_LIMIT
from hansa_env.play.arguments import checked_max_turns
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
        turns: how many were completed by all seats together; `max_turns` counts those of one seat.
        decisions, seconds: taken by each seat's agent.
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
        """The same as `cut_off`, as files of results call it."""
        return self.cut_off

    @property
    def cut_off(self) -> bool:
        """Whether the turn limit ended it; it was scored as the board stood."""
        return self.reason == END_BY_LIMIT

    @property
    def shares(self) -> np.ndarray:
        """(P,) share of the win by seat; tied winners share one win."""
        return win_shares(self.ranks)

    def record(self, ruleset: Ruleset, max_turns: int | None) -> dict:
        """The game as a record (`hansa-record/1`). Raises ValueError as `game` does."""
        return self.game(ruleset, max_turns).record()

    def game(self, ruleset: Ruleset, max_turns: int | None) -> Game:
        """The game, played again.

        Args:
            ruleset, max_turns: those of its match (`Match.ruleset`, `Match.max_turns`).

        Raises:
            ValueError: its actions were not kept, or it cannot have come to its end with that turn limit.
        """
        if self.actions is None:
            raise ValueError(f"game {self.number}: its actions were not kept; play the match with keep=Keep(actions=True)")
        limit = checked_max_turns(max_turns)
        most = math.inf if limit is None else limit * ruleset.players
        if self.turns != most if self.cut_off else self.turns >= most:
            end = "was cut off" if self.cut_off else f"came to its end ({self.reason})"
            cut = f", which cuts it off after {most}" if limit else ""
            raise ValueError(f"game {self.number}: {end} after {self.turns} turns of all seats together, but max_turns is "
                             f"{max_turns}{cut}; give the limit of its match (Match.max_turns)")  # fmt: skip
        game = Game(ruleset, self.seed, max_turns=limit)
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
