"""What comes of a match: every game, and each agent's share of the wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from hansa_agents.game_result import GameResult, deals_of
from hansa_agents.intervals import interval
from hansa_agents.ratings import Rating, head_to_head, ratings_of, seat_shares
from hansa_env import Ruleset
from hansa_env.engine.rules.scoring import TOTAL, score_columns
from hansa_env.play.result import interval_text, win_shares

__all__ = ["GameResult", "Match", "Row", "interval"]


@dataclass(frozen=True)
class Row:
    """One agent's result, over every seat it held.

    Attributes:
        agent: its name.
        seats: seats held, all games together; games: in how many; deals: of how many different deals.
        share: mean share of the win per seat held; tied winners share one win.
        low, high: 95 % interval of `share`, games being what is independent: see `interval`.
        mean_score: mean final score; margin: mean of the score less the mean score of its table.
        mean_rank: mean place, 1 = first, ties averaged.
        forfeits: games lost by its own fault.
        decisions: how many it took; seconds: how long they took in all.
        scores: mean points by category.
    """

    agent: str
    seats: int
    games: int
    deals: int
    share: float
    low: float
    high: float
    mean_score: float
    margin: float
    mean_rank: float
    forfeits: int
    decisions: int
    seconds: float
    scores: dict[str, float]

    @property
    def milliseconds(self) -> float:
        """Mean time of a decision."""
        return 1000 * self.seconds / max(1, self.decisions)


class _Games(NamedTuple):
    """All games of a match, by game and seat."""

    agents: np.ndarray  # (N, P), numbers of the match's agents
    places: np.ndarray  # (N, P)
    scores: np.ndarray  # (N, P, K)
    decisions: np.ndarray  # (N, P)
    seconds: np.ndarray  # (N, P)


@dataclass(frozen=True, repr=False)
class Match:
    """The result of a match, or of what was played of it; printed, a line for each agent.

    Attributes:
        ruleset, max_turns: what was played.
        agents: names, in the order given.
        results: every game, by number.
        seconds: how long it took; 0 where that is not known.
    """

    ruleset: Ruleset
    max_turns: int | None
    agents: tuple[str, ...]
    results: tuple[GameResult, ...]
    seconds: float = 0.0

    @classmethod
    def of(
        cls, ruleset: Ruleset, max_turns: int | None, results: Iterable[GameResult], agents: Sequence[str] = (),
        seconds: float = 0.0,
    ) -> Match:  # fmt: skip
        """The match of some games; agents that are not named come in the order in which they sit in them."""
        found = sorted(results, key=lambda result: result.number)
        names = dict.fromkeys([*agents, *(name for result in found for name in result.agents)])
        return cls(ruleset, max_turns, tuple(names), tuple(found), seconds)

    def __repr__(self) -> str:
        return f"<Match of {self.games} games of {self.ruleset}: {', '.join(self.played)}>"

    def __str__(self) -> str:
        width = max(map(len, self.played), default=0)
        lines = [
            f"{row.agent:{width}} {row.share:7.1%} of the win a seat ({interval_text(row.low, row.high)}), "
            f"{row.mean_score:.1f} points"
            for row in self.rows
        ]
        return "\n".join([f"{self.games} games of {self.ruleset}", *lines])

    def ranked(self) -> Match:
        """The same match and figures, its agents from the highest rating to the lowest."""
        rows = sorted(self.rows, key=lambda row: -self.ratings[row.agent].points)
        found = replace(self, agents=tuple(row.agent for row in rows))
        vars(found).update(rows=tuple(rows), ratings=self.ratings)  # which take seconds
        return found

    @property
    def games(self) -> int:
        """Games played."""
        return len(self.results)

    @property
    def line_ups(self) -> tuple[tuple[str, ...], ...]:
        """Who sat where, each once."""
        return tuple(dict.fromkeys(result.agents for result in self.results))

    @property
    def ends(self) -> dict[str, int]:
        """How many games ended for which reason, the most frequent first."""
        return dict(Counter(result.reason for result in self.results).most_common())

    @property
    def truncated(self) -> int:
        """Games cut off by the turn limit, scored as the board stood."""
        return sum(result.truncated for result in self.results)

    @property
    def forfeited(self) -> tuple[GameResult, ...]:
        """Games that an agent forfeited."""
        return tuple(result for result in self.results if result.forfeit is not None)

    @property
    def decisions(self) -> int:
        """Decisions taken in all games."""
        return sum(sum(result.decisions) for result in self.results)

    @property
    def chance(self) -> float:
        """The win share per seat of equals."""
        return 1 / self.ruleset.players

    @property
    def played(self) -> tuple[str, ...]:
        """The agents that played, in the order named."""
        seated = {agent for result in self.results for agent in result.agents}
        return tuple(agent for agent in self.agents if agent in seated)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """One per agent that played, in the order named."""
        return tuple(self._row(agent) for agent in self.played)

    @cached_property
    def ratings(self) -> dict[str, Rating]:
        """By agent that played."""
        return ratings_of(self.played, self.results)

    @cached_property
    def _games(self) -> _Games:
        place = {agent: number for number, agent in enumerate(self.agents)}
        return _Games(
            np.array([[place[agent] for agent in result.agents] for result in self.results]),
            np.array([result.ranks for result in self.results]),
            np.array([result.scores for result in self.results]),
            np.array([result.decisions for result in self.results]),
            np.array([result.seconds for result in self.results]),
        )

    def _row(self, agent: str) -> Row:
        seated = self._games.agents == self.agents.index(agent)
        of = np.flatnonzero(seated.any(1))
        played, held = [self.results[number] for number in of], seated[of]
        _, places, scores, decisions, seconds = (array[of] for array in self._games)
        seats = held.sum(1)
        wins = (win_shares(places) * held).sum(1)
        own, tables = scores[held].astype(float), np.repeat(scores[:, :, TOTAL].mean(1), seats)
        tied = (places[:, :, None] == places[:, None, :]).sum(2)
        ranks = (places + (tied + 1) / 2)[held]  # of those that tie, the mean place
        alone = bool((seats == self.ruleset.players).all())
        deals = deals_of(played)
        low, high = (1 / self.ruleset.players,) * 2 if alone else interval(wins, seats, deals)
        return Row(
            agent=agent,
            seats=int(seats.sum()),
            games=len(played),
            deals=deals.count,
            share=float(wins.sum() / seats.sum()),
            low=low,
            high=high,
            mean_score=float(own[:, TOTAL].mean()),
            margin=float((own[:, TOTAL] - tables).mean()),
            mean_rank=float(ranks.mean()),
            forfeits=sum(result.forfeit is not None and result.forfeit.agent == agent for result in played),
            decisions=int(decisions[held].sum()),
            seconds=float(seconds[held].sum()),
            scores=dict(zip(score_columns(self.ruleset), own.mean(0).tolist())),
        )

    def as_dict(self) -> dict[str, Any]:
        """Ruleset, rows, ratings and what else is known of the games, as JSON data; null where nothing is known."""
        names = [row.agent for row in self.rows]
        rows = [
            asdict(row) | {"rating": self.ratings[row.agent].as_data(), "milliseconds_per_decision": row.milliseconds}
            for row in self.rows
        ]
        met = head_to_head(names, self.results).tolist()
        seats = seat_shares(self.results)[:, 0].tolist() if self.results else []
        return {
            **self.ruleset.config, "max_turns": self.max_turns, "games": self.games, "truncated": self.truncated,
            "forfeited": len(self.forfeited), "ends": self.ends, "chance": self.chance, "agents": rows,
            "head_to_head": {a: {b: None if share != share else share for b, share in zip(names, row)}
                             for a, row in zip(names, met)},
            "win_share_by_seat": seats,
        }  # fmt: skip
