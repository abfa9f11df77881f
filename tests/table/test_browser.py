"""The page in a real browser: what people do, done by clicks and keys alone."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hansa_env import Game, Ruleset
from tests.table.opinion import FIRST
from tests.table.serving import GREEDY, HERE, OPINION, Server

if TYPE_CHECKING:
    from playwright import sync_api as api

#: Of a page on which nothing is asked about sizes.
A_SCREEN = {"width": 1200, "height": 800}
SIZES = {"wide": (1600, 1000), "middle": (1200, 900), "narrow": (600, 1000)}


@pytest.fixture
def page(browser: api.Browser, server: Server) -> Iterator[api.Page]:
    """The host's page; whatever goes wrong on it fails the test."""
    with a_page(browser, server, viewport={"width": 1200, "height": 900}) as found:
        yield found


def watched(page: api.Page, server: Server) -> api.Page:
    """A page that has come in by the link, and notes its mistakes."""
    page.context.wrong = []
    page.on("pageerror", lambda error: page.context.wrong.append(str(error)))
    page.goto(server.link)
    page.wait_for_selector("#play-now")
    return page


@contextmanager
def a_page(browser: api.Browser, server: Server, **how: Any) -> Iterator[api.Page]:
    """A watched page of a context of its own; whatever goes wrong on it fails the test."""
    context = browser.new_context(**how)
    yield watched(context.new_page(), server)
    assert not context.wrong, context.wrong
    context.close()


def number(page: api.Page) -> int:
    """How many decisions the shown position has behind it."""
    return int(page.locator("body").get_attribute("data-number") or 0)


def wait_until_past(page: api.Page, before: int) -> None:
    page.wait_for_function("before => Number(document.body.dataset.number) > before", arg=before)


def answered_on_the_board(page: api.Page) -> bool:
    """Click something on the map that can be clicked, and the first of what it offers; False where there is nothing."""
    things = page.locator(".board .map .can:is([tabindex='0'], :has(> [tabindex='0']))")
    if not things.count():
        return False
    things.first.locator("circle, rect").first.click(force=True)  # a group of shapes may be empty in its middle
    menu = page.locator(".menu button")
    if menu.count():
        menu.last.click()
    return True


def answered_in_words(page: api.Page) -> bool:
    """Click the first answer in words, whatever brings most before."""
    answers = page.locator(".question .rest > .answers .answer:not(.done, .cancel)")
    if not answers.count():
        return False
    answers.first.click()
    return True


def answer(page: api.Page) -> None:
    """Click any answer, on the map if possible, and wait for what follows."""
    before = number(page)
    if not answered_on_the_board(page):
        page.locator(".question .answer").first.click()
    wait_until_past(page, before)


def play_to_the_end(page: api.Page) -> tuple[int, int]:
    """Play a game by clicks, in turns on the map and in words; how many of each."""
    board = words = 0
    while True:
        page.wait_for_selector(".question.mine, .question table.final", timeout=30_000)
        if page.locator(".question table.final").count():
            return board, words
        before = number(page)
        if (board + words) % 3 == 2 and answered_in_words(page):
            words += 1
        elif answered_on_the_board(page):
            board += 1
        else:
            page.locator(".question .answer").first.click()
            words += 1
        wait_until_past(page, before)


@pytest.mark.slow
def test_a_whole_game_is_played_by_clicks_alone(page: api.Page, server: Server) -> None:
    """From the first page: three players, against two bots that answer at once."""
    page.locator(".seat-row select").nth(1).select_option("agent greedy")
    page.locator(".seat-row select").nth(2).select_option("agent greedy")
    page.click("#start")
    page.wait_for_selector("#pace")
    page.select_option("#pace", "0")
    board, words = play_to_the_end(page)
    assert board > 10 and words > 5
    rows = page.locator(".question table.final tbody tr")
    assert rows.count() == 7 and "total" in rows.last.inner_text()
    with page.expect_download() as download:
        page.click("#save")
    record = json.loads(Path(download.value.path()).read_text())
    game = Game.from_record(record)
    assert game.over and record["agents"] == ["person", "greedy", "greedy"]
    assert rows.last.locator("td").all_inner_texts() == [str(row[6]) for row in sorted(game.scores(), key=lambda r: -r[6])]


def test_a_seed_that_is_none_is_told_at_its_field(page: api.Page) -> None:
    more, seed = page.locator(".column details summary"), page.locator("#seed")
    for wrong in ("-5", "1.5", str(2**64)):
        more.click()
        seed.fill(wrong)
        more.click()
        page.click("#start")
        seed.wait_for(state="visible")
        assert seed.evaluate("field => field.validationMessage") == "A seed is a whole number from 0 to 2^64−1."
        more.click()
    more.click()
    seed.fill(str(2**64 - 1))
    page.click("#start")
    page.wait_for_selector(".question.mine")


