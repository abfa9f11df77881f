"""Routes as the scripted player weighs them: what a claim brings, what it costs, which is best."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.bits import bit
from hansa_env.engine.cities import has_office
from hansa_env.engine.claim import extra_offices_usable
from hansa_env.engine.compile import inner
from hansa_env.engine.place import total
from hansa_env.engine.record import (
    ACTIONS,
    ASK_ACT,
    ASK_LIFT,
    ASK_PUT,
    BANK,
    BOOK,
    MERCHANT,
    PRIVILEGE,
    TRADER,
)
from hansa_env.engine.turn import ability_value

LEAST = 0.02  # worth of a claim that brings nothing but its pieces back, so that play goes on
NOT_POSSIBLE = -1.0  # rate of a route that cannot be claimed with the pieces there are
_POINTS = (0, 1, 3, 3, 6, 6, 10, 10, 15, 15, 21, 21, 21)  # R7.4
#: Points for one more marker, smoothed, since every second one brings nothing by itself.
_NEXT_MARKER = np.array([(_POINTS[n + 2] - _POINTS[n]) / 2 for n in range(11)])


@inner
def weigh_routes(g, t, w, v, seat):
    """Fill the parts of a view that belong to routes."""
    v["with_merchant"] = 0
    v["by_move"] = 0
    budget = actions_at_hand(g, t, seat)
    on_board = 0
    if g["asked"] == ASK_LIFT or g["asked"] == ASK_PUT:
        on_board = g["hand"][TRADER] + g["hand"][MERCHANT]
    if g["asked"] != ASK_PUT:
        for route in range(t["num_routes"]):
            on_board += g["pieces"][route, seat, TRADER] + g["pieces"][route, seat, MERCHANT]
    marker = next_marker_worth(g, w, seat)
    for route in range(t["num_routes"]):
        worth = claim_worth(g, t, w, v, seat, route, marker)
        v["worth"][route] = worth
        v["rate"][route] = NOT_POSSIBLE
        elsewhere = on_board
        if g["asked"] != ASK_PUT:
            elsewhere -= g["pieces"][route, seat, TRADER] + g["pieces"][route, seat, MERCHANT]
        rate_route(g, t, w, v, seat, route, budget, elsewhere)


@inner
def actions_at_hand(g, t, seat):
    """Actions for the route in mind: those left, the one that is under way included, or next turn's."""
    if g["turn"] != seat:
        return ability_value(g, t, seat, ACTIONS)
    return g["actions_left"] + (g["asked"] != ASK_ACT)


@inner
def next_marker_worth(g, w, seat):
    """R7.4."""
    taken = 0
    for kind in range(6):
        taken += g["markers"][seat, kind] + g["used"][seat, kind]
    return w["marker_points"] * _NEXT_MARKER[min(taken, 10)]


@inner
def claim_worth(g, t, w, v, seat, route, marker):
    """R5: control of the two cities, the marker, and the best reward; notes whether that takes a merchant."""
    worth, prestige = -w["piece"] * t["posts"][route], 0
    for side in range(2):
        controller = g["controller"][t["route_city"][route, side]]
        if controller == seat:
            worth += 1.0 + v["haste"]
            prestige += 1
        elif controller >= 0 and controller != t["neutral"]:
            worth -= w["gift"]
    kind = g["route_marker"][route]
    if kind >= 0:
        worth += marker + w["marker"][kind] * v["left"] + v["haste"]
    plain = plain_reward(g, t, w, v, seat, route)
    special = merchant_reward(g, t, w, v, seat, route)
    if special > plain and merchant_at_hand(g, seat, route):
        v["with_merchant"] |= bit(route)
        worth += special
    else:
        worth += plain
    if ends_game(g, t, seat, kind, prestige):
        worth += w["seal"] * (v["lead"] + worth)
    return max(worth, LEAST)


@inner
def ends_game(g, t, seat, kind, prestige):
    """R7.1: whether a claim with that marker and prestige ends the game, whatever its reward."""
    return (kind >= 0 and g["drawn"] >= t["pile_size"]) or g["prestige"][seat] + prestige >= 20


