"""The question `act` (R2.1): what may be done between actions, and where each of these stands."""

from __future__ import annotations

from hansa_env.engine.action_space import (
    ABILITY,
    DISPLACE,
    DONE,
    EXCHANGE,
    FAVOUR,
    INCOME,
    MARKER,
    MOVE,
    ON_ROUTE,
    PROVINCE,
    REMOVE,
    RIDE,
    ROUTE,
    THREE_ACTIONS,
    VERB,
    offer_set,
)
from hansa_env.engine.bits import bit
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.claim import claim
from hansa_env.engine.rules.countries import lanes_to_act_on
from hansa_env.engine.rules.displace import begin_displace, displaceable_lanes
from hansa_env.engine.rules.favours import buy_favour, offer_favours
from hansa_env.engine.rules.pawn import begin_ride, move_pawn, offer_free_pawn_move
from hansa_env.engine.rules.place import begin_move, offer_income, offer_on_lanes, place, take_income
from hansa_env.engine.rules.posts import pawn_routes
from hansa_env.engine.rules.promo_markers import offer_promo_markers, use_promo_marker
from hansa_env.engine.rules.tokens import affordable_lanes
from hansa_env.engine.rules.turn import end_turn
from hansa_env.engine.rules.use_markers import (
    begin_exchange,
    begin_remove,
    offer_markers,
    use_four_actions,
    use_three_actions,
    use_upgrade,
)
from hansa_env.engine.state import MERCHANT, TRADER


@inner
def offer_actions(game, tables):
    """R2.1: the five actions while any are left (and the pawn's ride), markers, favours, the free pawn move, the end
    of the turn."""
    seat = game["turn"]
    verbs = bit(DONE)
    if game["actions_left"] > 0:
        lanes = lanes_to_act_on(game, tables)
        places = game["free"] & lanes
        if tables["promos"]:
            places = affordable_lanes(game, tables, seat, places)
        offer_income(game, tables, seat)
        offer_on_lanes(game, tables, game["supply"][seat, TRADER], game["supply"][seat, MERCHANT], places)
        if displaceable_lanes(game, tables, seat, lanes):
            verbs |= bit(DISPLACE)
        if game["held"][seat, TRADER] | game["held"][seat, MERCHANT]:
            verbs |= bit(MOVE)
        offer_set(game, tables, ROUTE, game["whole"][seat] & pawn_routes(game, tables))
        if tables["pawn"]:
            verbs |= bit(RIDE)
    offer_set(game, tables, VERB, verbs)
    offer_markers(game, tables, seat)
    offer_free_pawn_move(game, tables)
    if not tables["base_game"]:
        offer_favours(game, tables, seat)
        offer_promo_markers(game, tables, seat)


@inner
def play_action(game, tables, kind, thing):
    """R2.1: an action, a marker, a favour, the free pawn move, or the end of the turn."""
    if kind < ROUTE:
        place(game, tables, kind - ON_ROUTE, thing)
    elif kind == ROUTE:
        claim(game, tables, thing)
    elif kind == INCOME:
        take_income(game, tables, thing)
    elif kind == ABILITY:
        use_upgrade(game, tables, thing)
    elif kind == PROVINCE:
        move_pawn(game, tables, thing)
    elif kind == FAVOUR:
        buy_favour(game, tables, thing)
    elif kind == MARKER:
        use_promo_marker(game, thing)
    elif thing == DISPLACE:
        begin_displace(game)
    elif thing == MOVE:
        begin_move(game, tables)
    elif thing == EXCHANGE:
        begin_exchange(game)
    elif thing == REMOVE:
        begin_remove(game, tables)
    elif thing == RIDE:
        begin_ride(game)
    elif thing == DONE:
        end_turn(game, tables)
    elif thing == THREE_ACTIONS:
        use_three_actions(game, tables)
    else:
        use_four_actions(game, tables)
