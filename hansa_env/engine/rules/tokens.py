"""Tokens: the markers tribute and block, laid above a route with a trader of their owner, where they stay (R13.6-R13.8)."""

from __future__ import annotations

from hansa_env.engine.action_space import ROUTE, offer_set
from hansa_env.engine.bits import first_below
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.desk import pay_piece, total, use_marker
from hansa_env.engine.rules.turn import ask, end_action
from hansa_env.engine.sorted_lists import insert_sorted
from hansa_env.engine.state import ASK_TOKEN, BLOCK, TOKENS, TRADER, TRIBUTE


@inner
def token_owner(token):
    """The seat of a token as stored; -1 for none."""
    return (token + 1) // 2 - 1


@inner
def token_marker(token):
    """TRIBUTE or BLOCK; the token must be one."""
    return TRIBUTE + (token - 1) % 2


@inner
def tokens_of(game, seat):
    """How many tokens of a seat lie above routes."""
    count = 0
    for i in range(TOKENS):
        count += token_owner(game["token"][i]) == seat
    return count


@inner
def blocks_above(game, route):
    """R13.7, R13.8: how many tradesmen a piece placed on the route costs beside itself."""
    count = 0
    for i in range(TOKENS):
        count += game["token_route"][i] == route and token_marker(game["token"][i]) == BLOCK
    return count


@inner
def affordable_lanes(game, tables, seat, lanes):
    """R13.7: the lanes of a set on which the seat can place, once the blocks above their routes are paid for."""
    for i in range(TOKENS):
        route = game["token_route"][i]
        if route >= 0 and total(game["supply"], seat) <= blocks_above(game, route):
            lanes &= ~tables["lanes_of"][route]
    return lanes


@inner
def play_block_payment(game, tables, kind, verb):
    """R13.7: one piece goes from supply to stock; after the last the action ends."""
    if pay_piece(game, verb):
        end_action(game, tables)


@inner
def begin_token(game, marker):
    """Use tribute or block: it stands among the used markers until it is laid; above which route is asked (R13.6, R13.7)."""
    use_marker(game, marker)
    game["marker_taken"] = marker  # those that paid for favours stand among the used ones too (R12.2)
    ask(game, ASK_TOKEN, game["turn"])


@inner
def offer_token_routes(game, tables):
    """R13.8: any route."""
    offer_set(game, tables, ROUTE, first_below(tables["num_routes"]))


@inner
def play_token(game, tables, kind, route):
    """The token is laid, with a trader of the supply (R13.6, R13.7); the list stays sorted by route."""
    seat, marker = game["turn"], game["marker_taken"]
    game["used"][seat, marker] -= 1
    game["supply"][seat, TRADER] -= 1
    insert_sorted(game["token_route"], game["token"], route, 1 + 2 * seat + marker - TRIBUTE)
    end_action(game, tables)
