"""Writing the observation of one seat (fields: `observation`)."""

from __future__ import annotations

from hansa_env.engine.bits import lowest
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.scoring import score_base_game
from hansa_env.engine.rules.setup import hidden
from hansa_env.engine.state import EXTRAS, OVER, OWNERS, TRADER
from hansa_env.engine.view.entries import (
    ABILITIES,
    ACTION,
    ACTIONS_LEFT,
    COMPLETED,
    CONTROL,
    DECIDER,
    EXTRA_OFFICES,
    EXTRA_PLACE,
    FLAGS,
    HAND,
    IN_CITY,
    LINKED,
    MARKERS,
    OFFICE,
    ON_ROUTE,
    PAWN,
    PILE_SIZE,
    PLATE,
    POSTS,
    PRESTIGE,
    PRESTIGE_SPACES,
    QUESTION,
    REMAINING,
    ROUTE_MARKER,
    SCORES,
    STOCK,
    SUPPLY,
    TURN,
    UNSEEN,
    USED,
    VACANT,
    VICTIM,
    relative,
    write,
)
from hansa_env.engine.view.observation import MOST
from hansa_env.engine.view.write_modules import observe_all_scores, observe_modules


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
    if not tables["base_game"]:
        observe_modules(game, tables, seat, out)


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
    if tables["base_game"]:
        points, columns = at[SCORES] + place, score_base_game(game, tables, owner)
        for column in range(len(columns)):
            write(out, points + players * column, min(columns[column], MOST))
    else:
        observe_all_scores(game, tables, owner, place, out)


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
                write(out, first + route, game["pieces"][owner, kind, route])
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
