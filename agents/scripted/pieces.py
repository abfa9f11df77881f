"""Where the scripted player lays pieces in the middle of an action: victims, moves, relocations, the pawn."""

from __future__ import annotations

import numpy as np

from hansa_agents.scripted.countries import sources_of
from hansa_agents.scripted.routes import best_or_first, best_route, worst_route
from hansa_env.engine import action_space as kinds
from hansa_env.engine import state
from hansa_env.engine.action_space import action_of, is_offered, offered
from hansa_env.engine.bits import bit, lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.offices import is_player
from hansa_env.engine.rules.pieces import piece_place
from hansa_env.engine.rules.posts import lanes_of_others


@inner
def wants_merchant(game, v, seat, route):
    """Whether the reward in mind takes a merchant and none lies on the route yet."""
    return (v["with_merchant"] & bit(route)) != 0 and game["pieces"][seat, state.MERCHANT, route] == 0


@inner
def lanes_offered(game, tables):
    """Lanes on which a piece may be put, or from which one may be lifted, whatever its kind."""
    return offered(game, tables, kinds.ON_ROUTE + state.TRADER) | offered(game, tables, kinds.ON_ROUTE + state.MERCHANT)


@inner
def choose_removal(game, tables, v, seat):
    """R6.4, R13.3: opponents' pieces on the best route, else where most of them lie together; else done."""
    routes = offered(game, tables, kinds.ROUTE) & lanes_of_others(game, tables, seat)
    if routes:
        return action_of(tables, kinds.ROUTE, best_or_first(tables, v, routes))
    if is_offered(game, tables, kinds.VERB, kinds.DONE):
        return action_of(tables, kinds.VERB, kinds.DONE)
    return action_of(tables, kinds.ROUTE, lowest(offered(game, tables, kinds.ROUTE)))


@inner
def choose_site(game, tables, w, v, seat):
    """R6.7: a replacement marker goes where others' claims pay, and where the own next one may be."""
    best, worth = -1, 0.0
    for route in range(tables["num_routes"]):
        if is_offered(game, tables, kinds.ROUTE, route):
            here = w["site"][1] * v["rate"][route]
            for side in range(2):
                controller = game["controller"][tables["route_city"][route, side]]
                if is_player(tables, controller):
                    here += w["site"][0] if controller == seat else -w["site"][0]
            if best < 0 or here > worth:
                best, worth = route, here
    return action_of(tables, kinds.ROUTE, best)


@inner
def choose_victim(game, tables, seat):
    """R4.1: a trader before a merchant, since he costs less; R6.4, R13.3: a merchant first. Never an own piece if avoidable."""
    pieces = offered(game, tables, kinds.PIECE)
    removed = game["asked"] == state.ASK_REMOVED or game["asked"] == state.ASK_FETCHED_OTHERS
    first = state.MERCHANT if removed else state.TRADER
    for kind in (first, 1 - first):
        for step in range(1, tables["owners"]):
            piece = 2 * piece_place(game, tables, (seat + step) % tables["owners"]) + kind
            if pieces & bit(piece):
                return action_of(tables, kinds.PIECE, piece)
    return action_of(tables, kinds.PIECE, lowest(pieces))


@inner
def choose_lift(game, tables, v, seat):
    """R3.3: as many pieces as the best route has free posts, from the routes that promise least."""
    held = lanes_offered(game, tables)
    target = best_route(tables, v, v["by_move"])
    if target >= 0 and tables["ship_lane"][target] >= 0:
        return choose_lift_for_ships(game, tables, v, target)
    if is_offered(game, tables, kinds.VERB, kinds.DONE):
        lifted = game["hand"][state.TRADER] + game["hand"][state.MERCHANT]
        if target < 0 or lifted >= game["vacant"][target] or held & ~bit(target) & sources_of(tables, target) == 0:
            return action_of(tables, kinds.VERB, kinds.DONE)
    if target >= 0 and held & ~bit(target) & sources_of(tables, target):
        held &= ~bit(target) & sources_of(tables, target)
    route = worst_route(tables, v, held)
    kind = state.TRADER
    if not is_offered(game, tables, kinds.ON_ROUTE + state.TRADER, route):
        kind = state.MERCHANT
    elif target >= 0 and wants_merchant(game, v, seat, target) and game["hand"][state.MERCHANT] == 0:
        merchants = offered(game, tables, kinds.ON_ROUTE + state.MERCHANT) & held
        if merchants:
            kind, route = state.MERCHANT, worst_route(tables, v, merchants)
    return action_of(tables, kinds.ON_ROUTE + kind, route)


