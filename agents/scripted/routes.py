"""Routes as the scripted player weighs them: what a claim brings, what it costs, which is best."""

from __future__ import annotations

from hansa_agents.scripted.countries import movable_abroad
from hansa_agents.scripted.rates import LEAST, NOT_POSSIBLE, rate_maritime_route, rate_route
from hansa_env.engine.bits import bit, lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.claim import can_take_space, extra_offices_usable
from hansa_env.engine.rules.countries import ENGLAND
from hansa_env.engine.rules.desk import actions_of_a_turn
from hansa_env.engine.rules.offices import has_office, is_player
from hansa_env.engine.rules.permanent_markers import (
    DEVELOP_PRIVILEGE,
    OFFICE_IN_GREEN_CITY,
    PLACE_TWO_ABROAD,
    PLACE_TWO_FROM_ROUTE,
)
from hansa_env.engine.rules.scoring import MARKERS_SCORED, marker_points, markers_taken
from hansa_env.engine.rules.tokens import tokens_of
from hansa_env.engine.state import (
    ASK_ACT,
    ASK_FETCH,
    ASK_LIFT,
    ASK_PUT,
    MERCHANT,
    PRIVILEGE,
    TRADER,
)


@inner
def weigh_routes(game, tables, w, v, seat):
    """Fill the parts of a view that belong to routes."""
    v["with_merchant"] = 0
    v["by_move"] = 0
    budget = actions_at_hand(game, tables, seat)
    on_board = 0
    if game["asked"] == ASK_LIFT or game["asked"] == ASK_PUT:
        on_board = game["hand"][TRADER] + game["hand"][MERCHANT]
    if game["asked"] != ASK_PUT:
        for lane in range(tables["num_lanes"]):
            on_board += game["pieces"][seat, TRADER, lane] + game["pieces"][seat, MERCHANT, lane]
    marker = next_marker_worth(game, w, seat)
    for city in range(tables["num_cities"]):
        v["plain"][city] = plain_reward(game, tables, w, v, seat, city)
    for route in range(tables["num_routes"]):
        worth = claim_worth(game, tables, w, v, seat, route, marker)
        v["worth"][route] = worth
        v["rate"][route] = NOT_POSSIBLE
        elsewhere = on_board if tables["country"][route] == ENGLAND else movable_abroad(game, tables, seat, route)
        if game["asked"] != ASK_PUT:
            elsewhere -= game["pieces"][seat, TRADER, route] + game["pieces"][seat, MERCHANT, route]
        if tables["ship_lane"][route] >= 0:
            rate_maritime_route(game, tables, w, v, seat, route, budget, elsewhere)
        else:
            rate_route(game, tables, w, v, seat, route, budget, elsewhere)
    for lane in range(tables["num_routes"], tables["num_lanes"]):
        v["rate"][lane] = v["rate"][tables["route_of"][lane]]


@inner
def actions_at_hand(game, tables, seat):
    """Actions for the route in mind: those left, the one that is under way included, or next turn's."""
    if game["turn"] != seat:
        return actions_of_a_turn(game, tables, seat)
    if game["asked"] >= ASK_FETCH:  # R9.14: at the end of an action
        return game["actions_left"] if game["actions_left"] > 0 else actions_of_a_turn(game, tables, seat)
    return game["actions_left"] + (game["asked"] != ASK_ACT)


@inner
def next_marker_worth(game, w, seat):
    """R7.4: points for one more marker, smoothed over two, since every second one brings nothing by itself."""
    taken = min(markers_taken(game, seat) + tokens_of(game, seat), MARKERS_SCORED)
    return w["marker_points"] * (marker_points(taken + 2) - marker_points(taken)) / 2


@inner
def claim_worth(game, tables, w, v, seat, route, marker):
    """R5: control of the two cities, the marker, and the best reward; notes whether that takes a merchant."""
    worth, prestige = -w["piece"] * tables["posts"][route], 0
    for side in range(2):
        controller = game["controller"][tables["route_city"][route, side]]
        if controller == seat:
            worth += 1.0 + v["haste"]
            prestige += 1
        elif is_player(tables, controller):
            worth -= w["gift"]
    kind = game["route_marker"][route]
    if kind >= 0:
        worth += marker + w["marker"][kind] * v["left"] + v["haste"]
    plain = max(v["plain"][tables["route_city"][route, 0]], v["plain"][tables["route_city"][route, 1]])
    special = merchant_reward(game, tables, w, v, seat, route)
    if tables["ship_lane"][route] >= 0:  # merchants stand on the ships, and the permanent marker is used
        worth += max(plain, special) + permanent_worth(tables, w, v, route)
    elif special > plain and merchant_at_hand(game, seat, route):
        v["with_merchant"] |= bit(route)
        worth += special
    else:
        worth += plain
    if ends_game(game, tables, seat, kind, prestige):
        worth += w["closing"] * (v["lead"] + worth)
    return max(worth, LEAST)


