"""The page in a real browser: what people do, done by clicks and keys alone."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hansa_env import Game, Ruleset
from tests.table.serving import GREEDY, HERE, Server

api = pytest.importorskip("playwright.sync_api", reason="no browser tests: needs the extra 'test' (playwright)")

#: A browser that the system has; else one that Playwright has installed.
CHROMIUM = os.environ.get("HANSA_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SIZES = {"wide": (1600, 1000), "middle": (1200, 900), "narrow": (600, 1000)}


@pytest.fixture(scope="module")
def browser() -> Iterator[api.Browser]:
    with api.sync_playwright() as playwright:
        try:
            found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        except api.Error as error:
            pytest.skip(f"no browser tests: no Chromium is found ({str(error).splitlines()[0]})")
        yield found
        found.close()


@pytest.fixture
def page(browser: api.Browser, server: Server) -> Iterator[api.Page]:
    """The host's page; whatever goes wrong on it fails the test."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    yield watched(context.new_page(), server)
    assert not context.wrong, context.wrong
    context.close()


def watched(page: api.Page, server: Server) -> api.Page:
    """A page that has come in by the link, and notes its mistakes."""
    page.context.wrong = []
    page.on("pageerror", lambda error: page.context.wrong.append(str(error)))
    page.goto(server.link)
    page.wait_for_selector("#play-now")
    return page


def number(page: api.Page) -> int:
    """How many decisions the shown position has behind it."""
    return int(page.locator("body").get_attribute("data-number") or 0)


def wait_until_past(page: api.Page, before: int) -> None:
    page.wait_for_function("before => Number(document.body.dataset.number) > before", arg=before)


def answered_on_the_board(page: api.Page) -> bool:
    """Click something on the map that can be clicked, and the first of what it offers; False where there is nothing."""
    things = page.locator(".board .map .can[tabindex='0']")
    if not things.count():
        return False
    things.first.click(force=True)
    menu = page.locator(".menu button")
    if menu.count():
        menu.last.click()
    return True


def play_to_the_end(page: api.Page) -> tuple[int, int]:
    """Play a game by clicks, on the map whenever that is possible; how often on the map, how often a button."""
    board = buttons = 0
    while True:
        page.wait_for_selector(".question.mine, .question table.scores", timeout=30_000)
        if page.locator(".question table.scores").count():
            return board, buttons
        before = number(page)
        claims = page.locator(".question .answer[data-text^='claim'], .question .answer[data-text^='office']")
        if claims.count():
            claims.first.click()
            buttons += 1
        elif answered_on_the_board(page):
            board += 1
        else:
            page.locator(".question .answer").first.click()
            buttons += 1
        wait_until_past(page, before)


def test_a_whole_game_is_played_by_clicks_alone(page: api.Page, server: Server) -> None:
    """From the first page: three players, against two bots that answer at once."""
    page.locator(".seat-row select").nth(1).select_option("agent greedy")
    page.locator(".seat-row select").nth(2).select_option("agent greedy")
    page.click("#start")
    page.wait_for_selector("#pace")
    page.select_option("#pace", "0")
    board, buttons = play_to_the_end(page)
    assert board > 10 and buttons > 0
    rows = page.locator(".question table.scores tbody tr")
    assert rows.count() == 7 and "total" in rows.last.inner_text()
    with page.expect_download() as download:
        page.click("#save")
    record = json.loads(Path(download.value.path()).read_text())
    game = Game.from_record(record)
    assert game.over and record["agents"] == ["person", "greedy", "greedy"]
    assert rows.last.locator("td").all_inner_texts() == [str(row[6]) for row in sorted(game.scores(), key=lambda r: -r[6])]
