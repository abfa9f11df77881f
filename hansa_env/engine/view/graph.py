"""The structure of a ruleset's board and action space as arrays, for networks with structure and for search.

Routes, cities, provinces and spaces are numbered as on the board (`Board.routes` and so on), seats relative to who decides
(0 = oneself, the neutral player last), as in the observation's blocks: row i of the block "routes" is route i here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np

from hansa_env.boards import PERMANENT_MARKERS, City, Route
from hansa_env.engine import action_space as kinds
from hansa_env.engine.action_space import KINDS, VERBS, kind_and_thing
from hansa_env.engine.state import ABILITIES
from hansa_env.ruleset import Ruleset

NONE = -1


@dataclass(frozen=True)
class GraphTables:
    """What each action index concerns, and how the board hangs together; arrays are read-only, NONE (−1) = nothing.

    For every action index, (A,) int64:
        action_kind: place in KINDS. action_route, action_city, action_seat, action_ability, action_verb (place in VERBS),
        action_space (of the prestige table), action_province: the one it names.
        action_ship bool: of a route, its ship posts are meant (R9.4).
        action_piece: 0 = a trader, 1 = a merchant: of the pieces on routes, of a seat's, and the verbs of these names.
        action_amount: merchants of an income, or the number of a pair of offices, 0 = the leftmost.

    The board, R routes, C cities, S = most printed spaces of a city:
        route_cities (R, 2) int64: the two cities of a route.
        incidence (C, R) bool: the route leads to the city.
        city_adjacency (C, C) bool: a route links the cities. route_adjacency (R, R) bool: the routes share a city (R4.3).
        route_posts, route_ships (R,) int64: all posts, and how many of them are ship posts (R9.4); route_tavern (R,) bool.
        route_permanent (R,) int64: permanent marker, place in PERMANENT_MARKERS (R9.14).
        route_country (R,) int64: place in `Board.countries`, 0 = England, and on boards without regions (R10.3).
        region_cities (number of regions, C) bool: the city counts for the region (R10.17).
        region_gateways (number of regions, C) bool: the city gives a permission for it (R10.5).
        city_green (C,) bool: without printed spaces (R9.7).
        city_abilities (C, 5) bool: may be developed there (R5.8). link_cities (2,) int64: the ends of the link (R5.7).
        office_shape (C, S) int64: 0 = for a trader, 1 = for a merchant. office_privilege (C, S): 0 white to 3 black.
        office_prestige (C, S): of its coin. All NONE where there is no space.
        space_value, space_privilege (number of prestige spaces,) int64. prestige_route: the route to them.
    """

    action_kind: np.ndarray
    action_route: np.ndarray
    action_ship: np.ndarray
    action_city: np.ndarray
    action_seat: np.ndarray
    action_piece: np.ndarray
    action_ability: np.ndarray
    action_verb: np.ndarray
    action_space: np.ndarray
    action_province: np.ndarray
    action_amount: np.ndarray
    route_cities: np.ndarray
    incidence: np.ndarray
    city_adjacency: np.ndarray
    route_adjacency: np.ndarray
    route_posts: np.ndarray
    route_ships: np.ndarray
    route_permanent: np.ndarray
    route_country: np.ndarray
    region_cities: np.ndarray
    region_gateways: np.ndarray
    route_tavern: np.ndarray
    city_abilities: np.ndarray
    city_green: np.ndarray
    link_cities: np.ndarray
    office_shape: np.ndarray
    office_privilege: np.ndarray
    office_prestige: np.ndarray
    space_value: np.ndarray
    space_privilege: np.ndarray
    prestige_route: int


@cache
def graph_tables(ruleset: Ruleset) -> GraphTables:
    """The tables of a ruleset; made once. Raises RulesetError where it is no `Ruleset`."""
    ruleset = Ruleset.checked(ruleset)
    arrays: dict[str, Any] = _actions(ruleset) | _routes(ruleset) | _cities(ruleset)
    tables = GraphTables(**arrays)
    for field in fields(tables):
        value = getattr(tables, field.name)
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
    return tables


def _actions(ruleset: Ruleset) -> dict[str, Any]:
    kind, thing = kind_and_thing(ruleset).T
    on_route, named = kind < kinds.ROUTE, kind <= kinds.ROUTE
    route_of = np.array([lane.route for lane in ruleset.board_data.lanes])
    is_piece = kind == kinds.PIECE
    with_piece = (kind == kinds.VERB) & np.isin(thing, (kinds.WITH_TRADER, kinds.WITH_MERCHANT))

    def of(*wanted: int) -> np.ndarray:
        return np.where(np.isin(kind, wanted), thing, NONE)

    piece = np.where(on_route, kind, NONE)
    piece = np.where(is_piece, thing % 2, piece)
    return {
        "action_kind": kind.copy(),
        "action_route": np.where(named, route_of[np.where(named, thing, 0)], NONE),
        "action_ship": named & (thing >= len(ruleset.board_data.routes)),
        "action_city": of(kinds.CITY),
        "action_seat": np.where(is_piece, thing // 2, NONE),
        "action_piece": np.where(with_piece, thing - kinds.WITH_TRADER, piece),
        "action_ability": of(kinds.ABILITY),
        "action_verb": of(kinds.VERB),
        "action_space": of(kinds.SPACE),
        "action_province": of(kinds.PROVINCE),
        "action_amount": of(kinds.INCOME, kinds.PAIR),
    }


def _routes(ruleset: Ruleset) -> dict[str, Any]:
    board = ruleset.board_data
    number = {city.id: i for i, city in enumerate(board.cities)}
    ends = np.array([[number[city] for city in route.cities] for route in board.routes])
    incidence = np.zeros((len(board.cities), len(board.routes)), np.bool_)
    incidence[ends, np.arange(len(ends))[:, None]] = True
    steps = incidence.astype(np.int64)
    linked, touching = (steps @ steps.T) > 0, (steps.T @ steps) > 0
    np.fill_diagonal(linked, False)
    np.fill_diagonal(touching, False)
    return {
        "route_cities": ends,
        "incidence": incidence,
        "city_adjacency": linked,
        "route_adjacency": touching,
        "route_posts": np.array([route.posts for route in board.routes]),
        "route_ships": np.array([route.ships for route in board.routes]),
        "route_permanent": np.array([_permanent(route) for route in board.routes]),
        "route_country": np.array([board.countries.index(route.country) for route in board.routes]),
        "region_cities": _among(board.cities, [region.cities for region in board.regions]),
        "region_gateways": _among(board.cities, [region.gateways for region in board.regions]),
        "route_tavern": np.array([route.tavern for route in board.routes]),
        "link_cities": np.array([number[city] for city in board.link_cities]),
        "space_value": np.array([value for _, value in board.prestige_spaces]),
        "space_privilege": np.array([privilege for privilege, _ in board.prestige_spaces]),
        "prestige_route": [route.id for route in board.routes].index(board.prestige_route),
    }


def _among(cities: Sequence[City], rows: Sequence[Sequence[str]]) -> np.ndarray:
    """(rows, C) bool: which cities each row names."""
    return np.array([[city.id in row for city in cities] for row in rows], np.bool_).reshape(len(rows), len(cities))


def _permanent(route: Route) -> int:
    return PERMANENT_MARKERS.index(route.permanent_marker) if route.permanent_marker else NONE


def _cities(ruleset: Ruleset) -> dict[str, Any]:
    cities = ruleset.board_data.cities
    size = len(cities), max(len(city.offices) for city in cities)
    shape, privilege, prestige = (np.full(size, NONE) for _ in range(3))
    for c, city in enumerate(cities):
        for s, office in enumerate(city.offices):
            shape[c, s], privilege[c, s], prestige[c, s] = office.shape, office.privilege, office.prestige
    return {
        "city_green": np.array([city.green for city in cities]),
        "city_abilities": np.array([[ability in city.abilities for ability in ABILITIES] for city in cities]),
        "office_shape": shape,
        "office_privilege": privilege,
        "office_prestige": prestige,
    }


__all__ = ["KINDS", "NONE", "VERBS", "GraphTables", "graph_tables"]
