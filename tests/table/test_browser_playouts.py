"""Playing positions out on the page, in a real browser: agents are chosen, shares grow, it is stopped."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

import pytest

from hansa_env import Game, Ruleset
from tests.table.serving import Server
from tests.table.test_browser import a_page
from tests.table.test_browser_learning import PHONE, SIZES, open_game

if TYPE_CHECKING:
    from playwright import sync_api as api


@pytest.fixture(params=[SIZES[2], pytest.param(PHONE, marks=pytest.mark.slow)], ids=["wide", "phone"])
def page(browser: api.Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[api.Page]:
    with a_page(browser, server, viewport=request.param, reduced_motion="reduce") as found:
        yield found


def test_a_position_is_played_out_and_stopped(page: api.Page, server: Server) -> None:
    game, random = Game(Ruleset(2, "second"), seed=2), Random(2)
    while game.state["turns"] < 40:
        game.play(random.choice(game.legal()))
    study = server.ask("/api/records", game.record()).json()["id"]
    open_game(page, server, study)
    page.locator("details.analysis").evaluate("found => { found.open = false; }")  # it comes once the agents are known
    if page.viewport_size["width"] == PHONE["width"]:
        page.locator(".fold").click()
    page.locator(".playout summary").click()
    seats = page.locator(".playout .seat-row select")
    assert "here" not in seats.first.locator("option").evaluate_all("all => all.map((one) => one.value)"), "agents alone"
    seats.nth(0).select_option("agent greedy")
    seats.nth(1).select_option("agent random")
    page.select_option("#playout-games", "1000")
    page.click("#playout-go")
    page.wait_for_function("() => Number(document.querySelector('.playout progress')?.value) >= 3", timeout=120_000)
    page.route("**/api/playouts/*", lambda route: route.abort(), times=1)
    page.wait_for_selector(".note.bad")
    assert page.locator("#playout-stop").is_visible(), "it goes on, though nobody could see for a moment how far it is"
    page.click("#playout-stop")
    page.wait_for_selector("#playout-go:not(:disabled)")
    told = page.locator(".playout [role='status']").inner_text()
    assert f"From decision {len(game.decisions)}: " in told and "of 1000 games" in told
    shares = [int(text.rstrip(" %").lstrip("<>")) for text in page.locator(".playout .won").all_inner_texts()]
    assert 98 <= sum(shares) <= 102 and page.locator(".playout .between").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    page.reload()
    page.wait_for_selector("body[data-number]")
    page.locator("details.playout").evaluate("found => { found.open = true; }")
    page.wait_for_selector(f".playout [role='status']:has-text('{told[:30]}')")


def test_games_of_another_position_are_stopped_from_where_one_wants_to_play(page: api.Page, server: Server) -> None:
    other, study = (server.ask("/api/records", Game(Ruleset(2, "second"), seed=2).record()).json()["id"] for _ in range(2))
    wanted = {"at": 0, "agents": ["greedy"] * 2, "games": 1000}
    held_up = server.ask(f"/api/games/{other}/playouts", wanted).json()["id"]
    open_game(page, server, study)
    page.wait_for_selector("details.playout", state="attached")
    for card in ("analysis", "playout"):
        page.locator(f"details.{card}").evaluate("(found, open) => { found.open = open; }", card == "playout")
    page.locator("#playout-go").click()
    assert page.locator(".playout [role='status'] a").get_attribute("href") == f"/game/{other}"
    page.locator("#playout-others").click()
    page.wait_for_selector("#playout-stop")
    assert not server.ask(f"/api/playouts/{held_up}").json()["running"]
    page.locator("#playout-stop").click()
    page.wait_for_selector("#playout-go:not(:disabled)")


def test_who_plays_a_seat_out_is_told_unless_the_seat_has_that_name(page: api.Page, server: Server) -> None:
    names = ["tree:sims=400", "person:greedy-fan", "greedy", "greedy"]
    study = server.ask("/api/records", Game(Ruleset(4), seed=2).record() | {"agents": names}).json()["id"]
    seats = [{"agent": agent, "share": 0.25, "low": 0.1, "high": 0.4} for agent in ("tree", "greedy", "greedy", "random")]
    shown = {
        "id": "one",
        "at": 0,
        "games": 20,
        "played": 20,
        "cut_off": 0,
        "running": False,
        "problem": None,
        "seconds": 1,
        "seats": seats,
    }
    page.route("**/api/games/*/playouts", lambda route: route.fulfill(json={"playouts": [shown]}))
    open_game(page, server, study)
    page.wait_for_selector("details.playout", state="attached")
    page.locator("details.playout").evaluate("found => { found.open = true; }")
    page.wait_for_selector(".playout tr[data-seat='3']", state="attached")
    told = [page.locator(f".playout tr[data-seat='{seat}'] td >> nth=0").text_content() for seat in range(4)]
    assert [text.split() for text in told] == [
        ["0", "tree:sims=400", "tree"], ["1", "greedy-fan", "greedy"], ["2", "greedy", "(2)"], ["3", "greedy", "(3)", "random"],
    ]  # fmt: skip
