"""A new game (R1), and the reshuffling of what nobody can see."""

from __future__ import annotations

from hansa_env.engine.bits import bit
from hansa_env.engine.compile import inner
from hansa_env.engine.posts import put_piece
from hansa_env.engine.record import (
    ASK_PAWN,
    CITIES,
    EXTRAS,
    OFFICES,
    OWNERS,
    PILE,
    ROUTES,
    SPACES,
    TRADER,
    WORDS,
)
from hansa_env.engine.rng import GAMMA, below, mix, shuffle
from hansa_env.engine.turn import ask, start_turn


@inner
def clear(g):
    """An empty record."""
    for i in range(WORDS):
        g["legal"][i] = 0
    g["free"] = 0
    for owner in range(OWNERS):
        g["whole"][owner] = 0
        g["presence"][owner] = 0
        g["prestige"][owner] = 0
        g["linked"][owner] = -1
        for kind in range(2):
            g["held"][owner, kind] = 0
            g["supply"][owner, kind] = 0
            g["stock"][owner, kind] = 0
        for i in range(5):
            g["abilities"][owner, i] = 0
        for i in range(6):
            g["markers"][owner, i] = 0
            g["used"][owner, i] = 0
    for route in range(ROUTES):
        g["vacant"][route] = 0
        g["route_marker"][route] = -1
        for owner in range(OWNERS):
            for kind in range(2):
                g["pieces"][route, owner, kind] = 0
    for i in range(OFFICES):
        g["offices"][i] = 0
    for city in range(CITIES):
        g["filled"][city] = 0
        g["controller"][city] = -1
    for i in range(EXTRAS):
        g["extra_city"][i] = -1
        g["extra_piece"][i] = 0
    for i in range(SPACES):
        g["prestige_spaces"][i] = -1
    for i in range(PILE):
        g["pile"][i] = -1
        g["plate_of"][i] = -1
    g["turns"] = 0
    g["completed"] = 0
    g["drawn"] = 0
    g["turn"] = 0
    g["reason"] = 0
    g["stalled"] = 0
    g["pile_ran_out"] = 0
    g["pawn"] = -1
    g["pawn_free"] = 0
    g["acted"] = 0
    g["actions_left"] = 0
    g["route"] = -1
    g["city"] = -1
    g["marker_taken"] = -1
    g["doing"] = 0
    g["victim_owner"] = 0
    g["victim_kind"] = 0
    g["settled"] = 0
    g["remaining"] = 0
    g["started"] = 0
    for kind in range(2):
        g["hand"][kind] = 0


@inner
def set_up(g, t, seed, turn_limit):
    """R1.3, R1.5, R8.2.1: the position before the first question; the markers come from the seed."""
    clear(g)
    g["seed"] = seed
    g["turn_limit"] = turn_limit
    for seat in range(t["players"]):
        for kind in range(2):
            g["supply"][seat, kind] = t["start_supply"][seat, kind]
            g["stock"][seat, kind] = t["start_stock"][seat, kind]
    for route in range(t["num_routes"]):
        g["vacant"][route] = t["posts"][route]
    g["free"] = t["all_routes"]

    pile = g["pile"]
    for i in range(3):
        pile[i] = t["start_marker"][i]
    state = shuffle(pile, 3, mix(seed))
    for i in range(3):
        g["route_marker"][t["tavern"][i]] = pile[i]
        pile[i] = -1
    for i in range(t["pile_size"]):
        pile[i] = t["pile"][i]
    shuffle(pile, t["pile_size"], state)

    for route in range(t["num_routes"]):
        if t["neutral"] >= 0 and t["neutral_start"] & bit(route):
            put_piece(g, t, route, t["neutral"], TRADER)


@inner
def first_question(g, t):
    """R8.1.2: in the pawn variant seat 1 sets up the pawn; else seat 0 begins."""
    start_turn(g, t)
    if t["pawn"]:
        ask(g, ASK_PAWN, 1)


@inner
def reshuffle_hidden(g, t, seed):
    """Shuffle the markers nobody has seen (the pile and the plates) over their places, and forget the game's seed."""
    state = mix(seed + GAMMA)
    g["seed"] = 0
    pile = g["pile"]
    for i in range(t["pile_size"] - 1, 0, -1):
        if not hidden(g, i):
            continue
        candidates = 0
        for k in range(i + 1):
            candidates += hidden(g, k)
        state += GAMMA
        target = below(mix(state), candidates)
        for k in range(i + 1):
            if hidden(g, k):
                if target == 0:
                    pile[i], pile[k] = pile[k], pile[i]
                    break
                target -= 1


@inner
def hidden(g, i):
    """Whether place i of the pile has not been seen: not drawn, or waiting on a plate."""
    return i >= g["drawn"] or g["plate_of"][i] >= 0
