"""Whether the games of a row that are published fit those that are not, of which its word stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hansa_agents.benchmark.cells import CellGames
from hansa_agents.schedule import is_spread

#: Draws of other deals as if they were the published ones.
DRAWS = 9999
#: Rows whose published games lie this far off are rarer by chance.
RARE = 0.001


class Fit(NamedTuple):
    """How far the published games of a setting lie off the others.

    Attributes:
        cell: where they lie furthest off.
        published, others: the win share there of whoever sits alone.
        chance: the share of draws of as many deals that lie as far off in a cell of the setting.
    """

    cell: str
    published: float
    others: float
    chance: float

    @property
    def doubtful(self) -> bool:
        """Whether chance hardly explains it."""
        return self.chance < RARE

    def __str__(self) -> str:
        shares = f"{self.published:.1%} of the published games, {self.others:.1%} of the others"
        found = f"{self.cell}: whoever sits alone wins {shares}"
        return f"{found}; by chance some cell of a setting lies as far off in {self.chance:.2%} of rows"


def fit_of(played: Sequence[CellGames], share: float, rng: np.random.Generator) -> Fit | None:
    """How well the published games of a setting's cells fit the others, by a permutation test over the deals that all cells
    have: the statistic is the largest standardized difference among the cells.

    Args:
        played: cells of one setting.
        share: of the deals that are published.

    Returns None where there are no deals of the one kind or of the other.
    """
    by_deal = [games.by_deal for games in played]
    shared = min(map(len, by_deal), default=0)
    published = np.array([is_spread(deal, share) for deal in range(shared)], bool)
    if not 0 < (count := int(published.sum())) < shared:
        return None
    found = np.array([one[:shared] for one in by_deal])
    spread = found.std(1, keepdims=True)
    known = (found - found.mean(1, keepdims=True)) / np.where(spread > 0, spread, 1)

    def off(chosen: np.ndarray) -> np.ndarray:
        return np.abs(chosen @ known.T)  # sums over as many deals each, so as good as differences of means

    drawn = np.zeros((DRAWS, shared))
    drawn[:, :count] = 1
    drawn = rng.permuted(drawn, axis=1)
    there = off(published.astype(float))
    place = int(there.argmax())
    as_far = int((off(drawn).max(1) >= there[place] - 1e-9).sum())
    said = found[place]
    chance = (as_far + 1) / (DRAWS + 1)
    return Fit(played[place].cell.key, float(said[published].mean()), float(said[~published].mean()), chance)
