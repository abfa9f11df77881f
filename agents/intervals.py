"""The interval of a share of the wins, the same in every table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt

import numpy as np

from hansa_env.play.result import Z, wilson_interval

LEVEL = 0.95
#: So few deals do not show how far deals differ; tables say who played on few.
LEAST_DEALS = 5


@dataclass(frozen=True)
class Deals:
    """On which deals games were played. Games of one deal that come to the same say less than as many games of different ones.

    Attributes:
        of_game: (N,) the number of each game's deal, from 0.
        kinds: numbers of deals, those together on which the same agents met equally often. Only those are compared with each
            other, and who met whom is no luck of the deals; a deal that is alone of its kind is in none.
    """

    of_game: np.ndarray
    kinds: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, seeds: Sequence[int], tables: Sequence[Sequence[str]]) -> Deals:
        """From the seed (N,) of each game and who sat at it."""
        met: dict[int, Counter[tuple[str, ...]]] = {}
        for seed, table in zip(seeds, tables, strict=True):
            met.setdefault(seed, Counter())[tuple(sorted(table))] += 1
        number = {seed: i for i, seed in enumerate(sorted(met))}
        kinds: dict[frozenset, list[int]] = {}
        for seed, deal in number.items():
            kinds.setdefault(frozenset(met[seed].items()), []).append(deal)
        of_game = np.array([number[seed] for seed in seeds], np.int64)
        return cls(of_game, tuple(np.array(deals) for deals in kinds.values() if len(deals) > 1))

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self.of_game.max()) + 1

    @property
    def freedom(self) -> int:
        """How many deals can be compared with the first of their kind."""
        return sum(len(deals) - 1 for deals in self.kinds)

    @property
    def are_few(self) -> bool:
        """Whether they do not show how far deals differ: there are few, or each has one game."""
        return self.freedom < LEAST_DEALS - 1 or self.count == len(self.of_game)

    def variance(self, values: np.ndarray) -> float:
        """A game's part in that of the sum of values (N,) by game, were other deals drawn of each kind."""
        games, sums = np.bincount(self.of_game), np.bincount(self.of_game, values)
        parts = [(len(deals) * np.var(sums[deals], ddof=1), games[deals].sum()) for deals in self.kinds]
        variance, count = map(sum, zip(*parts))
        return float(variance / count)

    def drawn(self, rng: np.random.Generator) -> np.ndarray:
        """(D,) how often each deal is in a sample, drawn with replacement from those of its kind."""
        found = np.ones(self.count)
        for deals in self.kinds:
            found[deals] = rng.multinomial(len(deals), np.full(len(deals), 1 / len(deals)))
        return found


def interval(wins: np.ndarray, seats: np.ndarray, deals: Deals | None = None) -> tuple[float, float]:
    """A 95 % interval of wins per seat, from an agent's wins (N,) and seats (N,) by game.

    Wilson's of what it wins a game, over the seats that it holds a game. What is won of a game is 0 to 1, and differs from game
    to game no more than wins and losses would that come to the same; so where wins are shared it is a little wide, and holds
    near 0 and 1 too. Where the share differs more from deal to deal than that many games of different deals would, games count
    as fewer (by the design effect, Kish 1965); they never count as more.

    Args:
        deals: of the games; None where every game has its own.
    """
    if not len(wins):
        return 0.0, 1.0
    share, won = wins.sum() / seats.sum(), wins.mean()
    effect = 1.0
    if deals is not None and 0 < won < 1 and not deals.are_few:
        found = deals.variance(wins - share * seats) / (won * (1 - won))
        effect = max(1.0, float(found) * (_quantile(deals.freedom) / Z) ** 2)
    low, high = wilson_interval(float(wins.sum()) / effect, len(wins) / effect)
    return float(low / seats.mean()), float(high / seats.mean())


def off_by_deals(by_deal: np.ndarray) -> float:
    """How far a mean may lie off at 95 %, to either side, by what it was (N,) on each deal; 0 where there are too few."""
    return off_by_spread(by_deal) if len(by_deal) >= LEAST_DEALS else 0.0


def off_by_spread(numbers: np.ndarray) -> float:
    """How far the mean of numbers (N,), two or more that are drawn alike, may lie off at 95 %, to either side (Student's t)."""
    return _quantile(len(numbers) - 1) * float(np.std(numbers, ddof=1)) / sqrt(len(numbers))


@cache
def _quantile(freedom: int) -> float:
    from scipy.special import stdtrit  # only who rates games waits for it

    return float(stdtrit(freedom, (1 + LEVEL) / 2))
