"""The score-card of an agent: what is known of it in each setting, and the two numbers to report."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, hypot

import numpy as np
from scipy.stats import norm

from hansa_agents.benchmark.cells import CellGames, Share
from hansa_agents.benchmark.suite import AMONG, MAJORITY, Cell, Suite
from hansa_agents.intervals import LEVEL, off_by_deals
from hansa_env.play.result import Z


def mean_of(shares: Sequence[Share], by_deal: Sequence[np.ndarray] = ()) -> Share:
    """The mean of shares. Its interval is that of Zou and Donner (2008, "MOVER") of shares measured apart: how far the mean may
    lie off follows from how far each share may, squared and added up, below and above by themselves.

    Args:
        by_deal: of each share, what it was by deal, the same deals from the first on. The means of the deals that all have say
            too how far the mean may lie off; where that is further, it goes by them.
    """
    count = len(shares)
    mean = sum(one.share for one in shares) / count
    below = hypot(*(one.share - one.low for one in shares)) / count
    above = hypot(*(one.high - one.share for one in shares)) / count
    if by_deal:
        shared = min(map(len, by_deal))
        off = off_by_deals(np.mean([one[:shared] for one in by_deal], axis=0))
        below, above = max(below, off), max(above, off)
    return Share(mean, max(mean - below, 0.0), min(mean + above, 1.0))


def worst_of(shares: Sequence[Share], most: bool = False) -> Share:
    """The lowest of shares, or the highest where the `most` is the worst.

    The lowest of several measured shares is low by luck too. So its interval goes from the lowest of all lower bounds to the
    lowest of all upper ones; only the upper ones are widened, so that all of them hold together (Bonferroni). The other way
    round for the highest.
    """
    wider = float(norm.ppf(1 - (1 - LEVEL) / 2 / len(shares))) / Z
    if most:
        low = max(one.share - wider * (one.share - one.low) for one in shares)
        return Share(max(one.share for one in shares), max(low, 0.0), max(one.high for one in shares))
    high = min(one.share + wider * (one.high - one.share) for one in shares)
    return Share(min(one.share for one in shares), min(one.low for one in shares), min(high, 1.0))


def mean_of_worst(shares: Sequence[Share]) -> Share:
    """The mean of what `worst_of` found in several settings. All of them are low by luck, which the mean does not even out; so
    its bounds are the means of theirs."""
    return Share(*(sum(bounds) / len(shares) for bounds in zip(*((one.share, one.low, one.high) for one in shares))))


@dataclass(frozen=True)
class Line:
    """A cell's figures.

    Attributes:
        reference, pool, way: which cell.
        games: how many. met: whether the agent's training met the reference.
        share: of who sat alone. points: the agent's mean points a seat. decisions: how many it took. milliseconds: its mean
            time of one.
        forfeits: games that ended by the fault of somebody.
    """

    reference: str
    pool: str
    way: str
    games: int
    met: bool
    share: Share
    points: float
    decisions: int
    milliseconds: float
    forfeits: int


@dataclass(frozen=True)
class SettingCard:
    """An agent in a setting.

    Attributes:
        name, chance: of the setting; the share of equals.
        lines: its cells that were played.
        missing: cells of the suite that were not, or not with all games.
        mean, worst: over the references, of the agent alone among each; None before any was played.
        unseen: the mean over those that its training did not meet; None where it met all, or none was played.
        held: the most that a reference takes alone among copies of the agent; None where that was not played.
        alone: milliseconds a decision where it plays one game alone; None where that was not measured.
        best_response: the most that a response takes that was looked for; None where none was.
    """

    name: str
    chance: float
    lines: tuple[Line, ...]
    missing: int
    mean: Share | None
    worst: Share | None
    unseen: Share | None
    held: Share | None
    alone: float | None = None
    best_response: Share | None = None

    @property
    def whole(self) -> bool:
        """Whether every cell has all its games."""
        return not self.missing


@dataclass(frozen=True)
class Card:
    """The score-card of an agent.

    Attributes:
        name, suite: of the agent, and what was played.
        settings: those of which anything was played.
        mean, worst: the headline, means over the settings of the suite; None unless every setting is whole.
        missing: names of the settings that are not.
        previews: the names of the cells that have no more games than a preview.
    """

    name: str
    suite: str
    settings: tuple[SettingCard, ...]
    mean: Share | None
    worst: Share | None
    missing: tuple[str, ...]
    previews: tuple[str, ...] = ()

    @property
    def preview(self) -> bool:
        """Whether there is such a cell."""
        return bool(self.previews)

    @property
    def label(self) -> str:
        """What there is to say where it is no whole row."""
        if len(self.previews) == sum(len(one.lines) for one in self.settings) > 0:
            return "preview"
        begun = [one.name for one in self.settings if not one.whole]
        without = [name for name in self.missing if name not in begun]
        parts = [f"{part} {', '.join(names)}" for part, names in (("all of", without), ("some of", begun)) if names]
        previews = f"; {len(self.previews)} of its cells are previews" if self.previews else ""
        return f"partial, missing {' and '.join(parts)}{previews}" if parts else ""


def card_of(
    name: str, suite: Suite, played: Sequence[CellGames], *, met: Collection[str] = (), alone: dict[str, float] | None = None,
    responses: dict[str, Share] | None = None,
) -> Card:  # fmt: skip
    """The card of an agent from what it played.

    Args:
        name: of the agent.
        suite: that was played.
        played: cells of it.
        met: specs of the references that its training met.
        alone: by setting, milliseconds a decision in one game.
        responses: by setting, what the best response takes.
    """
    wanted = suite.cells()
    found = []
    for setting in suite.settings:
        games = {one.cell.key: one for one in played if one.cell.setting.name == setting.name and one.games}
        if not games:
            continue
        lines = tuple(_line(one, met) for one in games.values())
        deals = {one.cell.reference.spec: one.by_deal for one in games.values() if one.cell.way == AMONG}
        among = [line for line in lines if line.way == AMONG]
        held = [line.share for line in lines if line.way == MAJORITY]
        unseen = [line for line in among if not line.met]
        missing = [
            cell for cell in wanted if cell.setting.name == setting.name
            and (cell.key not in games or games[cell.key].games < cell.schedule(suite.games).games)
        ]  # fmt: skip
        found.append(
            SettingCard(
                setting.name, 1 / setting.game().players, lines, len(missing),
                _mean(among, deals) if among else None,
                worst_of([line.share for line in among]) if among else None,
                _mean(unseen, deals) if unseen else None,
                worst_of(held, most=True) if held else None,
                (alone or {}).get(setting.name), (responses or {}).get(setting.name),
            )
        )  # fmt: skip
    whole = {one.name for one in found if one.whole}
    left = tuple(setting.name for setting in suite.settings if setting.name not in whole)
    means, worsts = ([getattr(one, part) for one in found] for part in ("mean", "worst"))
    mean, worst = (mean_of(means), mean_of_worst(worsts)) if not left else (None, None)
    previews = tuple(one.cell.key for one in played if one.games and one.games <= games_of_preview(one.cell, suite))
    return Card(name, suite.name, tuple(found), mean, worst, left, previews)


def games_of_preview(cell: Cell, suite: Suite) -> int:
    """As many games of a cell are no more than a preview: those of `--quick`, or those up to the first deal whose games are
    published, so that of every other cell some can be checked."""
    return max(cell.schedule(suite.preview).games, ceil(1 / suite.published) * cell.setting.game().players)


def _mean(lines: Sequence[Line], by_deal: Mapping[str, np.ndarray]) -> Share:
    return mean_of([line.share for line in lines], [by_deal[line.reference] for line in lines])


def _line(games: CellGames, met: Collection[str]) -> Line:
    reference = games.cell.reference
    return Line(
        reference.spec, reference.pool, games.cell.way, games.games, reference.spec in met, games.share, games.points,
        games.decisions, 1000 * games.seconds / max(1, games.decisions), len(games.forfeits),
    )  # fmt: skip
