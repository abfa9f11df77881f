"""Whether the games of a row that are published fit those that are not, of which its word stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hansa_agents.benchmark.cells import CellGames
from hansa_agents.benchmark.suite import AMONG
from hansa_agents.schedule import is_spread

#: Draws of other deals as if they were the published ones.
DRAWS = 9999
#: An honest row is doubted more rarely than this, whatever it has: by each of the three comparisons a third as often.
RARE = 0.001


class Fit(NamedTuple):
    """How far published games lie off the others in one comparison.

    Attributes:
        found: where they lie furthest off, and how far.
        what: of which so much could lie as far off by chance: "some cell", "some setting", "the row".
        chance: the share of draws of as many deals in which it does.
    """

    found: str
    what: str
    chance: float

    @property
    def doubtful(self) -> bool:
        """Whether chance hardly explains it."""
        return self.chance < RARE / 3

    def __str__(self) -> str:
        return f"{self.found}; by chance {self.what} lies as far off in {self.chance:.2%} of rows"


class _Setting(NamedTuple):
    """The cells of a setting, and standardized how far published games lie off, first as it is, then in each draw.

    Attributes:
        cells: those that have games of both kinds.
        cells_off: (1 + DRAWS, cells) sums over the published deals of what whoever sits alone won.
        others_ahead: (1 + DRAWS,) the same of what is good for the agent, over all cells, negated.
        means: (cells, 2) the win shares in the published games and in the others.
    """

    cells: list[CellGames]
    cells_off: np.ndarray
    others_ahead: np.ndarray
    means: np.ndarray

    @property
    def name(self) -> str:
        return self.cells[0].cell.setting.name

    @property
    def others_better(self) -> float:
        """By how much the win shares of the others are better for the agent, a cell."""
        return float(-(_signs(self.cells) @ (self.means[:, 0] - self.means[:, 1])) / len(self.cells))


def fits_of(played: Sequence[CellGames], share: float, rng: np.random.Generator) -> list[Fit]:
    """How well the published games of a row fit the others, by permutation tests over the deals of each setting.

    What is invented may stand out in a single cell, or be a little in each of them: so the largest difference of a cell is
    judged, and the sum over the cells of a setting of what is good for the agent, and that over all settings.

    Args:
        played: cells of the row.
        share: of the deals that are published.

    Returns the three comparisons, without the last where there is one setting; none where there are no deals of the one kind
    or of the other.
    """
    by_name: dict[str, list[CellGames]] = {}
    for games in played:
        by_name.setdefault(games.cell.setting.name, []).append(games)
    settings = [one for cells in by_name.values() if (one := _setting(cells, share, rng)) is not None]
    if not settings:
        return []
    cells = [games for one in settings for games in one.cells]
    means = np.concatenate([one.means for one in settings])
    far = np.abs(np.concatenate([one.cells_off for one in settings], 1))
    place = int(far[0].argmax())
    published, others = means[place].tolist()
    said = f"whoever sits alone wins {published:.1%} of the published games, {others:.1%} of the others"
    found = [Fit(f"{cells[place].cell.key}: {said}", "some cell", _chance(far.max(1)))]
    ahead = np.array([one.others_ahead for one in settings]).T
    worst = settings[int(ahead[0].argmax())]
    found.append(_of_settings(worst.name, worst.others_better, "some setting", _chance(ahead.max(1))))
    if len(settings) > 1:
        better = float(np.mean([one.others_better for one in settings]))
        found.append(_of_settings("all settings", better, "the row", _chance(ahead.sum(1))))
    return found


def _of_settings(name: str, better: float, what: str, chance: float) -> Fit:
    word = "worse" if better < 0 else "better"
    said = f"the agent does {100 * abs(better):.1f} points a cell {word} in the other games than in the published ones"
    return Fit(f"{name}: {said}", what, chance)


def _chance(found: np.ndarray) -> float:
    """The share of draws that lie as far off as the first."""
    return float((found >= found[0] - 1e-9).sum() / len(found))


def _setting(cells: Sequence[CellGames], share: float, rng: np.random.Generator) -> _Setting | None:
    """Published deals are drawn anew among those that the same cells have: a short cell hides nothing of the others."""
    published = [np.array([is_spread(deal, share) for deal in range(len(games.by_deal))], bool) for games in cells]
    both = [place for place, there in enumerate(published) if there.any() and not there.all()]
    if not both:
        return None
    cells, published = [cells[place] for place in both], [published[place] for place in both]
    by_deal = [games.by_deal for games in cells]
    longest = max(published, key=len)
    chosen = np.tile(longest.astype(float), (1 + DRAWS, 1))
    values = np.zeros((len(cells), len(longest)))
    variance = np.zeros(len(cells) + 1)
    begin = 0
    for end in sorted({len(deals) for deals in by_deal}):
        part = slice(begin, end)
        for row, deals in enumerate(by_deal):
            if len(deals) >= end:
                values[row, part] = deals[part] - deals[part].mean()
        count, drawn = end - begin, int(longest[part].sum())
        chosen[1:, part] = rng.permuted(chosen[1:, part], axis=1)
        variance += _with_sum(values[:, part], cells).var(1) * drawn * (count - drawn) / max(count - 1, 1)
        begin = end
    off = chosen @ _with_sum(values, cells).T / np.sqrt(np.where(variance > 1e-12, variance, np.inf))
    means = [(deals[there].mean(), deals[~there].mean()) for deals, there in zip(by_deal, published)]
    return _Setting(cells, off[:, :-1], -off[:, -1], np.array(means))


def _with_sum(values: np.ndarray, cells: Sequence[CellGames]) -> np.ndarray:
    """What whoever sits alone won by cell and deal (K, D), and behind it the sum of what is good for the agent."""
    return np.concatenate([values, [_signs(cells) @ values]])


def _signs(cells: Sequence[CellGames]) -> np.ndarray:
    """(K,) 1 where the agent sits alone, -1 where the reference does."""
    return np.array([1 if games.cell.way == AMONG else -1 for games in cells])
