"""What a browser may lack: a clipboard, storage. And what a page lacks at first: games beyond those that are listed at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.table.serving import GREEDY, HERE, Server
from tests.table.test_browser import a_page
from tests.table.test_browser_learning import SIZES, open_game

if TYPE_CHECKING:
    from playwright import sync_api as api

NO_STORAGE = (
    """Object.defineProperty(window, "localStorage", { get() { throw new DOMException("blocked", "SecurityError"); } });"""
)
#: As of a page by plain HTTP from another machine.
NO_CLIPBOARD = """
Object.defineProperty(navigator, "clipboard", { value: undefined });
document.execCommand = (command) => { window.copied = `${command} ${getSelection()}`; return window.allowed; };
"""
REFUSED = """Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject(new Error("no")) } });"""


@pytest.mark.parametrize(
    "without", [NO_CLIPBOARD, NO_CLIPBOARD.replace("{ value: undefined }", REFUSED[REFUSED.rindex("{ value") : -2])]
)
def test_an_invitation_is_copied_where_there_is_no_clipboard(page: api.Page, server: Server, without: str) -> None:
    page.context.add_init_script(without)
    open_game(page, server, server.deal(HERE, {"kind": "guest", "name": "Bea"}, seed=5))
    page.click("#invite")
    link = page.locator(".link-row input").first.input_value()
    for allowed, said in ((False, "selected. Copy it by hand"), (True, "The link of Bea is copied.")):
        page.evaluate("allowed => { window.allowed = allowed; }", allowed)
        page.click(".link-row button >> nth=0")
        page.wait_for_selector(f"dialog [role='status']:has-text('{said}')")
        assert page.evaluate("window.copied") == f"copy {link}"


def test_a_page_without_storage_is_whole(browser: api.Browser, server: Server) -> None:
    with a_page(browser, server, viewport=SIZES[2], reduced_motion="reduce") as page:
        page.context.add_init_script(NO_STORAGE)
        game = server.deal(HERE, GREEDY, seed=5)
        page.goto(f"http://{server.address}/game/{game}#guide")
        page.wait_for_selector(".guide h2:has-text('Traders on the road')")
        page.click("#theme")
        page.locator(".question .rest > .answers .answer.done").click()
        page.select_option("#motion", "fast")  # it stands beside what the other did since
        assert page.locator("#motion").input_value() == "fast"


def test_more_games_are_shown_when_they_are_asked_for(page: api.Page, server: Server) -> None:
    """Those that were made meanwhile have pushed the others on: none is shown twice."""
    row = {"made": 0, "ruleset": "3 players", "names": ["Ann"], "study": False, "over": True, "decisions": 1}
    kept = [row | {"id": f"game{number}"} for number in range(5)]

    def answer(route: api.Route) -> None:
        since = int(route.request.url.partition("since=")[2])
        route.fulfill(json={"games": kept[since : since + 3], "of": len(kept)})
        if not since:
            kept[:0] = [row | {"id": f"new{number}"} for number in range(3)]

    page.route("**/api/games?since=*", answer)
    page.goto(f"http://{server.address}/")
    page.wait_for_selector(".further:has-text('3 of 5 games')")
    page.locator("#further:has-text('Show more')").press("Enter")
    page.wait_for_selector("a[href='/game/game4']")
    assert page.locator(".game-row").count() == 5 and not page.locator(".further").count()
    assert page.evaluate("document.activeElement.getAttribute('href')") == "/game/game3", "the keyboard goes on there"
