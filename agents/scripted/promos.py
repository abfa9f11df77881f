"""The scripted player's promo markers (R13.5-R13.8)."""

from __future__ import annotations

from hansa_agents.scripted.approach import choose_income
from hansa_agents.scripted.routes import weigh_routes
from hansa_env.engine import action_space as kinds
from hansa_env.engine import state
from hansa_env.engine.action_space import action_of, is_offered, offered
from hansa_env.engine.bits import bit, lowest, size
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.desk import total
from hansa_env.engine.rules.pieces import piece_owner
from hansa_env.engine.rules.promo_markers import tradeable
from hansa_env.engine.rules.tokens import blocks_above

SUPPLY_TO_LAY = 3  # a token takes one trader of the supply
SPACES_SOON_FILLED = 2  # of a city
ABILITY_CITY = 2  # counts like so many routes more


@inner
def promo_to_use(game, tables, w, v, seat):
    """A promo marker whose time has come: a trade-in for a marker worth having, a token while it has time to pay; -1 = none."""
    if is_offered(game, tables, kinds.MARKER, state.TRADE_IN):
        for other in range(tables["players"]):
            if other != seat and best_to_take(game, w, other)[1] * v["left"] >= w["trade"]:
                return state.TRADE_IN
    if v["left"] > w["token"] and total(game["supply"], seat) >= SUPPLY_TO_LAY:
        if is_offered(game, tables, kinds.MARKER, state.TRIBUTE):
            return state.TRIBUTE
        if is_offered(game, tables, kinds.MARKER, state.BLOCK) and route_to_close(game, tables, v, seat) >= 0:
            return state.BLOCK
    return -1


@inner
def decide_promo(game, tables, w, v, seat):
    """The decision at a question of a promo marker, after `look`."""
    asked = game["asked"]
    if asked == state.ASK_TRADE_IN:
        return choose_partner(game, tables, w)
    if asked == state.ASK_TRADED:
        return action_of(tables, kinds.MARKER, best_to_take(game, w, game["partner"])[0])
    if asked == state.ASK_TOKEN:
        weigh_routes(game, tables, w, v, seat)
        return action_of(tables, kinds.ROUTE, choose_token_route(game, tables, v, seat))
    return choose_income(game, tables, seat, 0)


@inner
def best_to_take(game, w, other):
    """R13.5: the kind of another seat's used markers that is worth most, -1 = none, and that worth."""
    best, worth = -1, -100.0
    for marker in range(state.KINDS_OF_MARKERS):
        if tradeable(game, other, marker) and w["marker"][marker] > worth:
            best, worth = marker, w["marker"][marker]
    return best, worth


@inner
def choose_partner(game, tables, w):
    """R13.5: the seat that has the best marker to take."""
    pieces = offered(game, tables, kinds.PIECE)
    best = lowest(pieces)
    for piece in range(2 * tables["players"]):
        here, there = piece_owner(game, tables, piece), piece_owner(game, tables, best)
        if pieces & bit(piece) and best_to_take(game, w, here)[1] > best_to_take(game, w, there)[1]:
            best = piece
    return action_of(tables, kinds.PIECE, best)


@inner
def choose_token_route(game, tables, v, seat):
    """R13.8: a block where others are at work, a tribute between cities with room, many routes and abilities."""
    if game["marker_taken"] == state.BLOCK:
        return max(0, route_to_close(game, tables, v, seat))
    best, most = 0, -1
    for route in range(tables["num_routes"]):
        foundings = 0
        for side in range(2):
            city = tables["route_city"][route, side]
            room = min(SPACES_SOON_FILLED, tables["printed"][city] - game["filled"][city])
            traffic = size(tables["neighbours"][city]) + ABILITY_CITY * (tables["city_abilities"][city] != 0)
            foundings += max(0, room) * traffic
        if foundings > most:
            best, most = route, foundings
    return best


@inner
def route_to_close(game, tables, v, seat):
    """R13.7: the route of most worth with a free post where others have pieces and the seat none; -1 = none."""
    best, worth = -1, 0.0
    for route in range(tables["num_routes"]):
        theirs, own = 0, 0
        for owner in range(tables["players"]):
            count = game["pieces"][owner, state.TRADER, route] + game["pieces"][owner, state.MERCHANT, route]
            own += count if owner == seat else 0
            theirs += count if owner != seat else 0
        fit = theirs > 0 and own == 0 and game["vacant"][route] > 0 and blocks_above(game, route) == 0
        if fit and v["worth"][route] > worth:
            best, worth = route, v["worth"][route]
    return best
