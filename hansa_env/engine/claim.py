"""Claiming a route (R5)."""

from __future__ import annotations

from hansa_env.engine.bits import bit
from hansa_env.engine.cities import found_extra_office, found_office, has_office, next_space, score_link
from hansa_env.engine.compile import inner
from hansa_env.engine.displace import offer_pieces
from hansa_env.engine.posts import take_piece
from hansa_env.engine.record import (
    ABILITY_BIT,
    ACTIONS,
    ASK_EXTRA,
    ASK_REWARD,
    ASK_WITH,
    CITY,
    DONE,
    EXTRA,
    EXTRA_OFFICE,
    MERCHANT,
    OTHER,
    PRIVILEGE,
    SPACE_BIT,
    TRADER,
)
from hansa_env.engine.turn import ask, end_action, spend_action


@inner
def score_control(g, t, route):
    """R5.1: the controller of each of the two cities gains 1; the neutral player never scores (R8.2.5)."""
    for side in range(2):
        controller = g["controller"][t["route_city"][route, side]]
        if controller >= 0 and controller != t["neutral"]:
            g["prestige"][controller] += 1


@inner
def draw_replacement(g, t):
    """R5.3: a replacement goes onto the active player's plate; with an empty pile the game will end (R7.1)."""
    if g["drawn"] < t["pile_size"]:
        g["plate_of"][g["drawn"]] = g["turn"]
        g["drawn"] += 1
    else:
        g["pile_ran_out"] = 1


@inner
def claim(g, t, route):
    """R5, up to the choice of R5.4."""
    spend_action(g)
    g["route"] = route
    score_control(g, t, route)
    kind = g["route_marker"][route]
    g["marker_taken"] = kind
    if kind >= 0:
        g["route_marker"][route] = -1
        g["markers"][g["turn"], kind] += 1
        draw_replacement(g, t)
    ask(g, ASK_REWARD, g["turn"])


@inner
def offer_rewards(g, t):
    """R5.4: at most one of office, extra office, develop, prestige space."""
    seat, route = g["turn"], g["route"]
    legal = g["legal"]
    legal[OTHER] = bit(DONE)
    for side in range(2):
        city = t["route_city"][route, side]
        if can_found(g, t, seat, route, city):
            legal[CITY] |= bit(city)
        ability = t["city_ability"][city]
        if ability >= 0 and g["abilities"][seat, ability] < t["ability_steps"][ability]:
            legal[OTHER] |= bit(ABILITY_BIT + ability)
    if extra_offices_usable(g, seat) > 0 and extra_office_cities(g, t, route):
        legal[OTHER] |= bit(EXTRA)
    if route == t["prestige_route"] and g["pieces"][route, seat, MERCHANT] > 0:
        for space in range(t["num_spaces"]):
            if g["prestige_spaces"][space] < 0 and g["abilities"][seat, PRIVILEGE] >= t["space_privilege"][space]:
                legal[OTHER] |= bit(SPACE_BIT + space)


@inner
def can_found(g, t, seat, route, city):
    """R5.5: the leftmost empty space takes a kind that lies on the route, and the privilege reaches its colour."""
    space = next_space(g, t, city)
    if space < 0 or g["abilities"][seat, PRIVILEGE] < t["office_privilege"][space]:
        return False
    return g["pieces"][route, seat, t["office_shape"][space]] > 0


@inner
def extra_offices_usable(g, seat):
    """R6.2: extra-office markers held before this action."""
    return g["markers"][seat, EXTRA_OFFICE] - (g["marker_taken"] == EXTRA_OFFICE)


@inner
def extra_office_cities(g, t, route):
    """R6.2: cities of the route that hold at least one office already."""
    cities = 0
    for side in range(2):
        if has_office(g, t["route_city"][route, side]):
            cities |= bit(t["route_city"][route, side])
    return cities


@inner
def clear_route(g, t, route, keep_neutral):
    """R5.4: the pieces left on the route go to their owner's stock; neutral ones leave the board but for `keep_neutral`."""
    for owner in range(t["owners"]):
        for kind in range(2):
            keep = keep_neutral if owner == t["neutral"] else 0
            while g["pieces"][route, owner, kind] > keep:
                take_piece(g, route, owner, kind)
                if owner != t["neutral"]:
                    g["stock"][owner, kind] += 1


@inner
def finish_claim(g, t):
    """R5.4, then the end of the action."""
    clear_route(g, t, g["route"], 0)
    end_action(g, t)


@inner
def reward_office(g, t, city):
    """R5.5: an office in a city of the claimed route, its coin, the link."""
    seat = g["turn"]
    kind = t["office_shape"][next_space(g, t, city)]
    take_piece(g, g["route"], seat, kind)
    space = found_office(g, t, city, seat, kind)
    g["prestige"][seat] += t["office_prestige"][space]
    score_link(g, t, seat)
    finish_claim(g, t)


@inner
def begin_extra_office(g):
    """R6.2: the marker is used; first the city is chosen, then the piece."""
    g["markers"][g["turn"], EXTRA_OFFICE] -= 1
    g["used"][g["turn"], EXTRA_OFFICE] += 1
    g["doing"] = EXTRA
    ask(g, ASK_EXTRA, g["turn"])


@inner
def offer_extra_office_cities(g, t):
    """R6.2."""
    g["legal"][CITY] = extra_office_cities(g, t, g["route"])


@inner
def choose_extra_office_city(g, city):
    """R6.2."""
    g["city"] = city
    ask(g, ASK_WITH, g["turn"])


@inner
def offer_claimed_pieces(g):
    """R6.2: any piece of the claimed route."""
    pieces = g["pieces"]
    offer_pieces(g, pieces[g["route"], g["seat"], TRADER], pieces[g["route"], g["seat"], MERCHANT])


@inner
def extra_office(g, t, kind):
    """R6.2."""
    seat = g["turn"]
    take_piece(g, g["route"], seat, kind)
    found_extra_office(g, t, g["city"], seat, kind)
    score_link(g, t, seat)
    finish_claim(g, t)


@inner
def develop(g, t, ability):
    """R5.8: the leftmost piece of the track goes to the supply; R2.2: more actions count at once."""
    seat = g["turn"]
    removed = g["abilities"][seat, ability]
    g["abilities"][seat, ability] = removed + 1
    g["supply"][seat, t["track_kind"][ability]] += 1
    if ability == ACTIONS:
        g["actions_left"] += t["ability_value"][ACTIONS, removed + 1] - t["ability_value"][ACTIONS, removed]


@inner
def reward_develop(g, t, ability):
    """R5.8, as the choice of R5.4."""
    develop(g, t, ability)
    finish_claim(g, t)


@inner
def reward_prestige(g, t, space):
    """R5.9."""
    take_piece(g, g["route"], g["turn"], MERCHANT)
    g["prestige_spaces"][space] = g["turn"]
    finish_claim(g, t)
