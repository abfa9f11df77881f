"""Writing what only boards and modules beyond the base game have into the observation of one seat."""

from __future__ import annotations

from hansa_env.engine.bits import lowest, size
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.countries import gateway_holder
from hansa_env.engine.rules.desk import tile_owner
from hansa_env.engine.rules.scoring import ALL_COLUMNS, score_with_modules
from hansa_env.engine.rules.tokens import token_marker, token_owner
from hansa_env.engine.state import ASK_TOKEN, FAVOUR_TILES, LIFTED, MERCHANT, ON_DISPLAY, OVER, TOKENS, TRADER, TRIBUTE
from hansa_env.engine.view.entries import (
    AT_SEA,
    BLOCKS,
    FAVOUR_BOUGHT,
    FAVOURS_OWNED,
    FAVOURS_SHOWN,
    FOREIGN,
    GATEWAYS,
    GREEN_OFFICES,
    LAYING,
    LIFTED_FROM,
    LIFTED_PIECES,
    MISSION,
    PARTNER,
    PERMISSIONS,
    PLACED,
    SCORES,
    SHIP_POSTS,
    SHIP_VACANT,
    TRIBUTES,
    relative,
    write,
)
from hansa_env.engine.view.observation import MOST

_MISSION, _TOTAL = ALL_COLUMNS.index("mission"), ALL_COLUMNS.index("total")


@inner
def observe_modules(game, tables, seat, out):
    """The fields of the boards and modules that the ruleset has."""
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
def observe_all_scores(game, tables, owner, place, out):
    """The scores with the columns that base games do not have; R11.1: what another's mission brings, only at the end."""
    points, players = tables["observe"][SCORES] + place, tables["players"]
    columns = score_with_modules(game, tables, owner)
    for column in range(_TOTAL):
        write(out, points + players * column, min(columns[column], MOST))
    total = columns[_TOTAL]
    if place != 0 and game["asked"] != OVER:
        write(out, points + players * _MISSION, 0)
        total -= columns[_MISSION]
    write(out, points + players * _TOTAL, min(total, MOST))


@inner
def observe_ships(game, tables, seat, out):
    """R9.4: the ship posts, and whether the piece that the field "route" is about stood on one."""
    at, routes = tables["observe"], tables["num_routes"]
    for lane in range(routes, tables["num_lanes"]):
        route = tables["route_of"][lane]
        write(out, at[SHIP_VACANT] + route, game["vacant"][lane])
        for owner in range(tables["players"]):
            entry = at[SHIP_POSTS] + routes * relative(tables, owner, seat) + route
            write(out, entry, game["pieces"][owner, MERCHANT, lane])
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
    """R13.5, R13.8: the seat traded with, the token being laid where used ones do not tell it, and those above routes."""
    at = tables["observe"]
    if at[LAYING] >= 0 and game["asked"] == ASK_TOKEN:
        write(out, at[LAYING] + game["marker_taken"] - TRIBUTE, 1)
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
