"""The scripted player's next step towards the route it wants."""

from __future__ import annotations

from hansa_agents.scripted.pieces import wants_merchant
from hansa_agents.scripted.rivals import rivals_on
from hansa_agents.scripted.routes import best_or_first
from hansa_agents.scripted.ships import merchants_for_ships
from hansa_env.engine import action_space as kinds
from hansa_env.engine import state
from hansa_env.engine.action_space import action_of, is_offered, offered
from hansa_env.engine.bits import bit, first_below, lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.countries import lanes_to_act_on
from hansa_env.engine.rules.desk import total
from hansa_env.engine.rules.displace import displaceable_lanes
from hansa_env.engine.rules.tokens import blocks_above


@inner
def approach(game, tables, w, v, seat, route):
    """The next step towards claiming a route: move, income, place or displace."""
    supply = total(game["supply"], seat)
    if is_offered(game, tables, kinds.VERB, kinds.MOVE) and v["by_move"] & bit(route):
        return action_of(tables, kinds.VERB, kinds.MOVE)
    if total(game["stock"], seat) > 0:
        lacking = merchants_wanted(game, tables, v, seat, route) - game["supply"][seat, state.MERCHANT]
        waits = v["cost"][route] > game["actions_left"] and supply <= w["low_supply"]
        if supply == 0 or waits or (lacking > 0 and game["stock"][seat, state.MERCHANT] > 0):
            return choose_income(game, tables, seat, lacking)
    lane = post_to_take(game, tables, seat, route)
    if lane >= 0 and supply > blocks(game, tables, route) and lanes_to_act_on(game, tables) & bit(lane):
        kind = choose_kind(game, v, seat, route, game["supply"]) if lane == route else state.MERCHANT
        return action_of(tables, kinds.ON_ROUTE + kind, lane)
    if is_offered(game, tables, kinds.VERB, kinds.REMOVE) and opponents_on(game, tables, seat, route):
        return action_of(tables, kinds.VERB, kinds.REMOVE)
    if is_offered(game, tables, kinds.VERB, kinds.DISPLACE) and displaceable(game, tables, seat, route):
        return action_of(tables, kinds.VERB, kinds.DISPLACE)
    return pass_time(game, tables, v, seat)


@inner
def blocks(game, tables, route):
    """R13.7: what each piece placed on a route costs beside itself."""
    return blocks_above(game, route) if tables["promos"] else 0


@inner
def merchants_wanted(game, tables, v, seat, route):
    """How many merchants a route still takes: for its ships (R9.4), or for the reward in mind."""
    if tables["ship_lane"][route] >= 0:
        return merchants_for_ships(game, tables, seat, route)
    return 1 if wants_merchant(game, v, seat, route) else 0


@inner
def post_to_take(game, tables, seat, route):
    """The lane of a route on which the next piece of the supply goes, −1 = none: ships first, and their merchants are not
    spent on posts that traders can take (R9.4)."""
    sea = tables["ship_lane"][route]
    if sea >= 0:
        merchants = game["supply"][seat, state.MERCHANT]
        if game["vacant"][sea] > 0 and merchants > 0:
            return sea
        if game["supply"][seat, state.TRADER] == 0 and merchants <= rivals_on(game, tables, seat, sea):
            return -1
    return route if game["vacant"][route] > 0 else -1


@inner
def opponents_on(game, tables, seat, route):
    """Whether others have pieces on a route."""
    if tables["ship_lane"][route] >= 0 and rivals_on(game, tables, seat, tables["ship_lane"][route]) > 0:
        return True
    return rivals_on(game, tables, seat, route) > 0


@inner
def displaceable(game, tables, seat, route):
    """R4.1: whether the supply can displace some piece of the route."""
    return displaceable_lanes(game, tables, seat, lanes_to_act_on(game, tables) & tables["lanes_of"][route]) != 0


@inner
def pass_time(game, tables, v, seat):
    """No route can be had with the pieces at hand: income, else a piece on the board, else the end of the turn.

    Enough pieces to displace a merchant stay in supply, or a crowded board would leave no way on.
    """
    if total(game["stock"], seat) > 0:
        return choose_income(game, tables, seat, 0)
    if total(game["supply"], seat) <= 3:
        return action_of(tables, kinds.VERB, kinds.DONE)
    for kind in range(2):
        routes = offered(game, tables, kinds.ON_ROUTE + kind)
        if routes:
            return action_of(tables, kinds.ON_ROUTE + kind, best_or_first(tables, v, routes))
    if offered(game, tables, kinds.ROUTE):
        return action_of(tables, kinds.ROUTE, lowest(offered(game, tables, kinds.ROUTE)))
    return action_of(tables, kinds.VERB, kinds.DONE)


@inner
def choose_income(game, tables, seat, merchants):
    """R3.1: so many merchants where they are wanted, one where none is in supply, and no more than that."""
    amounts = offered(game, tables, kinds.INCOME)
    if game["supply"][seat, state.MERCHANT] == 0:
        merchants = max(merchants, 1)
    while merchants > 0:
        if amounts & ~first_below(merchants):
            amounts &= ~first_below(merchants)
            break
        merchants -= 1
    return action_of(tables, kinds.INCOME, lowest(amounts))


@inner
def choose_kind(game, v, seat, route, pieces):
    """The kind to lay on a route from some pieces: a merchant when the route wants him or nothing else is there."""
    if pieces[seat, state.TRADER] == 0:
        return state.MERCHANT
    if pieces[seat, state.MERCHANT] > 0 and wants_merchant(game, v, seat, route):
        return state.MERCHANT
    return state.TRADER
