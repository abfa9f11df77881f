"""England, Wales and Scotland as the scripted player counts them (R10): permissions, regions, pieces that a move can bring."""

from __future__ import annotations

from hansa_env.engine.bits import bit
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.countries import CITY, ENGLAND, GATEWAYS_OF_A_REGION, gateway_holder, standing_in
from hansa_env.engine.state import ASK_LIFT, ASK_PUT, MERCHANT, TRADER

NEVER = -1


@inner
def turns_to_wait(game, tables, seat, route, steps):
    """R10.5: how many turns pass until a seat has placed or displaced so often on a route; NEVER without a permission."""
    country = tables["country"][route]
    if country == ENGLAND or steps == 0:
        return 0
    now, each_turn = 0, 0
    for i in range(GATEWAYS_OF_A_REGION):
        gateway = tables["gateways"][country - 1, i]
        if gateway_holder(game, tables, gateway) == seat:
            each_turn += 1
            now += game["turn"] != seat or not game["permissions"] & bit(gateway)
    if steps <= now:
        return 0
    if each_turn == 0:
        return NEVER
    return (steps - now + each_turn - 1) // each_turn


@inner
def sources_of(tables, route):
    """R10.10: lanes from which a move may bring pieces to a route."""
    country = tables["country"][route]
    return tables["all_lanes"] if country == ENGLAND else tables["country_lanes"][country]


@inner
def movable_abroad(game, tables, seat, route):
    """R10.10: pieces that a move may bring to a route abroad, those on the route itself included."""
    country, count = tables["country"][route], 0
    if game["asked"] == ASK_LIFT or game["asked"] == ASK_PUT:
        count += game["foreign"][country - 1, TRADER] + game["foreign"][country - 1, MERCHANT]
    if game["asked"] != ASK_PUT:
        for lane in range(tables["num_lanes"]):
            if tables["country"][lane] == country:
                count += game["pieces"][seat, TRADER, lane] + game["pieces"][seat, MERCHANT, lane]
    return count


@inner
def look_at_regions(game, tables, v):
    """Note how the seats stand in each region (R10.16)."""
    for region in range(tables["num_regions"]):
        for owner in range(tables["players"]):
            v["standing"][region, owner] = standing_in(game, tables, region, owner)


@inner
def region_gain(game, tables, v, seat, city, control):
    """R10.16: points that one more office in a city brings in its regions as the board stands; `control`: and its control."""
    gain = 0
    for region in range(tables["num_regions"]):
        if tables["region_cities"][region] & bit(city):
            controller = game["controller"][city]
            taken = control and controller != seat
            own = v["standing"][region, seat]
            gain += place_points(tables, v, region, seat, own + 1 + CITY * taken, controller if taken else -1)
            gain -= place_points(tables, v, region, seat, own, -1)
    return gain


@inner
def place_points(tables, v, region, seat, own, loser):
    """R10.16: points of a seat that stands so in a region, where another has lost control of a city there."""
    if own == 0:
        return 0
    better, level, points = 0, 1, 0
    for other in range(tables["players"]):
        if other != seat:
            theirs = v["standing"][region, other] - CITY * (other == loser)
            better += theirs > own
            level += theirs == own
    for place in range(better, better + level):
        points += tables["region_points"][region, place]
    return points // level


@inner
def gateways_gained(game, tables, seat, city):
    """R10.6: regions for which the next printed office of a city gives the seat a permission that it does not have."""
    count = 0
    for region in range(tables["num_regions"]):
        for i in range(GATEWAYS_OF_A_REGION):
            gateway = tables["gateways"][region, i]
            count += tables["gateway_city"][gateway] == city and gateway_holder(game, tables, gateway) != seat
    return count