@inner
def plain_reward(g, t, w, v, seat, route):
    """R5.4: the best reward that takes no merchant, at least 0."""
    best = 0.0
    for side in range(2):
        city = t["route_city"][route, side]
        ability = t["city_ability"][city]
        if ability >= 0:
            best = max(best, v["ability"][ability])
        if v["office"][city] > best and not v["round"] & bit(city):
            best = v["office"][city]
        if extra_offices_usable(g, seat) > 0 and has_office(g, city):
            best = max(best, v["extra"][city] - w["keep_extra"] * v["left"])
    return best


@inner
def merchant_reward(g, t, w, v, seat, route):
    """R5.5, R5.9: the best reward that takes a merchant, less what he is worth."""
    best = 0.0
    for side in range(2):
        city = t["route_city"][route, side]
        if v["round"] & bit(city):
            best = max(best, v["office"][city])
    if route == t["prestige_route"]:
        best = max(best, w["table"] * best_space(g, t, seat))
    return best - w["merchant"]


@inner
def best_space(g, t, seat):
    """R5.9: points of the best space of the Coellen table that the privilege allows, 0 = none."""
    best = 0
    for space in range(t["num_spaces"]):
        if g["prestige_spaces"][space] < 0 and g["abilities"][seat, PRIVILEGE] >= t["space_privilege"][space]:
            best = max(best, t["space_value"][space])
    return best


@inner
def merchant_at_hand(g, seat, route):
    """Whether a merchant lies on the route or can still come there."""
    if g["pieces"][route, seat, MERCHANT] > 0:
        return True
    if g["supply"][seat, MERCHANT] + g["stock"][seat, MERCHANT] + g["hand"][MERCHANT] == 0:
        return False
    return (g["whole"][seat] & bit(route)) == 0


@inner
def rate_route(g, t, w, v, seat, route, budget, elsewhere):
    """Worth per action still needed; by place and displace, or with a move where that is better."""
    pieces = g["pieces"]
    vacant = g["vacant"][route]
    rivals, penalty = 0, 0
    for owner in range(t["owners"]):
        if owner != seat:
            count = pieces[route, owner, TRADER] + pieces[route, owner, MERCHANT]
            rivals += count
            penalty += count + pieces[route, owner, MERCHANT]
    worth = max(LEAST, v["worth"][route] - w["displace"] * penalty)
    supply, stock = total(g["supply"], seat), total(g["stock"], seat)
    lacks_merchant = (v["with_merchant"] & bit(route)) != 0 and (
        pieces[route, seat, MERCHANT] + g["supply"][seat, MERCHANT] == 0
    )
    moved = min(ability_value(g, t, seat, BOOK), min(vacant, elsewhere))
    best = NOT_POSSIBLE
    for by_move in range(2):
        if by_move and moved == 0:
            break
        placed = vacant - moved * by_move
        needed = placed + rivals + penalty
        short = max(needed - supply, 1 if lacks_merchant and not by_move else 0)
        if short > stock and short > 0:
            continue
        actions = placed + by_move + rivals + 1
        if short > 0:
            bank = ability_value(g, t, seat, BANK)
            actions += (short + bank - 1) // bank
        if by_move and actions > budget and supply + stock > 0:
            continue  # pieces would only wander
        cost = actions + w["overhead"] + w["lift"] * moved * by_move
        rate = patient(w, worth, actions, budget, ability_value(g, t, seat, ACTIONS), rivals) / cost
        if rate > best:
            best = rate
            v["cost"][route] = actions
            if by_move:
                v["by_move"] |= bit(route)
    v["rate"][route] = best


@inner
def patient(w, worth, actions, budget, per_turn, rivals):
    """Worth, less for what must wait while opponents move, and for each of their pieces on the route."""
    if actions > budget:
        worth *= w["patience"]
        wait = actions - budget - per_turn
        while wait > 0:
            worth *= w["exposure"]
            wait -= per_turn
    for _ in range(rivals):
        worth *= w["shared"]
    return worth


@inner
def best_route(t, v, routes):
    """The route of a set with the highest rate, the first of equals; −1 when none is possible."""
    best, rate = -1, 0.0
    for route in range(t["num_routes"]):
        if routes & bit(route) and v["rate"][route] > rate:
            best, rate = route, v["rate"][route]
    return best


@inner
def worst_route(t, v, routes):
    """The route of a set that is not empty with the lowest rate, the first of equals."""
    worst = -1
    for route in range(t["num_routes"]):
        if routes & bit(route) and (worst < 0 or v["rate"][route] < v["rate"][worst]):
            worst = route
    return worst
