"""Promo markers at `act` (R13.5-R13.7), and trade-in; tribute and block lie above routes, see `tokens`."""

from __future__ import annotations

from hansa_env.engine.action_space import MARKER, offer
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.desk import use_marker
from hansa_env.engine.rules.pieces import offer_piece, piece_owner
from hansa_env.engine.rules.tokens import begin_token
from hansa_env.engine.rules.turn import ask, end_action
from hansa_env.engine.state import ASK_TRADE_IN, ASK_TRADED, BLOCK, KINDS_OF_MARKERS, TRADE_IN, TRADER, TRIBUTE


@inner
def offer_promo_markers(game, tables, seat):
    """R13.5-R13.7: trade-in where a marker can be had by it; tribute and block with a trader in the supply."""
    markers = game["markers"]
    if markers[seat, TRADE_IN] > 0 and can_trade(game, tables, seat):
        offer(game, tables, MARKER, TRADE_IN)
    if game["supply"][seat, TRADER] > 0:
        for marker in (TRIBUTE, BLOCK):
            if markers[seat, marker] > 0:
                offer(game, tables, MARKER, marker)


@inner
def use_promo_marker(game, marker):
    """Use one; who is traded with, or which route it is laid above, is asked next (R13.5-R13.7)."""
    if marker == TRADE_IN:
        use_marker(game, TRADE_IN)
        ask(game, ASK_TRADE_IN, game["turn"])
    else:
        begin_token(game, marker)


@inner
def tradeable(game, seat, marker):
    """R13.5: whether a seat has a used marker of the kind, which is no trade-in."""
    return marker != TRADE_IN and game["used"][seat, marker] > 0


@inner
def has_tradeable(game, seat):
    """R13.5: whether a seat has any used marker that can be taken."""
    for marker in range(KINDS_OF_MARKERS):
        if tradeable(game, seat, marker):
            return True
    return False


@inner
def can_trade(game, tables, seat):
    """R13.5: whether another seat has a used marker that can be taken."""
    for other in range(tables["players"]):
        if other != seat and has_tradeable(game, other):
            return True
    return False


@inner
def offer_partners(game, tables):
    """R13.5: the other seats with a used marker, named like their traders."""
    for other in range(tables["players"]):
        if other != game["turn"] and has_tradeable(game, other):
            offer_piece(game, tables, other, TRADER)


@inner
def play_partner(game, tables, kind, piece):
    """The seat is chosen; which of its used markers is taken is asked next (R13.5)."""
    game["partner"] = piece_owner(game, tables, piece)
    ask(game, ASK_TRADED, game["turn"])


@inner
def offer_traded_markers(game, tables):
    """R13.5: the kinds of the used markers of the chosen seat."""
    for marker in range(KINDS_OF_MARKERS):
        if tradeable(game, game["partner"], marker):
            offer(game, tables, MARKER, marker)


@inner
def play_traded_marker(game, tables, kind, marker):
    """R13.5: the trade-in goes to the other seat's used markers, the one taken is unused again."""
    seat, partner = game["turn"], game["partner"]
    game["used"][seat, TRADE_IN] -= 1
    game["used"][partner, TRADE_IN] += 1
    game["used"][partner, marker] -= 1
    game["markers"][seat, marker] += 1
    game["partner"] = -1
    end_action(game, tables)
