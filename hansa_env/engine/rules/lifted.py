"""Pieces of anyone's that are lifted from posts, all before any is put down (R9.14a, R9.15, R13.3)."""

from __future__ import annotations

from hansa_env.engine.action_space import ON_ROUTE, VERB
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.pieces import piece_owner
from hansa_env.engine.rules.place import offer_on_lanes, spared_for_traders
from hansa_env.engine.rules.posts import put_piece, take_piece
from hansa_env.engine.rules.turn import ask, end_action
from hansa_env.engine.state import ASK_DROP, ASK_FETCH, ASK_FETCHED, LIFTED, TRADER

#: Who lifts is asked three questions, for the lane, the piece, and where it goes; their numbers lie alike for each marker.
TO_FETCHED, TO_DROP = ASK_FETCHED - ASK_FETCH, ASK_DROP - ASK_FETCH


@inner
def lifted_count(game):
    """How many pieces of anyone's are in hand."""
    count = 0
    while count < LIFTED and game["lifted"][count] != 0:
        count += 1
    return count


@inner
def lift_anyones(game, tables, piece):
    """The piece that the decision names leaves the chosen lane and comes behind those lifted before."""
    owner, kind_of_piece = piece_owner(game, tables, piece), piece % 2
    take_piece(game, tables, game["route"], owner, kind_of_piece)
    game["lifted_from"][lifted_count(game)] = tables["country"][game["route"]]
    game["lifted"][lifted_count(game)] = 1 + 2 * owner + kind_of_piece
    game["route"] = -1
    game["remaining"] -= 1


@inner
def play_fetch(game, tables, kind, lane):
    """The lane of the piece to lift is chosen, or those lifted are put down (R9.14a, R13.3)."""
    if kind == VERB:
        put_down_lifted(game, tables, game["asked"] + TO_DROP)
    else:
        game["route"] = lane
        ask(game, game["asked"] + TO_FETCHED, game["turn"])


@inner
def play_fetched_piece(game, tables, kind, piece):
    """The piece is lifted; all are, before any is put down (R9.15)."""
    fetch = game["asked"] - TO_FETCHED
    lift_anyones(game, tables, piece)
    if game["remaining"] == 0:
        put_down_lifted(game, tables, fetch + TO_DROP)
    else:
        ask(game, fetch, game["turn"])


@inner
def put_down_lifted(game, tables, question):
    """R9.15: the lifted pieces are put down in the order they were lifted, by that question; after the last the action ends."""
    game["remaining"] = 0
    if game["lifted"][0] == 0:
        end_action(game, tables)
    else:
        ask(game, question, game["turn"])


@inner
def offer_drops(game, tables):
    """R9.14a, R13.3, R10.12: free posts of its country for the piece lifted first, such that those lifted after it find a post
    too (R9.4)."""
    kind, country, traders_after = (game["lifted"][0] - 1) % 2, game["lifted_from"][0], 0
    for i in range(1, LIFTED):
        trader = game["lifted"][i] != 0 and (game["lifted"][i] - 1) % 2 == TRADER
        traders_after += trader and game["lifted_from"][i] == country
    lanes = game["free"] & tables["country_lanes"][country]
    if kind == TRADER:
        offer_on_lanes(game, tables, 1, 0, lanes)
    else:
        offer_on_lanes(game, tables, 0, 1, spared_for_traders(game, tables, lanes, traders_after))


@inner
def play_drop(game, tables, kind, lane):
    """The piece lifted first is put down (R9.14a, R13.3)."""
    put_piece(game, tables, lane, (game["lifted"][0] - 1) // 2, kind - ON_ROUTE)
    for i in range(LIFTED):
        game["lifted"][i] = game["lifted"][i + 1] if i + 1 < LIFTED else 0
        game["lifted_from"][i] = game["lifted_from"][i + 1] if i + 1 < LIFTED else 0
    put_down_lifted(game, tables, game["asked"])
