"""Claiming a route (R5), and the extra office that a claim may bring (R6.2)."""

from __future__ import annotations

from hansa_env.engine.action_space import ABILITY, CITY, DONE, EXTRA, SPACE, VERB, offer, offer_set
from hansa_env.engine.bits import bit
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.desk import chosen_kind, develop, offer_development, offer_pieces, use_marker
from hansa_env.engine.rules.offices import (
    found_extra_office,
    found_office,
    has_office,
    is_player,
    next_space,
    reachable_space,
    score_link,
)
from hansa_env.engine.rules.permanent_markers import PLACE_TWO_FROM_ROUTE, keep_in_hand, use_permanent_marker
from hansa_env.engine.rules.posts import pieces_on, take_from_route
from hansa_env.engine.rules.replacement_markers import draw_replacement
from hansa_env.engine.rules.tributes import ask_tribute, owe_tributes, pay_tribute
from hansa_env.engine.rules.turn import ask, end_action, spend_action
from hansa_env.engine.state import (
    ASK_EXTRA,
    ASK_EXTRA_PIECE,
    ASK_REWARD,
    ASK_TRIBUTE,
    EXTRA_OFFICE,
    MERCHANT,
    PRIVILEGE,
    TRADER,
)


@inner
def score_control(game, tables, route):
    """R5.1: the controller of each of the two cities gains 1; the neutral player never scores (R8.2.5)."""
    for side in range(2):
        controller = game["controller"][tables["route_city"][route, side]]
        if is_player(tables, controller):
            game["prestige"][controller] += 1


@inner
def take_marker(game, tables, route):
    """R5.3: the route's marker is taken, and a replacement drawn for it."""
    kind = game["route_marker"][route]
    game["marker_taken"] = kind
    if kind >= 0:
        game["route_marker"][route] = -1
        game["markers"][game["turn"], kind] += 1
        draw_replacement(game, tables)


@inner
def claim(game, tables, route):
    """Claim a route: control scores (R5.1), the marker is taken (R5.3), then the reward is asked for (R5.4)."""
    spend_action(game)
    game["route"] = route
    score_control(game, tables, route)
    take_marker(game, tables, route)
    ask(game, ASK_REWARD, game["turn"])


@inner
def offer_rewards(game, tables):
    """R5.4: at most one of office, extra office, develop, prestige space."""
    seat, route = game["turn"], game["route"]
    offer(game, tables, VERB, DONE)
    for side in range(2):
        city = tables["route_city"][route, side]
        if can_found(game, tables, seat, route, city):
            offer(game, tables, CITY, city)
        for ability in range(5):  # R5.8
            if tables["city_abilities"][city] & bit(ability):
                offer_development(game, tables, seat, ability)
    if extra_offices_usable(game, seat) > 0 and extra_office_cities(game, tables, route):
        offer(game, tables, VERB, EXTRA)
    if route == tables["prestige_route"] and pieces_on(game, tables, route, seat, MERCHANT) > 0:
        offer_prestige_spaces(game, tables, seat)


@inner
def play_reward(game, tables, kind, thing):
    """Carry out the chosen reward, then clear the rest of the route and end the action (R5.4)."""
    if kind == CITY:
        reward_office(game, tables, thing)
        finish_founding(game, tables, thing)
        return
    if kind == ABILITY:
        develop(game, tables, thing)
    elif kind == SPACE:
        reward_prestige(game, tables, thing)
    elif thing == EXTRA:
        begin_extra_office(game)
        return
    finish_claim(game, tables)


@inner
def finish_claim(game, tables):
    """R5.4: the pieces not used go to the stock; then the route's permanent marker may be used (R9.14), and the action ends."""
    clear_claimed_route(game, tables)
    end_claim(game, tables)


@inner
def finish_founding(game, tables, city):
    """The same after an office was founded in a city, with the tributes due for it before the permanent marker (R13.6)."""
    clear_claimed_route(game, tables)
    if tables["promos"]:
        game["marker_taken"] = -1
        if owe_tributes(game, tables, city, ASK_TRIBUTE):
            return
    end_claim(game, tables)


@inner
def play_tribute(game, tables, kind, merchants):
    """R13.6: a tribute is paid; after the last the claim goes on."""
    pay_tribute(game, merchants)
    if not ask_tribute(game, tables, ASK_TRIBUTE):
        end_claim(game, tables)


@inner
def clear_claimed_route(game, tables):
    """R5.4: the pieces not used go to the stock; on a route whose permanent marker puts them down, they are kept (R9.14d)."""
    route = game["route"]
    if tables["permanent_marker"][route] == PLACE_TWO_FROM_ROUTE:
        keep_in_hand(game, tables, route)
    clear_route(game, tables, route, 0)


