"""Turns: their start and end, and the end of the game."""

from __future__ import annotations

from hansa_env.engine.bits import bit
from hansa_env.engine.cities import incomplete_cities
from hansa_env.engine.compile import inner
from hansa_env.engine.posts import occupied_routes
from hansa_env.engine.record import (
    ACTIONS,
    ASK_ACT,
    ASK_MARKER,
    BY_CITIES,
    BY_MARKERS,
    BY_PRESTIGE,
    BY_STALLING,
    OVER,
    PILE,
    TRUNCATED,
    WORDS,
)


@inner
def ability_value(g, t, seat, ability):
    """R1.2: what a player's track shows."""
    return t["ability_value"][ability, g["abilities"][seat, ability]]


@inner
def ask(g, question, seat):
    """The next question, and who answers it."""
    g["asked"] = question
    g["seat"] = seat


@inner
def spend_action(g):
    """One of the five actions (or the pawn's ride) begins."""
    g["actions_left"] -= 1
    g["acted"] = 1


@inner
def start_turn(g, t):
    """R2.1: as many actions as the ability shows."""
    g["actions_left"] = ability_value(g, t, g["turn"], ACTIONS)
    g["acted"] = 0
    g["started"] = 0
    g["pawn_free"] = t["pawn"]
    ask(g, ASK_ACT, g["turn"])


@inner
def end_action(g, t):
    """R7.1: after each action the end of the game is checked; else the active player goes on."""
    g["route"] = -1
    g["city"] = -1
    g["marker_taken"] = -1
    g["doing"] = 0
    for seat in range(t["players"]):
        if g["prestige"][seat] >= 20:
            end_game(g, BY_PRESTIGE)
            return
    if g["pile_ran_out"]:
        end_game(g, BY_MARKERS)
    elif g["completed"] >= t["cities_to_end"]:
        end_game(g, BY_CITIES)
    else:
        ask(g, ASK_ACT, g["turn"])


@inner
def count_stalled_turn(g, t, possible):
    """R7.8: every seat in turn had a turn without a single possible decision. Called at each `act` question."""
    if possible > 1:
        g["started"] = 1
        g["stalled"] = 0
    elif not g["started"]:
        g["stalled"] += 1
        if g["stalled"] == t["players"]:
            end_game(g, BY_STALLING)


@inner
def end_game(g, reason):
    """Nothing more is decided: remaining actions lapse, the markers on plates leave the game (R7.1)."""
    g["reason"] = reason
    g["actions_left"] = 0
    ask(g, OVER, g["turn"])
    for i in range(WORDS):
        g["legal"][i] = 0
    if reason != TRUNCATED:
        for i in range(PILE):
            g["plate_of"][i] = -1


@inner
def replacement_routes(g, t):
    """R6.7: routes without a marker and without a tradesman, with an empty printed space in one of their cities."""
    routes = t["marker_routes"] & ~occupied_routes(g, t)
    cities = incomplete_cities(g, t)
    found = 0
    for route in range(t["num_routes"]):
        ends = bit(t["route_city"][route, 0]) | bit(t["route_city"][route, 1])
        if routes & bit(route) and g["route_marker"][route] < 0 and ends & cities:
            found |= bit(route)
    return found


@inner
def waiting_marker(g, seat):
    """The marker on the seat's plate that was drawn first, as its place in the pile; -1 = none."""
    for i in range(g["drawn"]):
        if g["plate_of"][i] == seat:
            return i
    return -1


@inner
def end_turn(g, t):
    """R2.4, R6.7: the markers of the plate are placed one by one, then the next seat moves."""
    turn = g["turn"]
    if waiting_marker(g, turn) >= 0 and replacement_routes(g, t):
        ask(g, ASK_MARKER, turn)
        return
    g["turns"] += 1
    if g["turn_limit"] > 0 and g["turns"] >= g["turn_limit"]:
        end_game(g, TRUNCATED)
        return
    g["turn"] = (turn + 1) % t["players"]
    start_turn(g, t)
