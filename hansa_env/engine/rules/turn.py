"""Turns: their start and end, laying the replacement markers at their end, and the end of the game."""

from __future__ import annotations

from hansa_env.engine.action_space import clear_legal
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.desk import actions_of_a_turn
from hansa_env.engine.rules.posts import put_piece
from hansa_env.engine.rules.replacement_markers import replacement_routes, take_from_plate, waiting_marker
from hansa_env.engine.state import (
    ASK_ACT,
    ASK_MARKER,
    BY_CITIES,
    BY_MARKERS,
    BY_PRESTIGE,
    BY_STALLING,
    DRAWN,
    OVER,
    TRADER,
    TRUNCATED,
)


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
    """Begin the turn of seat `turn` with as many actions as it has (R2.1)."""
    game["actions_left"] = actions_of_a_turn(game, tables, game["turn"])
    game["acted"] = 0
    game["favour_bought"] = 0
    game["could_decide"] = 0
    game["permissions"] = 0  # R10.5
    game["pawn_free"] = tables["pawn"]
    ask(game, ASK_ACT, game["turn"])


@inner
def clear_action_context(game):
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
    clear_action_context(game)
    for seat in range(tables["players"]):
        if game["prestige"][seat] >= tables["prestige_to_end"]:
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
        for i in range(DRAWN):
            if game["plate_of"][i] >= 0:
                take_from_plate(game, i)


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