@inner
def ends_game(game, tables, seat, kind, prestige):
    """R7.1: whether a claim with that marker and prestige ends the game, whatever its reward."""
    no_marker_left = kind >= 0 and game["drawn"] >= tables["pile_size"]
    return no_marker_left or game["prestige"][seat] + prestige >= tables["prestige_to_end"]


@inner
def permanent_worth(tables, w, v, route):
    """R9.14: what the permanent marker of a maritime route brings, less what the merchants on its ships are worth."""
    marker, worth = tables["permanent_marker"][route], -w["ship"] * tables["lane_posts"][tables["ship_lane"][route]]
    if marker == DEVELOP_PRIVILEGE:
        return worth + max(0.0, v["ability"][PRIVILEGE])
    if marker == OFFICE_IN_GREEN_CITY:
        return worth + max(0.0, v["placed"][best_green_city(v, tables["green_cities"])])
    if marker == PLACE_TWO_FROM_ROUTE:
        return worth + w["land_two"]
    if marker == PLACE_TWO_ABROAD:
        return worth + w["send_two"]
    if marker < 0:
        return worth
    return worth + w["move_two"]


@inner
def best_green_city(v, cities):
    """R9.14c: the city of a set of green ones where a placed office is worth most, the first of equals."""
    best = lowest(cities)
    while cities:
        city = lowest(cities)
        cities &= cities - 1
        if v["placed"][city] > v["placed"][best]:
            best = city
    return best


@inner
def plain_reward(game, tables, w, v, seat, city):
    """R5.4: the best reward of a claim in a city that takes no merchant, at least 0."""
    best = 0.0
    for ability in range(5):
        if tables["city_abilities"][city] & bit(ability):
            best = max(best, v["ability"][ability])
    if not v["merchants_wanted"] & bit(city):
        best = max(best, v["office"][city])
    if extra_offices_usable(game, seat) > 0 and (has_office(game, city) or tables["green_cities"] & bit(city)):
        best = max(best, v["extra"][city] - w["keep_extra"] * v["left"])
    return best


@inner
def merchant_reward(game, tables, w, v, seat, route):
    """R5.5, R5.9: the best reward that takes a merchant, less what he is worth."""
    best = 0.0
    for side in range(2):
        city = tables["route_city"][route, side]
        if v["merchants_wanted"] & bit(city):
            best = max(best, v["office"][city])
    if route == tables["prestige_route"]:
        best = max(best, w["table"] * best_space(game, tables, seat))
    return best - w["merchant"]


@inner
def best_space(game, tables, seat):
    """R5.9: points of the best space of the Coellen table that the privilege allows, 0 = none."""
    best = 0
    for space in range(tables["num_spaces"]):
        if can_take_space(game, tables, seat, space):
            best = max(best, tables["space_value"][space])
    return best


@inner
def merchant_at_hand(game, seat, route):
    """Whether a merchant lies on the route or can still come there."""
    if game["pieces"][seat, MERCHANT, route] > 0:
        return True
    if game["supply"][seat, MERCHANT] + game["stock"][seat, MERCHANT] + game["hand"][MERCHANT] == 0:
        return False
    return (game["whole"][seat] & bit(route)) == 0


@inner
def best_route(tables, v, routes):
    """The route, or lane of posts, of a set with the highest rate, the first of equals; −1 when none is possible."""
    best, rate = -1, 0.0
    for route in range(tables["num_lanes"]):
        if routes & bit(route) and v["rate"][route] > rate:
            best, rate = route, v["rate"][route]
    return best


@inner
def best_or_first(tables, v, routes):
    """The same of a set that is not empty; its first where none is possible."""
    route = best_route(tables, v, routes)
    return route if route >= 0 else lowest(routes)


@inner
def worst_route(tables, v, routes):
    """The route, or lane of posts, of a set that is not empty with the lowest rate, the first of equals."""
    worst = -1
    for route in range(tables["num_lanes"]):
        if routes & bit(route) and (worst < 0 or v["rate"][route] < v["rate"][worst]):
            worst = route
    return worst
