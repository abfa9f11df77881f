"""The page on a phone: by touch, with nothing too small or cut off, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.table.serving import GREEDY, OPINION, Server
from tests.table.test_browser import a_page, number, wait_until_past
from tests.table.test_browser_at_a_table import LOADED_WITHIN
from tests.table.test_browser_learning import PHONE, SIZES, TARGET, deal, ended, open_game

if TYPE_CHECKING:
    from playwright import sync_api as api


@pytest.fixture
def phone(browser: api.Browser, server: Server) -> Iterator[api.Page]:
    with a_page(browser, server, viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce") as found:
        yield found


@pytest.mark.slow
def test_a_finger_beside_a_post_means_it(phone: api.Page, server: Server) -> None:
    open_game(phone, server, deal(server))
    phone.wait_for_selector(".question.mine")
    box = phone.locator('[data-thing="post stade/hamburg 2"]').bounding_box()
    assert box["width"] < TARGET, "drawn smaller than a finger"
    phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] + 8)
    phone.wait_for_selector(".menu button:has-text('Place a trader on Stade–Hamburg')")
    assert all(row.bounding_box()["height"] >= TARGET for row in phone.locator(".menu button").all())
    phone.locator(".menu button:has-text('Place a trader on Stade–Hamburg')").tap()
    wait_until_past(phone, 0)


@pytest.mark.slow
def test_the_map_is_made_larger_and_moved(phone: api.Page, server: Server) -> None:
    open_game(phone, server, deal(server))
    svg = phone.locator(".map svg")
    whole = svg.get_attribute("viewBox")
    phone.locator(".zoom button[aria-label^='larger']").tap()
    larger = svg.get_attribute("viewBox")
    assert float(larger.split()[2]) < float(whole.split()[2]) and float(larger.split()[0]) > 0
    box = phone.locator(".map").bounding_box()
    phone.mouse.move(box["x"] + 200, box["y"] + 100)
    phone.mouse.down()
    phone.mouse.move(box["x"] + 150, box["y"] + 100, steps=4)
    phone.mouse.up()
    assert float(svg.get_attribute("viewBox").split()[0]) > float(larger.split()[0])
    assert number(phone) == 0 and not phone.locator(".menu").count(), "a drag decides nothing"
    phone.locator(".zoom button[aria-label^='the whole']").tap()
    assert svg.get_attribute("viewBox") == whole


@pytest.mark.slow
def test_what_agents_think_is_seen_while_the_question_is_folded_away(phone: api.Page, server: Server) -> None:
    open_game(phone, server, deal(server, seats=({"kind": "here", "name": ""}, GREEDY, GREEDY)))
    phone.wait_for_selector(".question.mine")
    sheet = phone.locator(".question")
    high = sheet.bounding_box()["height"]
    phone.locator(".analysis summary").tap()
    phone.wait_for_selector(".question.folded")
    assert sheet.bounding_box()["height"] < high / 2
    phone.locator(".analysis select").first.select_option(OPINION)
    phone.wait_for_selector(".thoughts:not(.waiting) p:has-text('gives you 30 % of the win')", timeout=LOADED_WITHIN)
    phone.locator(".analysis summary").tap()
    phone.wait_for_selector(".question:not(.folded)")


def test_a_long_name_is_not_cut_off_in_the_question(phone: api.Page, server: Server) -> None:
    seats = tuple({"kind": "here", "name": letter * 40} for letter in "WXY")
    open_game(phone, server, deal(server, seats=seats))
    phone.wait_for_selector(".question.mine h2")
    wider = phone.locator("h2").evaluate_all(
        "all => all.filter((one) => one.scrollWidth > one.clientWidth || one.getBoundingClientRect().right > innerWidth)"
        ".map((one) => one.textContent)"
    )
    assert not wider


def touch(fingers: api.CDPSession, kind: str, *points: tuple[float, float]) -> None:
    """What a screen tells of fingers: they are put down, moved, or some are lifted."""
    told = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": told})


def test_two_fingers_make_the_map_larger_and_smaller_and_one_moves_it(phone: api.Page, server: Server) -> None:
    """Upright, the way in which one finger scrolls the page."""
    open_game(phone, server, deal(server))
    phone.wait_for_selector(".question.mine")
    svg, box, fingers = phone.locator(".map svg"), phone.locator(".map").bounding_box(), phone.context.new_cdp_session(phone)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def shown() -> list[float]:
        return [float(word) for word in str(svg.get_attribute("viewBox")).split()]

    def pinch(start: int, end: int) -> None:
        step = 10 if end > start else -10
        touch(fingers, "touchStart", (x, y - start))
        touch(fingers, "touchStart", (x, y - start), (x, y + start))
        for far in range(start + step, end + step, step):
            touch(fingers, "touchMove", (x, y - far), (x, y + far))
        touch(fingers, "touchEnd")

    whole = shown()
    pinch(20, 70)
    phone.wait_for_function("() => document.querySelector('.map.zoomed')")
    larger = shown()
    assert larger[2] == pytest.approx(whole[2] * 20 / 70, rel=0.05)
    middle = [larger[0] + larger[2] / 2, larger[1] + larger[3] / 2]
    assert middle == pytest.approx([whole[2] / 2, whole[3] / 2], rel=0.05), "what is between the fingers stays there"
    touch(fingers, "touchStart", (x, y))
    for far in range(0, 40, 10):
        touch(fingers, "touchMove", (x - far, y))
    touch(fingers, "touchEnd")
    assert shown()[0] > larger[0] and shown()[2:] == larger[2:]
    pinch(70, 10)
    assert shown() == whole
    assert phone.evaluate("scrollY") == 0 and number(phone) == 0 and not phone.locator(".menu").count()


def test_everything_on_a_phone_is_large_enough_and_nothing_is_cut_off(phone: api.Page, server: Server) -> None:
    record = server.ask("/api/records", ended(5, board="britannia-4-5") | {"agents": ["greedy"] * 5}).json()["id"]
    for game in (deal(server), record):
        open_game(phone, server, game)
        phone.wait_for_selector(".question .rest > *")
        assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        for control in phone.locator("header button:visible, .question button:visible, .zoom button:visible").all():
            box = control.bounding_box()
            assert box["height"] >= TARGET - 0.5, control.inner_text()
            assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"], control.inner_text()
        sheet = phone.locator(".question").bounding_box()
        assert sheet["y"] + sheet["height"] == pytest.approx(PHONE["height"], abs=1) and sheet["y"] > 0.5 * PHONE["height"]
    assert phone.locator("table.final thead th").count() == 5
    sheet = phone.locator(".question").bounding_box()
    for cell in phone.locator("table.final :is(th, td)").all():
        box = cell.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"], cell.inner_text()
        assert box["y"] >= sheet["y"] and box["y"] + box["height"] <= PHONE["height"], cell.inner_text()
        assert cell.evaluate("cell => cell.scrollWidth <= cell.clientWidth"), cell.inner_text()
    for name in phone.locator("table.final thead th span:last-child").all():
        assert name.evaluate("name => name.scrollWidth <= name.clientWidth") and name.inner_text() == "greedy"


@pytest.mark.slow
@pytest.mark.parametrize("size", [SIZES[1], {"width": 1024, "height": 768}], ids=["upright", "across"])
def test_everything_on_a_tablet_is_large_enough_and_nothing_is_cut_off(
    browser: api.Browser, server: Server, size: api.ViewportSize
) -> None:
    with a_page(browser, server, viewport=size, has_touch=True, is_mobile=True, reduced_motion="reduce") as tablet:
        open_game(tablet, server, deal(server))
        tablet.wait_for_selector(".question .rest > *")
        assert tablet.evaluate("document.documentElement.scrollWidth") <= size["width"]
        controls = tablet.locator("header button:visible, .question button:visible, .zoom button:visible").all()
        assert len(controls) > 8
        for control in controls:
            box = control.bounding_box()
            assert min(box["height"], box["width"]) >= TARGET - 0.5, control.inner_text()
            assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"], control.inner_text()


def test_the_question_leaves_the_map_free_and_begins_with_its_answers(phone: api.Page, server: Server) -> None:
    open_game(phone, server, deal(server, *["place trader stade/hamburg"] * 2))
    phone.wait_for_selector(".question.mine")
    sheet, board = phone.locator(".question").bounding_box(), phone.locator(".map").bounding_box()
    assert sheet["height"] <= 0.36 * PHONE["height"] and board["y"] + board["height"] <= sheet["y"]
    first, hint = phone.locator(".question .answer").first.bounding_box(), phone.locator(".question .ways").bounding_box()
    assert first["y"] < hint["y"] and first["y"] + first["height"] < PHONE["height"]
    phone.locator(".log a").first.tap()
    phone.wait_for_selector("body[data-number='1']")
    assert phone.locator(".map").bounding_box()["y"] >= 0, "what was tapped far below is seen on the map"


@pytest.mark.slow
def test_the_head_of_a_phone_is_one_row_and_tells_what_markers_are_worth(phone: api.Page, server: Server) -> None:
    open_game(phone, server, deal(server, "place trader stade/hamburg"))
    phone.wait_for_selector("#undo:visible")
    assert phone.locator("header.top").bounding_box()["height"] < 2 * TARGET
    assert phone.locator(".marker-worth .label").is_visible() and not phone.locator("#theme").is_visible()
    phone.locator("#more").tap()
    assert phone.locator("#theme").is_visible() and phone.locator("#save").is_visible()
