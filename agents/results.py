"""What comes of a match: every game, and each agent's share of the wins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import stats

from hansa_env import Game, Ruleset
from hansa_env.engine.rules.scoring import SCORE_COLUMNS, TOTAL
from hansa_env.formats.position import config_of


@dataclass(frozen=True)
class GameResult:
    """One game of a match.

    Attributes:
        number: its place in the match; seed: what names the game, the same for each line-up.
        agents: names by seat.
        reason: "prestige", "markers", "cities" or "stalled"; "truncated" by the turn limit.
        turns, decisions: how many there were.
        scores: (P, 7) points by seat, the columns of SCORE_COLUMNS; ranks: places by seat (R7.9), 0 = first, ties share.
        actions: every action index in order, None unless the match was asked to keep them.
    """

    number: int
    seed: int
    agents: tuple[str, ...]
    reason: str
    turns: int
    decisions: int
    scores: np.ndarray
    ranks: np.ndarray
    actions: np.ndarray | None = None

    @property
    def shares(self) -> np.ndarray:
        """(P,) share of the win by seat; tied winners share one win."""
        winners = self.ranks == 0
        return winners / winners.sum()

    def as_dict(self) -> dict[str, Any]:
        """The game as a line of a results file."""
        scores = [dict(zip(SCORE_COLUMNS, row)) for row in self.scores.tolist()]
        return {"game": self.number, "seed": self.seed, "agents": list(self.agents), "reason": self.reason,
                "turns": self.turns, "decisions": self.decisions, "scores": scores, "ranks": self.ranks.tolist()}  # fmt: skip

    def record(self, ruleset: Ruleset, max_turns: int | None) -> dict:
        """The game as a record (`hansa-record/1`). Raises ValueError if its actions were not kept."""
        if self.actions is None:
            raise ValueError(f"game {self.number}: its actions were not kept; play the match with keep_actions=True")
        game = Game(ruleset, self.seed, max_turns=max_turns)
        for action in self.actions.tolist():
            game.play_action(action)
        game.agents = list(self.agents)
        return game.record()


@dataclass(frozen=True)
class Row:
    """One agent's result, over every seat it held.

    Attributes:
        agent: its name.
        seats: seats held, all games together.
        share: mean share of the win per seat held; tied winners share one win.
        low, high: 95 % interval of `share`, games being what is independent: Wilson where each game is won or lost, else
            by bootstrap over games.
        mean_score: mean final score.
        mean_rank: mean rank by points, 1 = first, ties averaged.
    """

    agent: str
    seats: int
    share: float
    low: float
    high: float
    mean_score: float
    mean_rank: float


def interval(wins: np.ndarray, seats: np.ndarray) -> tuple[float, float]:
    """A 95 % interval of wins per seat, from an agent's wins (N,) and seats (N,) by game."""
    if (seats == 1).all() and np.isin(wins, (0.0, 1.0)).all():
        found = stats.binomtest(int(wins.sum()), len(wins)).proportion_ci(0.95, "wilson")
        return float(found.low), float(found.high)
    if len(wins) < 2:
        return 0.0, 1.0
    found = stats.bootstrap(
        (wins, seats), lambda w, s, axis: w.sum(axis) / s.sum(axis), n_resamples=2000, method="percentile", paired=True,
        vectorized=True, rng=np.random.default_rng(0),
    ).confidence_interval  # fmt: skip
    return float(found.low), float(found.high)


@dataclass(frozen=True)
class Match:
    """The result of a match.

    Attributes:
        ruleset, max_turns: what was played.
        agents: names, in the order given.
        line_ups: the line-ups played, by seat, each in the same number of games.
        results: every game.
        seconds: how long it took; agent_seconds: of that the agents, by name.
    """

    ruleset: Ruleset
    max_turns: int | None
    agents: tuple[str, ...]
    line_ups: tuple[tuple[str, ...], ...]
    results: tuple[GameResult, ...]
    seconds: float
    agent_seconds: dict[str, float]

    @property
    def games(self) -> int:
        """Games played."""
        return len(self.results)

    @property
    def truncated(self) -> int:
        """Games cut off by the turn limit, scored as the board stood."""
        return sum(result.reason == "truncated" for result in self.results)

    @property
    def decisions(self) -> int:
        """Decisions taken in all games."""
        return sum(result.decisions for result in self.results)

    @property
    def chance(self) -> float:
        """The win share per seat of equals."""
        return 1 / self.ruleset.players

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """One per agent, in the order named."""
        return tuple(self._row(agent) for agent in self.agents)

    def _row(self, agent: str) -> Row:
        wins, seats, points, ranks = [], [], [], []
        for result in self.results:
            held = np.array([name == agent for name in result.agents])
            if not held.any():
                continue
            totals = result.scores[:, TOTAL]
            wins.append(result.shares[held].sum())
            seats.append(held.sum())
            points.extend(totals[held])
            ranks.extend(stats.rankdata(-totals)[held])
        low, high = interval(np.array(wins), np.array(seats))
        count = int(np.sum(seats))
        return Row(agent, count, float(np.sum(wins) / count), low, high, float(np.mean(points)), float(np.mean(ranks)))

    def as_dict(self) -> dict[str, Any]:
        """Ruleset and rows as JSON data."""
        rows = [row.__dict__ for row in self.rows]
        return {**config_of(self.ruleset), "games": self.games, "truncated": self.truncated, "agents": rows}
