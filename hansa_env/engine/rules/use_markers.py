"""Bonus markers used between actions (R6.3-R6.6); the extra office stands with claims."""

from __future__ import annotations

from hansa_env.engine.action_space import (
    CITY,
    DONE,
    EXCHANGE,
    FOUR_ACTIONS,
    PAIR,
    REMOVE,
    ROUTE,
    THREE_ACTIONS,
    VERB,
    offer,
    offer_set,
)
from hansa_env.engine.bits import bit
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.desk import develop, offer_development, use_marker
from hansa_env.engine.rules.offices import exchange_offices, owner_of, update_control
from hansa_env.engine.rules.pieces import piece_owner
from hansa_env.engine.rules.posts import lanes_of_others, occupied_lanes, take_piece
from hansa_env.engine.rules.turn import ask, end_action
from hansa_env.engine.state import (
    ASK_EXCHANGE,
    ASK_FETCH_OTHERS,
    ASK_PAIR,
    ASK_REMOVE,
    ASK_REMOVED,
    EXCHANGE_OFFICES,
    PLUS_FOUR,
    PLUS_THREE,
    UPGRADE,
)

MOST_REMOVED = 3  # R6.4; or moved (R13.3)


@inner
def offer_markers(game, tables, seat):
    """R2.3: markers usable between actions."""
    markers = game["markers"]
    if markers[seat, EXCHANGE_OFFICES] > 0 and exchange_cities(game, tables):
        offer(game, tables, VERB, EXCHANGE)
    if markers[seat, UPGRADE] > 0:
        for ability in range(5):
            offer_development(game, tables, seat, ability)
    if markers[seat, tables["removing_marker"]] > 0 and lanes_to_remove_from(game, tables, seat):
        offer(game, tables, VERB, REMOVE)
    if markers[seat, PLUS_THREE] > 0 and not game["favour_bought"]:  # R12.3
        offer(game, tables, VERB, THREE_ACTIONS)
    if markers[seat, PLUS_FOUR] > 0 and not game["favour_bought"]:
        offer(game, tables, VERB, FOUR_ACTIONS)


@inner
def use_upgrade(game, tables, ability):
    """Use an upgrade marker: develop one ability of the player's choice (R6.5)."""
    use_marker(game, UPGRADE)
    develop(game, tables, ability)
    end_action(game, tables)


@inner
def use_more_actions(game, tables, kind, actions):
    """Use a marker that gives 3 or 4 more actions this turn (R6.6)."""
    use_marker(game, kind)
    game["actions_left"] += actions
    end_action(game, tables)


@inner
def use_three_actions(game, tables):
    """Use the marker +3: three more actions this turn (R6.6)."""
    use_more_actions(game, tables, PLUS_THREE, 3)


@inner
def use_four_actions(game, tables):
    """Use the marker +4: four more actions this turn (R6.6)."""
    use_more_actions(game, tables, PLUS_FOUR, 4)


@inner
def pairs_of(game, tables, city):
    """R6.3: neighbouring printed offices of different owners, in a green city placed ones (R9.11); pair 0 the leftmost two.
    In the edition bigbox one of the two is the active seat's own (R13.1)."""
    pairs = 0
    first = tables["first_office"][city]
    for i in range(game["filled"][city] - 1):
        left, right = owner_of(game["offices"][first + i]), owner_of(game["offices"][first + i + 1])
        if left != right and (not tables["own_exchange"] or left == game["turn"] or right == game["turn"]):
            pairs |= bit(i)
    return pairs


@inner
def exchange_cities(game, tables):
    """R6.3: cities with two offices to exchange."""
    cities = 0
    for city in range(tables["num_cities"]):
        if pairs_of(game, tables, city):
            cities |= bit(city)
    return cities


@inner
def begin_exchange(game):
    """Use an exchange marker; the first question is in which city (R6.3)."""
    use_marker(game, EXCHANGE_OFFICES)
    ask(game, ASK_EXCHANGE, game["turn"])


@inner
def offer_exchange_cities(game, tables):
    """R6.3: cities with two offices to exchange."""
    offer_set(game, tables, CITY, exchange_cities(game, tables))


@inner
def play_exchange_city(game, tables, kind, city):
    """The city is chosen; which two neighbouring offices change places is asked next (R6.3)."""
    game["city"] = city
    ask(game, ASK_PAIR, game["turn"])


@inner
def offer_pairs(game, tables):
    """Offer the pairs of neighbouring offices of the chosen city (R6.3)."""
    offer_set(game, tables, PAIR, pairs_of(game, tables, game["city"]))


@inner
def play_pair(game, tables, kind, pair):
    """The two offices change places, and control of the city is decided again (R6.3)."""
    exchange_offices(game, tables, game["city"], pair)
    update_control(game, tables, game["city"])
    end_action(game, tables)


@inner
def lanes_to_remove_from(game, tables, seat):
    """R6.4: lanes with a tradesman; R13.3: with another seat's, where pieces are moved."""
    return lanes_of_others(game, tables, seat) if tables["moves_three"] else occupied_lanes(game, tables)


@inner
def begin_remove(game, tables):
    """Use the marker: up to three pieces go, each by a question for its route and one for the piece (R6.4, R13.3)."""
    use_marker(game, tables["removing_marker"])
    game["remaining"] = MOST_REMOVED
    ask(game, ASK_FETCH_OTHERS if tables["moves_three"] else ASK_REMOVE, game["turn"])


@inner
def offer_removals(game, tables):
    """R6.4: routes with a tradesman; one may stop after the first piece."""
    offer_set(game, tables, ROUTE, occupied_lanes(game, tables))
    if game["remaining"] < MOST_REMOVED:
        offer(game, tables, VERB, DONE)


@inner
def play_removal_route(game, tables, kind, thing):
    """R6.4: the route of the next piece, or the end."""
    if kind == VERB:
        end_action(game, tables)
        return
    game["route"] = thing
    ask(game, ASK_REMOVED, game["turn"])


@inner
def play_removed_piece(game, tables, kind, piece):
    """R6.4: the piece goes to its owner's supply; a neutral one leaves the board."""
    owner, kind_of_piece = piece_owner(game, tables, piece), piece % 2
    take_piece(game, tables, game["route"], owner, kind_of_piece)
    if owner != tables["neutral"]:
        game["supply"][owner, kind_of_piece] += 1
    game["route"] = -1
    game["remaining"] -= 1
    if game["remaining"] == 0:
        end_action(game, tables)
    else:
        ask(game, ASK_REMOVE, game["turn"])
