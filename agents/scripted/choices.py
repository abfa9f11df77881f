"""The scripted player's answers, question by question, as action indices."""

from __future__ import annotations

from hansa_agents.scripted.approach import approach, choose_kind, pass_time
from hansa_agents.scripted.favours import best_favour, choose_spent, choose_tithe
from hansa_agents.scripted.permanent import decide_move_three, decide_permanent
from hansa_agents.scripted.pieces import (
    best_province,
    choose_lift,
    choose_province,
    choose_put,
    choose_relocation,
    choose_removal,
    choose_site,
    choose_victim,
    rides,
    wants_merchant,
)
from hansa_agents.scripted.promos import decide_promo, promo_to_use
from hansa_agents.scripted.rivals import rivals_on
from hansa_agents.scripted.routes import best_or_first, best_route, best_space, weigh_routes
from hansa_agents.scripted.values import look
from hansa_env.engine import action_space as kinds
from hansa_env.engine import state
from hansa_env.engine.action_space import action_of, is_offered, offered
from hansa_env.engine.bits import bit, lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.countries import permitted_lanes
from hansa_env.engine.rules.desk import total
from hansa_env.engine.rules.offices import controller_of, exchange_offices, is_player
from hansa_env.engine.rules.posts import pawn_routes
from hansa_env.engine.rules.scoring import CONTROLLED_CITY
from hansa_env.engine.rules.use_markers import pairs_of


@inner
def decide(game, tables, w, v):
    """The scripted player's decision at the question asked."""
    seat, asked = game["seat"], game["asked"]
    if asked == state.ASK_WITH or asked == state.ASK_PAY or asked == state.ASK_EXTRA_PIECE or asked == state.ASK_GREEN_PIECE:
        return choose_piece(game, tables, w, v, seat)
    if asked == state.ASK_BLOCK_PAYMENT:
        return choose_piece(game, tables, w, v, seat)
    if asked == state.ASK_TITHE:
        return choose_tithe(game, tables, seat)
    look(game, tables, w, v, seat)
    if asked == state.ASK_SPEND:
        return choose_spent(game, tables, w, v, seat)
    if state.ASK_FETCH_OTHERS <= asked <= state.ASK_DROP_OTHERS:
        return decide_move_three(game, tables, w, v, seat)
    if state.ASK_TRADE_IN <= asked <= state.ASK_GREEN_TRIBUTE:
        return decide_promo(game, tables, w, v, seat)
    if asked >= state.ASK_FETCH:
        return decide_permanent(game, tables, w, v, seat)
    if asked == state.ASK_REWARD:
        return choose_reward(game, tables, w, v, seat)
    if asked == state.ASK_EXTRA:
        return action_of(tables, kinds.CITY, best_city(tables, v["extra"], offered(game, tables, kinds.CITY), 1.0))
    if asked == state.ASK_NEUTRAL:
        return action_of(tables, kinds.CITY, best_city(tables, v["office"], offered(game, tables, kinds.CITY), -1.0))
    if asked == state.ASK_EXCHANGE:
        return action_of(tables, kinds.CITY, best_exchange(game, tables, w, v, seat)[0])
    if asked == state.ASK_PAIR:
        return action_of(tables, kinds.PAIR, best_exchange(game, tables, w, v, seat)[1])
    weigh_routes(game, tables, w, v, seat)
    if asked == state.ASK_ACT:
        return choose_action(game, tables, w, v, seat)
    if asked == state.ASK_DISPLACE:
        return choose_of_routes(game, tables, v)
    if asked == state.ASK_REMOVE:
        return choose_removal(game, tables, v, seat)
    if asked == state.ASK_VICTIM or asked == state.ASK_REMOVED:
        return choose_victim(game, tables, seat)
    if asked == state.ASK_MARKER:
        return choose_site(game, tables, w, v, seat)
    if asked == state.ASK_LIFT:
        return choose_lift(game, tables, v, seat)
    if asked == state.ASK_PUT:
        return choose_put(game, tables, v, seat)
    if asked == state.ASK_LAST_RESORT:
        return action_of(tables, kinds.VERB, kinds.DONE)
    if asked == state.ASK_RELOCATE:
        return choose_relocation(game, tables, v, seat)
    return choose_province(game, tables, v)


