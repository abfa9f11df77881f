"""The guided first game in a real browser: played to its last lesson by mouse, by finger and by keys alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.table.serving import Server
from tests.table.test_browser import a_page, number, wait_until_past
from tests.table.test_browser_learning import PHONE, SIZES, TARGET, deal

if TYPE_CHECKING:
    from playwright import sync_api as api

LESSONS = 12
#: What somebody types who knows no more than the lesson, after "/", until the next lesson begins.
TYPED = {
    "Traders on the road": "place trader gott",
    "Fill a route": "place trader gott",
    "Claim it": "claim",
    "What a claim brings": "office",
    "Stock and supply": "income",
    "Displace": "displace",
    "Move": "move",
    "An office": "place trader stade",
}


@pytest.fixture
def page(browser: api.Browser, server: Server) -> Iterator[api.Page]:
    with a_page(browser, server, viewport=SIZES[2], reduced_motion="reduce") as found:
        begin(found)
        yield found


@pytest.fixture
def phone(browser: api.Browser, server: Server) -> Iterator[api.Page]:
    with a_page(browser, server, viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce") as found:
        begin(found)
        yield found


def begin(page: api.Page) -> None:
    page.click("#guided")
    page.wait_for_selector(".guide h2:has-text('Traders on the road')")
    page.wait_for_selector(".question.mine")
    page.select_option("#pace", "0", force=True)  # on a phone it is folded away


def lesson(page: api.Page) -> str:
    page.wait_for_selector(".question.mine")
    return page.locator(".guide h2").inner_text()


def decide(page: api.Page, *ways: str, touch: bool) -> None:
    """Press the first thing there is of these, and the first of the menu that it opens."""
    before, chosen = number(page), page.locator(next(way for way in ways if page.locator(way).count())).first
    for one in (chosen, page.locator(".menu button").first):
        if one.count():
            one.tap() if touch else one.click()
    wait_until_past(page, before)


def play_lessons(page: api.Page, touch: bool) -> list[str]:
    """Do what each lesson marks, or else take income, or else answer what is asked; the titles of the lessons."""

    def press(title: str) -> None:
        if title in TYPED:
            income = ".answer:has-text('Take income'):visible"
            decide(page, ".answer.wanted:visible", ".map .wanted .post", income, ".answer:visible:not(.cancel)", touch=touch)
        else:
            next_one = page.locator(".guide button")
            next_one.tap() if touch else next_one.click()

    return titles(page, press)


def titles(page: api.Page, go_on: Callable[[str], None]) -> list[str]:
    """The titles of the lessons up to the last, where something is done in the lesson that is on, again and again."""
    seen: list[str] = []
    for _ in range(60):
        title = lesson(page)
        seen += [] if title in seen else [title]
        if title == "Now play":
            break
        go_on(title)
    return seen


def test_it_teaches_by_doing(page: api.Page) -> None:
    assert page.locator(".map .wanted").count() >= 2, "it shows where"
    seen = play_lessons(page, touch=False)
    assert len(seen) == LESSONS and seen[-1] == "Now play"
    assert page.locator(".map .piece.p0").count() >= 1 and "office" in page.locator(".log").inner_text()
    page.goto(page.url.partition("#")[0])  # as from the list of games
    page.evaluate("sessionStorage.clear()")  # as in another tab
    page.reload()
    page.wait_for_selector(f".guide:has-text('{LESSONS} of {LESSONS}')")
    page.click(".guide button")
    assert not page.locator(".guide").is_visible() and not page.locator(".wanted").count()
    page.reload()
    page.wait_for_selector(".question h2")
    assert not page.locator(".guide").is_visible()


def test_what_is_taken_back_does_not_hide_what_is_done_next(page: api.Page) -> None:
    first = lesson(page)
    page.locator(".guide button").click()
    page.wait_for_selector(f".guide h2:not(:has-text('{first}'))")
    while lesson(page) != "Stock and supply":
        before = page.locator(".guide h2").inner_text()
        page.locator(".guide button").click()
        page.wait_for_selector(f".guide h2:not(:has-text('{before}'))")
    decide(page, ".map .can .post", touch=False)
    page.keyboard.press("Escape")
    page.locator("body").press("u")
    page.wait_for_selector("body[data-number='0']")
    decide(page, ".answer:has-text('Take income'):visible", touch=False)
    page.wait_for_selector(".guide h2:not(:has-text('Stock and supply'))")


@pytest.mark.slow
def test_it_is_played_by_touch(phone: api.Page) -> None:
    assert len(play_lessons(phone, touch=True)) == LESSONS


@pytest.mark.slow
def test_it_is_played_by_keys_alone(page: api.Page) -> None:
    """`q` goes to the question, `/` finds a decision, and the lesson's button is one Tab before the question."""

    def press(title: str) -> None:
        before = number(page)
        page.keyboard.press("q")
        if title not in TYPED:
            page.keyboard.press("Shift+Tab")
            page.keyboard.press("Enter")
            return
        focused = page.evaluate("document.activeElement.textContent")
        if page.locator("body[data-number] .question .ways").count() and "Claim" not in focused:
            page.keyboard.press("/")
            for words in (TYPED[title], "income", "put"):  # the lesson's, else what goes at all
                page.keyboard.press("Control+a")
                page.keyboard.type(words)
                if page.locator(".find [role='status']").inner_text() != "0 found":
                    break
        page.keyboard.press("Enter")
        wait_until_past(page, before)

    assert len(titles(page, press)) == LESSONS


