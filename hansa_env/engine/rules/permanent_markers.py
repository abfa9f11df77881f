"""Permanent markers (R9.14): printed beside maritime routes; who claims the route uses it at the end of that action, or not."""

from __future__ import annotations

from hansa_env.boards import PERMANENT_MARKERS
from hansa_env.engine.action_space import ABILITY, CITY, DONE, ON_ROUTE, ROUTE, VERB, offer, offer_set
from hansa_env.engine.bits import lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.desk import chosen_kind, develop, fully_developed, offer_development, total
from hansa_env.engine.rules.offices import found_placed_office, score_link
from hansa_env.engine.rules.place import offer_on_lanes
from hansa_env.engine.rules.posts import occupied_lanes, pieces_on, put_piece, take_from_route
from hansa_env.engine.rules.send import begin_send
from hansa_env.engine.rules.tributes import ask_tribute, owe_tributes, pay_tribute
from hansa_env.engine.rules.turn import ask, clear_action_context, end_action
from hansa_env.engine.state import (
    ASK_FETCH,
    ASK_GREEN,
    ASK_GREEN_PIECE,
    ASK_GREEN_TRIBUTE,
    ASK_LAND,
    ASK_PERMANENT,
    GREEN_SPACES,
    MERCHANT,
    PRIVILEGE,
    TRADER,
)

(
    MOVE_TWO, DEVELOP_PRIVILEGE, OFFICE_IN_GREEN_CITY, PLACE_TWO_FROM_ROUTE, PLACE_TWO_ABROAD,
) = range(len(PERMANENT_MARKERS))  # fmt: skip
MOST_MOVED, MOST_LANDED = 2, 2  # R9.14a, d


@inner
def use_permanent_marker(game, tables, marker):
    """R9.14: the claim is settled; what its marker offers is asked for, or the action ends where it has nothing to offer."""
    seat = game["turn"]
    clear_action_context(game)
    if marker == MOVE_TWO and occupied_lanes(game, tables):
        game["remaining"] = MOST_MOVED
        ask(game, ASK_FETCH, seat)
    elif marker == DEVELOP_PRIVILEGE and not fully_developed(game, tables, seat, PRIVILEGE):
        ask(game, ASK_PERMANENT, seat)
    elif marker == OFFICE_IN_GREEN_CITY and total(game["supply"], seat) > 0:
        ask(game, ASK_GREEN, seat)
    elif marker == PLACE_TWO_FROM_ROUTE and game["hand"][TRADER] + game["hand"][MERCHANT] > 0:
        game["remaining"] = MOST_LANDED
        ask(game, ASK_LAND, seat)
    elif marker == PLACE_TWO_ABROAD:
        begin_send(game)
    else:
        end_action(game, tables)


@inner
def offer_fetches(game, tables):
    """R9.14a: lanes with a tradesman of anyone's; one may stop at any time (R9.15)."""
    offer_set(game, tables, ROUTE, occupied_lanes(game, tables))
    offer(game, tables, VERB, DONE)


@inner
def offer_choice(game, tables):
    """R9.14b: develop privilege, or not."""
    offer_development(game, tables, game["seat"], PRIVILEGE)
    offer(game, tables, VERB, DONE)


@inner
def play_choice(game, tables, kind, thing):
    """R9.14b: privilege is developed as R5.8 says, or not."""
    if kind == ABILITY:
        develop(game, tables, thing)
    end_action(game, tables)


@inner
def offer_green_cities(game, tables):
    """R9.14c: any green city, or none; a record has room for GREEN_SPACES offices placed in each."""
    cities = tables["green_cities"]
    while cities:
        city = lowest(cities)
        cities &= cities - 1
        if game["filled"][city] < GREEN_SPACES:
            offer(game, tables, CITY, city)
    offer(game, tables, VERB, DONE)


@inner
def play_green_city(game, tables, kind, thing):
    """The green city is chosen, or none; which piece of the supply goes there is asked next (R9.14c)."""
    if kind == VERB:
        end_action(game, tables)
    else:
        game["city"] = thing
        ask(game, ASK_GREEN_PIECE, game["turn"])


@inner
def play_green_piece(game, tables, kind, verb):
    """R9.14c, R9.16: the piece is placed at the right end of the city, the link is checked, tributes are paid (R13.6), and the
    action ends."""
    seat = game["turn"]
    game["supply"][seat, chosen_kind(verb)] -= 1
    found_placed_office(game, tables, game["city"], seat, chosen_kind(verb))
    score_link(game, tables, seat)
    if tables["promos"] and owe_tributes(game, tables, game["city"], ASK_GREEN_TRIBUTE):
        return
    end_action(game, tables)


@inner
def play_green_tribute(game, tables, kind, merchants):
    """R13.6: a tribute for the office in the green city is paid; after the last the action ends."""
    pay_tribute(game, merchants)
    if not ask_tribute(game, tables, ASK_GREEN_TRIBUTE):
        end_action(game, tables)


@inner
def keep_in_hand(game, tables, route):
    """R9.14d: the claimed route's remaining tradesmen are not yet returned."""
    for kind in range(2):
        while pieces_on(game, tables, route, game["turn"], kind) > 0:
            take_from_route(game, tables, route, game["turn"], kind)
            game["hand"][kind] += 1


@inner
def offer_landings(game, tables):
    """R9.14d: pieces of the claimed route on any free posts, its own ones too; or no more."""
    offer_on_lanes(game, tables, game["hand"][TRADER], game["hand"][MERCHANT], game["free"])
    offer(game, tables, VERB, DONE)


@inner
def play_landing(game, tables, kind, thing):
    """R9.14d: one piece is put down, at most two in all; the rest goes to the stock, and the action ends."""
    seat = game["turn"]
    if kind != VERB:
        game["hand"][kind - ON_ROUTE] -= 1
        put_piece(game, tables, thing, seat, kind - ON_ROUTE)
        game["remaining"] -= 1
    if kind == VERB or game["remaining"] == 0 or game["hand"][TRADER] + game["hand"][MERCHANT] == 0:
        for kind_left in range(2):
            game["stock"][seat, kind_left] += game["hand"][kind_left]
            game["hand"][kind_left] = 0
        end_action(game, tables)
