"""What is clicked or pressed twice happens once, and nothing goes wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hansa_env import Game, Ruleset
from tests.table.serving import GREEDY, HERE, Server
from tests.table.test_browser import wait_until_past
from tests.table.test_browser_learning import open_game

if TYPE_CHECKING:
    from playwright import sync_api as api

#: The button, not the line in the list of all decisions.
DONE = ".question .rest > .answers .answer.done"
#: Both clicks before anything is answered.
TWICE = "one => { one.click(); one.click(); }"


def games(server: Server) -> set[str]:
    return {game["id"] for game in server.ask("/api/games").json()["games"]}


def study(server: Server) -> str:
    game = Game(Ruleset(3), seed=5)
    game.play("place trader stade/hamburg")
    return server.ask("/api/records", game.record()).json()["id"]


def is_the_only_new_one(page: api.Page, server: Server, before: set[str]) -> None:
    page.wait_for_url("**/game/*")
    page.wait_for_selector("body[data-number]")
    assert games(server) - before == {page.url.partition("/game/")[2].partition("#")[0]}
    assert not page.locator(".note.bad").count()


def decide_twice(page: api.Page, server: Server, *seats: dict) -> None:
    open_game(page, server, server.deal(*seats, seed=5))
    for before in (0, 1):
        page.wait_for_selector(".question.mine")
        page.locator(DONE).click()
        wait_until_past(page, before)


def double_click(page: api.Page, name: str, settled: str) -> None:
    """Two real clicks, the second after the page has settled from the first."""
    box = page.locator(name).bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    for number in (1, 2):
        page.mouse.down(click_count=number)
        page.mouse.up(click_count=number)
        page.wait_for_selector(settled)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["#play-now", "#guided", "#watch-now", "#start"])
def test_one_game_is_dealt(page: api.Page, server: Server, name: str) -> None:
    page.wait_for_selector(".seat-row")
    before = games(server)
    page.locator(name).evaluate(TWICE)
    is_the_only_new_one(page, server, before)


def test_one_branch_is_made(page: api.Page, server: Server) -> None:
    game = study(server)
    open_game(page, server, game)
    page.keyboard.press("Home")
    page.wait_for_selector("body[data-number='0'] .question .answer")
    before = games(server)
    page.locator(DONE).evaluate(TWICE)
    page.wait_for_function("game => !location.pathname.includes(game)", arg=game)
    is_the_only_new_one(page, server, before)
    assert len(server.ask(f"/api/games/{game}/branches").json()["branches"]) == 1


@pytest.mark.slow
def test_a_branch_that_could_not_be_made_can_be_asked_for_again(page: api.Page, server: Server) -> None:
    game = study(server)
    open_game(page, server, game)
    page.keyboard.press("Home")
    page.wait_for_selector("body[data-number='0'] .question .answer")
    page.route("**/branches", lambda route: route.fulfill(status=503, json={"error": "not now"}))
    page.locator(DONE).click()
    page.wait_for_selector(".note.bad:has-text('not now')")
    page.unroute("**/branches")
    page.locator(DONE).click()
    page.wait_for_function("game => !location.pathname.includes(game)", arg=game)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["#play-on", "#invite"])
def test_one_window_opens(page: api.Page, server: Server, name: str) -> None:
    open_game(page, server, study(server))
    page.locator(name).evaluate(TWICE)
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.locator(name).click()
    page.wait_for_selector("dialog[open]")
    assert page.locator("dialog").count() == 1


@pytest.mark.slow
def test_one_decision_is_taken_back(page: api.Page, server: Server) -> None:
    decide_twice(page, server, HERE, HERE, GREEDY)
    page.locator("#undo").evaluate(TWICE)
    page.wait_for_selector("body[data-number='1'] .question.mine")
    assert not page.locator(".note").count()


def test_the_second_click_of_a_double_click_does_not_answer_the_next_question(page: api.Page, server: Server) -> None:
    open_game(page, server, server.deal(HERE, HERE, HERE, seed=5))
    page.wait_for_selector(".question.mine .answer.done")
    double_click(page, DONE, "body[data-number='1'] .question.mine .answer.done:not([aria-disabled])")
    page.mouse.down()
    page.mouse.up()
    page.wait_for_selector("body[data-number='2'] .question.mine")


def test_a_key_that_is_held_down_answers_one_question(page: api.Page, server: Server) -> None:
    open_game(page, server, server.deal(HERE, HERE, HERE, seed=5))
    page.wait_for_selector(".question.mine .answer.done")
    page.locator(DONE).focus()
    page.keyboard.down("Enter")
    page.wait_for_selector("body[data-number='1'] .question.mine")
    page.locator(DONE).focus()
    page.keyboard.down("Enter")  # the key repeats
    page.keyboard.up("Enter")
    page.keyboard.press("u")
    page.wait_for_selector("body[data-number='0'] .question.mine")  # one was there to be taken back
    page.locator(DONE).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-number='1'] .question.mine")


def two_decisions(page: api.Page, server: Server) -> None:
    decide_twice(page, server, HERE, HERE, HERE)
    page.wait_for_selector("body[data-number='2'] .question.mine")


def test_a_double_click_on_undo_takes_back_one_decision(page: api.Page, server: Server) -> None:
    two_decisions(page, server)
    double_click(page, "#undo", "body[data-number='1'] .question.mine")
    page.locator(DONE).click()
    page.wait_for_selector("body[data-number='2'] .question.mine")


@pytest.mark.parametrize(("key", "place"), [("u", None), ("Enter", "#undo")])
def test_a_key_that_is_held_down_takes_back_one_decision(
    page: api.Page, server: Server, key: str, place: str | None
) -> None:  # fmt: skip
    two_decisions(page, server)
    if place is not None:
        page.locator(place).focus()
    for _ in range(3):  # the key repeats
        page.keyboard.down(key)
        page.wait_for_selector("body[data-number='1'] .question.mine")
    page.keyboard.up(key)
    page.locator(DONE).click()
    page.wait_for_selector("body[data-number='2'] .question.mine")
