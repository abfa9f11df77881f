"""Turns: their start and end, the replacement markers laid at their end, and the end of the game."""

from __future__ import annotations

from hansa_env.engine.bits import bit
from hansa_env.engine.compile import inner
from hansa_env.engine.decisions import ROUTE, clear_legal, offer_set
from hansa_env.engine.rules.desk import ability_value
from hansa_env.engine.rules.offices import incomplete_cities
from hansa_env.engine.rules.posts import occupied_routes, put_piece
from hansa_env.engine.state import (
    ACTIONS,
    ASK_ACT,
    ASK_MARKER,
    BY_CITIES,
    BY_MARKERS,
    BY_PRESTIGE,
    BY_STALLING,
    OVER,
    PILE,
    TRADER,
    TRUNCATED,
)

PRESTIGE_TO_END = 20  # R7.1


@inner
def ask(game, question, seat):
    """The next question, and who answers it."""
    game["asked"] = question
    game["seat"] = seat


@inner
def spend_action(game):
    """One of the five actions (or the pawn's ride) begins."""
    game["actions_left"] -= 1
    game["acted"] = 1


@inner
def start_turn(game, tables):
    """Begin the turn of seat `turn` with as many actions as its actions ability shows (R2.1)."""
    game["actions_left"] = ability_value(game, tables, game["turn"], ACTIONS)
    game["acted"] = 0
    game["could_decide"] = 0
    game["pawn_free"] = tables["pawn"]
    ask(game, ASK_ACT, game["turn"])


@inner
def forget_action(game):
    """What only the action that is finished needed to know."""
    game["route"] = -1
    game["city"] = -1
    game["marker_taken"] = -1
    game["victim_owner"] = -1
    game["victim_kind"] = 0
    game["settled"] = 0
    game["remaining"] = 0


@inner
def end_action(game, tables):
    """R7.1: after each action the end of the game is checked; else the active player goes on."""
    forget_action(game)
    for seat in range(tables["players"]):
        if game["prestige"][seat] >= PRESTIGE_TO_END:
            end_game(game, BY_PRESTIGE)
            return
    if game["pile_ran_out"]:
        end_game(game, BY_MARKERS)
    elif game["completed"] >= tables["cities_to_end"]:
        end_game(game, BY_CITIES)
    else:
        ask(game, ASK_ACT, game["turn"])


@inner
def note_possible_decisions(game, tables, possible):
    """R7.8: every seat in turn had a turn without a single possible decision. Called at each `act` question."""
    if possible > 1:
        game["could_decide"] = 1
        game["stalled"] = 0
    elif not game["could_decide"]:
        game["stalled"] += 1
        if game["stalled"] == tables["players"]:
            end_game(game, BY_STALLING)


@inner
def end_game(game, reason):
    """R7.1: nothing more is decided; remaining actions lapse, the markers on plates leave the game."""
    game["reason"] = reason
    game["actions_left"] = 0
    game["pile_ran_out"] = 0
    ask(game, OVER, game["turn"])
    clear_legal(game)
    if reason != TRUNCATED:
        for i in range(PILE):
            if game["plate_of"][i] >= 0:
                take_from_plate(game, i)


@inner
def take_from_plate(game, i):
    """The marker drawn as number i leaves its plate; returns its kind."""
    kind = game["pile"][i]
    game["plate"][game["plate_of"][i]] -= 1
    game["plate_of"][i] = -1
    game["pile"][i] = -1
    return kind


@inner
def draw_replacement(game, tables):
    """R5.3: a replacement goes onto the active player's plate; with an empty pile the game will end (R7.1)."""
    if game["drawn"] < tables["pile_size"]:
        game["plate_of"][game["drawn"]] = game["turn"]
        game["plate"][game["turn"]] += 1
        game["drawn"] += 1
    else:
        game["pile_ran_out"] = 1


@inner
def waiting_marker(game, seat):
    """D11: the marker on the seat's plate that was drawn first, by its number in the pile; there must be one."""
    i = 0
    while game["plate_of"][i] != seat:
        i += 1
    return i


@inner
def replacement_routes(game, tables):
    """R6.7: routes without a marker and without a tradesman, with an empty printed space in one of their cities."""
    routes = tables["marker_routes"] & ~occupied_routes(game, tables)
    cities = incomplete_cities(game, tables)
    found = 0
    for route in range(tables["num_routes"]):
        ends = bit(tables["route_city"][route, 0]) | bit(tables["route_city"][route, 1])
        if routes & bit(route) and game["route_marker"][route] < 0 and ends & cities:
            found |= bit(route)
    return found


@inner
def offer_replacement_routes(game, tables):
    """Offer the routes on which a marker of the plate may be laid (R6.7)."""
    offer_set(game, tables, ROUTE, replacement_routes(game, tables))


@inner
def play_replacement(game, tables, kind, route):
    """Lay the marker drawn first face up on a route (R6.7, D11), with a neutral trader in that variant (R8.2.4)."""
    game["route_marker"][route] = take_from_plate(game, waiting_marker(game, game["turn"]))
    if tables["neutral"] >= 0:
        put_piece(game, tables, route, tables["neutral"], TRADER)
    end_turn(game, tables)


@inner
def end_turn(game, tables):
    """R2.4, R6.7: the markers of the plate are placed one by one, then the next seat moves."""
    turn = game["turn"]
    if game["plate"][turn] > 0 and replacement_routes(game, tables):
        ask(game, ASK_MARKER, turn)
        return
    game["turns"] += 1
    if game["turn_limit"] > 0 and game["turns"] >= game["turn_limit"]:
        end_game(game, TRUNCATED)
        return
    game["turn"] = (turn + 1) % tables["players"]
    start_turn(game, tables)
