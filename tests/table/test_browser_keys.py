"""The keyboard stays where it is while the page is drawn anew, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.table.serving import GREEDY, HERE, Server
from tests.table.test_browser import a_page
from tests.table.test_browser_learning import SIZES, deal, open_game

if TYPE_CHECKING:
    from playwright import sync_api as api

POST = ".map [data-thing='post stade/hamburg 1']"
LISTED = ".every [data-text='place merchant stade/hamburg']"


def has_the_keyboard(page: api.Page, selector: str) -> bool:
    return page.evaluate("selector => document.activeElement.matches(selector)", selector)


def test_the_keyboard_stays_at_a_post_behind_its_menu_and_in_the_list_behind_news(browser: api.Browser, server: Server) -> None:
    game = deal(server)
    with a_page(browser, server, viewport=SIZES[2], reduced_motion="reduce") as page, server.sit(game) as other:
        open_game(page, server, game)
        page.wait_for_selector(".question.mine")
        page.locator(POST).press("Enter")
        page.wait_for_selector(".menu")
        page.keyboard.press("Escape")
        assert not page.locator(".menu").count() and has_the_keyboard(page, POST)
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        page.wait_for_selector("body[data-number='1']")
        page.wait_for_selector(".question.mine")
        assert has_the_keyboard(page, ".map [data-thing^='post '].can"), "one goes on placing"
        page.locator(".every summary").click()
        page.locator(LISTED).focus()
        other.hear("welcome")
        other.say(type="pace", seconds=4)
        page.wait_for_function("() => document.querySelector('#pace').value === '4'")
        assert has_the_keyboard(page, LISTED) and page.locator(LISTED).is_visible()


def test_the_keyboard_comes_back_to_the_question_on_ones_turn(browser: api.Browser, server: Server) -> None:
    game = server.deal(HERE, GREEDY, GREEDY, seed=5, pace=0.3)
    with a_page(browser, server, viewport=SIZES[2], reduced_motion="reduce") as page:
        open_game(page, server, game)
        page.wait_for_selector(".question.mine")
        page.locator(".answer.done").first.press("Enter")
        page.wait_for_selector(".question:not(.mine)")
        page.wait_for_selector(".question.mine")
        assert has_the_keyboard(page, ".question .answer")


def test_the_keyboard_stays_where_a_button_goes(page: api.Page, server: Server) -> None:
    """Back to the game, show my card, the next lesson: each replaces itself."""
    game = server.deal(HERE, HERE, HERE, missions=True, seed=5)
    page.goto(f"http://{server.address}/game/{game}#guide")
    page.locator("#uncover").press("Enter")
    page.wait_for_selector("[data-thing='mission 0']")
    assert has_the_keyboard(page, ".question .answer")
    page.locator(".guide button").press("Enter")
    page.wait_for_selector(".guide h2:has-text('Fill a route')")
    assert has_the_keyboard(page, ".guide button")
    page.locator(".answer.done").first.press("Enter")
    page.wait_for_selector("body[data-number='1'] .question.mine")
    page.keyboard.press("Home")
    page.locator(".past button").press("Enter")
    page.wait_for_selector("body[data-number='1'] .question.mine")
    assert has_the_keyboard(page, ".question .answer")


def test_a_map_that_is_larger_follows_the_keyboard(page: api.Page, server: Server) -> None:
    open_game(page, server, deal(server))
    page.wait_for_selector(".question.mine")
    for _ in range(3):
        page.keyboard.press("+")
    frame = page.locator(".map").bounding_box()
    reached = page.locator(".map :is(circle, rect, path)[tabindex='0'], .map [tabindex='0']").all()
    page.locator(".map [tabindex='0']").first.focus()
    for _ in reached[1:]:
        page.keyboard.press("Tab")
        at = page.evaluate("() => { const { left, top, right, bottom } = document.activeElement.getBoundingClientRect();"
                           " return [(left + right) / 2, (top + bottom) / 2]; }")  # fmt: skip
        assert frame["x"] <= at[0] <= frame["x"] + frame["width"] and frame["y"] <= at[1] <= frame["y"] + frame["height"]


def test_a_menu_stays_open_while_there_are_other_news(page: api.Page, server: Server) -> None:
    game = deal(server)
    with server.sit(game) as other:
        open_game(page, server, game)
        page.wait_for_selector(".question.mine")
        page.locator(POST).press("Enter")
        page.wait_for_selector(".menu")
        other.hear("welcome")
        other.say(type="pace", seconds=4)
        page.wait_for_function("() => document.querySelector('#pace').value === '4'")
        assert page.locator(".menu").count() == 1 and has_the_keyboard(page, ".menu button")
