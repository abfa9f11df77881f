"""The pictures of the table in the documents: `python -m tests.table.pictures` plays games at one and photographs the page."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hansa_agents.arena import play_game
from hansa_env import Game, Ruleset
from tests.browser import a_browser
from tests.docs.figures import write_figure
from tests.table.serving import Server

if TYPE_CHECKING:
    from playwright import sync_api as api

RULESET, SEED = Ruleset(3), 5
#: Who plays, in two pictures a person in the place of the first; decisions before those, and before one that is hard for `ppo`.
AGENTS, SHOWN, HARD = ("ppo", "ppo", "greedy"), 262, 128
WIDE, HIGH, NARROW = ({"width": width, "height": height} for width, height in ((1600, 840), (1280, 880), (600, 1000)))


@contextmanager
def a_page(browser: api.Browser, server: Server, size: dict[str, int], theme: str) -> Iterator[api.Page]:
    """The host's page."""
    context = browser.new_context(viewport=size, color_scheme=theme, reduced_motion="reduce")
    page = context.new_page()
    page.goto(server.link)
    page.wait_for_selector("#play-now")
    yield page
    context.close()


def keep(page: api.Page, name: str) -> None:
    """Write a picture of a page."""
    page.wait_for_timeout(4000)  # fonts, and notes that go by themselves
    write_figure(page.screenshot(), f"table-{name}")


def at_own_turn(whole: Game) -> dict:
    """A record of a game up to a question of seat 0 with all of its actions to come."""
    number = next(n for n, move in enumerate(whole.moves()) if n >= SHOWN and move.seat == 0 and move.asked == "act")
    return whole.rewound(number).record()


def played(page: api.Page, server: Server, record: dict) -> None:
    """A game against agents, as it goes on from a record."""
    study = server.ask("/api/records", record).json()["id"]
    seats = [{"kind": "here", "name": ""}, *({"kind": "agent", "agent": agent} for agent in AGENTS[1:])]
    body = {"at": len(record["decisions"]), "seats": seats}
    answer = server.ask(f"/api/games/{study}/branches", body)
    assert answer.status_code == 201, answer.text
    page.goto(f"http://{server.address}/game/{answer.json()['id']}")
    page.wait_for_selector(".question.mine")


def go_to(page: api.Page, number: int, last: int) -> None:
    """A position of a game that is over: by the curve, which is not fine enough, and on by keys."""
    box = page.locator(".curve svg").bounding_box()
    page.locator(".curve svg").click(position={"x": 0.1 * box["width"] + 0.9 * box["width"] * number / last, "y": 40})
    page.wait_for_function("last => Number(document.body.dataset.number) < last", arg=last)
    while (now := int(page.locator("body").get_attribute("data-number"))) != number:
        page.locator("body").press("ArrowLeft" if now > number else "ArrowRight")
        page.wait_for_function("now => Number(document.body.dataset.number) !== now", arg=now)


def analysed(browser: api.Browser, server: Server, whole: Game) -> None:
    """Picture what an agent thinks of a position of a game that is over, and what it suggests there."""
    with a_page(browser, server, HIGH, "light") as page:
        study = server.ask("/api/records", json.loads(json.dumps(whole.record()))).json()["id"]
        page.goto(f"http://{server.address}/game/{study}")
        page.wait_for_selector("table.final")
        page.click("#whole-game")
        page.wait_for_selector(".curve svg", timeout=300_000)
        page.wait_for_selector("#whole-game:has-text('The whole game')", timeout=300_000)
        go_to(page, HARD, len(whole.decisions))
        page.wait_for_selector(".thoughts:not(.waiting) tbody tr")
        page.click("#plan")
        page.wait_for_selector(".arrows .arrow", timeout=300_000)
        page.wait_for_selector(".asking:empty", state="attached", timeout=300_000)
        page.mouse.move(0, 0)
        page.evaluate("document.querySelector('.analysis').scrollIntoView()")
        keep(page, "analyse")


def main() -> None:
    """Write the pictures."""
    whole = play_game([*AGENTS], RULESET, seed=SEED)
    with tempfile.TemporaryDirectory() as folder, a_browser() as browser:
        server = Server(Path(folder) / "games.sqlite")
        try:
            with a_page(browser, server, WIDE, "light") as page:
                played(page, server, at_own_turn(whole))
                keep(page, "play")
            with a_page(browser, server, NARROW, "dark") as page:
                played(page, server, at_own_turn(whole))
                keep(page, "narrow")
            analysed(browser, server, whole)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
