"""England, Wales and Scotland (R10): permissions, what stays in its country, and the regions' points at the end.

Countries are numbered as in `Board.countries`; region i is country i + 1.
"""

from __future__ import annotations

from hansa_env.engine.action_space import ON_ROUTE, offer_set
from hansa_env.engine.bits import bit, lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.offices import offices_in_city, owner_of
from hansa_env.engine.rules.posts import free_posts, pawn_routes
from hansa_env.engine.state import MERCHANT, REGIONS, TRADER

ENGLAND = 0
GATEWAYS_OF_A_REGION = 2
CITY = 64  # more than a seat has offices in a region, so that cities controlled come first in a rank


@inner
def gateway_holder(game, tables, gateway):
    """R10.6: the owner of the rightmost printed office of a gateway, whoever controls the city; -1 = nobody."""
    city = tables["gateway_city"][gateway]
    if game["filled"][city] == 0:
        return -1
    return owner_of(game["offices"][tables["first_office"][city] + game["filled"][city] - 1])


@inner
def permitting_gateway(game, tables, region):
    """R10.5-R10.8: the gateway whose permission an action of the active seat in a region would use; -1 = none is left."""
    for i in range(GATEWAYS_OF_A_REGION):
        gateway = tables["gateways"][region, i]
        if not game["permissions"] & bit(gateway) and gateway_holder(game, tables, gateway) == game["turn"]:
            return gateway
    return -1


@inner
def lanes_to_act_on(game, tables):
    """R8.1.4, R10.5: lanes on which the active seat may place and displace."""
    if tables["num_regions"] > 0:
        return permitted_lanes(game, tables)
    return pawn_routes(game, tables)


@inner
def permitted_lanes(game, tables):
    """R10.5: on a board with regions, the lanes of England, and those abroad that the active seat has a permission for."""
    lanes = tables["country_lanes"][ENGLAND]
    for region in range(tables["num_regions"]):
        if permitting_gateway(game, tables, region) >= 0:
            lanes |= tables["country_lanes"][1 + region]
    return lanes


@inner
def use_permission(game, tables, lane):
    """R10.5: placing or displacing abroad uses up a permission for this turn."""
    country = tables["country"][lane]
    if country != ENGLAND:
        game["permissions"] |= bit(permitting_gateway(game, tables, country - 1))


@inner
def count_foreign(game, tables, kind, lane, change):
    """R10.10: a piece lifted abroad allows to put one of its kind there, which one put there uses up."""
    country = tables["country"][lane]
    if country != ENGLAND:
        game["foreign"][country - 1, kind] += change


@inner
def forget_foreign(game):
    """R10.10: no piece is lifted abroad: the move is over, or the game begins."""
    for region in range(REGIONS):
        for kind in range(2):
            game["foreign"][region, kind] = 0


@inner
def lanes_open_to(tables, near):
    """R10.11: lanes whose pieces may go to some lane of a set: those of one's country and of England."""
    lanes = 0
    for country in range(1 + tables["num_regions"]):
        if near & tables["open_from"][country]:
            lanes |= tables["country_lanes"][country]
    return lanes


@inner
def offer_moves_in_countries(game, tables):
    """R10.10: the pieces in hand, abroad no more than were lifted there, and so that the rest of the hand finds posts.

    Whether it does depends on the kind, the country and whether it is a ship post, not on the lane.
    """
    hand = game["hand"]
    houses = tables["open_to"][TRADER]
    home = tables["country_lanes"][ENGLAND] & houses
    plenty = free_posts(game, home) > hand[TRADER] + hand[MERCHANT]
    for kind in range(2):
        if hand[kind] == 0:
            continue
        for country in range(1 + tables["num_regions"]):
            if country != ENGLAND and game["foreign"][country - 1, kind] == 0:
                continue
            lanes = game["free"] & tables["country_lanes"][country]
            ashore, at_sea = lanes & houses, lanes & ~houses
            if ashore and (plenty or room_for_rest(game, tables, kind, country, 0)):
                offer_set(game, tables, ON_ROUTE + kind, ashore)
            if kind == MERCHANT and at_sea and (plenty or room_for_rest(game, tables, kind, country, 1)):
                offer_set(game, tables, ON_ROUTE + kind, at_sea)


@inner
def room_for_rest(game, tables, kind, country, at_sea):
    """R10.10: whether the other pieces in hand find posts once one has taken a house or ship post of a country."""
    traders, merchants = game["hand"][TRADER] - (kind == TRADER), game["hand"][MERCHANT] - (kind == MERCHANT)
    houses, ships = free_in(game, tables, country, ENGLAND, at_sea)
    first, second = 1, 2  # with one region, no piece may be put in the second
    for there in range(abroad(game, kind, country, first, TRADER, traders) + 1):
        for beyond in range(abroad(game, kind, country, second, TRADER, traders - there) + 1):
            left = traders - there - beyond
            sent = room_abroad(game, tables, kind, country, at_sea, first, there)
            more = room_abroad(game, tables, kind, country, at_sea, second, beyond)
            if sent >= 0 and more >= 0 and left <= houses and left + merchants - sent - more <= houses + ships:
                return True
    return False


@inner
def abroad(game, kind, country, region_country, rest, most):
    """How many of the other pieces of a kind may be put in a region, at most `most`."""
    put_there = country == region_country and kind == rest
    return min(game["foreign"][region_country - 1, rest] - put_there, most)


@inner
def room_abroad(game, tables, kind, country, at_sea, region_country, traders):
    """How many merchants a region takes beside so many traders; -1 = the traders themselves find no room."""
    houses, ships = free_in(game, tables, country, region_country, at_sea)
    if traders > houses:
        return -1
    return min(abroad(game, kind, country, region_country, MERCHANT, 127), houses - traders + ships)


@inner
def free_in(game, tables, taken, country, at_sea):
    """Free house and ship posts of a country, once a house or ship post of the country `taken` is filled."""
    lanes = tables["country_lanes"][country]
    houses = free_posts(game, lanes & tables["open_to"][TRADER])
    ships = free_posts(game, lanes & ~tables["open_to"][TRADER])
    if taken == country and at_sea:
        return houses, ships - 1
    return houses - (taken == country), ships


@inner
def standing_in(game, tables, region, seat):
    """R10.16: what orders the seats in a region: cities controlled there, then offices there; 0 = no office."""
    cities = game["presence"][seat] & tables["region_cities"][region]
    rank = 0
    while cities:
        city = lowest(cities)
        cities &= cities - 1
        rank += CITY * (game["controller"][city] == seat) + offices_in_city(game, tables, city, seat)
    return rank


@inner
def region_points(game, tables, seat):
    """R10.16, R10.18: a seat's points for all regions; who stand level share their places' points, rounded down."""
    points = 0
    for region in range(tables["num_regions"]):
        own = standing_in(game, tables, region, seat)
        if own == 0:
            continue
        better, level = 0, 0
        for other in range(tables["players"]):
            theirs = standing_in(game, tables, region, other)
            better += theirs > own
            level += theirs == own
        places = 0
        for place in range(better, better + level):
            places += tables["region_points"][region, place]
        points += places // level
    return points