@inner
def choose_action(game, tables, w, v, seat):
    """R2.1: a favour or markers whose time has come, then the next step towards the best route."""
    if tables["favours"]:
        tile = best_favour(game, tables, w, v, seat)
        if tile >= 0:
            return action_of(tables, kinds.FAVOUR, tile)
    upgrades = offered(game, tables, kinds.ABILITY)
    if upgrades:
        return action_of(tables, kinds.ABILITY, best_upgrade(v, upgrades))
    if tables["promos"]:
        marker = promo_to_use(game, tables, w, v, seat)
        if marker >= 0:
            return action_of(tables, kinds.MARKER, marker)
    can_exchange = is_offered(game, tables, kinds.VERB, kinds.EXCHANGE)
    if can_exchange and best_exchange(game, tables, w, v, seat)[2] >= w["exchange"] * (1 + v["left"]):
        return action_of(tables, kinds.VERB, kinds.EXCHANGE)
    routes = pawn_routes(game, tables)
    if game["pawn_free"] and not game["acted"]:
        province = best_province(tables, v, offered(game, tables, kinds.PROVINCE) | bit(game["pawn"]), 1)
        if province != game["pawn"]:
            return action_of(tables, kinds.PROVINCE, province)
    if game["actions_left"] == 0:
        return use_spare_actions(game, tables, w, v, seat)
    if tables["num_regions"]:  # R10.5: what must wait for a permission
        routes &= permitted_lanes(game, tables) | game["whole"][seat] | v["by_move"]
    route = best_route(tables, v, routes)
    if is_offered(game, tables, kinds.VERB, kinds.RIDE) and rides(tables, v, route, game["actions_left"]):
        return action_of(tables, kinds.VERB, kinds.RIDE)
    if w["block"] > 0.0:
        blocked = route_to_block(game, tables, w, v, seat, v["rate"][route] if route >= 0 else 0.0)
        if blocked >= 0:
            return action_of(tables, kinds.ON_ROUTE + choose_kind(game, v, seat, blocked, game["supply"]), blocked)
    if route < 0:
        return pass_time(game, tables, v, seat)
    if is_offered(game, tables, kinds.ROUTE, route):
        return action_of(tables, kinds.ROUTE, route)
    return approach(game, tables, w, v, seat, route)


@inner
def route_to_block(game, tables, w, v, seat, rate):
    """R4.2: a route on which opponents work and an own piece would promise more than `rate`; −1 = none.

    What a claim there is worth to the seat stands for what it is worth to them: so likely will they displace the piece.
    """
    best = -1
    if total(game["supply"], seat) == 0 or total(game["stock"], seat) == 0:
        return best
    for route in range(tables["num_routes"]):
        if not opponents_work_on(game, tables, seat, route):
            continue
        kind = choose_kind(game, v, seat, route, game["supply"])
        worth = w["block"] * v["left"] * v["worth"][route]
        if worth > rate and is_offered(game, tables, kinds.ON_ROUTE + kind, route):
            best, rate = route, worth
    return best


@inner
def opponents_work_on(game, tables, seat, route):
    """Whether a route has pieces of others, none of the seat's own, and a free post."""
    own = game["pieces"][seat, state.TRADER, route] + game["pieces"][seat, state.MERCHANT, route]
    return own == 0 and game["vacant"][route] > 0 and rivals_on(game, tables, seat, route) > 0


@inner
def best_upgrade(v, upgrades):
    """R6.5: the track whose next step is worth most."""
    best = lowest(upgrades)
    for ability in range(5):
        if upgrades & bit(ability) and v["ability"][ability] > v["ability"][best]:
            best = ability
    return best


@inner
def use_spare_actions(game, tables, w, v, seat):
    """R6.6: more actions at the end of the turn, when there are pieces to use them on; else the turn ends."""
    if total(game["supply"], seat) >= w["spare"] or v["left"] < 0.2:
        if is_offered(game, tables, kinds.VERB, kinds.FOUR_ACTIONS):
            return action_of(tables, kinds.VERB, kinds.FOUR_ACTIONS)
        if is_offered(game, tables, kinds.VERB, kinds.THREE_ACTIONS):
            return action_of(tables, kinds.VERB, kinds.THREE_ACTIONS)
    return action_of(tables, kinds.VERB, kinds.DONE)