@pytest.mark.slow
def test_a_game_on_another_board_is_chosen_and_its_ships_are_clicked(page: api.Page, server: Server) -> None:
    page.locator(".column details summary").click()
    boards = page.locator("#board option")
    page.select_option("#players", "2")
    assert "east" not in boards.all_inner_texts()
    page.select_option("#players", "3")
    agents = page.locator(".seat-row select")
    proposed = "() => document.querySelectorAll('.seat-row select')[1]?.value === 'agent {}'"
    page.select_option("#board", "base-4-5")
    page.wait_for_function(proposed.format("rollout"))
    assert agents.nth(2).input_value() == "agent greedy", "nobody is trained for that board with three"
    page.select_option("#board", "east")
    page.wait_for_function(proposed.format("tree"))
    for seat in (1, 2):
        agents.nth(seat).select_option("agent greedy")
    page.click("#start")
    ship = page.locator('[data-thing="post malmo/danzig 1"]')
    page.wait_for_selector(".question.mine")
    assert ship.get_attribute("aria-label") == "Place a merchant on the ship of Malmö–Danzig"
    before = number(page)
    ship.locator(".post").click()
    wait_until_past(page, before)
    assert ship.locator(".piece.p0").count() == 1 and ship.locator(".hull").count() == 1


def record_of_a_game() -> dict:
    """A game among agents, with a beginning, a middle and an end."""
    from hansa_agents.arena import Keep, play_match

    match = play_match(["greedy"] * 3, Ruleset(players=3), games=1, seed=5, keep=Keep(actions=True))
    return match.results[0].record(match.ruleset, match.max_turns)


def test_a_record_is_analysed_and_played_on(page: api.Page, server: Server, tmp_path: Path) -> None:
    """Opened from a file: shares beside decisions and on the board, the curve with its turning points, a branch, play on."""
    record = record_of_a_game() | {"seed": 13812931231239129381}
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    page.set_input_files("#file", file)
    page.wait_for_selector(".thoughts")
    with page.expect_download() as download:
        page.click("#save")
    assert json.loads(Path(download.value.path()).read_text())["seed"] == record["seed"], "numbers of a page have 53 bits"
    assert number(page) == len(record["decisions"])
    page.locator(".analysis select").first.select_option(OPINION)
    page.keyboard.press("Home")
    page.wait_for_selector("body[data-number='0']")
    page.wait_for_selector(".thoughts:not(.waiting) tbody tr td.share")
    shares = [int(text.rstrip(" %").lstrip("<")) for text in page.locator(".thoughts tbody td.share").all_inner_texts()]
    assert 95 <= sum(shares) <= 105
    assert page.locator("g.heat circle").count() >= 1
    assert page.locator(".thoughts tr.decided").count() == 1
    page.click("#whole-game")
    page.wait_for_selector("#whole-game:not(:disabled)")  # it is drawn part by part
    assert page.locator(".turning li").count() == 2 and page.locator(".curve polyline.line").count() == 3
    assert page.locator(".turning li").first.inner_text().replace("\xa0", " ").count("30 % → 80 %") == 1
    page.locator(".turning li button").first.click()
    before_it = [n for n, move in enumerate(Game.from_record(record).moves()) if move.seat == 0 and move.turn < FIRST]
    page.wait_for_selector(f"body[data-number='{before_it[-1]}']")

    page.locator(".log a[data-number='9']").click()
    page.wait_for_selector("body[data-number='9']")
    before = page.url
    decided = record["decisions"][9][1]
    page.locator(f".question .answers .answer:not([data-text='{decided}'])").first.click()
    page.wait_for_url(lambda url: url != before)
    page.wait_for_selector(".branch")
    page.wait_for_selector("body[data-number]")
    assert number(page) >= 10 and "after decision 9" in page.locator(".branch").first.inner_text()

    page.click("#play-on")
    page.locator("dialog .seat-row select").first.select_option("here")
    page.locator("dialog button.main").click()
    page.wait_for_selector("#undo")
    page.wait_for_selector(".question.mine, .question:not(.mine)")


def test_two_browsers_at_one_table_and_one_of_them_comes_back(browser: api.Browser, server: Server) -> None:
    game = server.deal(HERE, {"kind": "guest", "name": "Bob"})
    token = server.ask(f"/api/games/{game}/links").json()["guests"]["1"]
    here, there = browser.new_context(), browser.new_context()
    ann = watched(here.new_page(), server)
    ann.goto(f"http://{server.address}/game/{game}")
    bob = there.new_page()
    bob.goto(f"http://{server.address}/game/{game}#token={token}")
    bob.wait_for_selector(".board svg")
    ann.wait_for_selector(".question.mine")
    assert not bob.locator(".question.mine").count(), "it is Ann's turn"
    answer(ann)
    wait_until_past(bob, 0)
    assert bob.locator(".log a").count() == number(bob) > 0

    there.set_offline(True)
    bob_missed = number(bob)
    while not ann.locator(".question:has-text('Bob decides')").count():
        ann.wait_for_selector(".question.mine")
        answer(ann)
        ann.wait_for_selector(".question.mine, .question:has-text('Bob decides')")
    there.set_offline(False)
    bob.wait_for_selector(".question.mine", timeout=15_000)
    assert number(bob) == number(ann) > bob_missed
    texts = [page.locator(".log a").all_inner_texts() for page in (ann, bob)]
    assert len(texts[0]) == len(texts[1]) == number(ann)
    before = number(ann)
    answer(bob)
    wait_until_past(ann, before)
    here.close()
    there.close()


