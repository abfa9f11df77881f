"""The end of a game is played by keys alone, and by touch alone, with whatever the page has for either."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from hansa_env import Ruleset
from tests.rules import scenario
from tests.table.serving import GREEDY, HERE, Server
from tests.table.test_browser import a_page, number, wait_until_past
from tests.table.test_browser_learning import PHONE, SIZES, open_game

if TYPE_CHECKING:
    from playwright import sync_api as api


#: What ends the game, and is kept for last.
CLAIM = "claim stade/hamburg"


def nearly_over(server: Server) -> str:
    """A game of a person with five actions against two bots; a claim beside the own city ends it."""
    position = scenario.position(
        Ruleset(3), turn=0, actions=5, abilities={0: {"actions": 5}}, supply=dict.fromkeys(range(3), (4, 1)),
        prestige={0: 19}, posts={"stade/hamburg": "0t 0t 0t", "hamburg/lubeck": "1t"}, offices={"hamburg": "0t"},
    )  # fmt: skip
    study = server.ask("/api/records", position).json()["id"]
    answer = server.ask(f"/api/games/{study}/branches", {"at": 0, "texts": [], "seats": [HERE, GREEDY, GREEDY], "clock": None})
    game = answer.json()["id"]
    with server.sit(game) as host:
        host.say(type="pace", seconds=0, id=1)
        host.hear("done")
    return game


def is_over(page: api.Page) -> bool:
    """Wait for one's next question or the end; whether it is the end."""
    page.wait_for_selector(".question.mine, .question table.final", timeout=60_000)
    return page.locator(".question table.final").count() > 0


def play(page: api.Page, claim: Callable[[], None], *ways: Callable[[api.Page], bool]) -> None:
    """Play by each way that there is, then end the game. A way says whether it could be gone."""
    gone: set[Callable[[api.Page], bool]] = set()
    while not is_over(page):
        before = number(page)
        if len(gone) == len(ways) and page.locator(f'.answer[data-text="{CLAIM}"]').count():
            claim()
        else:
            gone.add(next(way for way in sorted(ways, key=gone.__contains__) if way(page)))
        wait_until_past(page, before)


def menu_opened(page: api.Page, before: int) -> bool:
    """Whether a menu asks what is meant, or else a decision was taken at once."""
    done = "before => document.querySelector('.menu') || Number(document.body.dataset.number) > before"
    page.wait_for_function(done, arg=before)
    return page.locator(".menu").count() > 0


def found(page: api.Page) -> bool:
    page.keyboard.press("/")
    page.keyboard.type("place trader")
    if page.locator(".find [role='status']").inner_text() == "0 found":
        page.keyboard.press("Escape")
        return False
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    return True


def tabbed_to_the_map(page: api.Page) -> bool:
    before = number(page)
    page.keyboard.press("q")
    for _ in range(40):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.closest('.map .can') !== null"):
            page.keyboard.press("Enter")
            if menu_opened(page, before):
                page.keyboard.press("ArrowDown")
                page.keyboard.press("Enter")
            return True
    return False


def tabbed_to_an_answer(page: api.Page) -> bool:
    page.keyboard.press("q")
    for _ in range(6):
        if page.evaluate("document.activeElement.matches('.answers:not(.list) > .answer:not(.cancel, [data-text^=claim])')"):
            page.keyboard.press("Enter")
            return True
        page.keyboard.press("Tab")
    return False


def test_a_game_is_played_to_its_end_by_keys_alone(browser: api.Browser, server: Server) -> None:
    with a_page(browser, server, viewport=SIZES[2], reduced_motion="reduce") as page:
        open_game(page, server, nearly_over(server))

        def claim() -> None:
            page.keyboard.press("/")
            page.keyboard.type("claim")
            page.keyboard.press("Enter")

        play(page, claim, found, tabbed_to_the_map, tabbed_to_an_answer)
        last = number(page)
        page.keyboard.press("Home")
        page.wait_for_selector("body[data-number='0']")
        page.keyboard.press("End")
        page.wait_for_selector(f"body[data-number='{last}'] .question table.final")


def tapped_on_the_map(phone: api.Page) -> bool:
    """What a finger can reach: the sheet lies over a part of the map."""
    before, sheet = number(phone), phone.locator(".question").bounding_box()
    for post in phone.locator(".map .can[data-thing^='post '] .hit").all():
        box = post.bounding_box()
        if 0 < box["y"] < sheet["y"] - box["height"]:
            phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            if menu_opened(phone, before):
                phone.locator(".menu button").first.tap()
            return True
    return False


def tapped_in_words(phone: api.Page) -> bool:
    """In the sheet, which folds away to show the map."""
    answers = phone.locator(".question .rest > .answers .answer:not(.cancel, [data-text^=claim])")
    if not answers.count():
        return False
    high = phone.locator(".question").bounding_box()["height"]
    phone.locator(".question .fold").tap()
    assert phone.locator(".question").bounding_box()["height"] < high
    phone.locator(".question .fold").tap()
    answers.first.tap()
    return True


def tapped_in_the_list(phone: api.Page) -> bool:
    every = phone.locator(".question .every")
    if not every.count():
        return False
    every.locator("summary").tap()
    every.locator(".answer:not([data-text^=claim])").first.tap()
    return True


@pytest.mark.slow
def test_a_game_is_played_to_its_end_by_touch_alone(browser: api.Browser, server: Server) -> None:
    with a_page(browser, server, viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce") as phone:
        open_game(phone, server, nearly_over(server))
        claim = phone.locator(f'.question .answers:not(.list) .answer[data-text="{CLAIM}"]')
        play(phone, claim.tap, tapped_on_the_map, tapped_in_words, tapped_in_the_list)
        assert phone.locator("table.final thead th").count() == 3
        assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
