"""The scripted player's answers, question by question. An answer is a word of `legal` and a bit, packed by `pick`."""

from __future__ import annotations

from hansa_agents.greedy_pieces import (
    best_province,
    choose_lift,
    choose_province,
    choose_put,
    choose_relocation,
    choose_removal,
    choose_site,
    choose_victim,
    pick,
    rides,
    wants_merchant,
)
from hansa_agents.greedy_routes import best_route, best_space, weigh_routes
from hansa_agents.greedy_values import look
from hansa_env.engine import record as rec
from hansa_env.engine.bits import bit, lowest
from hansa_env.engine.cities import owner_of
from hansa_env.engine.compile import inner
from hansa_env.engine.place import total
from hansa_env.engine.posts import pawn_routes


@inner
def index_of(t, choice):
    """The action index of a decision."""
    word, thing = choice // 64, choice % 64
    for k in range(t["num_segments"]):
        first = t["segment"][k, 1]
        if t["segment"][k, 0] == word and first <= thing < first + t["segment"][k, 3]:
            return t["segment"][k, 2] + thing - first
    return -1


@inner
def decide(g, t, w, v):
    """The scripted player's decision at the question asked."""
    seat, asked = g["seat"], g["asked"]
    if asked == rec.ASK_WITH or asked == rec.ASK_PAY:
        return choose_piece(g, t, w, v, seat)
    look(g, t, w, v, seat)
    if asked == rec.ASK_REWARD:
        return choose_reward(g, t, w, v, seat)
    if asked == rec.ASK_EXTRA:
        return pick(rec.CITY, best_city(t, v["extra"], g["legal"][rec.CITY], 1.0))
    if asked == rec.ASK_NEUTRAL:
        return pick(rec.CITY, best_city(t, v["office"], g["legal"][rec.CITY], -1.0))
    if asked == rec.ASK_EXCHANGE:
        return pick(rec.CITY, best_exchange(g, t, w, v, seat) // 64)
    if asked == rec.ASK_PAIR:
        return pick(rec.OTHER, rec.PAIR_BIT + best_exchange(g, t, w, v, seat) % 64)
    weigh_routes(g, t, w, v, seat)
    if asked == rec.ASK_ACT:
        return choose_action(g, t, w, v, seat)
    if asked == rec.ASK_DISPLACE:
        return choose_of_routes(g, t, v)
    if asked == rec.ASK_REMOVE:
        return choose_removal(g, t, v, seat)
    if asked == rec.ASK_VICTIM:
        return choose_victim(g, t, seat)
    if asked == rec.ASK_MARKER:
        return choose_site(g, t, w, v, seat)
    if asked == rec.ASK_LIFT:
        return choose_lift(g, t, v, seat)
    if asked == rec.ASK_PUT:
        return choose_put(g, t, v, seat)
    if asked == rec.ASK_RELOCATE:
        return choose_relocation(g, t, v, seat)
    return choose_province(g, t, v)


@inner
def choose_action(g, t, w, v, seat):
    """R2.1: markers whose time has come, then the next step towards the best route."""
    legal = g["legal"]
    other = legal[rec.OTHER]
    upgrades = (other >> rec.ABILITY_BIT) & 31
    if upgrades:
        return pick(rec.OTHER, rec.ABILITY_BIT + best_upgrade(v, upgrades))
    if other & bit(rec.EXCHANGE) and best_exchange_gain(g, t, w, v, seat) >= w["exchange"] * (1 + v["left"]):
        return pick(rec.OTHER, rec.EXCHANGE)
    routes = pawn_routes(g, t)
    if g["pawn_free"] and not g["acted"]:
        province = best_province(t, v, (other >> rec.PROVINCE_BIT) | bit(g["pawn"]))
        if province != g["pawn"]:
            return pick(rec.OTHER, rec.PROVINCE_BIT + province)
    if g["actions_left"] == 0:
        return use_spare_actions(g, t, w, v, seat, other)
    route = best_route(t, v, routes)
    if other & bit(rec.RIDE) and rides(t, v, route, g["actions_left"]):
        return pick(rec.OTHER, rec.RIDE)
    if route < 0:
        return pass_time(g, t, v, seat)
    if legal[rec.ROUTE] & bit(route):
        return pick(rec.ROUTE, route)
    return approach(g, t, w, v, seat, route)


@inner
def best_upgrade(v, upgrades):
    """R6.5: the track whose next step is worth most."""
    best = lowest(upgrades)
    for ability in range(5):
        if upgrades & bit(ability) and v["ability"][ability] > v["ability"][best]:
            best = ability
    return best


@inner
def use_spare_actions(g, t, w, v, seat, other):
    """R6.6: more actions at the end of the turn, when there are pieces to use them on; else the turn ends."""
    if total(g["supply"], seat) >= w["spare"] or v["left"] < 0.2:
        if other & bit(rec.FOUR_ACTIONS):
            return pick(rec.OTHER, rec.FOUR_ACTIONS)
        if other & bit(rec.THREE_ACTIONS):
            return pick(rec.OTHER, rec.THREE_ACTIONS)
    return pick(rec.OTHER, rec.DONE)


@inner
def approach(g, t, w, v, seat, route):
    """The next step towards claiming a route: move, income, place or displace."""
    legal, supply = g["legal"], total(g["supply"], seat)
    other = legal[rec.OTHER]
    if other & bit(rec.MOVE) and v["by_move"] & bit(route):
        return pick(rec.OTHER, rec.MOVE)
    if total(g["stock"], seat) > 0:
        wants = wants_merchant(g, v, seat, route) and g["supply"][seat, rec.MERCHANT] == 0
        waits = v["cost"][route] > g["actions_left"] and supply <= w["low_supply"]
        if supply == 0 or waits or (wants and g["stock"][seat, rec.MERCHANT] > 0):
            return choose_income(g, seat, wants)
    if g["vacant"][route] > 0 and supply > 0:
        return pick(choose_kind(g, v, seat, route, g["supply"]), route)
    rivals = g["pieces"][route]
    if other & bit(rec.REMOVE):
        for owner in range(t["owners"]):
            if owner != seat and rivals[owner, rec.TRADER] + rivals[owner, rec.MERCHANT] > 0:
                return pick(rec.OTHER, rec.REMOVE)
    if other & bit(rec.DISPLACE) and displaceable(g, t, seat, route, supply):
        return pick(rec.OTHER, rec.DISPLACE)
    return pass_time(g, t, v, seat)


@inner
def displaceable(g, t, seat, route, supply):
    """R4.1: whether the supply can displace some piece of the route."""
    for owner in range(t["owners"]):
        if owner != seat:
            if supply >= 2 and g["pieces"][route, owner, rec.TRADER] > 0:
                return True
            if supply >= 3 and g["pieces"][route, owner, rec.MERCHANT] > 0:
                return True
    return False


@inner
def pass_time(g, t, v, seat):
    """No route can be had with the pieces at hand: income, else a piece on the board, else the end of the turn.

    Enough pieces to displace a merchant stay in supply, or a crowded board would leave no way on.
    """
    legal = g["legal"]
    if total(g["stock"], seat) > 0:
        return choose_income(g, seat, False)
    if total(g["supply"], seat) <= 3:
        return pick(rec.OTHER, rec.DONE)
    for word in (rec.ON_ROUTE_TRADER, rec.ON_ROUTE_MERCHANT):
        if legal[word]:
            route = best_route(t, v, legal[word])
            return pick(word, route if route >= 0 else lowest(legal[word]))
    if legal[rec.ROUTE]:
        return pick(rec.ROUTE, lowest(legal[rec.ROUTE]))
    return pick(rec.OTHER, rec.DONE)


@inner
def choose_income(g, seat, wants):
    """R3.1: one merchant when one is wanted or none is in supply, else as few as can be."""
    amounts = (g["legal"][rec.OTHER] >> rec.INCOME_BIT) & 31
    if (wants or g["supply"][seat, rec.MERCHANT] == 0) and amounts & ~1:
        amounts &= ~1
    return pick(rec.OTHER, rec.INCOME_BIT + lowest(amounts))


@inner
def choose_kind(g, v, seat, route, pieces):
    """The kind to lay on a route from some pieces: a merchant when the route wants him or nothing else is there."""
    if pieces[seat, rec.TRADER] == 0:
        return rec.MERCHANT
    if pieces[seat, rec.MERCHANT] > 0 and wants_merchant(g, v, seat, route):
        return rec.MERCHANT
    return rec.TRADER


@inner
def choose_piece(g, t, w, v, seat):
    """R4.1, R6.2: the displacing piece, a penalty piece, or the extra office."""
    legal = g["legal"][rec.OTHER]
    if g["asked"] == rec.ASK_WITH and g["doing"] == rec.DISPLACE and legal & bit(rec.WITH_MERCHANT):
        look(g, t, w, v, seat)
        weigh_routes(g, t, w, v, seat)
        if wants_merchant(g, v, seat, g["route"]):
            return pick(rec.OTHER, rec.WITH_MERCHANT)
    if legal & bit(rec.WITH_TRADER):
        return pick(rec.OTHER, rec.WITH_TRADER)
    return pick(rec.OTHER, rec.WITH_MERCHANT)


@inner
def choose_reward(g, t, w, v, seat):
    """R5.4: whichever is worth most."""
    legal = g["legal"]
    best, choice = 0.0, pick(rec.OTHER, rec.DONE)
    for side in range(2):
        city = t["route_city"][g["route"], side]
        if legal[rec.CITY] & bit(city) and v["office"][city] > best:
            best, choice = v["office"][city], pick(rec.CITY, city)
        extra = v["extra"][city] - w["keep_extra"] * v["left"]
        if legal[rec.OTHER] & bit(rec.EXTRA) and extra > best:
            best, choice = extra, pick(rec.OTHER, rec.EXTRA)
        ability = t["city_ability"][city]
        if ability >= 0 and legal[rec.OTHER] & bit(rec.ABILITY_BIT + ability) and v["ability"][ability] > best:
            best, choice = v["ability"][ability], pick(rec.OTHER, rec.ABILITY_BIT + ability)
    points = best_space(g, t, seat)
    if (legal[rec.OTHER] >> rec.SPACE_BIT) & 15 and w["table"] * points > best:
        for space in range(t["num_spaces"]):
            if legal[rec.OTHER] & bit(rec.SPACE_BIT + space) and t["space_value"][space] == points:
                choice = pick(rec.OTHER, rec.SPACE_BIT + space)
    return choice


@inner
def best_city(t, worth, cities, sign):
    """The city of a set that is worth most, or least with sign −1."""
    best = lowest(cities)
    for city in range(t["num_cities"]):
        if cities & bit(city) and sign * worth[city] > sign * worth[best]:
            best = city
    return best


@inner
def controller_after(g, t, v, city, pair):
    """R5.2: who controls a city once printed offices `pair` and `pair` + 1 are exchanged, extra offices left aside."""
    first, best, controller = t["first_office"][city], 0, -1
    for i in range(g["filled"][city] - 1, -1, -1):
        place = i
        if i == pair:
            place = pair + 1
        elif i == pair + 1:
            place = pair
        owner = owner_of(g["offices"][first + place])
        if v["count"][city, owner] > best:
            best, controller = v["count"][city, owner], owner
    return controller


@inner
def exchange_gain(g, t, w, v, seat, city, pair):
    """R6.3: control won for the seat, lost by an opponent."""
    now, then = g["controller"][city], controller_after(g, t, v, city, pair)
    if now == then:
        return 0.0
    worth = 2.0 + w["traffic"] * v["left"]
    if then == seat:
        return worth + (2.0 * w["deny"] if now >= 0 and now != t["neutral"] else 0.0)
    if now == seat:
        return -worth
    return 0.0


@inner
def best_exchange(g, t, w, v, seat):
    """R6.3: the best city and pair of offices, as city * 64 + pair."""
    best, choice = -100.0, -1
    for city in range(t["num_cities"]):
        if g["asked"] == rec.ASK_PAIR and city != g["city"]:
            continue
        first = t["first_office"][city]
        for pair in range(g["filled"][city] - 1):
            if owner_of(g["offices"][first + pair]) != owner_of(g["offices"][first + pair + 1]):
                gain = exchange_gain(g, t, w, v, seat, city, pair)
                if gain > best:
                    best, choice = gain, city * 64 + pair
    return choice


@inner
def best_exchange_gain(g, t, w, v, seat):
    """R6.3: what the best exchange would bring."""
    choice = best_exchange(g, t, w, v, seat)
    return exchange_gain(g, t, w, v, seat, choice // 64, choice % 64)


@inner
def choose_of_routes(g, t, v):
    """The legal route with the highest rate."""
    routes = g["legal"][rec.ROUTE]
    route = best_route(t, v, routes)
    return pick(rec.ROUTE, route if route >= 0 else lowest(routes))
