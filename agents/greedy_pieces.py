"""Where the scripted player lays pieces in the middle of an action: victims, moves, relocations, the pawn."""

from __future__ import annotations

from hansa_agents.greedy_routes import best_route, worst_route
from hansa_env.engine import record as rec
from hansa_env.engine.bits import bit, lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.displace import piece_bit
from hansa_env.engine.place import total


@inner
def pick(word, thing):
    """A decision as one number."""
    return word * 64 + thing


@inner
def wants_merchant(g, v, seat, route):
    """Whether the reward in mind takes a merchant and none lies on the route yet."""
    return (v["with_merchant"] & bit(route)) != 0 and g["pieces"][route, seat, rec.MERCHANT] == 0


@inner
def choose_removal(g, t, v, seat):
    """R6.4: opponents' pieces on the best route, else where most of them lie together; else done."""
    theirs = 0
    for owner in range(t["owners"]):
        if owner != seat:
            theirs |= g["held"][owner, rec.TRADER] | g["held"][owner, rec.MERCHANT]
    routes = g["legal"][rec.ROUTE] & theirs
    if routes:
        route = best_route(t, v, routes)
        return pick(rec.ROUTE, route if route >= 0 else lowest(routes))
    if g["legal"][rec.OTHER] & bit(rec.DONE):
        return pick(rec.OTHER, rec.DONE)
    return pick(rec.ROUTE, lowest(g["legal"][rec.ROUTE]))


@inner
def choose_site(g, t, w, v, seat):
    """R6.7: a replacement marker goes where others' claims pay, and where the own next one may be."""
    best, worth = -1, 0.0
    for route in range(t["num_routes"]):
        if g["legal"][rec.ROUTE] & bit(route):
            here = w["site"][1] * v["rate"][route]
            for side in range(2):
                controller = g["controller"][t["route_city"][route, side]]
                if controller >= 0 and controller != t["neutral"]:
                    here += w["site"][0] if controller == seat else -w["site"][0]
            if best < 0 or here > worth:
                best, worth = route, here
    return pick(rec.ROUTE, best)


@inner
def choose_victim(g, t, seat):
    """R4.1: a trader before a merchant, since he costs less; R6.4: a merchant first. Never an own piece if avoidable."""
    first = rec.MERCHANT if g["doing"] == rec.REMOVE else rec.TRADER
    for kind in (first, 1 - first):
        for step in range(1, t["owners"]):
            piece = piece_bit(g, t, (seat + step) % t["owners"], kind)
            if g["legal"][rec.OTHER] & piece:
                return pick(rec.OTHER, lowest(piece))
    return pick(rec.OTHER, lowest(g["legal"][rec.OTHER]))


@inner
def choose_lift(g, t, v, seat):
    """R3.3: as many pieces as the best route has free posts, from the routes that promise least."""
    held = g["legal"][rec.ON_ROUTE_TRADER] | g["legal"][rec.ON_ROUTE_MERCHANT]
    target = best_route(t, v, v["by_move"])
    if g["legal"][rec.OTHER] & bit(rec.DONE):
        lifted = g["hand"][rec.TRADER] + g["hand"][rec.MERCHANT]
        if target < 0 or lifted >= g["vacant"][target] or held & ~bit(target) == 0:
            return pick(rec.OTHER, rec.DONE)
    if target >= 0 and held & ~bit(target):
        held &= ~bit(target)
    route = worst_route(t, v, held)
    kind = rec.TRADER
    if g["legal"][rec.ON_ROUTE_TRADER] & bit(route) == 0:
        kind = rec.MERCHANT
    elif target >= 0 and wants_merchant(g, v, seat, target) and g["hand"][rec.MERCHANT] == 0:
        merchants = g["legal"][rec.ON_ROUTE_MERCHANT] & held
        if merchants:
            kind, route = rec.MERCHANT, worst_route(t, v, merchants)
    return pick(kind, route)


@inner
def choose_put(g, t, v, seat):
    """R3.3: the lifted pieces go to the best route with a free post."""
    routes = g["legal"][rec.ON_ROUTE_TRADER] | g["legal"][rec.ON_ROUTE_MERCHANT]
    route = best_route(t, v, routes)
    if route < 0:
        route = worst_route(t, v, routes)
    return pick(kind_for(g, v, seat, route), route)


@inner
def kind_for(g, v, seat, route):
    """The kind to lay on a route among those legal there: a merchant if wanted, else a trader."""
    traders = g["legal"][rec.ON_ROUTE_TRADER] & bit(route)
    merchants = g["legal"][rec.ON_ROUTE_MERCHANT] & bit(route)
    if traders == 0 or (merchants != 0 and wants_merchant(g, v, seat, route)):
        return rec.MERCHANT
    return rec.TRADER


@inner
def choose_relocation(g, t, v, seat):
    """R4.2-R4.4: onto the best routes in reach, as many pieces as are free; nothing is lifted. R8.2.2: neutral ones
    where they are in the opponent's way."""
    legal = g["legal"]
    routes = legal[rec.ON_ROUTE_TRADER] | legal[rec.ON_ROUTE_MERCHANT]
    if g["victim_owner"] == t["neutral"]:
        rival = g["turn"]
        theirs = (g["held"][rival, rec.TRADER] | g["held"][rival, rec.MERCHANT]) & routes
        return pick(rec.ON_ROUTE_TRADER, worst_route(t, v, theirs if theirs else routes))
    idle = g["hand"][rec.TRADER] + g["hand"][rec.MERCHANT] == 0
    if idle and total(g["stock"], seat) + total(g["supply"], seat) == 0:  # R4.4: only lifting is left
        return pick(rec.OTHER, rec.DONE)
    route = best_route(t, v, routes)
    if route < 0:
        route = lowest(routes)
    return pick(kind_for(g, v, seat, route), route)


@inner
def best_province(t, v, provinces):
    """R8.1: the province of a set whose routes promise most."""
    best, rate = lowest(provinces), -2.0
    for province in range(t["num_provinces"]):
        if provinces & bit(province):
            route = best_route(t, v, t["bordering"][province])
            if route >= 0 and v["rate"][route] > rate:
                best, rate = province, v["rate"][route]
    return best


@inner
def rides(t, v, route, actions):
    """R8.1.3: whether a route elsewhere is worth an action more, and can be claimed with the rest of the turn."""
    best = best_route(t, v, t["all_routes"])
    if best < 0 or best == route or v["cost"][best] + 1 > actions:
        return False
    here = v["rate"][route] if route >= 0 else 0.0
    return v["rate"][best] * v["cost"][best] / (v["cost"][best] + 1) > here


@inner
def choose_province(g, t, v):
    """R8.1.2: the pawn's start, far from what the opponent, who begins, could want; R8.1.3: the goal of a ride."""
    provinces = g["legal"][rec.OTHER] >> rec.PROVINCE_BIT
    if g["asked"] == rec.ASK_RIDE:
        return pick(rec.OTHER, rec.PROVINCE_BIT + best_province(t, v, provinces))
    worst, rate = lowest(provinces), 1e9
    for province in range(t["num_provinces"]):
        if provinces & bit(province):
            route = best_route(t, v, t["bordering"][province])
            if route >= 0 and v["rate"][route] < rate:
                worst, rate = province, v["rate"][route]
    return pick(rec.OTHER, rec.PROVINCE_BIT + worst)
