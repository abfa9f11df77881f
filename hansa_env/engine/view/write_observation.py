"""Writing the observation of one seat (fields: `observation`)."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.bits import lowest, size
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.countries import gateway_holder
from hansa_env.engine.rules.desk import tile_owner
from hansa_env.engine.rules.scoring import ALL_COLUMNS, BASE_COLUMNS, TOTAL, score_seat
from hansa_env.engine.rules.setup import hidden
from hansa_env.engine.rules.tokens import token_marker, token_owner
from hansa_env.engine.state import (
    EXTRAS,
    FAVOUR_TILES,
    LIFTED,
    MERCHANT,
    ON_DISPLAY,
    OVER,
    OWNERS,
    TOKENS,
    TRADER,
    TRIBUTE,
)
from hansa_env.engine.view.observation import MOST, OBSERVATION_FIELDS

(
    QUESTION, ACTION, ACTIONS_LEFT, REMAINING, FLAGS, HAND, VICTIM, COMPLETED, PILE_SIZE, UNSEEN, PAWN,
    LIFTED_PIECES, AT_SEA, GREEN_OFFICES, PERMISSIONS, FOREIGN, LIFTED_FROM, FAVOURS_SHOWN, FAVOUR_BOUGHT,
    DECIDER, TURN, SUPPLY, STOCK, PRESTIGE, ABILITIES, MARKERS, USED, PLATE, LINKED, PRESTIGE_SPACES, SCORES,
    GATEWAYS, FAVOURS_OWNED, PARTNER,
    POSTS, VACANT, ROUTE_MARKER, ON_ROUTE, SHIP_POSTS, SHIP_VACANT, TRIBUTES, BLOCKS,
    OFFICE, CONTROL, EXTRA_OFFICES, EXTRA_PLACE, IN_CITY, PLACED, MISSION,
) = range(len(OBSERVATION_FIELDS))  # fmt: skip

#: Columns of a score before the total.
_BASE, _ALL = len(BASE_COLUMNS) - 1, len(ALL_COLUMNS) - 1
_MISSION = ALL_COLUMNS.index("mission")


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
def write(out, entry, value):
    """An entry is never negative: an unsigned index spares the test for it."""
    out[np.uint64(entry)] = value


@inner
def observe(game, tables, seat, out):
    """Write the observation of `seat` into out (D,) int8."""
    players, size = tables["players"], tables["observation_size"]
    for i in range(size):
        write(out, i, 0)
    observe_question(game, tables, seat, out)
    for other in range(players):
        observe_desk(game, tables, other, relative(tables, other, seat), out)
    observe_honours(game, tables, seat, out)
    observe_routes(game, tables, seat, out)
    observe_cities(game, tables, seat, out)
    observe_extras(game, tables, seat, out)
    observe_markers(game, tables, out)
    if tables["maritime"]:
        observe_ships(game, tables, seat, out)
    if tables["maritime"] or tables["moves_three"]:
        observe_lifted(game, tables, seat, out)
    if tables["green_cities"]:
        observe_green_cities(game, tables, seat, out)
    if tables["num_regions"]:
        observe_countries(game, tables, seat, out)
    if tables["missions"]:
        observe_mission(game, tables, seat, out)
    if tables["favours"]:
        observe_favours(game, tables, seat, out)
    if tables["promos"]:
        observe_promos(game, tables, seat, out)


@inner
def observe_question(game, tables, seat, out):
    """The question, and the action under way."""
    at = tables["observe"]
    asked = game["asked"]
    write(out, at[QUESTION] + tables["question_entry"][asked], 1)
    if asked != OVER:
        write(out, at[DECIDER] + relative(tables, game["seat"], seat), 1)
    if tables["action_entry"][asked] >= 0:
        write(out, at[ACTION] + tables["action_entry"][asked], 1)
    write(out, at[TURN] + relative(tables, game["turn"], seat), 1)
    write(out, at[ACTIONS_LEFT], game["actions_left"])
    write(out, at[REMAINING], game["remaining"])
    write(out, at[FLAGS], game["settled"])
    write(out, at[FLAGS] + 1, game["acted"])
    write(out, at[FLAGS] + 2, game["pawn_free"])
    write(out, at[FLAGS] + 3, game["pile_ran_out"])
    for kind in range(2):
        write(out, at[HAND] + kind, game["hand"][kind])
    if game["victim_owner"] >= 0:
        write(out, at[VICTIM] + 2 * relative(tables, game["victim_owner"], seat) + game["victim_kind"], 1)
    if game["route"] >= 0:
        write(out, at[ON_ROUTE] + tables["route_of"][game["route"]], 1)
    if game["city"] >= 0:
        write(out, at[IN_CITY] + game["city"], 1)
    write(out, at[COMPLETED], game["completed"])
    if game["pawn"] >= 0:
        write(out, at[PAWN] + game["pawn"], 1)


@inner
def observe_desk(game, tables, owner, place, out):
    """One seat's pieces, abilities, markers, link, prestige spaces and scores as the board stands."""
    at, players = tables["observe"], tables["players"]
    supply, stock = at[SUPPLY] + place, at[STOCK] + place
    for kind in range(2):
        write(out, supply + players * kind, game["supply"][owner, kind])
        write(out, stock + players * kind, game["stock"][owner, kind])
    write(out, at[PRESTIGE] + place, game["prestige"][owner])
    write(out, at[PLATE] + place, game["plate"][owner])
    abilities = at[ABILITIES] + place
    for i in range(5):
        write(out, abilities + players * i, game["abilities"][owner, i])
    kinds, markers, used = tables["num_markers"], at[MARKERS] + place, at[USED] + place
    for i in range(kinds):
        write(out, markers + players * i, game["markers"][owner, i])
        write(out, used + players * i, game["used"][owner, i])
    points, columns = at[SCORES] + place, score_seat(game, tables, owner)
    for column in range(_BASE):
        write(out, points + players * column, min(columns[column], MOST))
    total = columns[TOTAL]
    if tables["num_columns"] > _BASE + 1:
        for column in range(_BASE, _ALL):
            write(out, points + players * column, min(columns[column], MOST))
        if place != 0 and game["asked"] != OVER:  # R11.1: before the end nobody sees what another's mission has scored
            write(out, points + players * _MISSION, 0)
            total -= columns[_MISSION]
    write(out, points + players * (tables["num_columns"] - 1), min(total, MOST))


