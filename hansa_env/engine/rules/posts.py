"""Pieces on the posts of routes, and the sets kept beside them.

Posts lie in lanes: those of a route, and apart from them the ship posts of a maritime one, for merchants only (R9.4).
"""

from __future__ import annotations

from hansa_env.engine.bits import bit, lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.state import MERCHANT, RINGS, TRADER


@inner
def put_piece(game, tables, lane, owner, kind):
    """A piece comes onto a free post."""
    game["pieces"][owner, kind, lane] += 1
    game["vacant"][lane] -= 1
    game["held"][owner, kind] |= bit(lane)
    if game["vacant"][lane] == 0:
        game["free"] &= ~bit(lane)
        route = tables["route_of"][lane]
        own = pieces_on(game, tables, route, owner, TRADER) + pieces_on(game, tables, route, owner, MERCHANT)
        if own == tables["posts"][route]:
            game["whole"][owner] |= bit(route)


@inner
def take_piece(game, tables, lane, owner, kind):
    """A piece leaves its post."""
    game["pieces"][owner, kind, lane] -= 1
    game["vacant"][lane] += 1
    game["free"] |= bit(lane)
    game["whole"][owner] &= ~bit(tables["route_of"][lane])
    if game["pieces"][owner, kind, lane] == 0:
        game["held"][owner, kind] &= ~bit(lane)


@inner
def pieces_on(game, tables, route, owner, kind):
    """Pieces of an owner and kind on a route, ship posts included."""
    count = game["pieces"][owner, kind, route]
    if tables["ship_lane"][route] >= 0:
        count += game["pieces"][owner, kind, tables["ship_lane"][route]]
    return count


@inner
def take_from_route(game, tables, route, owner, kind):
    """A piece leaves a route that is being cleared (R5.4): from a ship post only where no other holds such a piece."""
    lane = route if game["pieces"][owner, kind, route] > 0 else tables["ship_lane"][route]
    take_piece(game, tables, lane, owner, kind)


@inner
def occupied_lanes(game, tables):
    """Lanes with at least one tradesman of anyone."""
    lanes = 0
    for owner in range(tables["owners"]):
        lanes |= game["held"][owner, TRADER] | game["held"][owner, MERCHANT]
    return lanes


@inner
def lanes_of_others(game, tables, seat):
    """Lanes with a tradesman of another owner."""
    lanes = 0
    for owner in range(tables["owners"]):
        if owner != seat:
            lanes |= game["held"][owner, TRADER] | game["held"][owner, MERCHANT]
    return lanes


@inner
def nearest_free_lanes(game, tables, origin, kind):
    """R4.3, R9.5: lanes with a free post for a kind at the smallest distance from the route of `origin`, itself never counting;
    empty if none has."""
    free = game["free"] & tables["open_to"][kind]
    for distance in range(RINGS):
        lanes = tables["ring"][origin, distance] & free
        if lanes:
            return lanes
    return 0


@inner
def two_posts_free(game, lanes):
    """Whether the lanes of a set have at least two free posts together."""
    lanes &= game["free"]
    if lanes == 0:
        return False
    return (lanes & (lanes - 1)) != 0 or game["vacant"][lowest(lanes)] >= 2


@inner
def free_posts(game, lanes):
    """How many free posts the lanes of a set have together."""
    count, lanes = 0, lanes & game["free"]
    while lanes:
        count += game["vacant"][lowest(lanes)]
        lanes &= lanes - 1
    return count


@inner
def pawn_routes(game, tables):
    """R8.1.4: lanes on which the active player may place, displace and claim."""
    if game["pawn"] < 0:
        return tables["all_lanes"]
    return tables["bordering"][game["pawn"]]