@pytest.mark.slow
def test_a_killed_server_that_starts_again_goes_on(browser: api.Browser, tmp_path: Path) -> None:
    """The page stays open all the while, and comes back by itself."""
    server = Server(tmp_path / "games.sqlite")
    try:
        context = browser.new_context()
        page = watched(context.new_page(), server)
        game = server.deal(HERE, GREEDY, GREEDY)
        page.goto(f"http://{server.address}/game/{game}")
        for _ in range(4):
            page.wait_for_selector(".question.mine")
            answer(page)
        page.wait_for_selector(".question.mine")
        decided = page.locator(".log a").all_inner_texts()
        server.kill()
        lost = page.wait_for_selector("[role='status']:has-text('The connection is lost')")
        for size in ((1200, 800), (390, 844)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.evaluate("scrollTo(0, 0)")
            bottom = max(
                tool.bounding_box()["y"] + tool.bounding_box()["height"] for tool in page.locator("#tools button:visible").all()
            )
            assert lost.bounding_box()["y"] >= bottom, "no button is covered"
            page.evaluate("scrollTo(0, 400)")
            assert 0 <= lost.bounding_box()["y"] < 200, "it stays in sight"
        page.set_viewport_size(A_SCREEN)
        server.start(server.port)
        page.wait_for_selector("#lost:empty", state="attached")
        page.wait_for_selector(".question.mine")
        assert page.locator(".log a").all_inner_texts() == decided
        answer(page)
        context.close()
    finally:
        server.stop()


@pytest.mark.slow
def test_watching_pausing_and_stepping(page: api.Page, server: Server) -> None:
    game = server.deal(GREEDY, GREEDY, GREEDY, pace=0.05)
    page.goto(f"http://{server.address}/game/{game}")
    pause = page.wait_for_selector("#pause")
    assert pause
    wait_until_past(page, 3)
    assert pause.evaluate("button => button.isConnected"), "a press that lasts over a decision is still a click"
    page.click("#pause")
    page.wait_for_selector("#step")
    page.wait_for_timeout(300)
    before = number(page)
    page.wait_for_timeout(300)
    assert number(page) == before
    page.click("#step")
    wait_until_past(page, before)
    page.wait_for_timeout(200)
    assert number(page) == before + 1
    page.click("#pause")
    wait_until_past(page, before + 3)


def test_keys_alone_do(page: api.Page, server: Server) -> None:
    """A decision by keyboard, on the board and in words, and taken back."""
    game = server.deal(HERE, {"kind": "here", "name": "Bea"})
    page.goto(f"http://{server.address}/game/{game}")
    page.wait_for_selector(".question.mine")
    page.locator(".board .can[tabindex='0']").first.focus()
    page.keyboard.press("Enter")
    if page.locator(".menu").count():
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
    wait_until_past(page, 0)
    page.locator("body").press("u")  # a click, which may be several decisions
    page.wait_for_selector("body[data-number='0']")
    page.locator(".question .answer").first.focus()
    page.keyboard.press("Enter")
    wait_until_past(page, 0)


def test_everything_has_its_place_at_every_size(browser: api.Browser, server: Server, tmp_path: Path) -> None:
    """Nothing is wider than the page, and the map is large; HANSA_SCREENSHOTS names a folder to keep the pictures in."""
    folder = Path(os.environ.get("HANSA_SCREENSHOTS", tmp_path))
    context = browser.new_context()
    page = watched(context.new_page(), server)
    game = server.ask("/api/records", record_of_a_game()).json()["id"]
    for path, shown in (("/", "#play-now"), (f"/game/{game}", ".board svg")):
        page.goto(f"http://{server.address}{path}")
        page.wait_for_selector(shown)
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            for size, (width, height) in SIZES.items():
                page.set_viewport_size({"width": width, "height": height})
                page.screenshot(path=folder / f"{path.strip('/').partition('/')[0] or 'first'}-{size}-{theme}.png")
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                if path != "/":
                    assert page.locator(".board .map").bounding_box()["width"] > 0.6 * min(width, 900)
            colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (sum(map(int, colour[4:-1].split(","))) > 380) == (theme == "light")
    context.close()