@inner
def observe_honours(game, tables, seat, out):
    """Who made the link, and who holds the prestige spaces."""
    at, players, spaces = tables["observe"], tables["players"], tables["num_spaces"]
    linked, held = at[LINKED], at[PRESTIGE_SPACES]
    for i in range(OWNERS):
        if game["linked"][i] >= 0:
            write(out, linked + relative(tables, game["linked"][i], seat), i + 1)
    for space in range(spaces):
        if game["prestige_spaces"][space] >= 0:
            write(out, held + players * space + relative(tables, game["prestige_spaces"][space], seat), 1)


@inner
def observe_routes(game, tables, seat, out):
    """Posts and markers."""
    at, routes, owners = tables["observe"], tables["num_routes"], tables["owners"]
    posts, vacant, marked = at[POSTS], at[VACANT], at[ROUTE_MARKER]
    for owner in range(owners):
        place = relative(tables, owner, seat)
        for kind in range(2):
            held = game["held"][owner, kind] & tables["open_to"][TRADER]
            first = posts + routes * (2 * place + kind)
            while held:
                route = lowest(held)
                held &= held - 1
                write(out, first + route, game["pieces"][route, owner, kind])
    for route in range(routes):
        write(out, vacant + route, game["vacant"][route])
    for route in range(routes):
        marker = game["route_marker"][route]
        if marker >= 0:
            write(out, marked + routes * marker + route, 1)


