"""The two-player variant with neutral traders (R8.2): their claims and offices; their relocation is in `relocate`."""

from __future__ import annotations

from hansa_env.engine.action_space import CITY, offer_set
from hansa_env.engine.bits import bit, lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.claim import clear_route, score_control
from hansa_env.engine.rules.offices import found_office, next_space
from hansa_env.engine.rules.posts import take_piece
from hansa_env.engine.rules.replacement_markers import draw_replacement
from hansa_env.engine.rules.turn import ask
from hansa_env.engine.state import ASK_NEUTRAL, TRADER


@inner
def route_for_neutral(game, tables):
    """R8.2.3: a route wholly held by neutral traders, -1 = none."""
    if tables["neutral"] >= 0 and game["whole"][tables["neutral"]]:
        return lowest(game["whole"][tables["neutral"]])
    return -1


@inner
def neutral_office_cities(game, tables, route):
    """R8.2.3: cities of the route with an empty printed space."""
    cities = 0
    for side in range(2):
        city = tables["route_city"][route, side]
        if next_space(game, tables, city) >= 0:
            cities |= bit(city)
    return cities


@inner
def claim_for_neutral(game, tables, route):
    """R8.2.3: controllers score, the marker is discarded and replaced; True if a city is left to be chosen."""
    score_control(game, tables, route)
    if game["route_marker"][route] >= 0:
        game["route_marker"][route] = -1
        draw_replacement(game, tables)
    if neutral_office_cities(game, tables, route):
        ask(game, ASK_NEUTRAL, game["turn"])
        return True
    return_neutral_traders(game, tables, route)
    return False


@inner
def offer_neutral_offices(game, tables):
    """R8.2.3: the active player picks one of the two cities."""
    offer_set(game, tables, CITY, neutral_office_cities(game, tables, route_for_neutral(game, tables)))


@inner
def found_neutral_office(game, tables, city):
    """R8.2.3: a neutral trader fills the leftmost empty space, whatever its colour and shape."""
    route = route_for_neutral(game, tables)
    take_piece(game, tables, route, tables["neutral"], TRADER)
    found_office(game, tables, city, tables["neutral"], TRADER)
    return_neutral_traders(game, tables, route)


@inner
def return_neutral_traders(game, tables, route):
    """R8.2.3: all go back but one on a route that touches an ability city or the prestige city."""
    clear_route(game, tables, route, 1 if tables["keeps_neutral"] & bit(route) else 0)
