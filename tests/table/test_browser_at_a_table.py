"""What a page says of what passes: a wish to take something back, an agent that is being prepared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hansa_env import Game, Ruleset
from tests.table.serving import GREEDY, HERE, Server
from tests.table.test_take_back import SEED, up_to_a_marker

#: Milliseconds that loading an agent takes at most, on a machine that is busy.
LOADED_WITHIN = 300_000

if TYPE_CHECKING:
    from playwright import sync_api as api


@contextmanager
def two_screens(browser: api.Browser, server: Server, game: str, token: str) -> Iterator[list[api.Page]]:
    """A game on the host's screen and on that of a guest."""
    screens = browser.new_context(), browser.new_context()
    here, there = pages = [screen.new_page() for screen in screens]
    here.goto(server.link)
    here.wait_for_selector("#play-now")
    here.goto(f"http://{server.address}/game/{game}")
    there.goto(f"http://{server.address}/game/{game}#token={token}")
    yield pages
    for screen in screens:
        screen.close()


@pytest.mark.slow
def test_what_showed_a_marker_goes_back_when_everybody_agrees(browser: api.Browser, server: Server) -> None:
    """Ann and Cy at one screen, Bob at another; Ann laid a marker from the pile."""
    texts, ann = up_to_a_marker()
    bob = (ann + 1) % 3
    seats = [{"kind": "here", "name": "Cy"}] * 3
    seats[ann], seats[bob] = HERE, {"kind": "guest", "name": "Bob"}
    game = server.deal(*seats, seed=SEED)
    token = server.ask(f"/api/games/{game}/links").json()["guests"][str(bob)]
    with server.sit(game) as host, server.sit(game, token) as guest:
        for seq, text in enumerate(texts):
            seat = host.hear("welcome" if seq == 0 else "event") and host.hear("status")["seat"]
            (guest if seat == bob else host).say(type="decide", seq=seq, texts=[text])
        host.until(lambda message: message.get("seq") == len(texts))
    with two_screens(browser, server, game, token) as (here, there):
        for page in (here, there):
            page.wait_for_selector(f"body[data-number='{len(texts)}']")
        here.click("#undo")
        there.wait_for_selector(".taking-back:has-text('Ann wants to take back')")
        there.keyboard.press("Home")
        there.wait_for_selector("body[data-number='0'] .taking-back button:has-text('Agree')")
        there.keyboard.press("End")
        there.wait_for_selector(f"body[data-number='{len(texts)}']")
        assert "Bob and Cy have to agree" in there.locator(".taking-back").inner_text().replace("Cy and Bob", "Bob and Cy")
        there.click(".taking-back button:has-text('Agree')")
        here.wait_for_selector(".taking-back:has-text('so Cy has to agree')")
        assert there.locator(".taking-back").count() == 1 and not there.locator(".taking-back button").count()
        here.click(".taking-back button:has-text('Agree')")
        for page in (here, there):
            page.wait_for_selector(f"body[data-number='{len(texts) - 1}']")
            assert not page.locator(".taking-back").count()


@pytest.mark.slow
def test_the_page_says_that_an_agent_is_being_prepared(browser: api.Browser, tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    slow = f"tests.table.opinion:Slow:{ready}"
    server = Server(tmp_path / "games.sqlite", options=("--agent", slow))
    try:
        game = Game(Ruleset(2, "second"), 3)
        game.play(game.legal()[0])
        study = server.ask("/api/records", game.record()).json()["id"]
        page = browser.new_page()
        page.goto(server.link)
        page.wait_for_selector("#play-now")
        page.goto(f"http://{server.address}/game/{study}")
        page.wait_for_selector(".analysis select")
        page.locator(".analysis select").first.select_option(slow)
        page.wait_for_selector(f".asking:has-text('{slow} is being prepared')")
        assert page.locator(".asking progress").count() >= 1
        ready.touch()
        page.wait_for_selector(".thoughts:not(.waiting) tbody td.share", timeout=LOADED_WITHIN)
        page.wait_for_selector(f".asking p[data-agent='{slow}']", state="detached")
        page.close()
    finally:
        server.stop()


def test_what_a_guest_should_know_is_said(browser: api.Browser, server: Server) -> None:
    """That agents are paused, that a link leads to this machine only, that a game has gone."""
    game = server.deal(HERE, {"kind": "guest", "name": "Bob"}, GREEDY)
    token = server.ask(f"/api/games/{game}/links").json()["guests"]["1"]
    with two_screens(browser, server, game, token) as (here, there):
        there.wait_for_selector("#paused", state="attached")
        assert there.locator("#paused").inner_text() == ""
        here.click("#pause")
        there.wait_for_selector("#paused:has-text('Paused')")
        here.click("#invite")
        assert "hansa table --host 0.0.0.0" in here.locator("#here-only").inner_text()
        server.ask(f"/api/games/{game}", method="DELETE")
        there.wait_for_selector("h1:has-text('This game is not there')")


def test_undo_is_offered_to_whoever_decided_last(browser: api.Browser, server: Server) -> None:
    game = server.deal(HERE, {"kind": "guest", "name": "Bob"}, seed=5)
    token = server.ask(f"/api/games/{game}/links").json()["guests"]["1"]
    with two_screens(browser, server, game, token) as (here, there):
        for page in (here, there):
            page.wait_for_selector("#undo:disabled")
        here.click(".answer:has-text('Take income')")
        here.wait_for_selector("body[data-number='1']")
        here.click(".answer.done")
        for page in (here, there):
            page.wait_for_selector("body[data-number='2']")
        assert here.locator("#undo").is_enabled() and there.locator("#undo").is_disabled(), "Bob has decided nothing"
        there.click(".answer:has-text('Take income')")
        there.wait_for_selector("#undo:enabled")
        here.wait_for_selector("#undo:disabled")
