"""Writing the observation of one seat (fields: `observation`)."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.bits import lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.questions import ACTION_VERBS, QUESTIONS
from hansa_env.engine.rules.scoring import SCORE_COLUMNS, score_seat
from hansa_env.engine.rules.setup import hidden
from hansa_env.engine.state import EXTRAS, OVER, OWNERS
from hansa_env.engine.view.observation import MOST, OBSERVATION_FIELDS

(
    QUESTION, ACTION, ACTIONS_LEFT, REMAINING, FLAGS, HAND, VICTIM, COMPLETED, PILE_SIZE, UNSEEN, PAWN,
    DECIDER, TURN, SUPPLY, STOCK, PRESTIGE, ABILITIES, MARKERS, USED, PLATE, LINKED, PRESTIGE_SPACES, SCORES,
    POSTS, VACANT, ROUTE_MARKER, ON_ROUTE,
    OFFICE, CONTROL, EXTRA_OFFICES, EXTRA_PLACE, IN_CITY,
) = range(len(OBSERVATION_FIELDS))  # fmt: skip

_ACTION_OF = np.array([-1 if q.action is None else ACTION_VERBS.index(q.action) for q in QUESTIONS] + [-1], np.int64)
_COLUMNS = len(SCORE_COLUMNS)


@inner
def relative(tables, owner, seat):
    """Place of an owner as seen from a seat; the neutral player stays last."""
    place = owner - seat
    if place < 0 and owner < tables["players"]:
        return place + tables["players"]
    if owner >= tables["players"]:
        return owner
    return place


@inner
def observe(game, tables, seat, out):
    """Write the observation of `seat` into out (D,) int8."""
    for i in range(tables["observation_size"]):
        out[i] = 0
    observe_question(game, tables, seat, out)
    for other in range(tables["players"]):
        observe_desk(game, tables, other, relative(tables, other, seat), out)
    observe_routes(game, tables, seat, out)
    observe_cities(game, tables, seat, out)
    observe_extras(game, tables, seat, out)
    observe_markers(game, tables, out)


@inner
def observe_question(game, tables, seat, out):
    """The question, and the action under way."""
    at = tables["observe"]
    asked = game["asked"]
    out[at[QUESTION] + asked] = 1
    if asked != OVER:
        out[at[DECIDER] + relative(tables, game["seat"], seat)] = 1
    if _ACTION_OF[asked] >= 0:
        out[at[ACTION] + _ACTION_OF[asked]] = 1
    out[at[TURN] + relative(tables, game["turn"], seat)] = 1
    out[at[ACTIONS_LEFT]] = game["actions_left"]
    out[at[REMAINING]] = game["remaining"]
    out[at[FLAGS]] = game["settled"]
    out[at[FLAGS] + 1] = game["acted"]
    out[at[FLAGS] + 2] = game["pawn_free"]
    out[at[FLAGS] + 3] = game["pile_ran_out"]
    for kind in range(2):
        out[at[HAND] + kind] = game["hand"][kind]
    if game["victim_owner"] >= 0:
        out[at[VICTIM] + 2 * relative(tables, game["victim_owner"], seat) + game["victim_kind"]] = 1
    if game["route"] >= 0:
        out[at[ON_ROUTE] + game["route"]] = 1
    if game["city"] >= 0:
        out[at[IN_CITY] + game["city"]] = 1
    out[at[COMPLETED]] = game["completed"]
    if game["pawn"] >= 0:
        out[at[PAWN] + game["pawn"]] = 1


@inner
def observe_desk(game, tables, owner, place, out):
    """One seat's pieces, abilities, markers, link, prestige spaces and scores as the board stands."""
    at, players = tables["observe"], tables["players"]
    for kind in range(2):
        out[at[SUPPLY] + players * kind + place] = game["supply"][owner, kind]
        out[at[STOCK] + players * kind + place] = game["stock"][owner, kind]
    out[at[PRESTIGE] + place] = game["prestige"][owner]
    out[at[PLATE] + place] = game["plate"][owner]
    for i in range(5):
        out[at[ABILITIES] + players * i + place] = game["abilities"][owner, i]
    for i in range(tables["num_markers"]):
        out[at[MARKERS] + players * i + place] = game["markers"][owner, i]
        out[at[USED] + players * i + place] = game["used"][owner, i]
    for i in range(OWNERS):
        if game["linked"][i] == owner:
            out[at[LINKED] + place] = i + 1
    for space in range(tables["num_spaces"]):
        if game["prestige_spaces"][space] == owner:
            out[at[PRESTIGE_SPACES] + players * space + place] = 1
    scores = score_seat(game, tables, owner)
    for column in range(_COLUMNS):
        out[at[SCORES] + players * column + place] = min(scores[column], MOST)


@inner
def observe_routes(game, tables, seat, out):
    """Posts and markers."""
    at, routes = tables["observe"], tables["num_routes"]
    for owner in range(tables["owners"]):
        place = relative(tables, owner, seat)
        for kind in range(2):
            held = game["held"][owner, kind]
            first = at[POSTS] + routes * (2 * place + kind)
            while held:
                route = lowest(held)
                held &= held - 1
                out[first + route] = game["pieces"][route, owner, kind]
    for route in range(routes):
        out[at[VACANT] + route] = game["vacant"][route]
    for route in range(routes):
        if game["route_marker"][route] >= 0:
            out[at[ROUTE_MARKER] + routes * game["route_marker"][route] + route] = 1


@inner
def observe_cities(game, tables, seat, out):
    """Printed offices and control."""
    at, cities, owners = tables["observe"], tables["num_cities"], tables["owners"]
    for city in range(cities):
        if game["controller"][city] < 0:
            continue
        out[at[CONTROL] + cities * relative(tables, game["controller"][city], seat) + city] = 1
        first = tables["first_office"][city]
        for space in range(game["filled"][city]):
            piece = game["offices"][first + space] - 1
            row = owners * space + relative(tables, piece // 2, seat)
            out[at[OFFICE] + cities * row + city] = 1 + piece % 2


@inner
def observe_extras(game, tables, seat, out):
    """Extra offices: how many an owner has in a city, and how far right the first of them lies (R5.2)."""
    at, cities = tables["observe"], tables["num_cities"]
    order = 0
    for i in range(EXTRAS):
        city = game["extra_city"][i]
        if city < 0:
            break
        order = order + 1 if i > 0 and game["extra_city"][i - 1] == city else 1
        entry = cities * relative(tables, (game["extra_piece"][i] - 1) // 2, seat) + city
        out[at[EXTRA_OFFICES] + entry] += 1
        if out[at[EXTRA_PLACE] + entry] == 0:
            out[at[EXTRA_PLACE] + entry] = order


@inner
def observe_markers(game, tables, out):
    """Of the markers nobody has seen, the kinds all together."""
    at = tables["observe"]
    out[at[PILE_SIZE]] = tables["pile_size"] - game["drawn"]
    for i in range(tables["pile_size"]):
        if hidden(game, i):
            out[at[UNSEEN] + game["pile"][i]] += 1
