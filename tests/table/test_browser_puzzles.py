"""Puzzles on the page, in a real browser: chosen, answered on the board, told why, and the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hansa_env.play.known_positions import known_positions
from tests.table.serving import Server
from tests.table.test_browser import watched
from tests.table.test_browser_learning import PHONE, TARGET

if TYPE_CHECKING:
    from playwright import sync_api as api


def open_puzzle(page: api.Page, server: Server, name: str) -> None:
    page.goto(f"http://{server.address}/puzzles?puzzle={name}")
    page.wait_for_selector(f"body[data-puzzle='{name}']")
    page.wait_for_selector(".question.mine")


def test_a_puzzle_is_chosen_and_answered_and_the_next_one_comes(page: api.Page, server: Server) -> None:
    page.click("#puzzles")
    page.wait_for_selector("body[data-puzzle]", timeout=60_000)
    page.select_option("#puzzle-players", "3")
    page.select_option("#kind", "opening")
    page.wait_for_selector("#about:has-text('Opening · 3 players')")
    first = page.locator("body").get_attribute("data-puzzle")
    page.click("#give-up")
    page.wait_for_selector("body[data-verdict='wrong']")
    assert page.locator(".verdict li").count() >= 1 and "Agreed, not proven" in page.locator(".why").inner_text()
    page.wait_for_selector(".bad:has-text('1 wrong')")
    assert not page.locator(".can").count(), "it is answered"
    page.click("#next")
    page.wait_for_selector("body:not([data-verdict])")
    assert page.locator("body").get_attribute("data-puzzle") != first


def test_a_puzzle_that_is_not_there_is_told_and_another_one_comes(page: api.Page, server: Server) -> None:
    page.goto(f"http://{server.address}/puzzles?puzzle=nosuch")
    page.wait_for_selector(".note.bad:has-text('there is no puzzle')")
    page.wait_for_selector("body[data-puzzle] .question.mine")


@pytest.mark.slow
def test_who_is_right_about_the_beginning_of_an_action_is_told_the_rest(page: api.Page, server: Server) -> None:
    one = next(one for one in known_positions() if one.answers == ("move",))
    open_puzzle(page, server, one.name)
    page.locator(".question [data-text='move']").first.click()
    page.wait_for_selector("body[data-verdict='right']")
    assert "The whole action" in page.locator(".verdict").inner_text() and "ift a " in page.locator(".verdict li").inner_text()


@pytest.mark.slow
def test_of_two_choices_made_quickly_the_later_one_counts(page: api.Page, server: Server) -> None:
    open_puzzle(page, server, next(one.name for one in known_positions() if one.kind == "opening"))
    held: list[api.Route] = []
    page.route("**/api/puzzles/next?*", lambda route: held.append(route))
    page.select_option("#puzzle-players", "3")
    page.select_option("#kind", "ending")
    page.wait_for_selector("#about:has-text('on its way')")
    page.click("#give-up", force=True)
    page.wait_for_timeout(200)
    assert not page.locator("body[data-verdict]").count(), "the puzzle that is being left is not answered"
    assert len(held) == 2
    for route in reversed(held):
        with page.expect_response(route.request.url):
            route.continue_()
    page.wait_for_timeout(200)
    assert "Ending · 3 players" in page.locator("#about").inner_text()
    page.click("#give-up")
    page.wait_for_selector("body[data-verdict='wrong']")
    page.route("**/api/puzzles/next?*", lambda route: route.fulfill(status=404, json={"detail": "none"}))
    shown = page.locator("body").get_attribute("data-puzzle")
    page.click("#next")
    page.wait_for_selector(".note.bad")
    assert page.locator("body").get_attribute("data-puzzle") == shown and not page.locator(".can").count()
    assert page.locator("body[data-verdict='wrong'] #next").count() == 1, "one that is answered is not asked again"


@pytest.mark.slow
def test_right_and_wrong_on_the_board(page: api.Page, server: Server) -> None:
    one = next(
        one
        for one in known_positions()
        if one.ruleset.players == 3 and one.kind == "opening" and one.answers[0].startswith("place trader")
    )
    route = one.answers[0].split(" ")[2]
    open_puzzle(page, server, one.name)
    page.locator(f'[data-thing^="post {route} "].can .post').first.click()
    page.wait_for_selector(".menu button")
    page.locator(".menu button:has-text('trader')").first.click()
    page.wait_for_selector("body[data-verdict='right']")
    assert page.locator(".question h2").inner_text() == "Right"
    page.reload()
    page.wait_for_selector("#about:has-text('solved before')")
    page.locator(".question .answer.done").first.click()
    page.wait_for_selector("body[data-verdict='wrong']")
    assert page.locator(".map .wanted").count() >= 1, "it shows where"
    page.click("#study")
    page.wait_for_url("**/game/**")
    page.wait_for_selector(".analysis")


@pytest.mark.parametrize("players", [4, 5])
def test_desks_are_as_wide_as_the_question(page: api.Page, server: Server, players: int) -> None:
    page.set_viewport_size({"width": 1400, "height": 1000})
    open_puzzle(page, server, server.ask(f"/api/puzzles/next?players={players}").json()["name"])
    page.click("#give-up")
    page.wait_for_selector("body[data-verdict]")
    wide = [page.locator(part).bounding_box()["width"] for part in (".question", ".desks")]
    assert wide[0] == wide[1]


@pytest.mark.slow
def test_it_fits_a_phone(browser: api.Browser, server: Server) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page = watched(context.new_page(), server)
    name = server.ask("/api/puzzles/next?kind=ending&players=5").json()["name"]
    open_puzzle(page, server, name)
    page.locator("#give-up").tap()
    page.wait_for_selector("body[data-verdict]")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for control in page.locator(".question button:visible, .puzzle-bar select:visible").all():
        box = control.bounding_box()
        assert box["height"] >= TARGET - 0.5 and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
    context.close()
