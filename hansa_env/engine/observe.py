"""Writing the observation of one seat (fields: `observation.py`)."""

from __future__ import annotations

from hansa_env.engine.bits import lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.observation import OBSERVATION_FIELDS
from hansa_env.engine.record import EXTRAS, OVER, OWNERS
from hansa_env.engine.setup import hidden

(
    QUESTION, DECIDER, TURN, ACTIONS_LEFT, REMAINING, FLAGS, HAND, ON_ROUTE, IN_CITY, VICTIM,
    SUPPLY, STOCK, PRESTIGE, ABILITIES, MARKERS, USED, PLATE, LINKED,
    POSTS, VACANT, ROUTE_MARKER, OFFICE, CONTROL, EXTRA_CITY, EXTRA_OWNER, PRESTIGE_SPACES,
    COMPLETED, PILE_SIZE, UNSEEN, PAWN,
) = range(len(OBSERVATION_FIELDS))  # fmt: skip


@inner
def relative(t, owner, seat):
    """Place of an owner as seen from a seat; the neutral player stays last."""
    place = owner - seat
    if place < 0 and owner < t["players"]:
        return place + t["players"]
    if owner >= t["players"]:
        return owner
    return place


@inner
def observe(g, t, seat, out):
    """Write the observation of `seat` into out (D,) int8."""
    for i in range(t["observation_size"]):
        out[i] = 0
    observe_question(g, t, seat, out)
    for other in range(t["players"]):
        observe_desk(g, t, other, relative(t, other, seat), out)
    observe_routes(g, t, seat, out)
    observe_cities(g, t, seat, out)
    observe_markers(g, t, seat, out)


@inner
def observe_question(g, t, seat, out):
    at = t["observe"]
    out[at[QUESTION] + g["asked"]] = 1
    if g["asked"] != OVER:
        out[at[DECIDER] + relative(t, g["seat"], seat)] = 1
    out[at[TURN] + relative(t, g["turn"], seat)] = 1
    out[at[ACTIONS_LEFT]] = g["actions_left"]
    out[at[FLAGS] + 1] = g["acted"]
    out[at[FLAGS] + 2] = g["pawn_free"]
    if g["asked"] == 0:
        return
    out[at[REMAINING]] = g["remaining"]
    out[at[FLAGS]] = g["settled"]
    for kind in range(2):
        out[at[HAND] + kind] = g["hand"][kind]
        if g["hand"][kind] > 0:
            out[at[VICTIM] + 2 * relative(t, g["victim_owner"], seat) + kind] = g["victim_kind"] == kind
    if g["route"] >= 0:
        out[at[ON_ROUTE] + g["route"]] = 1
    if g["city"] >= 0:
        out[at[IN_CITY] + g["city"]] = 1


@inner
def observe_desk(g, t, owner, place, out):
    """What lies before one player."""
    at = t["observe"]
    for kind in range(2):
        out[at[SUPPLY] + 2 * place + kind] = g["supply"][owner, kind]
        out[at[STOCK] + 2 * place + kind] = g["stock"][owner, kind]
    out[at[PRESTIGE] + place] = g["prestige"][owner]
    for i in range(5):
        out[at[ABILITIES] + 5 * place + i] = g["abilities"][owner, i]
    for i in range(6):
        out[at[MARKERS] + 6 * place + i] = g["markers"][owner, i]
        out[at[USED] + 6 * place + i] = g["used"][owner, i]
    for i in range(OWNERS):
        if g["linked"][i] == owner:
            out[at[LINKED] + place] = i + 1


@inner
def observe_routes(g, t, seat, out):
    at = t["observe"]
    owners = t["owners"]
    for owner in range(owners):
        place = relative(t, owner, seat)
        for kind in range(2):
            routes = g["held"][owner, kind]
            while routes:
                route = lowest(routes)
                routes &= routes - 1
                out[at[POSTS] + 2 * (owners * route + place) + kind] = g["pieces"][route, owner, kind]
    for route in range(t["num_routes"]):
        out[at[VACANT] + route] = g["vacant"][route]
        if g["route_marker"][route] >= 0:
            out[at[ROUTE_MARKER] + 6 * route + g["route_marker"][route]] = 1


@inner
def observe_cities(g, t, seat, out):
    at = t["observe"]
    owners, cities = t["owners"], t["num_cities"]
    for city in range(cities):
        if g["controller"][city] < 0:
            continue
        out[at[CONTROL] + owners * city + relative(t, g["controller"][city], seat)] = 1
        first = t["first_office"][city]
        for space in range(first, first + g["filled"][city]):
            piece = g["offices"][space] - 1
            out[at[OFFICE] + owners * space + relative(t, piece // 2, seat)] = 1 + piece % 2
    for i in range(EXTRAS):
        if g["extra_city"][i] < 0:
            break
        out[at[EXTRA_CITY] + cities * i + g["extra_city"][i]] = 1
        piece = g["extra_piece"][i] - 1
        out[at[EXTRA_OWNER] + owners * i + relative(t, piece // 2, seat)] = 1 + piece % 2
    for space in range(t["num_spaces"]):
        if g["prestige_spaces"][space] >= 0:
            place = relative(t, g["prestige_spaces"][space], seat)
            out[at[PRESTIGE_SPACES] + t["players"] * space + place] = 1
    out[at[COMPLETED]] = g["completed"]
    if g["pawn"] >= 0:
        out[at[PAWN] + g["pawn"]] = 1


@inner
def observe_markers(g, t, seat, out):
    """Of the markers nobody has seen only the number on each plate and the kinds all together."""
    at = t["observe"]
    out[at[PILE_SIZE]] = t["pile_size"] - g["drawn"]
    for i in range(t["pile_size"]):
        if hidden(g, i):
            out[at[UNSEEN] + g["pile"][i]] += 1
        if g["plate_of"][i] >= 0:
            out[at[PLATE] + relative(t, g["plate_of"][i], seat)] += 1
