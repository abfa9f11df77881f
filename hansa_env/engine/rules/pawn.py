"""The two-player variant with the pawn (R8.1)."""

from __future__ import annotations

from hansa_env.engine.bits import bit, first_below
from hansa_env.engine.compile import inner
from hansa_env.engine.decisions import PROVINCE, offer_set
from hansa_env.engine.rules.turn import ask, end_action, end_turn, spend_action
from hansa_env.engine.state import ASK_ACT, ASK_RIDE


@inner
def offer_provinces(game, tables):
    """R8.1.2: any province at the start; R8.1.3: any other one for an action."""
    provinces = first_below(tables["num_provinces"])
    if game["pawn"] >= 0:
        provinces &= ~bit(game["pawn"])
    offer_set(game, tables, PROVINCE, provinces)


@inner
def offer_free_pawn_move(game, tables):
    """R8.1.3: 1 or 2 provinces, before the first action or after the last (D10: stopping early is completing)."""
    if game["pawn_free"]:
        offer_set(game, tables, PROVINCE, tables["reach"][game["pawn"]])


@inner
def play_pawn_set_up(game, tables, kind, province):
    """R8.1.2: seat 1 sets the pawn up."""
    game["pawn"] = province
    ask(game, ASK_ACT, game["turn"])


@inner
def move_pawn(game, tables, province):
    """R8.1.3: the free move; after an action it ends the turn."""
    game["pawn"] = province
    game["pawn_free"] = 0
    if game["acted"]:
        end_turn(game, tables)


@inner
def begin_ride(game):
    """R8.1.3: an action takes the pawn to any province."""
    spend_action(game)
    ask(game, ASK_RIDE, game["turn"])


@inner
def play_ride(game, tables, kind, province):
    """R8.1.3: the province is chosen."""
    game["pawn"] = province
    end_action(game, tables)
