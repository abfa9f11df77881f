"""Replacement markers: drawn onto a plate by a claim (R5.3), and where they may be laid when the turn ends (R6.7).

Laying them, `play_replacement`, ends the turn and therefore stands in `turn`.
"""

from __future__ import annotations

from hansa_env.engine.action_space import ROUTE, offer_set
from hansa_env.engine.bits import bit
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.offices import incomplete_cities
from hansa_env.engine.rules.posts import occupied_lanes


@inner
def take_from_plate(game, i):
    """The marker drawn as number i leaves its plate; returns its kind."""
    kind = game["pile"][i]
    game["plate"][game["plate_of"][i]] -= 1
    game["plate_of"][i] = -1
    game["pile"][i] = -1
    return kind


@inner
def draw_replacement(game, tables):
    """R5.3: a replacement goes onto the active player's plate; with an empty pile the game will end (R7.1)."""
    if game["drawn"] < tables["pile_size"]:
        game["plate_of"][game["drawn"]] = game["turn"]
        game["plate"][game["turn"]] += 1
        game["drawn"] += 1
    else:
        game["pile_ran_out"] = 1


@inner
def waiting_marker(game, seat):
    """D11: the marker on the seat's plate that was drawn first, by its number in the pile; there must be one."""
    i = 0
    while game["plate_of"][i] != seat:
        i += 1
    return i


@inner
def replacement_routes(game, tables):
    """R6.7: routes without a marker and without a tradesman, with an empty printed space in one of their cities."""
    occupied = occupied_lanes(game, tables)
    routes = tables["marker_routes"]
    cities = incomplete_cities(game, tables)
    found = 0
    for route in range(tables["num_routes"]):
        ends = bit(tables["route_city"][route, 0]) | bit(tables["route_city"][route, 1])
        empty = occupied & tables["lanes_of"][route] == 0
        if empty and routes & bit(route) and game["route_marker"][route] < 0 and ends & cities:
            found |= bit(route)
    return found


@inner
def offer_replacement_routes(game, tables):
    """Offer the routes on which a marker of the plate may be laid (R6.7)."""
    offer_set(game, tables, ROUTE, replacement_routes(game, tables))
