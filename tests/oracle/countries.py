"""England, Wales and Scotland: permissions, and the ranking at the end (R10)."""

from .model import controller, owner


def rightmost_owner(game, city):
    """R10.6: the seat with the rightmost printed office, whoever controls the city, or None."""
    printed = [piece for piece in game.offices[city] if piece]
    return owner(printed[-1]) if printed else None


def permission_for(game, route):
    """R10.5 to R10.8: the city whose permission an action on a foreign route would use, or None.

    The country's own gateway comes before London, as the board lists them.
    """
    region = game.board.regions[game.board.country[route]]
    for city in region["gateways"]:
        if city not in game.permissions_used and rightmost_owner(game, city) == game.turn:
            return city
    return None


def is_permitted(game, route):
    """R10.5: in England always, elsewhere with a permission."""
    return not game.board.is_abroad(route) or permission_for(game, route) is not None


def use_permission(game, route):
    """R10.5: placing and displacing in Wales or Scotland use it up for this turn."""
    if game.board.is_abroad(route):
        game.permissions_used.append(permission_for(game, route))


def offices_in(game, seat, region):
    offices = game.offices_of(seat)
    return sum(offices.get(city, 0) for city in region["cities"])


def region_shares(game, region):
    """R10.16: points for each seat with an office there, by cities controlled, then by offices."""
    ranks = {}
    for seat in range(len(game.players)):
        controlled = sum(controller(game, city) == seat for city in region["cities"])
        offices = offices_in(game, seat, region)
        if offices > 0:
            ranks[seat] = (controlled, offices)
    shares = {}
    places = list(region["points"])
    for rank in sorted(set(ranks.values()), reverse=True):
        level = [seat for seat in ranks if ranks[seat] == rank]
        points = sum(places[: len(level)]) // len(level)
        places = places[len(level) :]
        shares.update(dict.fromkeys(level, points))
    return shares


def region_points(game, seat):
    """R10.16, R10.18: for Wales, and on the large side again for Scotland."""
    return sum(region_shares(game, region).get(seat, 0) for region in game.board.regions.values())