@pytest.mark.slow
def test_a_lesson_ends_with_its_action_and_not_within_it(page: api.Page, server: Server) -> None:
    game = deal(server, "place trader stade/hamburg", "done")
    page.goto(f"http://{server.address}/game/{game}#guide")
    while lesson(page) != "Displace":
        page.locator(".guide button").click()
    page.locator("[data-thing='post stade/hamburg 1'] .piece").click()
    page.wait_for_selector(".question h2:has-text('takes its place')")
    assert lesson(page) == "Displace"
    page.locator(".answer").first.click()
    page.wait_for_selector(".question h2:has-text('penalty')")
    page.locator(".answer").first.click()
    page.wait_for_selector(".question h2:has-text('displaced')")
    page.locator(".map .can .post").first.click()
    page.wait_for_selector(".question h2:has-text('extra piece')")
    page.locator(".answer.done").click()
    page.wait_for_selector(".guide h2:has-text('Move')")
    page.locator(".answer.wanted").first.click()
    page.wait_for_selector(".question h2:has-text('put a piece down')")
    assert lesson(page) == "Move"
    page.locator(".map .wanted .post").first.click()
    page.wait_for_selector(".guide h2:has-text('An office')")


def test_a_lesson_goes_on_to_show_where_within_its_action(page: api.Page, server: Server) -> None:
    game = deal(server, "place trader stade/hamburg", "place trader bremen/minden")
    page.goto(f"http://{server.address}/game/{game}#guide")
    while lesson(page) != "Displace":
        page.locator(".guide button").click()
    page.locator(".answer.wanted:has-text('Displace a piece')").first.click()
    page.wait_for_selector(".question h2:has-text('route to displace')")
    strokes = "parts => parts.map(part => getComputedStyle(part).strokeWidth)"
    assert page.locator(".map .wanted .piece").evaluate_all(strokes) == ["4px", "4px"]
    page.locator(".map .wanted .piece").first.click()
    page.wait_for_selector(".answer.wanted:has-text('With a')")


def test_a_lesson_the_map_and_the_question_are_seen_together(phone: api.Page) -> None:
    """The longest lesson too: what it says and its button lie above the map, and the map above the question."""
    for place in range(1, LESSONS + 1):
        phone.wait_for_selector(f".guide:has-text('{place} of {LESSONS}')")
        guide, board = phone.locator(".guide").bounding_box(), phone.locator(".map").bounding_box()
        sheet, go = phone.locator(".question").bounding_box(), phone.locator(".guide button").bounding_box()
        assert go["height"] >= TARGET - 0.5 and go["x"] + go["width"] <= PHONE["width"]
        assert guide["y"] + guide["height"] <= board["y"], place
        assert board["y"] + 0.9 * board["height"] <= sheet["y"], place
        phone.locator(".guide button").tap()
    assert not phone.locator(".guide").is_visible()
