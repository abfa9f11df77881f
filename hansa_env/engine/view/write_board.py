"""Writing what lies on the board into the observation of one seat: posts and markers of routes, offices of cities."""

from __future__ import annotations

from hansa_env.engine.bits import first_below, lowest
from hansa_env.engine.byte_words import copy_row, places_of
from hansa_env.engine.compile import merged
from hansa_env.engine.state import EXTRAS, MERCHANT, TRADER
from hansa_env.engine.view.entries import (
    CONTROL,
    EXTRA_OFFICES,
    EXTRA_PLACE,
    IN_CITY,
    OFFICE,
    ON_ROUTE,
    POSTS,
    ROUTE_MARKER,
    VACANT,
    clear,
    owner_at,
    relative,
    write,
)

NONE = -1


@merged
def observe_board(game, tables, seat, out):
    """All fields of routes and cities, in their order: rows that are copied whole are longer than the fields'."""
    at = tables["observe"]
    if tables["whole_rows"]:
        observe_posts(game, tables, seat, out)
        copy_row(game["vacant"], 0, out, at[VACANT])
    else:
        observe_few_posts(game, tables, seat, out)
    clear(out, at[ROUTE_MARKER], tables["observation_size"])
    observe_route_markers(game, tables, out)
    observe_cities(game, tables, seat, out)
    observe_extras(game, tables, seat, out)
    if game["route"] >= 0:
        write(out, at[ON_ROUTE] + tables["route_of"][game["route"]], 1)
    if game["city"] >= 0:
        write(out, at[IN_CITY] + game["city"], 1)


@merged
def observe_posts(game, tables, seat, out):
    """Pieces on posts, ship posts apart."""
    routes, row = tables["num_routes"], tables["observe"][POSTS]
    for place in range(tables["owners"]):
        of_owner = 2 * owner_at(tables, place, seat)
        copy_row(game["pieces"], of_owner + TRADER, out, row)
        copy_row(game["pieces"], of_owner + MERCHANT, out, row + routes)
        row += 2 * routes


@merged
def observe_few_posts(game, tables, seat, out):
    """Pieces on posts and free posts, entry by entry: what follows them in a miniature's observation is shorter than a row."""
    routes, row = tables["num_routes"], tables["observe"][POSTS]
    for place in range(tables["owners"]):
        owner = owner_at(tables, place, seat)
        for route in range(routes):
            write(out, row + route, game["pieces"][owner, TRADER, route])
            write(out, row + routes + route, game["pieces"][owner, MERCHANT, route])
        row += 2 * routes
    for route in range(routes):
        write(out, tables["observe"][VACANT] + route, game["vacant"][route])


@merged
def observe_route_markers(game, tables, out):
    """Markers lying on routes."""
    routes, marked = tables["num_routes"], tables["observe"][ROUTE_MARKER]
    with_marker = first_below(routes) & ~places_of(game["route_marker"], NONE)
    while with_marker:
        route = lowest(with_marker)
        with_marker &= with_marker - 1
        write(out, marked + routes * game["route_marker"][route] + route, 1)


@merged
def observe_cities(game, tables, seat, out):
    """Printed offices and control."""
    at, cities, owners = tables["observe"], tables["num_cities"], tables["owners"]
    control, offices = at[CONTROL], at[OFFICE]
    controlled = first_below(cities) & ~places_of(game["controller"], NONE)
    while controlled:
        city = lowest(controlled)
        controlled &= controlled - 1
        write(out, control + cities * relative(tables, game["controller"][city], seat) + city, 1)
        first, filled = tables["first_office"][city], min(game["filled"][city], tables["printed"][city])
        for space in range(filled):
            piece = game["offices"][first + space] - 1
            row = owners * space + relative(tables, piece >> 1, seat)
            write(out, offices + cities * row + city, 1 + (piece & 1))


@merged
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
