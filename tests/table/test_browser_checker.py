"""axe-core on every page: it finds nothing that keeps people out, wide and narrow, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from hansa_env import Game, Ruleset
from hansa_env.pages.story import story_of
from hansa_env.pages.view import view_page
from tests.pages.games import a_game, with_estimates
from tests.shares import one_in
from tests.table.opinion import JUDGE
from tests.table.serving import OPINION, Server
from tests.table.test_browser import watched
from tests.table.test_browser_learning import PHONE, SIZES, deal, ended, open_game
from tests.table.test_openings import a_book

if TYPE_CHECKING:
    from playwright import sync_api as api

checker = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs the extra 'test'")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("checked")
    book = str(a_book(folder / "some.jsonl.gz"))
    running = Server(folder / "games.sqlite", options=("--openings", book, "--agent", OPINION, "--agent", JUDGE))
    yield running
    running.stop()
    assert "Traceback" not in running.errors()


LOOKS = {"phone": (PHONE, "light"), "wide-dark": (SIZES[2], "dark"), "widest": (SIZES[3], "light")}


@pytest.fixture(params=one_in(3, LOOKS))
def page(browser: api.Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[api.Page]:
    size, theme = LOOKS[request.param]
    context = browser.new_context(viewport=size, color_scheme=theme, reduced_motion="reduce")
    yield watched(context.new_page(), server)
    assert not context.wrong, context.wrong
    context.close()


def wrong_on(page: api.Page) -> list[str]:
    """What is wrong there for people who do not see well, or use no mouse."""
    found = checker.Axe().run(page).response["violations"]
    serious = [one for one in found if one["impact"] in ("critical", "serious")]
    return [f"{one['id']}: {node['html'][:120]}" for one in serious for node in one["nodes"][:3]]


def test_the_first_page_with_games_the_rules_and_the_guided_game(page: api.Page, server: Server) -> None:
    deal(server)
    page.reload()
    page.wait_for_selector(".game-row")
    assert wrong_on(page) == []
    page.click("#rules")
    page.wait_for_selector(".rules-text h3")
    assert wrong_on(page) == []
    page.keyboard.press("Escape")
    page.click("#guided")
    page.wait_for_selector(".question.mine")
    page.wait_for_selector(".guide .wanted, .map .wanted")
    assert wrong_on(page) == []


def test_a_game_with_a_route_to_claim_its_menu_and_the_search(page: api.Page, server: Server) -> None:
    """A route that is a button holds posts that are buttons."""
    texts = ["place trader stade/hamburg", "place trader stade/hamburg", "done", "done", "place trader stade/hamburg"]
    open_game(page, server, deal(server, *texts))
    page.wait_for_selector(".question.mine")
    route = page.get_by_role("button", name="Claim Stade–Hamburg").first
    assert route.count() == 1 and page.get_by_role("group", name="Stade–Hamburg, 3 × trader of Ann").count() == 1
    assert wrong_on(page) == []
    route.focus()
    page.keyboard.press("/")
    page.wait_for_selector("dialog.find")
    assert wrong_on(page) == []
    page.keyboard.press("Escape")
    page.locator("[data-thing='post stade/hamburg 1'] .piece").click()
    page.wait_for_selector(".menu button:first-child:has-text('Claim Stade–Hamburg')")
    assert wrong_on(page) == []


def test_the_end_of_a_game_and_its_report(page: api.Page, server: Server) -> None:
    open_game(page, server, server.ask("/api/records", ended(5, board="britannia-4-5")).json()["id"])
    page.wait_for_selector("table.final")
    assert wrong_on(page) == []
    game, random = Game(Ruleset(3), seed=5), Random(5)
    for _ in range(12):
        game.play(random.choice(game.legal()))
    open_game(page, server, server.ask("/api/records", game.record()).json()["id"])
    page.evaluate("document.querySelector('.question .fold').click()")
    page.locator(".analysis select").first.select_option(JUDGE)
    page.click("#mistakes")
    page.wait_for_selector(".report .lucky:has-text('Luck')")
    assert page.locator(".report tbody tr").count() == 3 and page.locator(".report li").count() >= 1
    page.locator(".playout summary").click()
    page.wait_for_selector(".playout .seat-row")
    assert wrong_on(page) == []


@pytest.mark.slow
def test_suggestions_with_their_arrows(page: api.Page, server: Server) -> None:
    game = Game(Ruleset(3), seed=5)
    for text in ("place trader stade/hamburg", "place merchant stade/hamburg"):
        game.play(text)
    open_game(page, server, server.ask("/api/records", game.record()).json()["id"])
    page.locator(".analysis select").first.select_option("greedy")
    page.click("#plan")
    page.wait_for_selector(".map .arrows .arrow", state="attached", timeout=60_000)
    page.check("#hansa-expected")
    page.wait_for_selector(".then:has-text('Then: ')", timeout=60_000)
    assert not wrong_on(page)


@pytest.mark.slow
def test_puzzles(page: api.Page, server: Server) -> None:
    name = server.ask("/api/puzzles/next?kind=ending&players=5").json()["name"]
    page.goto(f"http://{server.address}/puzzles?puzzle={name}")
    page.wait_for_selector(".question.mine")
    assert wrong_on(page) == []
    page.evaluate("document.getElementById('give-up').click()")
    page.wait_for_selector("body[data-verdict]")
    assert wrong_on(page) == []


@pytest.mark.slow
def test_openings(page: api.Page, server: Server) -> None:
    page.goto(f"http://{server.address}/openings")
    page.wait_for_selector(".explorer tbody tr")
    page.locator(".explorer tbody button").first.click()
    page.wait_for_selector("body[data-number='1']")
    assert wrong_on(page) == []


@pytest.mark.slow
def test_the_page_of_view(page: api.Page, tmp_path: Path) -> None:
    games = [with_estimates(a_game(Ruleset(3), 60, 1, ["Ada", "Bo", "Cy"])), a_game(Ruleset(2, "first"), 20, 2)]
    file = tmp_path / "page.html"
    file.write_text(view_page([story_of(game, f"game {number}") for number, game in enumerate(games)]), "utf-8")
    page.goto(file.as_uri())
    page.wait_for_selector("#list button")
    assert wrong_on(page) == []
    page.keyboard.press("End")
    assert wrong_on(page) == []
