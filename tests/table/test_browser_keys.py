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