@inner
def observe_cities(game, tables, seat, out):
    """Printed offices and control."""
    at, cities, owners = tables["observe"], tables["num_cities"], tables["owners"]
    control, offices = at[CONTROL], at[OFFICE]
    for city in range(cities):
        controller = game["controller"][city]
        if controller < 0:
            continue
        write(out, control + cities * relative(tables, controller, seat) + city, 1)
        first, filled = tables["first_office"][city], min(game["filled"][city], tables["printed"][city])
        for space in range(filled):
            piece = game["offices"][first + space] - 1
            row = owners * space + relative(tables, piece // 2, seat)
            write(out, offices + cities * row + city, 1 + piece % 2)


@inner
def observe_extras(game, tables, seat, out):
    """Extra offices: how many an owner has in a city, and how far right the first of them lies (R5.2)."""
    at, cities = tables["observe"], tables["num_cities"]
    counts, places = at[EXTRA_OFFICES], at[EXTRA_PLACE]
    order, before = 0, -1
    for i in range(EXTRAS):
        city = game["extra_city"][i]
        if city < 0:
            break
        order = order + 1 if city == before else 1
        before = city
        entry = cities * relative(tables, (game["extra_piece"][i] - 1) // 2, seat) + city
        out[counts + entry] += 1
        if out[places + entry] == 0:
            write(out, places + entry, order)


@inner
def observe_markers(game, tables, out):
    """Of the markers nobody has seen, the kinds all together."""
    at = tables["observe"]
    unseen = at[UNSEEN]
    write(out, at[PILE_SIZE], tables["pile_size"] - game["drawn"])
    for i in range(tables["num_shuffled"]):
        if hidden(game, i):
            out[unseen + game["pile"][i]] += 1


@inner
def observe_ships(game, tables, seat, out):
    """R9.4: the ship posts, and whether the piece that the field "route" is about stood on one."""
    at, routes = tables["observe"], tables["num_routes"]
    for lane in range(routes, tables["num_lanes"]):
        route = tables["route_of"][lane]
        write(out, at[SHIP_VACANT] + route, game["vacant"][lane])
        for owner in range(tables["players"]):
            entry = at[SHIP_POSTS] + routes * relative(tables, owner, seat) + route
            write(out, entry, game["pieces"][lane, owner, MERCHANT])
    write(out, at[AT_SEA], game["route"] >= routes)


@inner
def observe_lifted(game, tables, seat, out):
    """R9.14a, R13.3: the pieces of anyone's in hand, in the order in which they are put down."""
    for i in range(LIFTED):
        if game["lifted"][i] != 0:
            owner, kind = divmod(game["lifted"][i] - 1, 2)
            place = tables["players"] * i + relative(tables, owner, seat)
            write(out, tables["observe"][LIFTED_PIECES] + 2 * place + kind, 1)


@inner
def observe_promos(game, tables, seat, out):
    """R13.5, R13.8: the seat traded with, and the tokens above routes."""
    at = tables["observe"]
    if game["partner"] >= 0:
        write(out, at[PARTNER] + relative(tables, game["partner"], seat), 1)
    for i in range(TOKENS):
        token = game["token"][i]
        if token != 0:
            first = at[TRIBUTES] if token_marker(token) == TRIBUTE else at[BLOCKS]
            out[first + tables["num_routes"] * relative(tables, token_owner(token), seat) + game["token_route"][i]] += 1


@inner
def observe_countries(game, tables, seat, out):
    """R10: permissions used and who holds the gateways; what may still be put abroad, and where pieces in hand come from."""
    at, players = tables["observe"], tables["players"]
    for gateway in range(tables["num_gateways"]):
        write(out, at[PERMISSIONS] + gateway, (game["permissions"] >> gateway) & 1)
        holder = gateway_holder(game, tables, gateway)
        if holder >= 0:
            write(out, at[GATEWAYS] + players * gateway + relative(tables, holder, seat), 1)
    for region in range(tables["num_regions"]):
        for kind in range(2):
            write(out, at[FOREIGN] + 2 * region + kind, game["foreign"][region, kind])
    last_resort = game["settled"] and game["hand"][TRADER] + game["hand"][MERCHANT] > 0
    for i in range(LIFTED):
        if game["lifted"][i] != 0 or (i == 0 and last_resort):
            write(out, at[LIFTED_FROM] + (1 + tables["num_regions"]) * i + game["lifted_from"][i], 1)


@inner
def observe_green_cities(game, tables, seat, out):
    """R9.8: the offices placed in green cities, in their order, and how many each owner has there."""
    at, players, cities = tables["observe"], tables["players"], tables["num_cities"]
    number, green = size(tables["green_cities"]), tables["green_cities"]
    for place in range(number):
        city = lowest(green)
        green &= green - 1
        first = tables["first_office"][city]
        for space in range(game["filled"][city]):
            piece = game["offices"][first + space] - 1
            owner = relative(tables, piece // 2, seat)
            write(out, at[GREEN_OFFICES] + number * (players * space + owner) + place, 1 + piece % 2)
            out[at[PLACED] + cities * owner + city] += 1


@inner
def observe_mission(game, tables, seat, out):
    """R11.1: the seat's own card."""
    at = tables["observe"]
    cities = tables["mission_cities"][game["missions"][seat]]
    while cities:
        write(out, at[MISSION] + lowest(cities), 1)
        cities &= cities - 1


@inner
def observe_favours(game, tables, seat, out):
    """R12.1: the tiles on display and those owned."""
    at, players = tables["observe"], tables["players"]
    write(out, at[FAVOUR_BOUGHT], game["favour_bought"])
    for tile in range(FAVOUR_TILES):
        if game["favours"][tile] == ON_DISPLAY:
            write(out, at[FAVOURS_SHOWN] + tile, 1)
        elif tile_owner(game, tile) >= 0:
            write(out, at[FAVOURS_OWNED] + players * tile + relative(tables, tile_owner(game, tile), seat), 1)
