"""Whether published games fit the others: what is invented is found, in one cell or a little in all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hansa_agents.benchmark.cells import CellGames
from hansa_agents.benchmark.fit import Fit, fits_of
from hansa_agents.benchmark.row_file import published_numbers
from hansa_agents.benchmark.suite import AMONG, Cell
from tests.agents.benchmark.played import SUITE, cells

CELLS = [cell for cell in SUITE.cells() if cell.setting.name in ("base-3", "base-4")]
DRAWN = 0.15


def published(cell: Cell, count: int) -> np.ndarray:
    return np.isin(np.arange(count), published_numbers(cell, SUITE.published, count))


def played(cell: Cell, wins: np.ndarray) -> CellGames:
    """Games of which whoever sits alone wins these."""
    schedule, alone = cell.schedule(len(wins)), 0 if cell.way == AMONG else 1
    own = np.array([[seat == alone for seat in schedule.seats(number)] for number in range(len(wins))])
    ranks = np.where(wins[:, None], ~own, own * (own.shape[1] - 1))
    return CellGames(cell, ranks, np.where(own == wins[:, None], 40, 20), 1, 1.0)


def luck(seed: int, count: int = 1080) -> list[np.ndarray]:
    """For each of CELLS, which games are won by whoever sits alone, with other chances in each cell."""
    rng = np.random.default_rng(seed)
    return [rng.random(count) < rng.uniform(0.2, 0.8) for _ in CELLS]


def favoured(wins: np.ndarray, cell: Cell, rng: np.random.Generator) -> np.ndarray:
    """The same with some games that are not published turned in favour of the agent."""
    turned = (rng.random(len(wins)) < DRAWN) & ~published(cell, len(wins))
    return wins | turned if cell.way == AMONG else wins & ~turned


def fits(games: Sequence[CellGames]) -> list[Fit]:
    return fits_of(games, SUITE.published, np.random.default_rng(1))


def test_each_of_three_comparisons_doubts_one_honest_row_in_3000() -> None:
    assert Fit("here", "the row", 0.0003).doubtful and not Fit("here", "the row", 0.0004).doubtful


def test_a_deal_counts_when_it_was_played_in_every_rotation() -> None:
    wins = np.array([True, True, False, False, False, False, True])
    assert played(cells("base-3/among/greedy")[0], wins).by_deal.tolist() == [2 / 3, 0]
    assert played(cells("base-3/among/greedy")[0], wins[:1]).by_deal.tolist() == [1]


def test_games_of_one_cell_that_are_all_won_are_found() -> None:
    cell, honest = CELLS[0], luck(3)[0]
    for wins, doubtful in ((honest, False), (honest | ~published(cell, 1080), True)):
        there = published(cell, 1080)
        in_cell, in_setting = fits([played(cell, wins)])
        assert in_cell.doubtful == in_setting.doubtful == doubtful
        said = f"{wins[there].mean():.1%} of the published games, {wins[~there].mean():.1%} of the others"
        assert in_cell.found == f"{cell.key}: whoever sits alone wins {said}"
    assert fits([played(cell, honest[:12])]) == []


def test_a_little_that_is_invented_in_every_cell_is_found() -> None:
    """In each cell it could be chance, and only together it is not."""
    rng = np.random.default_rng(5)
    honest = luck(5)
    forged = [favoured(wins, cell, rng) for cell, wins in zip(CELLS, honest)]
    assert not any(fit.doubtful for fit in fits([played(*one) for one in zip(CELLS, honest)]))
    in_cell, _, in_all = fits([played(*one) for one in zip(CELLS, forged)])
    assert not in_cell.doubtful and in_all.doubtful
    assert in_all.found.startswith("all settings: the agent does ") and " better in the other games " in in_all.found


def test_a_short_cell_hides_nothing_of_the_others() -> None:
    """It has one published deal; of the others all are judged."""
    short, cell = CELLS[:2]
    wins = luck(3)[1] | ~published(cell, 1080)
    in_cell, *_ = fits([played(short, luck(4)[0][:63]), played(cell, wins)])
    assert in_cell.doubtful and in_cell.found.startswith(cell.key)


def test_honest_rows_are_rarely_doubted() -> None:
    """Of 40 rows whose deals are luck for all cells alike, the chance that is named is below a tenth in about a tenth."""
    some = cells("base-4/among/greedy", "base-4/majority/greedy", "base-3/among/greedy")
    rng, named = np.random.default_rng(7), []
    for _ in range(40):
        deals = {name: np.repeat(rng.random(110), players) for name, players in (("base-3", 3), ("base-4", 4))}
        games = [
            played(cell, rng.random(240) < 0.2 + 0.6 * deals[cell.setting.name][:240]) for cell in some
        ]  # fmt: skip
        found = fits(games)
        assert len(found) == 3 and not any(fit.doubtful for fit in found)
        named += [fit.chance for fit in found]
    assert 0.02 < np.mean(np.array(named) < 0.1) < 0.2
