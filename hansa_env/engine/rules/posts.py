"""Pieces on the posts of routes, and the sets kept beside them."""

from __future__ import annotations

from hansa_env.engine.bits import bit, lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.state import MERCHANT, RINGS, TRADER


@inner
def put_piece(game, tables, route, owner, kind):
    """A piece comes onto a free post."""
    game["pieces"][route, owner, kind] += 1
    game["vacant"][route] -= 1
    game["held"][owner, kind] |= bit(route)
    if game["vacant"][route] == 0:
        game["free"] &= ~bit(route)
        if game["pieces"][route, owner, TRADER] + game["pieces"][route, owner, MERCHANT] == tables["posts"][route]:
            game["whole"][owner] |= bit(route)


@inner
def take_piece(game, route, owner, kind):
    """A piece leaves its post."""
    game["pieces"][route, owner, kind] -= 1
    game["vacant"][route] += 1
    game["free"] |= bit(route)
    game["whole"][owner] &= ~bit(route)
    if game["pieces"][route, owner, kind] == 0:
        game["held"][owner, kind] &= ~bit(route)


@inner
def occupied_routes(game, tables):
    """Routes with at least one tradesman of anyone."""
    routes = 0
    for owner in range(tables["owners"]):
        routes |= game["held"][owner, TRADER] | game["held"][owner, MERCHANT]
    return routes


@inner
def nearest_free_routes(game, tables, origin):
    """R4.3: routes with a free post at the smallest distance from `origin`, itself never counting; empty if none has."""
    for distance in range(RINGS):
        routes = tables["ring"][origin, distance] & game["free"]
        if routes:
            return routes
    return 0


@inner
def two_posts_free_elsewhere(game, origin):
    """Whether routes other than `origin` have at least two free posts together."""
    routes = game["free"] & ~bit(origin)
    if routes == 0:
        return False
    return (routes & (routes - 1)) != 0 or game["vacant"][lowest(routes)] >= 2


@inner
def pawn_routes(game, tables):
    """R8.1.4: routes on which the active player may place, displace and claim."""
    if game["pawn"] < 0:
        return tables["all_routes"]
    return tables["bordering"][game["pawn"]]
