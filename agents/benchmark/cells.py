"""What came of the games of a cell: little enough to publish, and enough to judge and to replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from hansa_agents.benchmark.suite import AMONG, HERO, Cell
from hansa_agents.entrants import ORACLE
from hansa_agents.game_result import GameResult
from hansa_agents.intervals import Deals, interval
from hansa_agents.line_ups import MatchError
from hansa_agents.schedule import Schedule
from hansa_env.engine.rules.scoring import TOTAL
from hansa_env.play.result import win_shares


class Share(NamedTuple):
    """A share of the win a seat, with its 95 % interval."""

    share: float
    low: float
    high: float


NO_ORACLES = "the agent sees what is hidden (`sees_hidden`); the benchmark is for agents that do not"


@dataclass(frozen=True)
class CellGames:
    """The games of a cell, by their numbers.

    Attributes:
        cell: which.
        ranks, totals: (N, P) places (0 = first) and points by seat.
        decisions, seconds: how many the agent took, and how long they took in all.
        forfeits: by game, the seat at whose question an agent failed, and how.
        actions: by game, action indices in order, of the games whose decisions are published.
    """

    cell: Cell
    ranks: np.ndarray
    totals: np.ndarray
    decisions: int
    seconds: float
    forfeits: dict[int, tuple[int, str]] = field(default_factory=dict)
    actions: dict[int, list[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, cell: Cell, results: Sequence[GameResult]) -> CellGames:
        """The games that the arena played for a cell. Raises MatchError for an agent that sees what is hidden."""
        results = sorted(results, key=lambda result: result.number)
        if any(name.endswith(ORACLE) for result in results for name in result.agents):
            raise MatchError(NO_ORACLES)
        if [result.number for result in results] != list(range(len(results))):
            raise MatchError(f"{cell.key}: games are missing; play it again with the same command")
        own = [[name == HERO for name in result.agents] for result in results]
        return cls(
            cell,
            np.array([result.ranks for result in results]),
            np.array([result.scores[:, TOTAL] for result in results]),
            sum(sum(np.array(result.decisions)[mine].tolist()) for result, mine in zip(results, own)),
            sum(sum(np.array(result.seconds)[mine].tolist()) for result, mine in zip(results, own)),
            {result.number: (result.forfeit.seat, result.forfeit.reason) for result in results if result.forfeit},
            {result.number: result.actions.tolist() for result in results if result.actions is not None},
        )

    @property
    def games(self) -> int:
        """How many there are."""
        return len(self.ranks)

    @cached_property
    def agent_seats(self) -> np.ndarray:
        """(N, P) bool, the seats that the agent held."""
        schedule = self._schedule
        return np.array([schedule.seats(number) for number in range(self.games)]) == 0

    @property
    def share(self) -> Share:
        """Of whoever sits alone: the agent among references, or the reference among copies of the agent; its interval goes by
        the deals where those say less than as many games."""
        deals = Deals(self._deals, (np.unique(self._deals),))
        return Share(float(self._wins.mean()), *interval(self._wins, np.ones(self.games), deals))

    @property
    def by_deal(self) -> np.ndarray:
        """(deals,) the same share by deal, of those that were played in every rotation, which are the first ones."""
        wins, games = np.bincount(self._deals, self._wins), np.bincount(self._deals)
        whole = games == games.max()
        return wins[whole] / games[whole]

    @cached_property
    def _deals(self) -> np.ndarray:
        """(N,) the number of each game's deal."""
        schedule = self._schedule
        return np.array([schedule.deal(number) for number in range(self.games)])

    @property
    def _wins(self) -> np.ndarray:
        """(N,) what who sits alone won of each game."""
        alone = self.agent_seats if self.cell.way == AMONG else ~self.agent_seats
        return (win_shares(self.ranks) * alone).sum(1)

    @property
    def _schedule(self) -> Schedule:
        return self.cell.schedule(max(1, self.games))

    @property
    def points(self) -> float:
        """The agent's mean points a seat."""
        return float(self.totals[self.agent_seats].mean())