@inner
def choose_piece(game, tables, w, v, seat):
    """R4.1, R6.2, R9.14c, R13.7: the displacing piece, a piece that is paid, the extra office, or the one in a green city."""
    if game["asked"] == state.ASK_WITH and is_offered(game, tables, kinds.VERB, kinds.WITH_MERCHANT):
        look(game, tables, w, v, seat)
        weigh_routes(game, tables, w, v, seat)
        if wants_merchant(game, v, seat, game["route"]):
            return action_of(tables, kinds.VERB, kinds.WITH_MERCHANT)
    if is_offered(game, tables, kinds.VERB, kinds.WITH_TRADER):
        return action_of(tables, kinds.VERB, kinds.WITH_TRADER)
    return action_of(tables, kinds.VERB, kinds.WITH_MERCHANT)


@inner
def choose_reward(game, tables, w, v, seat):
    """The reward of a claim that is worth most: office, extra office, ability or prestige space (R5.4)."""
    best, choice = 0.0, action_of(tables, kinds.VERB, kinds.DONE)
    for side in range(2):
        city = tables["route_city"][game["route"], side]
        if is_offered(game, tables, kinds.CITY, city) and v["office"][city] > best:
            best, choice = v["office"][city], action_of(tables, kinds.CITY, city)
        extra = v["extra"][city] - w["keep_extra"] * v["left"]
        if is_offered(game, tables, kinds.VERB, kinds.EXTRA) and extra > best:
            best, choice = extra, action_of(tables, kinds.VERB, kinds.EXTRA)
        for ability in range(5):
            if is_offered(game, tables, kinds.ABILITY, ability) and v["ability"][ability] > best:
                best, choice = v["ability"][ability], action_of(tables, kinds.ABILITY, ability)
    points = best_space(game, tables, seat)
    if offered(game, tables, kinds.SPACE) and w["table"] * points > best:
        for space in range(tables["num_spaces"]):
            if is_offered(game, tables, kinds.SPACE, space) and tables["space_value"][space] == points:
                choice = action_of(tables, kinds.SPACE, space)
    return choice


@inner
def best_city(tables, worth, cities, sign):
    """The city of a set that is worth most, or least with sign −1."""
    best = lowest(cities)
    for city in range(tables["num_cities"]):
        if cities & bit(city) and sign * worth[city] > sign * worth[best]:
            best = city
    return best


@inner
def exchange_gain(game, tables, w, v, seat, city, pair):
    """R6.3: control won for the seat, lost by an opponent."""
    now = game["controller"][city]
    exchange_offices(game, tables, city, pair)
    then = controller_of(game, tables, city)
    exchange_offices(game, tables, city, pair)  # back again
    if now == then:
        return 0.0
    worth = v["control"] + w["traffic"] * v["left"]
    if then == seat:
        return worth + (CONTROLLED_CITY * w["deny"] if is_player(tables, now) else 0.0)
    if now == seat:
        return -worth
    return 0.0


@inner
def best_exchange(game, tables, w, v, seat):
    """R6.3: the best city and pair of offices, and what the exchange would bring; city −1 where there is none."""
    best, best_city, best_pair = -100.0, -1, 0
    for city in range(tables["num_cities"]):
        if game["asked"] == state.ASK_PAIR and city != game["city"]:
            continue
        pairs = pairs_of(game, tables, city)
        while pairs:
            pair = lowest(pairs)
            pairs &= pairs - 1
            gain = exchange_gain(game, tables, w, v, seat, city, pair)
            if gain > best:
                best, best_city, best_pair = gain, city, pair
    return best_city, best_pair, best


@inner
def choose_of_routes(game, tables, v):
    """The legal route with the highest rate."""
    return action_of(tables, kinds.ROUTE, best_or_first(tables, v, offered(game, tables, kinds.ROUTE)))
