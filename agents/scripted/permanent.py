"""The scripted player's answers where a permanent marker is used (R9.14), or the marker move-three (R13.3)."""

from __future__ import annotations

from hansa_agents.scripted.pieces import choose_put, choose_removal, choose_victim, lanes_offered, put_on
from hansa_agents.scripted.routes import best_green_city, best_route, weigh_routes, worst_route
from hansa_env.engine import action_space as kinds
from hansa_env.engine import state
from hansa_env.engine.action_space import action_of, offered
from hansa_env.engine.bits import bit
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.posts import lanes_of_others

WORSE = 0.5  # share of the best route's rate below which own pieces are fetched from a route


@inner
def decide_permanent(game, tables, w, v, seat):
    """The decision at a question of a permanent marker, after `look`."""
    asked = game["asked"]
    if asked == state.ASK_PERMANENT:
        return choose_development(tables, v)
    if asked == state.ASK_GREEN:
        return choose_green_city(game, tables, v)
    weigh_routes(game, tables, w, v, seat)
    if asked == state.ASK_FETCH:
        return choose_fetch(game, tables, v, seat)
    if asked == state.ASK_FETCHED:
        return choose_fetched(game, tables, v, seat)
    if asked == state.ASK_DROP:
        return choose_drop(game, tables, v, seat)
    if asked == state.ASK_SEND:
        return choose_sending(game, tables, v, seat)
    if asked == state.ASK_SEND_LIFT:
        return action_of(tables, kinds.VERB, kinds.DONE)
    return choose_landing(game, tables, v, seat)


@inner
def decide_move_three(game, tables, w, v, seat):
    """R13.3: opponents' pieces off the best route, as by a removal, to where they are in nobody's way."""
    weigh_routes(game, tables, w, v, seat)
    if game["asked"] == state.ASK_FETCH_OTHERS:
        return choose_removal(game, tables, v, seat)
    if game["asked"] == state.ASK_FETCHED_OTHERS:
        return choose_victim(game, tables, seat)
    return choose_drop(game, tables, v, seat)


@inner
def choose_development(tables, v):
    """R9.14b: privilege, where it is worth something."""
    if v["ability"][state.PRIVILEGE] >= 0.0:
        return action_of(tables, kinds.ABILITY, state.PRIVILEGE)
    return action_of(tables, kinds.VERB, kinds.DONE)


@inner
def choose_green_city(game, tables, v):
    """R9.14c: the city where the office is worth most, if anything."""
    cities = offered(game, tables, kinds.CITY)
    if cities:
        city = best_green_city(v, cities)
        if v["placed"][city] > 0.0:
            return action_of(tables, kinds.CITY, city)
    return action_of(tables, kinds.VERB, kinds.DONE)


@inner
def lifted_of(game, seat, kind):
    """How many of the lifted pieces are the seat's own of a kind."""
    count = 0
    for i in range(state.LIFTED):
        count += game["lifted"][i] == 1 + 2 * seat + kind
    return count


@inner
def lanes_to_fetch_from(game, tables, v, seat, target, kind):
    """Lanes of other routes with own pieces of a kind that are worth more on the target: merchants on its ships, where it has
    any, and traders on its other posts."""
    lane = target
    if kind == state.MERCHANT and tables["ship_lane"][target] >= 0:
        lane = tables["ship_lane"][target]
    if game["vacant"][lane] <= lifted_of(game, seat, kind):
        return 0
    country = tables["country_lanes"][tables["country"][target]]  # R10.12
    lanes, worse = game["held"][seat, kind] & country & ~tables["lanes_of"][target], 0
    for lane in range(tables["num_lanes"]):
        if lanes & bit(lane) and v["rate"][lane] < WORSE * v["rate"][target]:
            worse |= bit(lane)
    return worse


@inner
def choose_fetch(game, tables, v, seat):
    """R9.14a: own pieces from where they promise little to the best route, else others' off the best that they are on."""
    target = best_route(tables, v, tables["all_lanes"])
    if target >= 0:
        target = tables["route_of"][target]
        for kind in (state.MERCHANT, state.TRADER):
            lanes = lanes_to_fetch_from(game, tables, v, seat, target, kind)
            if lanes:
                return action_of(tables, kinds.ROUTE, worst_route(tables, v, lanes))
    lane = best_route(tables, v, lanes_of_others(game, tables, seat))
    if lane >= 0:
        return action_of(tables, kinds.ROUTE, lane)
    return action_of(tables, kinds.VERB, kinds.DONE)


@inner
def choose_fetched(game, tables, v, seat):
    """R9.14a: the own piece that was meant, else one of another's."""
    target = tables["route_of"][best_route(tables, v, tables["all_lanes"])]  # there is one, or nothing would be fetched
    for kind in (state.MERCHANT, state.TRADER):
        if lanes_to_fetch_from(game, tables, v, seat, target, kind) & bit(game["route"]):
            return action_of(tables, kinds.PIECE, kind)
    return choose_victim(game, tables, seat)


@inner
def choose_drop(game, tables, v, seat):
    """R9.14a: own pieces go where they are put in a move; others' where neither they nor the seat gain much."""
    owner = (game["lifted"][0] - 1) // 2
    if owner == seat:
        return choose_put(game, tables, v, seat)
    kind = kinds.ON_ROUTE + (game["lifted"][0] - 1) % 2
    lanes = offered(game, tables, kind)
    target = best_route(tables, v, tables["all_lanes"])
    if target >= 0 and lanes & ~tables["lanes_of"][target]:
        lanes &= ~tables["lanes_of"][target]
    theirs = game["held"][owner, state.TRADER] | game["held"][owner, state.MERCHANT]
    if lanes & ~theirs:
        lanes &= ~theirs
    return action_of(tables, kind, worst_route(tables, v, lanes))


@inner
def choose_landing(game, tables, v, seat):
    """R9.14d: pieces of the claimed route go on to the best route that takes them; else to the stock."""
    lanes = lanes_offered(game, tables)
    lane = best_route(tables, v, lanes)
    if lane < 0:
        return action_of(tables, kinds.VERB, kinds.DONE)
    return put_on(game, tables, v, seat, lane)


@inner
def choose_sending(game, tables, v, seat):
    """R10.14: pieces of the stock go abroad, to the best route; where none can be claimed yet, to the one worth most that
    lacks least."""
    lanes = lanes_offered(game, tables)
    lane = best_route(tables, v, lanes)
    if lane < 0:
        lane = most_promising(game, tables, v, lanes)
    return put_on(game, tables, v, seat, lane)


@inner
def most_promising(game, tables, v, lanes):
    """The lane of a set that is not empty whose route's claim is worth most for each post that is free there."""
    best, promise = -1, 0.0
    for lane in range(tables["num_lanes"]):
        if lanes & bit(lane):
            here = v["worth"][tables["route_of"][lane]] / game["vacant"][lane]
            if best < 0 or here > promise:
                best, promise = lane, here
    return best
