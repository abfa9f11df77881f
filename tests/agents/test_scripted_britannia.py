"""The scripted player on Britannia (R10): permissions, regions, ships and pieces sent abroad."""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from hansa_agents.arena import Keep, play_match
from hansa_agents.habits import habits
from hansa_env import Ruleset
from hansa_env.engine import state
from tests.agents.scripted_decisions import scripted_decisions

SMALL = Ruleset(3, board="britannia-2-3")
FOREIGN = {route.id for route in SMALL.board_data.routes if route.country != "england"}
SHIPS = {"ship": -6.0, "send_two": 8.0, "develop.book.0": 30.0, "develop.book.1": 30.0}  # likes maritime routes beyond measure


@pytest.mark.parametrize(("players", "board"), [(3, "britannia-2-3"), (4, "britannia-4-5"), (5, "britannia-4-5")])
def test_greedy_beats_random_players(players: int, board: str) -> None:
    match = play_match(["greedy", *["random"] * (players - 1)], Ruleset(players, board=board), 120, seed=3)
    assert match.rows[0].low > 0.95


def test_among_itself_it_holds_gateways_and_claims_routes_abroad() -> None:
    ruleset = Ruleset(5, board="britannia-4-5")
    match = play_match(["greedy"] * 5, ruleset, 60, seed=3, keep=Keep(actions=True))
    found, board = habits(match.results, ruleset, "greedy"), ruleset.board_data
    abroad = [route.id for route in board.routes if route.country != "england"]
    assert 5 * sum(found.claims[route] for route in abroad) > 1
    assert all(5 * found.offices[city] > 1 for city in board.gateways)


@cache
def told(ships: bool) -> list[tuple[int, str, np.void]]:
    return scripted_decisions(SMALL, SHIPS if ships else {}, games=40)


def test_permissions_are_used_for_routes_that_are_claimed() -> None:
    placed = Counter(text.split()[-1] for _, text, _ in told(False) if text.startswith("place"))
    claimed = Counter(text.split()[-1] for _, text, _ in told(False) if text.startswith("claim"))
    abroad = sum(placed[route] for route in FOREIGN)
    assert abroad > 20 and sum(claimed[route] for route in FOREIGN) > abroad / 6


def test_pieces_are_sent_abroad_where_the_marker_is_had() -> None:
    """R10.14: who claims Southampton–Calais sends two; the stock has them."""
    answers = Counter(text.split()[0] for asked, text, _ in told(True) if asked == state.ASK_SEND)
    assert answers["put"] > 20 and set(answers) == {"put"}
