"""The suite stays what it was when it was published: games, deals, references."""

from __future__ import annotations

import pytest

from hansa_agents.benchmark.frozen import check_frozen, digest_of
from hansa_agents.benchmark.suite import AMONG, MAJORITY, POOLS, read_suite, suite_hash
from hansa_agents.line_ups import MatchError
from hansa_agents.schedule import Schedule

SUITE = read_suite()
SETTINGS = [setting.name for setting in SUITE.settings]


def test_what_is_published_does_not_change() -> None:
    """Another hash is another suite: it needs a version of its own, in a file of its own."""
    assert suite_hash("hansa-bench/1") == "dffefe27aec173954b187dd5bc3b5121d6dbc705f3b7b0e6ee3a41b3a31678ee"


@pytest.mark.parametrize("name", SETTINGS)
def test_scripted_references_are_what_they_were(name: str) -> None:
    setting = SUITE.setting(name)
    for reference in setting.references:
        if reference.pool == "scripted":
            check_frozen(SUITE.name, setting, reference, set())


@pytest.mark.parametrize("pool", ["trained", "searching"])
def test_references_with_networks_are_what_they_were(pool: str) -> None:
    if pool == "trained":
        pytest.importorskip("torch", reason="needs the extra 'train'")
    setting = SUITE.setting("base-3")
    found = [reference for reference in setting.references if reference.pool == pool]
    assert found
    for reference in found:
        check_frozen(SUITE.name, setting, reference, set())


def test_a_reference_that_has_become_another_is_refused() -> None:
    setting = SUITE.setting("base-3")
    greedy, link = (next(one for one in setting.references if one.spec == spec) for spec in ("greedy", "scripted:link"))
    assert digest_of(greedy, setting.game(), setting.seed) != digest_of(link, setting.game(), setting.seed)
    changed = greedy.model_copy(update={"spec": "scripted:link"})
    with pytest.raises(MatchError, match=r"scripted:link of base-3 is not the one of hansa-bench/1: its digest is \w{12}…"):
        check_frozen(SUITE.name, setting, changed, set())


def test_settings_cover_every_number_of_players_and_every_kind_of_board() -> None:
    games = [setting.game() for setting in SUITE.settings]
    assert {game.players for game in games if game.base_game} == {2, 3, 4, 5}
    assert {game.board for game in games} >= {"east", "britannia-4-5"}
    for setting in SUITE.settings:
        pools = {reference.pool for reference in setting.references}
        assert pools == (set(POOLS) if setting.game().base_game else {"scripted"})


def test_every_cell_sits_everybody_everywhere_equally_often() -> None:
    for cell in SUITE.cells():
        players, schedule = cell.setting.game().players, cell.schedule(SUITE.games)
        assert schedule.games == SUITE.games, "no cell is rounded up"
        alone = 0 if cell.way == AMONG else 1
        held = [schedule.seats(number).index(alone) for number in range(schedule.games)]
        assert [held.count(seat) for seat in range(players)] == [SUITE.games // players] * players
        assert all(schedule.seats(number).count(alone) == 1 for number in range(0, schedule.games, 97))


def test_games_of_a_preview_are_the_first_of_all_and_deals_are_the_same_for_every_reference() -> None:
    among, other = (
        next(cell for cell in SUITE.cells() if cell.key == f"base-4/{AMONG}/{spec}")
        for spec in ("greedy", "tree:sims=50,network=0.2")
    )
    whole, preview = among.schedule(SUITE.games), among.schedule(SUITE.preview)
    assert isinstance(whole, Schedule) and preview.games == SUITE.preview
    for number in range(preview.games):
        assert preview.seats(number) == whole.seats(number) and preview.seed_of(number) == whole.seed_of(number)
        assert other.schedule(SUITE.games).seed_of(number) == whole.seed_of(number)


def test_with_two_players_there_is_one_way_to_meet() -> None:
    ways = {(cell.setting.game().players > 2, cell.way) for cell in SUITE.cells()}
    assert ways == {(False, AMONG), (True, AMONG), (True, MAJORITY)}


def test_the_page_says_what_the_suite_has() -> None:
    from tests.docs.tables import PAGES

    page = (PAGES / "benchmark.md").read_text("utf-8")
    assert SUITE.name in page and f"{SUITE.games:,} games" in page and f"{SUITE.preview} games of each cell" in page
    for setting in SUITE.settings:
        assert f"`{setting.name}`" in page and f"| {setting.seed} |" in page
    for spec in {reference.spec for setting in SUITE.settings for reference in setting.references}:
        assert f"`{spec}`" in page or spec.startswith("scripted:")
    chance = sum(1 / setting.game().players for setting in SUITE.settings) / len(SUITE.settings)
    assert f"{chance:.1%}".replace("%", " %") in page
