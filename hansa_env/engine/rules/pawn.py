"""The two-player variant with the pawn (R8.1)."""

from __future__ import annotations

from hansa_env.engine.action_space import PROVINCE, offer_set
from hansa_env.engine.bits import bit, first_below
from hansa_env.engine.compile import inner
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
    """Seat 1 has chosen the province in which the pawn starts; seat 0 begins (R8.1.2)."""
    game["pawn"] = province
    ask(game, ASK_ACT, game["turn"])


@inner
def move_pawn(game, tables, province):
    """The free pawn move of a turn; made after an action it ends the turn (R8.1.3)."""
    game["pawn"] = province
    game["pawn_free"] = 0
    if game["acted"]:
        end_turn(game, tables)


@inner
def begin_ride(game):
    """Spend an action to move the pawn to any province; which one is asked next (R8.1.3)."""
    spend_action(game)
    ask(game, ASK_RIDE, game["turn"])


@inner
def play_ride(game, tables, kind, province):
    """The pawn moves to the chosen province, and the action ends (R8.1.3)."""
    game["pawn"] = province
    end_action(game, tables)
