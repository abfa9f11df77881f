"""What the scripted player's routes promise for each action that their claim still takes."""

from __future__ import annotations

from hansa_agents.scripted.countries import NEVER, turns_to_wait
from hansa_agents.scripted.rivals import rivals_and_penalty, rivals_on
from hansa_agents.scripted.ships import merchants_elsewhere
from hansa_env.engine.bits import bit
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.desk import ability_value, total
from hansa_env.engine.rules.displace import displacement_penalty
from hansa_env.engine.rules.tokens import blocks_above
from hansa_env.engine.state import ACTIONS, ASK_PUT, BANK, BOOK, MERCHANT

LEAST = 0.02  # worth of a claim that brings nothing but its pieces back, so that play goes on
NOT_POSSIBLE = -1.0  # rate of a route that cannot be claimed with the pieces there are


@inner
def rate_route(game, tables, w, v, seat, route, budget, elsewhere):
    """Worth per action still needed; by place and displace, or with a move where that is better."""
    pieces = game["pieces"]
    vacant = game["vacant"][route]
    rivals, penalty = rivals_and_penalty(game, tables, seat, route)
    worth = max(LEAST, v["worth"][route] - w["displace"] * penalty)
    supply, stock = total(game["supply"], seat), total(game["stock"], seat)
    lacks_merchant = (v["with_merchant"] & bit(route)) != 0 and (
        pieces[seat, MERCHANT, route] + game["supply"][seat, MERCHANT] == 0
    )
    moved = min(ability_value(game, tables, seat, BOOK), min(vacant, elsewhere))
    each = 1 + blocks_above(game, route) if tables["promos"] else 1  # R13.7
    best = NOT_POSSIBLE
    for by_move in range(2):
        if by_move and moved == 0:
            break
        placed = vacant - moved * by_move
        needed = placed * each + rivals + penalty
        short = max(needed - supply, 1 if lacks_merchant and not by_move else 0)
        if short > stock and short > 0:
            continue
        best = try_way(game, tables, w, v, seat, route, budget, worth, moved * by_move, placed, rivals, short, best)


@inner
def rate_maritime_route(game, tables, w, v, seat, route, budget, elsewhere):
    """As `rate_route`; apart from the pieces it takes, the merchants for its ships are counted (R9.4)."""
    sea, supply, stock = tables["ship_lane"][route], game["supply"], game["stock"]
    vacant, at_sea = game["vacant"][route] + game["vacant"][sea], rivals_on(game, tables, seat, sea)
    rivals, penalty = rivals_and_penalty(game, tables, seat, route)
    rivals, penalty = rivals + at_sea, penalty + at_sea * displacement_penalty(MERCHANT)
    worth = max(LEAST, v["worth"][route] - w["displace"] * penalty)
    merchants = game["vacant"][sea] + at_sea - supply[seat, MERCHANT]
    book = ability_value(game, tables, seat, BOOK)
    to_sea = min(book, min(game["vacant"][sea], merchants_elsewhere(game, tables, seat, route)))
    if game["asked"] != ASK_PUT:
        elsewhere -= game["pieces"][seat, MERCHANT, sea]
    moved = to_sea + min(book - to_sea, min(game["vacant"][route], elsewhere - to_sea))
    each = 1 + blocks_above(game, route) if tables["promos"] else 1  # R13.7
    best = NOT_POSSIBLE
    for by_move in range(2):
        if by_move and moved == 0:
            break
        placed, lacking = vacant - moved * by_move, merchants - to_sea * by_move
        short = max(placed * each + rivals + penalty - total(supply, seat), lacking)
        if short > 0 and (short > total(stock, seat) or lacking > stock[seat, MERCHANT]):
            continue
        best = try_way(game, tables, w, v, seat, route, budget, worth, moved * by_move, placed, rivals, short, best)


@inner
def try_way(game, tables, w, v, seat, route, budget, worth, moved, placed, rivals, short, best):
    """Rate one way to claim a route, by a move of so many pieces or, with 0, without; note it if it is the best so far.

    Returns the best rate then.
    """
    wait = turns_to_wait(game, tables, seat, route, placed + rivals)
    if wait == NEVER:
        return best
    by_move = moved != 0
    actions = placed + by_move + rivals + 1 + income_actions(game, tables, seat, short)
    if by_move and actions > budget and total(game["supply"], seat) + total(game["stock"], seat) > 0:
        return best  # pieces would only wander
    per_turn = ability_value(game, tables, seat, ACTIONS)
    rate = rate_way(w, worth, actions, moved, budget, per_turn, wait, rivals)
    if rate > best:
        best = rate
        keep_way(v, route, rate, actions, by_move)
    return best


@inner
def income_actions(game, tables, seat, short):
    """R3.1: actions of income for so many pieces that are short."""
    if short <= 0:
        return 0
    bank = ability_value(game, tables, seat, BANK)
    return (short + bank - 1) // bank


@inner
def keep_way(v, route, rate, actions, by_move):
    """Note the best way to claim a route so far."""
    v["rate"][route] = rate
    v["cost"][route] = actions
    if by_move:
        v["by_move"] |= bit(route)


@inner
def rate_way(w, worth, actions, moved, budget, per_turn, wait, rivals):
    """Worth per action of one way to claim a route, that has to `wait` so many turns for permissions (R10.5)."""
    cost = actions + w["overhead"] + w["lift"] * moved
    if wait > 0:
        actions = max(actions, budget + 1 + (wait - 1) * per_turn)
    return patient(w, worth, actions, budget, per_turn, rivals) / cost


@inner
def patient(w, worth, actions, budget, per_turn, rivals):
    """Worth, less for what must wait while opponents move, and for each of their pieces on the route."""
    if actions > budget:
        worth *= w["patience"]
        wait = actions - budget - per_turn
        while wait > 0:
            worth *= w["exposure"]
            wait -= per_turn
    for _ in range(rivals):
        worth *= w["shared"]
    return worth
