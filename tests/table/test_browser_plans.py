"""Whole actions as suggestions, drawn as arrows, and what decisions are worth, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hansa_env import Game, Ruleset
from tests.table.opinion import JUDGE
from tests.table.serving import GREEDY, HERE, OPINION, Server
from tests.table.test_browser import a_page, wait_until_past
from tests.table.test_browser_at_a_table import LOADED_WITHIN
from tests.table.test_browser_learning import PHONE, TARGET, open_game

if TYPE_CHECKING:
    from playwright import sync_api as api

#: Decisions after which seat 1 may displace a merchant of seat 0.
BEGUN = ("place trader stade/hamburg", "place merchant stade/hamburg")


def studied(page: api.Page, server: Server, agent: str, *texts: str) -> None:
    """A study of a game in which this was decided, at its end, with what an agent thinks."""
    game = Game(Ruleset(3), seed=5)
    for text in texts:
        game.play(text)
    open_game(page, server, server.ask("/api/records", game.record()).json()["id"])
    page.locator(".analysis select").first.select_option(agent)


def suggested(page: api.Page, count: int) -> api.Locator:
    """The suggestions, once all are there."""
    page.locator("#plan").click()
    page.wait_for_selector(f".planned li:nth-child({count})", timeout=LOADED_WITHIN)
    page.wait_for_selector(".asking:empty", state="attached", timeout=LOADED_WITHIN)
    assert page.locator(".planned li").count() == count
    return page.locator(".planned .pick")


def names(page: api.Page) -> list[str]:
    return [str(arrow.get_attribute("aria-label")) for arrow in page.locator(".arrows .arrow").all()]


def test_suggestions_show_their_arrows_and_are_played(page: api.Page, server: Server) -> None:
    """The judge is torn between the first and the last legal decision, and values all; each is told with share and value."""
    studied(page, server, JUDGE)
    picks = suggested(page, 3)
    assert page.locator(".planned .figures").first.inner_text().split("win")[0].strip() == "75 %"
    assert "win" in page.locator(".planned .figures").first.inner_text()
    assert picks.first.get_attribute("aria-pressed") == "true", "the likeliest is shown at once"
    words = [pick.inner_text() for pick in picks.all()]
    assert words[0] == "End the turn" and not names(page), "no piece goes anywhere"
    picks.nth(1).hover()
    assert names(page) == [f"1: {words[1]}"]
    page.mouse.move(0, 0)
    assert not names(page), "only while one looks"
    picks.nth(1).focus()
    assert names(page) == [f"1: {words[1]}"]
    page.keyboard.press("Enter")
    assert [pick.get_attribute("aria-pressed") for pick in picks.all()] == ["false", "true", "false"]
    picks.nth(1).click()
    page.locator("#plan").focus()
    page.mouse.move(0, 0)
    assert not names(page), "chosen once more, it is put away"
    page.locator(".planned li").nth(1).get_by_role("button", name="Do it").click()
    wait_until_past(page, 0)
    assert not page.locator(".planned li").count() and not names(page), "they were about the position before"


@pytest.mark.slow
def test_arrows_are_numbered_along_and_take_no_clicks(page: api.Page, server: Server) -> None:
    studied(page, server, "greedy", *BEGUN)
    suggested(page, 1)
    arrows = page.locator(".arrows .arrow")
    told = names(page)
    assert [name.split(":")[0] for name in told] == [str(n) for n in range(1, len(told) + 1)]
    assert page.locator(".map .arrows").get_attribute("role") == "group"
    assert all(arrow.get_attribute("role") == "img" for arrow in arrows.all())
    for part in page.locator(".arrows :is(path, rect, circle, text)").all():
        assert part.evaluate("part => getComputedStyle(part).pointerEvents") == "none"
    inside = page.locator(".map svg").bounding_box()
    for badge in page.locator(".map .arrows .badge").all():
        box = badge.bounding_box()
        assert box["x"] >= inside["x"] and box["y"] >= inside["y"], "on the map"
        assert box["x"] + box["width"] <= inside["x"] + inside["width"]
    before = page.locator(".map .arrows .badge").first.bounding_box()
    page.locator(".zoom button[aria-label^='larger']").click()
    after = page.locator(".map .arrows .badge").first.bounding_box()
    assert after["width"] <= 2.5 * before["width"] and len(names(page)) == len(told), "drawn anew for the larger map"
    page.uncheck("#hansa-arrows")
    assert not arrows.count()
    page.reload()
    page.wait_for_selector("body[data-number]")
    assert page.locator("#hansa-arrows").is_checked() is False, "as one left it"


@pytest.mark.slow
def test_what_follows_is_told_and_drawn_with_other_lines(page: api.Page, server: Server) -> None:
    """The rest of the turn, and what the next seat is expected to do."""
    studied(page, server, "greedy")
    suggested(page, 1)
    alone = len(names(page))
    assert not page.locator(".then:visible").count()
    page.check("#hansa-expected")
    page.wait_for_selector(".then:has-text('Then: ')", timeout=LOADED_WITHIN)
    assert "Seat 0: " in page.locator(".then").inner_text() and "Seat 1: " in page.locator(".then").inner_text()
    later = page.locator(".arrows .arrow.later")
    assert later.count() == len(names(page)) - alone > 0
    dashes = "part => getComputedStyle(part).strokeDasharray"
    assert later.first.locator(".shaft").evaluate(dashes) != "none"
    assert page.locator(".arrows .arrow:not(.later) .shaft").first.evaluate(dashes) == "none"
    assert page.locator(".arrows .owner1").count() > 0, "in the colour of whose pieces go"
    page.uncheck("#hansa-expected")
    assert len(names(page)) == alone


@pytest.mark.slow
def test_decisions_get_values_from_an_agent_that_values_positions(page: api.Page, server: Server) -> None:
    studied(page, server, OPINION)
    page.wait_for_selector(".thoughts:not(.waiting) tbody tr", timeout=LOADED_WITHIN)
    page.wait_for_selector(".thoughts button:has-text('All 3')", timeout=LOADED_WITHIN)
    page.wait_for_selector(".asking:empty", state="attached", timeout=LOADED_WITHIN)
    values = page.locator(".thoughts tbody td:last-child")
    assert values.count() == 10 and set(values.all_inner_texts()) == {"30 %"}
    page.locator(".thoughts button:has-text('All 3')").click()
    assert values.count() > 30
    page.locator(".thoughts button:has-text('Only the likeliest')").click()
    assert values.count() == 10


@pytest.mark.slow
def test_a_second_agent_stays_beside_one_that_is_still_weighed(page: api.Page, server: Server) -> None:
    held: list[api.Route] = []
    page.route("**/weighed?*", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/weighed?*"):
        studied(page, server, OPINION)
    page.locator(".analysis select").nth(1).select_option("greedy")
    page.wait_for_selector(".thoughts:not(.waiting) thead :text-is('greedy')", timeout=LOADED_WITHIN)
    heads = page.locator(".thoughts th").count()
    held[0].continue_()
    page.wait_for_selector(".thoughts tbody td:text-is('30 %')", timeout=LOADED_WITHIN)
    page.wait_for_selector(".asking:empty", state="attached", timeout=LOADED_WITHIN)
    assert page.locator(".thoughts th").count() == heads
    assert page.locator(".thoughts thead :text-is('greedy')").count() == 1


@pytest.mark.slow
@pytest.mark.parametrize("question", ["plan", "weighed", "estimates"])
def test_who_moves_on_gives_up_what_was_asked_of_the_position_before(page: api.Page, server: Server, question: str) -> None:
    """And nothing is said of that; whoever comes back asks again."""
    studied(page, server, OPINION, *BEGUN)
    page.wait_for_selector(".asking:empty", state="attached", timeout=LOADED_WITHIN)
    page.keyboard.press("Home")
    page.wait_for_selector("body[data-number='0']")
    page.wait_for_selector(".asking:empty", state="attached", timeout=LOADED_WITHIN)
    page.route(f"**/{question}?*", lambda route: None)
    with page.expect_request(f"**/{question}?*at=1&*" if question != "estimates" else "**/estimates?*first=1&*"):
        page.keyboard.press("ArrowRight")
        if question == "plan":
            page.wait_for_selector("body[data-number='1']")
            page.click("#plan")
    with page.expect_event("requestfailed", lambda request: f"/{question}?" in request.url):
        page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".asking:empty", state="attached")
    assert not page.locator(".note").count()
    page.unroute(f"**/{question}?*")
    page.keyboard.press("ArrowRight")
    if question == "plan":
        page.wait_for_selector("body[data-number='1']")
        page.click("#plan")
        page.wait_for_selector(".planned .pick", timeout=LOADED_WITHIN)
    else:
        page.wait_for_selector("body[data-number='1'] .thoughts:not(.waiting) tbody td:text-is('30 %')", timeout=LOADED_WITHIN)


@pytest.mark.slow
def test_an_agent_that_cannot_be_asked_is_told_as_such(page: api.Page, server: Server) -> None:
    studied(page, server, "greedy")
    page.route("**/plan?*", lambda route: route.fulfill(status=400, json={"error": "no"}))
    page.locator("#plan").click()
    page.wait_for_selector(".planned li:has-text('greedy could not be asked.')", timeout=LOADED_WITHIN)


def test_a_double_click_decides_once(page: api.Page, server: Server) -> None:
    studied(page, server, JUDGE, *BEGUN)
    suggested(page, 3)
    page.evaluate(
        "() => { const send = WebSocket.prototype.send; window.sent = []; "
        "WebSocket.prototype.send = function (text) { window.sent.push(text); return send.call(this, text); }; }"
    )
    page.locator(".planned li").nth(1).get_by_role("button", name="Do it").evaluate("one => { one.click(); one.click(); }")
    wait_until_past(page, len(BEGUN))
    sent = [text for text in page.evaluate("window.sent") if "texts" in text]
    assert len(sent) == 1


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_finger_picks_a_suggestion(browser: api.Browser, server: Server, theme: str) -> None:
    with a_page(
        browser, server, viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce", color_scheme=theme
    ) as phone:
        game = server.deal(HERE, GREEDY, GREEDY, seed=5)
        open_game(phone, server, game)
        phone.locator(".analysis summary").tap()
        phone.locator(".analysis select").first.select_option(JUDGE)
        picks = suggested(phone, 3)
        first = names(phone)
        picks.nth(1).scroll_into_view_if_needed()
        picks.nth(1).tap()
        assert names(phone) != first and picks.nth(1).get_attribute("aria-pressed") == "true"
        for control in phone.locator(".planned button, .planned label").all():
            box = control.bounding_box()
            assert box["height"] >= TARGET - 0.5 and box["x"] + box["width"] <= PHONE["width"], control.inner_text()
        assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        number = phone.locator(".map .arrows text").first.bounding_box()
        assert number["height"] >= 7, "to be read"
        edge = phone.locator(".arrows .edge").first.evaluate("part => getComputedStyle(part).stroke")
        tip = phone.locator(".arrows .tip").first.evaluate("part => getComputedStyle(part).fill")
        assert edge != tip, "it stands out from the map"
