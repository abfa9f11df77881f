"""Which games a match has, each by its number."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice

import numpy as np

from hansa_agents.line_ups import MatchError, orders
from hansa_env.engine import kernels
from hansa_env.play.arguments import checked_seed, whole


def is_spread(deal: int, share: float) -> bool:
    """Whether a deal is among such a share of all deals, spread evenly."""
    return int((deal + 1) * share) > int(deal * share)


@cache
def _turns(seed: int, lap: int, tables: int) -> list[int]:
    return np.random.default_rng([seed, lap]).permutation(tables).tolist()


@dataclass(frozen=True)
class Schedule:
    """Game k is played by line-up k % L on deal k // L: line-ups meet on the same deals, and more games only go on.

    From deal to deal, and from table to table, who sits behind whom changes.

    Attributes:
        line_ups: L line-ups, each the place of an agent by seat.
        deals: how many deals there are.
        seed: of which the deals follow.
        one_table: on each deal play the rotations of one table alone; all tables have their turn, in an order that is drawn,
            before one has another.
    """

    line_ups: tuple[tuple[int, ...], ...]
    deals: int
    seed: int
    one_table: bool = False

    @classmethod
    def of(cls, line_ups: list[tuple[int, ...]], games: int, seed: int, one_table: bool = False) -> Schedule:
        """At least `games` games, as many on each deal. Raises MatchError for none, ValueError for no seed."""
        number = whole(games)
        if number is None or number < 1:
            raise MatchError(f"games is {games!r:.60}; expected a whole number of at least 1")
        found = cls(tuple(line_ups), 0, checked_seed(seed), one_table)
        return replace(found, deals=-(-number // found.a_deal))

    @property
    def games(self) -> int:
        """How many games there are."""
        return self.deals * self.a_deal

    @cached_property
    def a_deal(self) -> int:
        """How many games are played on each deal."""
        return max(map(len, self._rows_by_table)) if self.one_table else len(self.line_ups)

    def _row(self, number: int) -> int:
        """Which line-up plays a game."""
        place = number % self.a_deal
        if not self.one_table:
            return place
        rows = self._rows_by_table
        lap, turn = divmod(self.deal(number), len(rows))
        return rows[_turns(self.seed, lap, len(rows))[turn]][place]

    @cached_property
    def _rows_by_table(self) -> list[list[int]]:
        found: dict[int, list[int]] = {}
        for row, table in enumerate(self._tables):
            found.setdefault(table, []).append(row)
        return list(found.values())

    def seats(self, number: int) -> tuple[int, ...]:
        """Who plays a game: the place of an agent by seat."""
        row = self._row(number)
        ways = orders(len(self.line_ups[row]))
        way = ways[(self.seed + self.deal(number) + self._tables[row]) % len(ways)]
        return tuple(self.line_ups[row][seat] for seat in way)

    @cached_property
    def _tables(self) -> list[int]:
        """Of each line-up, the number of its table: that of all its rotations, so that they are in one order on a deal."""
        numbers: dict[tuple[int, ...], int] = {}
        rotations = ([row[turn:] + row[:turn] for turn in range(len(row))] for row in self.line_ups)
        return [numbers.setdefault(min(one), len(numbers)) for one in rotations]

    def deal(self, number: int) -> int:
        """Which deal a game is played on."""
        return number // self.a_deal

    def seed_of(self, number: int) -> int:
        """The seed that names a game."""
        return int(self.seeds([number])[0])

    def seeds(self, numbers: Collection[int]) -> np.ndarray:
        """The seeds (N,) uint64 of games by number."""
        found = np.empty(len(numbers), np.uint64)
        one = np.empty(1, np.uint64)
        for place, number in enumerate(numbers):
            kernels.batch_seeds(np.uint64(self.seed), self.deal(number), one)
            found[place] = one[0]
        return found

    def pieces(self, played: Collection[int], size: int) -> Iterator[list[int]]:
        """The numbers of the games that have not been played, in pieces of at most `size`; each made when it is asked for."""
        left = (number for number in range(self.games) if number not in played)
        while piece := list(islice(left, size)):
            yield piece
