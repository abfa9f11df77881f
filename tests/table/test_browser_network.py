"""A slow or broken network: a decision is meant for what is shown, and what failed is asked for again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.table.serving import GREEDY, HERE, Server
from tests.table.test_browser_learning import BEA, CY, deal, open_game

if TYPE_CHECKING:
    from playwright import sync_api as api

DONE = ".question .rest > .answers .answer.done"
LATER_POSITIONS = re.compile(r"/positions/[1-9]")


def decisions(server: Server, game: str) -> list[list]:
    return server.ask(f"/api/games/{game}/record").json()["decisions"]


def decide_elsewhere(server: Server, game: str, text: str) -> None:
    with server.sit(game) as elsewhere:
        seq = elsewhere.hear("welcome")["seq"]
        elsewhere.say(type="decide", seq=seq, texts=[text])
        elsewhere.hear("event")


def test_a_decision_for_what_has_changed_meanwhile_is_refused(page: api.Page, server: Server) -> None:
    """Another tab ended Ann's turn; here it is still shown, and "end the turn" does not end Bea's."""
    game = deal(server)
    open_game(page, server, game)
    page.route(LATER_POSITIONS, lambda route: None)  # it never comes
    with page.expect_request(LATER_POSITIONS):
        decide_elsewhere(server, game, "done")
    page.locator(DONE).click()
    page.wait_for_selector(".note.bad")
    assert decisions(server, game) == [[0, "done"]]
    page.unroute_all(behavior="ignoreErrors")


def test_what_find_offers_is_meant_for_the_position_at_which_it_was_opened(page: api.Page, server: Server) -> None:
    game = deal(server)
    open_game(page, server, game)
    page.keyboard.press("/")
    page.fill("#find", "end")
    page.wait_for_selector("#found .option")
    decide_elsewhere(server, game, "done")
    page.wait_for_selector("body[data-number='1']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".note.bad")
    assert decisions(server, game) == [[0, "done"]]


@pytest.mark.slow
def test_a_position_that_did_not_come_is_asked_for_again(page: api.Page, server: Server) -> None:
    open_game(page, server, deal(server))
    failed: list[str] = []

    def fail_twice(route: api.Route) -> None:
        if len(failed) == 2:
            route.continue_()
        else:
            failed.append(route.request.url)
            route.abort()

    page.route(LATER_POSITIONS, fail_twice)
    page.locator(DONE).click()
    page.wait_for_selector("body[data-number='1']")
    page.wait_for_selector(".question.mine h2:has-text('Bea')")
    assert len(failed) == 2


@pytest.mark.slow
def test_agents_that_did_not_come_are_asked_for_again(page: api.Page, server: Server) -> None:
    failed: list[str] = []

    def fail_once(route: api.Route) -> None:
        if failed:
            route.continue_()
        else:
            failed.append(route.request.url)
            route.abort()

    page.route("**/api/choices", fail_once)
    open_game(page, server, server.deal(HERE, GREEDY, GREEDY))
    page.wait_for_selector(".analysis select option[value='greedy']", state="attached")
    assert failed


@pytest.mark.slow
def test_rules_that_do_not_come_are_told(page: api.Page, server: Server) -> None:
    page.route("**/api/rules", lambda route: route.abort())
    open_game(page, server, deal(server))
    page.click("#rules")
    page.wait_for_selector(".note.bad:has-text('does not answer')")


def test_the_card_of_whoever_decides_is_covered_until_it_is_asked_for(page: api.Page, server: Server) -> None:
    """R11.1: Ann and Bea share a screen. When Ann's turn ends, Bea's card does not appear by itself."""
    game = server.deal(HERE, BEA, CY, missions=True, seed=5)
    open_game(page, server, game)
    assert not page.locator("[data-thing^='mission']").count()
    page.click("#uncover")
    page.wait_for_selector("[data-thing='mission 0']")
    page.locator(DONE).click()
    page.wait_for_selector("body[data-number='1']")
    page.wait_for_selector(".covered:has-text('Bea')")
    assert not page.locator("[data-thing^='mission']").count()
    page.click("#uncover")
    page.wait_for_selector("[data-thing='mission 1']")
