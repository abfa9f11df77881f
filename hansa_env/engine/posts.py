"""Pieces on the posts of routes, and the sets kept beside them."""

from __future__ import annotations

from hansa_env.engine.bits import bit, lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.record import MERCHANT, TRADER
from hansa_env.engine.tables import RINGS


@inner
def put_piece(g, t, route, owner, kind):
    """A piece comes onto a free post."""
    g["pieces"][route, owner, kind] += 1
    g["vacant"][route] -= 1
    g["held"][owner, kind] |= bit(route)
    if g["vacant"][route] == 0:
        g["free"] &= ~bit(route)
        if g["pieces"][route, owner, TRADER] + g["pieces"][route, owner, MERCHANT] == t["posts"][route]:
            g["whole"][owner] |= bit(route)


@inner
def take_piece(g, route, owner, kind):
    """A piece leaves its post."""
    g["pieces"][route, owner, kind] -= 1
    g["vacant"][route] += 1
    g["free"] |= bit(route)
    g["whole"][owner] &= ~bit(route)
    if g["pieces"][route, owner, kind] == 0:
        g["held"][owner, kind] &= ~bit(route)


@inner
def occupied_routes(g, t):
    """Routes with at least one tradesman of anyone."""
    routes = 0
    for owner in range(t["owners"]):
        routes |= g["held"][owner, TRADER] | g["held"][owner, MERCHANT]
    return routes


@inner
def nearest_free_routes(g, t, origin):
    """R4.3: routes with a free post at the smallest distance from `origin`, itself never counting; empty if none has."""
    for distance in range(RINGS):
        routes = t["ring"][origin, distance] & g["free"]
        if routes:
            return routes
    return 0


@inner
def two_posts_free_elsewhere(g, origin):
    """Whether routes other than `origin` have at least two free posts together."""
    routes = g["free"] & ~bit(origin)
    if routes == 0:
        return False
    return (routes & (routes - 1)) != 0 or g["vacant"][lowest(routes)] >= 2


@inner
def pawn_routes(g, t):
    """R8.1.4: routes on which the active player may place, displace and claim."""
    if g["pawn"] < 0:
        return t["all_routes"]
    return t["bordering"][g["pawn"]]