@inner
def choose_lift_for_ships(game, tables, v, target):
    """R3.3 for a maritime route (R9.4): merchants for its free ship posts, then traders for the others."""
    hand, sea, elsewhere = game["hand"], tables["ship_lane"][target], sources_of(tables, target) & ~tables["lanes_of"][target]
    merchants = offered(game, tables, kinds.ON_ROUTE + state.MERCHANT)
    traders = offered(game, tables, kinds.ON_ROUTE + state.TRADER)
    if hand[state.MERCHANT] < game["vacant"][sea] and merchants & elsewhere:
        return action_of(tables, kinds.ON_ROUTE + state.MERCHANT, worst_route(tables, v, merchants & elsewhere))
    for_others = hand[state.TRADER] + max(0, hand[state.MERCHANT] - game["vacant"][sea])
    if for_others < game["vacant"][target]:
        if traders & elsewhere:
            return action_of(tables, kinds.ON_ROUTE + state.TRADER, worst_route(tables, v, traders & elsewhere))
        if merchants & elsewhere:
            return action_of(tables, kinds.ON_ROUTE + state.MERCHANT, worst_route(tables, v, merchants & elsewhere))
    if is_offered(game, tables, kinds.VERB, kinds.DONE):
        return action_of(tables, kinds.VERB, kinds.DONE)
    if traders:
        return action_of(tables, kinds.ON_ROUTE + state.TRADER, worst_route(tables, v, traders))
    return action_of(tables, kinds.ON_ROUTE + state.MERCHANT, worst_route(tables, v, merchants))


@inner
def choose_put(game, tables, v, seat):
    """R3.3: the lifted pieces go to the best route with a free post."""
    routes = lanes_offered(game, tables)
    route = best_route(tables, v, routes)
    if route < 0:
        route = worst_route(tables, v, routes)
    return put_on(game, tables, v, seat, route)


@inner
def put_on(game, tables, v, seat, lane):
    """A piece onto a lane where one may be put: merchants onto the ships of its route, if it has any with a free post."""
    sea = tables["ship_lane"][tables["route_of"][lane]]
    if sea >= 0 and is_offered(game, tables, kinds.ON_ROUTE + state.MERCHANT, sea):
        return action_of(tables, kinds.ON_ROUTE + state.MERCHANT, sea)
    return action_of(tables, kinds.ON_ROUTE + kind_for(game, tables, v, seat, lane), lane)


@inner
def kind_for(game, tables, v, seat, route):
    """The kind to lay on a route among those legal there: a merchant if wanted, else a trader."""
    traders = is_offered(game, tables, kinds.ON_ROUTE + state.TRADER, route)
    merchants = is_offered(game, tables, kinds.ON_ROUTE + state.MERCHANT, route)
    if traders == 0 or (merchants != 0 and wants_merchant(game, v, seat, route)):
        return state.MERCHANT
    return state.TRADER


@inner
def choose_relocation(game, tables, v, seat):
    """R4.2-R4.4: onto the best routes in reach, as many pieces as are free. R8.2.2: neutral ones
    where they are in the opponent's way."""
    routes = lanes_offered(game, tables)
    if game["victim_owner"] == tables["neutral"]:
        rival = game["turn"]
        theirs = (game["held"][rival, state.TRADER] | game["held"][rival, state.MERCHANT]) & routes
        return action_of(tables, kinds.ON_ROUTE + state.TRADER, worst_route(tables, v, theirs if theirs else routes))
    return put_on(game, tables, v, seat, best_or_first(tables, v, routes))


@inner
def best_province(tables, v, provinces, sign):
    """R8.1: the province of a set whose best route promises most, or with sign −1 least; its first where none has any."""
    best, rate = lowest(provinces), -np.inf
    for province in range(tables["num_provinces"]):
        if provinces & bit(province):
            route = best_route(tables, v, tables["bordering"][province])
            if route >= 0 and sign * v["rate"][route] > rate:
                best, rate = province, sign * v["rate"][route]
    return best


@inner
def rides(tables, v, route, actions):
    """R8.1.3: whether a route elsewhere is worth an action more, and can be claimed with the rest of the turn."""
    best = best_route(tables, v, tables["open_to"][state.TRADER])
    if best < 0 or best == route or v["cost"][best] + 1 > actions:
        return False
    here = v["rate"][route] if route >= 0 else 0.0
    return v["rate"][best] * v["cost"][best] / (v["cost"][best] + 1) > here


@inner
def choose_province(game, tables, v):
    """R8.1.2: the pawn's start, far from what the opponent, who begins, could want; R8.1.3: the goal of a ride."""
    provinces = offered(game, tables, kinds.PROVINCE)
    sign = 1 if game["asked"] == state.ASK_RIDE else -1
    return action_of(tables, kinds.PROVINCE, best_province(tables, v, provinces, sign))
