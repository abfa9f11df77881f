"""The permanent marker that sends two own tradesmen abroad (R10.14, R10.15): from the stock, else the supply, else posts."""

from __future__ import annotations

from hansa_env.engine.action_space import DONE, ON_ROUTE, VERB, offer, offer_set
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.countries import ENGLAND
from hansa_env.engine.rules.desk import further_pieces, nothing_in_reserve, take_further_piece
from hansa_env.engine.rules.place import offer_on_lanes
from hansa_env.engine.rules.posts import put_piece, take_piece
from hansa_env.engine.rules.turn import ask, end_action
from hansa_env.engine.state import ASK_SEND, ASK_SEND_LIFT, MERCHANT, TRADER

MOST_SENT = 2


@inner
def begin_send(game):
    """Up to two own tradesmen may go abroad (R10.14)."""
    game["remaining"] = MOST_SENT
    continue_send(game)


@inner
def continue_send(game):
    """R10.15: judged anew for each of the two, where it comes from."""
    ask(game, ASK_SEND_LIFT if nothing_in_reserve(game, game["turn"]) else ASK_SEND, game["turn"])


@inner
def lanes_abroad(game, tables):
    """Free posts of Wales and Scotland."""
    return game["free"] & ~tables["country_lanes"][ENGLAND]


@inner
def offer_sends(game, tables):
    """R10.14: a piece lifted for it, which must be put down; else one of the stock, with an empty stock of the supply."""
    seat, hand = game["turn"], game["hand"]
    if hand[TRADER] + hand[MERCHANT] > 0:
        offer_on_lanes(game, tables, hand[TRADER], hand[MERCHANT], lanes_abroad(game, tables))
        return
    traders, merchants = further_pieces(game, seat, TRADER), further_pieces(game, seat, MERCHANT)
    offer_on_lanes(game, tables, traders, merchants, lanes_abroad(game, tables))
    offer(game, tables, VERB, DONE)


@inner
def play_send(game, tables, kind, thing):
    """R10.14: a piece is put abroad, or no more are."""
    if kind == VERB:
        end_action(game, tables)
        return
    if game["hand"][kind - ON_ROUTE] > 0:
        game["hand"][kind - ON_ROUTE] = 0
    else:
        take_further_piece(game, game["turn"], kind - ON_ROUTE)
    put_piece(game, tables, thing, game["turn"], kind - ON_ROUTE)
    game["remaining"] -= 1
    if game["remaining"] == 0:
        end_action(game, tables)
    else:
        continue_send(game)


@inner
def offer_lifts_to_send(game, tables):
    """R10.15: with stock and supply empty, own pieces of any country; one from abroad may go back to its post."""
    for kind in range(2):
        lanes = game["held"][game["turn"], kind]
        if lanes_abroad(game, tables) & tables["open_to"][kind] == 0:
            lanes &= ~tables["country_lanes"][ENGLAND]
        offer_set(game, tables, ON_ROUTE + kind, lanes)
    offer(game, tables, VERB, DONE)


@inner
def play_lift_to_send(game, tables, kind, thing):
    """R10.15: a piece is lifted, to be put down abroad, or no more are."""
    if kind == VERB:
        end_action(game, tables)
        return
    take_piece(game, tables, thing, game["turn"], kind - ON_ROUTE)
    game["hand"][kind - ON_ROUTE] = 1
    ask(game, ASK_SEND, game["turn"])
