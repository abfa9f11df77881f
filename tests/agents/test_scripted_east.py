"""The scripted player on the board East (R9): merchants for ships, permanent markers, green cities."""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from hansa_agents.arena import Keep, play_match
from hansa_agents.habits import habits
from hansa_agents.scripted.styles import style_names
from hansa_env import Ruleset
from hansa_env.engine import state
from tests.agents.scripted_decisions import scripted_decisions

EAST = Ruleset(3, board="east")
SHIPS = {"ship": -6.0, "move_two": 6.0, "land_two": 6.0}  # likes maritime routes beyond measure
MERCHANTS = {"develop.book.0": 30.0, "develop.book.1": 30.0, "develop.book.2": 20.0}  # of which there are three on the track


PRIVILEGE = {"develop.privilege.0": 30.0, "develop.privilege.1": 30.0, "develop.privilege.2": 30.0}
CHANGES = {"ships": SHIPS, "merchants": MERCHANTS, "privilege": PRIVILEGE}


@cache
def told(*changes: str) -> list[tuple[int, str, np.void]]:
    return scripted_decisions(EAST, {name: weight for change in changes for name, weight in CHANGES[change].items()}, games=60)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_greedy_beats_random_players(players: int) -> None:
    match = play_match(["greedy", *["random"] * (players - 1)], Ruleset(players, board="east"), 120, seed=3)
    assert match.rows[0].low > 0.95


@pytest.mark.parametrize("name", style_names())
def test_styles_beat_random_players(name: str) -> None:
    match = play_match([f"scripted:{name}", "random", "random"], EAST, 60, seed=3)
    assert match.rows[0].share > 0.95


def test_among_itself_it_sails_and_founds_offices_in_green_cities() -> None:
    ruleset = Ruleset(5, board="east")
    match = play_match(["greedy"] * 5, ruleset, 60, seed=3, keep=Keep(actions=True))
    found = habits(match.results, ruleset, "greedy")
    green = [city.id for city in ruleset.board_data.cities if city.green]
    assert 5 * found.claims["malmo/visby"] > 0.5 and 5 * sum(found.offices[city] for city in green) > 0.8


def test_who_likes_ships_claims_their_routes() -> None:
    claims = Counter(text.split()[1] for _, text, _ in told("ships") if text.startswith("claim"))
    assert claims["malmo/visby"] > 20 and claims["malmo/danzig"] > 8
    claims = Counter(text.split()[1] for _, text, _ in told("ships", "merchants") if text.startswith("claim"))
    assert claims["wismar/stralsund"] > 60, "which takes two merchants"


def test_merchants_are_not_spent_on_posts_that_traders_can_take_while_ships_want_them() -> None:
    houses = {route.id for route in EAST.board_data.routes if route.ships}
    for _, text, before in told("ships", "merchants"):
        if text.startswith("place merchant") and text.split()[-1] in houses:
            lane = [route.id for route in EAST.board_data.routes].index(text.split()[-1])
            sea = next(i for i, one in enumerate(EAST.board_data.lanes) if one.ship and one.route == lane)
            assert before["vacant"][sea] == 0, text


def test_permanent_markers_are_used() -> None:
    """R9.14: who claims the route has a use for its marker, nearly always."""
    answers = Counter((asked, text.split()[0]) for asked, text, *_ in told("ships") + told("ships", "merchants"))
    assert answers[state.ASK_GREEN, "city"] > 20 and answers[state.ASK_GREEN, "done"] == 0
    assert answers[state.ASK_LAND, "put"] > 20 > answers[state.ASK_LAND, "done"]
    assert answers[state.ASK_FETCH, "route"] > answers[state.ASK_FETCH, "done"]
    assert answers[state.ASK_DROP, "put"] == answers[state.ASK_FETCH, "route"]


def test_the_permanent_marker_that_develops_is_used() -> None:
    answers = Counter(text for asked, text, *_ in told("ships", "merchants", "privilege") if asked == state.ASK_PERMANENT)
    assert set(answers) == {"develop privilege"} and answers["develop privilege"] > 5


def test_pieces_that_are_fetched_come_down_elsewhere() -> None:
    """R9.14a: what is lifted is hardly ever put back; where posts are few, there may be no better place."""
    lifted: dict[int, set[str]] = {}
    dropped, back = 0, 0
    for asked, text, before in told("ships", "merchants"):
        routes = lifted.setdefault(int(before["seed"]), set())
        if asked == state.ASK_ACT:
            routes.clear()
        elif asked == state.ASK_FETCH and text.startswith("route"):
            routes.add(text.split()[1])
        elif asked == state.ASK_DROP:
            dropped += 1
            back += text.split()[-1] in routes
    assert dropped > 100 and back < 0.05 * dropped
