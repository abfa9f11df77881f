"""Ratings of agents from all games at once, by the model of Plackett and Luce.

Each agent has a strength; who is first among the seats of a game is drawn in proportion to strengths, then who is second
among the rest, and so on. Ties are taken as Efron does: as the mean of the orders that they leave open. The strengths are
those that make the games most likely, so neither the order of games nor that of agents matters. None of the libraries known
to us takes ties and an agent that holds several seats of one game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hansa_agents.game_result import GameResult, deals_of
from hansa_agents.intervals import LEVEL, interval
from hansa_agents.line_ups import MatchError

#: Rating points for odds of ten to one, as is usual since Elo.
SCALE = 400 / np.log(10)
IN_WORDS = "400 points are odds of ten to one to finish ahead"
#: What strengths are likely to be before any game, as the standard deviation of their logarithms: wide, but it keeps
#: an agent that never lost, or never won, at a finite rating.
PRIOR = 3.0
#: The spec of the agent whose rating is 0, whatever it is called.
ANCHOR = "random"
RESAMPLES = 200
#: Points; an interval that is narrower comes of games that all came out alike, and what stands for it.
LEAST_WIDTH, UNKNOWN = 0.5, "?"
LARGEST = 1 << 22  # numbers of an array
#: Who rates more agents than these at once waits for minutes.
MOST_AGENTS = 300
MOST_STEPS, LONGEST_STEP = 100, 1.0


@dataclass(frozen=True)
class Rating:
    """An agent's rating: 400 points more are odds of ten to one to finish ahead.

    Attributes:
        points: 0 is the agent of the spec `random`, or the mean where it does not play.
        low, high: 95 % interval, by bootstrap over games or over deals, whichever is wider.
    """

    points: float
    low: float
    high: float

    @property
    def is_known(self) -> bool:
        """Whether the games tell how far it is from the others: where all came out alike, drawing them anew says nothing."""
        return self.points == 0 or self.high - self.low >= LEAST_WIDTH

    @property
    def interval_text(self) -> str:
        """The interval, as tables have it."""
        return f"{self.low:+.0f}..{self.high:+.0f}" if self.is_known else UNKNOWN

    def as_data(self) -> dict[str, float | None]:
        """As JSON data; no interval where none is known."""
        low, high = (self.low, self.high) if self.is_known else (None, None)
        return {"points": self.points, "low": low, "high": high}


def anchor_of(results: Sequence[GameResult]) -> str | None:
    """What the agent is called whose rating is 0, the first by name of several; None where none plays, and 0 is the mean."""
    return min((name for one in results for name, spec in zip(one.agents, one.specs) if spec == ANCHOR), default=None)


def ratings_of(agents: Sequence[str], results: Sequence[GameResult], resamples: int = RESAMPLES) -> dict[str, Rating]:
    """The ratings of agents by name; games in which only one agent sits say nothing. Raises MatchError for too many agents."""
    if len(agents) > MOST_AGENTS:
        raise MatchError(f"{len(agents):,} agents to rate; expected at most {MOST_AGENTS}: take the games of some of them")
    place = {agent: i for i, agent in enumerate(sorted(agents))}
    rated = [result for result in results if len(set(result.agents)) > 1]
    if not rated:
        return {agent: Rating(0.0, 0.0, 0.0) for agent in agents}
    orders = [tuple(sorted((int(rank), place[name]) for rank, name in zip(one.ranks, one.agents))) for one in rated]
    column = {order: i for i, order in enumerate(sorted(set(orders)))}  # what is drawn does not depend on the order of games
    deals = deals_of(rated)
    where = deals.of_game, [column[order] for order in orders]
    from scipy import sparse

    by_deal = sparse.coo_array((np.ones(len(rated)), where), (deals.count, len(column))).tocsr()
    patterns, weights = np.array(list(column)), by_deal.sum(0)
    model = _Model(patterns[:, :, 1], patterns[:, :, 0], len(agents))
    anchor = place.get(anchor_of(results) or "")
    likeliest = model.fit(weights[None], np.zeros((1, len(agents))))
    rng = np.random.default_rng(0)
    draws = [rng.multinomial(len(rated), weights / len(rated), size=resamples)]
    if not deals.are_few:
        draws.append(np.array([by_deal.T @ deals.drawn(rng) for _ in range(resamples)]))
    batch = max(1, LARGEST // max(model.at_stage.size, len(agents) ** 2))
    bounds = []
    for drawn in draws:
        fits = np.concatenate([model.fit(drawn[i : i + batch], likeliest) for i in range(0, resamples, batch)])
        bounds.append(np.percentile(_anchored(fits, anchor) * SCALE, (50 * (1 - LEVEL), 50 * (1 + LEVEL)), axis=0))
    low, high = np.min(bounds, axis=0)[0], np.max(bounds, axis=0)[1]
    points = _anchored(likeliest, anchor)[0] * SCALE
    found = [Rating(*map(float, one)) for one in zip(points, low, high)]
    return {agent: found[place[agent]] for agent in agents}


def _anchored(strengths: np.ndarray, anchor: int | None) -> np.ndarray:
    return strengths - (strengths.mean(1, keepdims=True) if anchor is None else strengths[:, [anchor]])


class _Model:
    """The likelihood of orders of finish, each pattern of them once.

    Args:
        who: (K, P) agents from the first to the last; ranks: (K, P) their places, ties sharing the better.
        agents: how many there are.
    """

    def __init__(self, who: np.ndarray, ranks: np.ndarray, agents: int) -> None:
        from scipy import sparse

        self.agents = agents
        tied = ranks[:, :, None] == ranks[:, None, :]
        places = np.arange(ranks.shape[1])
        number = (tied & (places[None, None, :] < places[None, :, None])).sum(2)  # within those that tie
        part = number / tied.sum(2)
        # coefficient of seat j's strength in the sum of stage i: 1 for those behind, less for those that tie
        self.at_stage = (ranks[:, None, :] >= ranks[:, :, None]) - tied * part[:, :, None]  # (K, P, P) stage i, seat j
        self.who = who
        self.held = np.eye(agents)[who].sum(1)
        pairs = who[:, :, None] * agents + who[:, None, :]  # (K, P, P) which entry of a matrix by agents two seats belong to
        rows = np.arange(pairs.size)
        self.to_pairs = sparse.csr_array((np.ones(pairs.size), (rows, pairs.ravel())), (pairs.size, agents * agents))
        self.to_agents = sparse.csr_array((np.ones(who.size), (rows[: who.size], who.ravel())), (who.size, agents))

    def fit(self, weights: np.ndarray, start: np.ndarray) -> np.ndarray:
        """The logarithms (R, A) of the likeliest strengths, each pattern so often in each of R samples (R, K), sought from
        a `start` (1, A) near them.

        By Newton's method, for all samples at once; the likelihood has a single peak, and steps are kept short.
        """
        samples = len(weights)
        logs = np.repeat(start, samples, axis=0)
        held = weights @ self.held
        for _ in range(MOST_STEPS):
            parts = self.at_stage * np.exp(logs)[:, self.who][:, :, None, :]
            parts /= parts.sum(3, keepdims=True)  # (R, K, P, P) chances of the seats to be next
            weighted = weights[:, :, None, None] * parts
            chances = weighted.sum(2).reshape(samples, -1) @ self.to_agents
            slope = held - chances - logs / PRIOR**2
            met = np.matmul(weighted.swapaxes(2, 3), parts)  # (R, K, P, P) of two seats, over the stages
            bend = -(met.reshape(samples, -1) @ self.to_pairs).reshape(samples, self.agents, self.agents)
            bend += np.eye(self.agents) * (chances + 1 / PRIOR**2)[:, :, None]
            step = np.linalg.solve(bend, slope[:, :, None])[:, :, 0]
            logs += np.clip(step, -LONGEST_STEP, LONGEST_STEP)
            if np.abs(step).max() < 1e-8:
                break
        return logs


def head_to_head(agents: Sequence[str], results: Sequence[GameResult]) -> np.ndarray:
    """(A, A) how often the agent of a row finishes ahead of that of a column at one table, ties half; NaN if they never met."""
    place = {agent: i for i, agent in enumerate(agents)}
    ahead, met = np.zeros((2, len(agents), len(agents)))
    for result in results:
        who = np.array([place[agent] for agent in result.agents])
        better = (result.ranks[:, None] < result.ranks) + (result.ranks[:, None] == result.ranks) / 2
        np.add.at(ahead, (who[:, None], who[None, :]), better)
        np.add.at(met, (who[:, None], who[None, :]), 1)
    np.fill_diagonal(met, 0)
    return np.divide(ahead, met, out=np.full_like(ahead, np.nan), where=met > 0)


def seat_shares(results: Sequence[GameResult], agent: str | None = None) -> np.ndarray:
    """(P, 3) the win share of each seat with its 95 % interval, of all agents or of one; NaN where it never sat."""
    shares = np.array([result.shares for result in results])
    held = np.array([[agent is None or name == agent for name in result.agents] for result in results])
    found = np.full((shares.shape[1], 3), np.nan)
    for seat in range(shares.shape[1]):
        wins = shares[held[:, seat], seat]
        if len(wins):
            deals = deals_of([result for result, sat in zip(results, held[:, seat]) if sat])
            found[seat] = wins.mean(), *interval(wins, np.ones(len(wins)), deals)
    return found
