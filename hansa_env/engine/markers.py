"""Bonus markers (R6); the extra office stands with the claim it belongs to."""

from __future__ import annotations

from hansa_env.engine.bits import bit
from hansa_env.engine.cities import owner_of, update_control
from hansa_env.engine.claim import develop
from hansa_env.engine.compile import inner
from hansa_env.engine.posts import occupied_routes, put_piece, take_piece
from hansa_env.engine.record import (
    ABILITY_BIT,
    ASK_EXCHANGE,
    ASK_PAIR,
    ASK_REMOVE,
    CITY,
    DONE,
    EXCHANGE,
    EXCHANGE_OFFICES,
    FOUR_ACTIONS,
    OTHER,
    PAIR_BIT,
    PLUS_FOUR,
    PLUS_THREE,
    REMOVE,
    REMOVE_THREE,
    ROUTE,
    THREE_ACTIONS,
    TRADER,
    UPGRADE,
)
from hansa_env.engine.turn import ask, end_action, end_turn, replacement_routes, waiting_marker


@inner
def use_marker(g, kind):
    """R6.1: turned face down and kept."""
    g["markers"][g["turn"], kind] -= 1
    g["used"][g["turn"], kind] += 1


@inner
def offer_markers(g, t, seat):
    """R2.3: markers usable between actions."""
    markers = g["markers"]
    other = 0
    if markers[seat, EXCHANGE_OFFICES] > 0 and exchange_cities(g, t):
        other |= bit(EXCHANGE)
    if markers[seat, UPGRADE] > 0:
        for ability in range(5):
            if g["abilities"][seat, ability] < t["ability_steps"][ability]:
                other |= bit(ABILITY_BIT + ability)
    if markers[seat, REMOVE_THREE] > 0 and occupied_routes(g, t):
        other |= bit(REMOVE)
    if markers[seat, PLUS_THREE] > 0:
        other |= bit(THREE_ACTIONS)
    if markers[seat, PLUS_FOUR] > 0:
        other |= bit(FOUR_ACTIONS)
    g["legal"][OTHER] |= other


@inner
def use_upgrade(g, t, ability):
    """R6.5."""
    use_marker(g, UPGRADE)
    develop(g, t, ability)
    end_action(g, t)


@inner
def use_more_actions(g, t, verb):
    """R6.6."""
    if verb == THREE_ACTIONS:
        use_marker(g, PLUS_THREE)
        g["actions_left"] += 3
    else:
        use_marker(g, PLUS_FOUR)
        g["actions_left"] += 4
    end_action(g, t)


@inner
def pairs_of(g, t, city):
    """R6.3: neighbouring printed offices of different owners, pair 0 the leftmost two."""
    pairs = 0
    first = t["first_office"][city]
    for i in range(g["filled"][city] - 1):
        if owner_of(g["offices"][first + i]) != owner_of(g["offices"][first + i + 1]):
            pairs |= bit(i)
    return pairs


@inner
def exchange_cities(g, t):
    """R6.3: cities with two offices to exchange."""
    cities = 0
    for city in range(t["num_cities"]):
        if pairs_of(g, t, city):
            cities |= bit(city)
    return cities


@inner
def begin_exchange(g):
    """R6.3."""
    use_marker(g, EXCHANGE_OFFICES)
    ask(g, ASK_EXCHANGE, g["turn"])


@inner
def offer_exchange_cities(g, t):
    """R6.3."""
    g["legal"][CITY] = exchange_cities(g, t)


@inner
def choose_exchange_city(g, city):
    """R6.3."""
    g["city"] = city
    ask(g, ASK_PAIR, g["turn"])


@inner
def offer_pairs(g, t):
    """R6.3."""
    g["legal"][OTHER] = pairs_of(g, t, g["city"]) << PAIR_BIT


@inner
def exchange_offices(g, t, pair):
    """R6.3."""
    left = t["first_office"][g["city"]] + pair
    offices = g["offices"]
    offices[left], offices[left + 1] = offices[left + 1], offices[left]
    update_control(g, t, g["city"])
    end_action(g, t)


@inner
def begin_remove(g):
    """R6.4."""
    use_marker(g, REMOVE_THREE)
    g["doing"] = REMOVE
    g["remaining"] = 3
    g["started"] = 0
    ask(g, ASK_REMOVE, g["turn"])


@inner
def offer_removals(g, t):
    """R6.4."""
    g["legal"][ROUTE] = occupied_routes(g, t)
    if g["started"]:
        g["legal"][OTHER] = bit(DONE)


@inner
def remove(g, t, owner, kind):
    """R6.4: the piece goes to its owner's supply; a neutral one leaves the board."""
    take_piece(g, g["route"], owner, kind)
    if owner != t["neutral"]:
        g["supply"][owner, kind] += 1
    g["route"] = -1
    g["started"] = 1
    g["remaining"] -= 1
    if g["remaining"] == 0:
        end_action(g, t)
    else:
        ask(g, ASK_REMOVE, g["turn"])


@inner
def offer_replacement_routes(g, t):
    """R6.7."""
    g["legal"][ROUTE] = replacement_routes(g, t)


@inner
def place_replacement(g, t, route):
    """R6.7, D11: the marker drawn first comes face up; R8.2.4: with it a neutral trader."""
    i = waiting_marker(g, g["turn"])
    g["plate_of"][i] = -1
    g["route_marker"][route] = g["pile"][i]
    if t["neutral"] >= 0:
        put_piece(g, t, route, t["neutral"], TRADER)
    end_turn(g, t)
