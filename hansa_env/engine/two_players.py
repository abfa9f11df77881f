"""The two-player variants (R8): the pawn and the neutral traders."""

from __future__ import annotations

from hansa_env.engine.bits import bit, first_below, lowest
from hansa_env.engine.cities import found_office, next_space
from hansa_env.engine.claim import clear_route, draw_replacement, score_control
from hansa_env.engine.compile import inner
from hansa_env.engine.posts import take_piece
from hansa_env.engine.record import ASK_ACT, ASK_NEUTRAL, ASK_RIDE, CITY, OTHER, PROVINCE_BIT, TRADER
from hansa_env.engine.turn import ask, end_action, end_turn, spend_action


@inner
def offer_provinces(g, t):
    """R8.1.2: any province at the start; R8.1.3: any other one for an action."""
    provinces = first_below(t["num_provinces"])
    if g["pawn"] >= 0:
        provinces &= ~bit(g["pawn"])
    g["legal"][OTHER] = provinces << PROVINCE_BIT


@inner
def offer_free_pawn_move(g, t):
    """R8.1.3: 1 or 2 provinces, before the first action or after the last (D10: stopping early is completing)."""
    if g["pawn_free"]:
        g["legal"][OTHER] |= t["reach"][g["pawn"]] << PROVINCE_BIT


@inner
def set_up_pawn(g, t, province):
    """R8.1.2."""
    g["pawn"] = province
    ask(g, ASK_ACT, g["turn"])


@inner
def move_pawn(g, t, province):
    """R8.1.3: the free move; after an action it ends the turn."""
    g["pawn"] = province
    g["pawn_free"] = 0
    if g["acted"]:
        end_turn(g, t)


@inner
def begin_ride(g):
    """R8.1.3."""
    spend_action(g)
    ask(g, ASK_RIDE, g["turn"])


@inner
def ride(g, t, province):
    """R8.1.3."""
    g["pawn"] = province
    end_action(g, t)


@inner
def route_for_neutral(g, t):
    """R8.2.3: a route wholly held by neutral traders, -1 = none."""
    if t["neutral"] >= 0 and g["whole"][t["neutral"]]:
        return lowest(g["whole"][t["neutral"]])
    return -1


@inner
def neutral_office_cities(g, t, route):
    """R8.2.3: cities of the route with an empty printed space."""
    cities = 0
    for side in range(2):
        city = t["route_city"][route, side]
        if next_space(g, t, city) >= 0:
            cities |= bit(city)
    return cities


@inner
def neutral_claim(g, t, route):
    """R8.2.3: controllers score, the marker is discarded and replaced; True if a city is left to be chosen."""
    score_control(g, t, route)
    if g["route_marker"][route] >= 0:
        g["route_marker"][route] = -1
        draw_replacement(g, t)
    if neutral_office_cities(g, t, route):
        ask(g, ASK_NEUTRAL, g["turn"])
        return True
    return_neutral_traders(g, t, route)
    return False


@inner
def offer_neutral_offices(g, t):
    """R8.2.3."""
    g["legal"][CITY] = neutral_office_cities(g, t, route_for_neutral(g, t))


@inner
def found_neutral_office(g, t, city):
    """R8.2.3: a neutral trader fills the leftmost empty space, whatever its colour and shape."""
    route = route_for_neutral(g, t)
    take_piece(g, route, t["neutral"], TRADER)
    found_office(g, t, city, t["neutral"], TRADER)
    return_neutral_traders(g, t, route)


@inner
def return_neutral_traders(g, t, route):
    """R8.2.3: all go back but one on a route that touches an ability city or the prestige city."""
    clear_route(g, t, route, 1 if t["keeps_neutral"] & bit(route) else 0)