@inner
def end_claim(game, tables):
    """R9.14: the route's permanent marker may be used, and the action ends."""
    route = game["route"]
    if tables["permanent_marker"][route] < 0:
        end_action(game, tables)
    else:
        use_permanent_marker(game, tables, tables["permanent_marker"][route])


@inner
def clear_route(game, tables, route, keep_neutral):
    """R5.4: the pieces left on the route go to their owner's stock; neutral ones leave the board but for `keep_neutral`."""
    for owner in range(tables["owners"]):
        for kind in range(2):
            keep = keep_neutral if owner == tables["neutral"] else 0
            while pieces_on(game, tables, route, owner, kind) > keep:
                take_from_route(game, tables, route, owner, kind)
                if owner != tables["neutral"]:
                    game["stock"][owner, kind] += 1


@inner
def can_found(game, tables, seat, route, city):
    """R5.5: the leftmost empty space takes a kind that lies on the route, and the privilege reaches its colour."""
    space = reachable_space(game, tables, seat, city)
    return space >= 0 and pieces_on(game, tables, route, seat, tables["office_shape"][space]) > 0


@inner
def reward_office(game, tables, city):
    """Found an office in a city of the claimed route (R5.5): its coin scores, and the link if it is made (R5.7)."""
    seat = game["turn"]
    kind = tables["office_shape"][next_space(game, tables, city)]
    take_from_route(game, tables, game["route"], seat, kind)
    space = found_office(game, tables, city, seat, kind)
    game["prestige"][seat] += tables["office_prestige"][space]
    score_link(game, tables, seat)


@inner
def can_take_space(game, tables, seat, space):
    """R5.9: the prestige space is empty, and the privilege reaches its colour."""
    return game["prestige_spaces"][space] < 0 and game["abilities"][seat, PRIVILEGE] >= tables["space_privilege"][space]


@inner
def offer_prestige_spaces(game, tables, seat):
    """Offer the empty prestige spaces whose colour the seat's privilege allows (R5.9)."""
    for space in range(tables["num_spaces"]):
        if can_take_space(game, tables, seat, space):
            offer(game, tables, SPACE, space)


@inner
def reward_prestige(game, tables, space):
    """A merchant of the claimed route goes to a prestige space (R5.9)."""
    take_from_route(game, tables, game["route"], game["turn"], MERCHANT)
    game["prestige_spaces"][space] = game["turn"]


@inner
def extra_offices_usable(game, seat):
    """R6.2: extra-office markers held before this action."""
    return game["markers"][seat, EXTRA_OFFICE] - (game["marker_taken"] == EXTRA_OFFICE)


@inner
def extra_office_cities(game, tables, route):
    """R6.2: cities of the route that hold at least one office already; a green one may be empty (R9.7)."""
    cities = 0
    for side in range(2):
        city = tables["route_city"][route, side]
        if has_office(game, city) or tables["green_cities"] & bit(city):
            cities |= bit(city)
    return cities


@inner
def begin_extra_office(game):
    """Use an extra-office marker; the city is asked for first, then the piece (R6.2)."""
    use_marker(game, EXTRA_OFFICE)
    ask(game, ASK_EXTRA, game["turn"])


@inner
def offer_extra_office_cities(game, tables):
    """Offer the cities of the claimed route that may have an extra office (R6.2)."""
    offer_set(game, tables, CITY, extra_office_cities(game, tables, game["route"]))


@inner
def play_extra_office_city(game, tables, kind, city):
    """The city is chosen; which piece of the route becomes the extra office is asked next (R6.2)."""
    game["city"] = city
    ask(game, ASK_EXTRA_PIECE, game["turn"])


@inner
def offer_claimed_pieces(game, tables):
    """Offer the kinds of the seat's pieces on the claimed route (R6.2)."""
    route, seat = game["route"], game["seat"]
    traders, merchants = pieces_on(game, tables, route, seat, TRADER), pieces_on(game, tables, route, seat, MERCHANT)
    offer_pieces(game, tables, traders, merchants)


@inner
def play_extra_office(game, tables, kind, verb):
    """The piece becomes an extra office (R6.2); the link is checked, the rest of the route cleared, and the action ends."""
    seat = game["turn"]
    take_from_route(game, tables, game["route"], seat, chosen_kind(verb))
    found_extra_office(game, tables, game["city"], seat, chosen_kind(verb))
    score_link(game, tables, seat)
    finish_founding(game, tables, game["city"])
