"""The explorer of openings on the page, in a real browser: through the list, on the board, and back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.table.serving import Server
from tests.table.test_browser import a_page
from tests.table.test_browser_learning import PHONE, SIZES, TARGET

if TYPE_CHECKING:
    from playwright import sync_api as api


@pytest.fixture(scope="module")
def server(with_openings: Server) -> Server:
    return with_openings


@pytest.fixture(params=[pytest.param(SIZES[2], marks=pytest.mark.slow), PHONE], ids=["wide", "phone"])
def page(browser: api.Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[api.Page]:
    mobile = request.param == PHONE
    with a_page(browser, server, viewport=request.param, has_touch=mobile, is_mobile=mobile, reduced_motion="reduce") as found:
        yield found


def test_one_goes_through_openings_in_the_list_and_on_the_board(page: api.Page, server: Server) -> None:
    page.click("#openings")
    page.wait_for_selector(".explorer tbody tr")
    assert page.locator(".explorer h2").inner_text() == "100 games"
    rows = [row.split() for row in page.locator(".explorer tbody tr").all_inner_texts()]
    assert {"70", "%", "40"} <= set(rows[0]) and {"30", "%", "10"} <= set(rows[1])
    assert page.locator(".then").inner_text().endswith("places a trader on Hamburg–Lübeck")
    assert page.locator("g.heat circle").count() >= 1
    marked = page.locator(".map .can:not(.rare)").evaluate_all("parts => parts.map(part => part.dataset.thing)")
    assert {thing.rpartition(" ")[0] for thing in marked} == {"post stade/hamburg"}, "what was decided"
    assert page.locator(".map .can.rare").count() > 80, "anything else can be clicked too"
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    page.locator(".explorer tbody button").first.press("Enter")
    page.wait_for_selector("body[data-number='1']")
    assert page.locator(".explorer h2").inner_text() == "70 games"
    assert page.locator(".explorer tbody button:focus").count() == 1, "the keyboard stays in the list"
    page.click("#back")
    page.wait_for_selector("body[data-number='0']")
    if page.viewport_size["width"] == PHONE["width"]:
        for control in page.locator(".explorer .row button:visible, .puzzle-bar select:visible").all():
            box = control.bounding_box()
            assert box["height"] >= TARGET - 0.5 and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
        return
    page.locator('[data-thing="post hamburg/lubeck 1"] .post').click()
    page.locator(".menu button").first.click()
    page.wait_for_selector("body[data-number='1']")
    assert page.locator(".explorer h2").inner_text() == "No game is told from here on"
    page.click("#study")
    page.wait_for_url("**/game/**")
    page.wait_for_selector("body[data-number='1']")


def test_one_stays_where_one_was_if_the_next_step_fails(page: api.Page, server: Server) -> None:
    """Also if an earlier one had not been answered yet."""
    page.click("#openings")
    page.wait_for_selector(".explorer tbody tr")
    held: list[api.Route] = []

    def answer(route: api.Route) -> None:
        held.append(route)
        if len(held) > 1:
            route.abort() if len(held) == 2 else route.continue_()

    page.route("**/api/openings/positions", answer)
    page.locator(".explorer tbody button").first.press("Enter")
    page.locator("#beginning").dispatch_event("change")
    page.wait_for_selector(".note.bad")
    held[0].abort()
    page.locator(".explorer tbody button").first.press("Enter")
    page.wait_for_selector("body[data-number='1']")
    assert page.locator(".explorer h2").inner_text() == "70 games"


@pytest.mark.slow
def test_openings_come_with_the_table(browser: api.Browser, tmp_path: Path) -> None:
    alone = Server(tmp_path / "games.sqlite")
    try:
        with a_page(browser, alone) as page:
            page.click("#openings")
            page.wait_for_selector(".explorer tbody tr")
            assert "ppo::sample · 100,000 games" in page.locator("#book").inner_text()
    finally:
        alone.stop()


@pytest.mark.slow
def test_a_table_without_openings_says_how_they_are_made(page: api.Page, server: Server) -> None:
    page.route("**/api/openings", lambda route: route.fulfill(json={"books": []}))
    page.click("#openings")
    page.wait_for_selector(".notice pre:has-text('hansa openings')")
