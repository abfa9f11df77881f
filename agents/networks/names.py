"""What the parts of every ruleset are called, so that one set of weights can serve them all.

Two rulesets whose observations have an entry of the same name mean the same by it. Entries that belong to a seat have two
names: one that all numbers of players share ("+1": the seat after one's own), and one for that number of players alone.
Routes, cities and whole rulesets have features: those that any board has (posts, abilities, ...), and one that is their own,
by which a board that was trained on can be told from all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from hansa_env import Ruleset, graph_tables, observation_blocks
from hansa_env.engine.action_space import action_things
from hansa_env.engine.questions import QUESTIONS, action_verbs_of, questions_of
from hansa_env.engine.rules.scoring import score_columns
from hansa_env.engine.state import ABILITIES
from hansa_env.engine.view.observation import ObservationField
from hansa_env.ruleset import TOKEN_KINDS

#: Axes of fields that have names of their own; other axes are numbered. An axis over seats or owners is always relative.
_AXES = {
    "question": ("question",), "action": ("verb",), "victim": ("seat", ""), "unseen": ("kind",), "pawn": ("province",),
    "laying": ("token",),
    "permissions": ("gateway",), "foreign": ("region", ""), "lifted": ("", "seat", ""), "lifted_from": ("", "country"),
    "green_offices": ("", "seat", "green"), "markers": ("kind", "seat"), "used": ("kind", "seat"),
    "scores": ("column", "seat"), "gateways": ("gateway", "seat"), "posts": ("seat", "", "row"),
    "route_marker": ("kind", "row"), "ship_posts": ("seat", "row"), "tributes": ("seat", "row"), "blocks": ("seat", "row"),
    "offices": ("", "seat", "row"), "control": ("seat", "row"), "extras": ("seat", "row"), "extra_place": ("seat", "row"),
    "placed": ("seat", "row"),
}  # fmt: skip


class Entry(NamedTuple):
    """The names of one entry: for every number of players, and for the ruleset's alone ("" where they do not differ)."""

    shared: str
    own: str


@cache
def _question_names() -> dict[int, str]:
    """Questions by number; of those that share a name, the second has a 2 behind it, and so on."""
    seen: Counter[str] = Counter()
    found = {}
    for question in QUESTIONS:
        seen[question.name] += 1
        found[question.number] = f"{question.name} {seen[question.name]}" if seen[question.name] > 1 else question.name
    return found


@cache
def _labels(ruleset: Ruleset) -> dict[str, tuple[str, ...]]:
    board = ruleset.board_data
    owners = [f"+{k}" for k in range(ruleset.players)] + ["neutral"]
    return {
        "question": (*(_question_names()[question.number] for question in questions_of(ruleset)), "over"),
        "verb": action_verbs_of(ruleset),
        "kind": tuple(ruleset.marker_kinds), "token": TOKEN_KINDS,
        "province": tuple(province.id for province in board.provinces),
        "gateway": tuple(board.gateways), "region": tuple(region.id for region in board.regions),
        "country": tuple(board.countries), "green": tuple(city.id for city in board.cities if city.green),
        "column": score_columns(ruleset), "seat": tuple(owners),
    }  # fmt: skip


def _entries(ruleset: Ruleset, field: ObservationField, block: str) -> list[Entry]:
    """The entries of a field; in the blocks of routes and cities, the columns."""
    last = {"seats": ("seat",), "routes": ("row",), "cities": ("row",)}.get(block, ())
    axes = _AXES.get(field.name, ("",) * (len(field.shape) - len(last)) + last)
    shape = field.shape[:-1] if axes[-1] == "row" else field.shape
    labels = [
        _labels(ruleset)[axis][:size] if axis else tuple(map(str, range(size))) for axis, size in zip(axes, shape)
    ]  # fmt: skip
    names = [" ".join([field.name, *words]) for words in product(*labels)]
    return [Entry(name, f"{name} of {ruleset.players}" if "seat" in axes else "") for name in names]


@cache
def entries(ruleset: Ruleset, block: str) -> tuple[Entry, ...]:
    """The names of the columns of the block "routes" or "cities", or under "table" of all entries before these blocks."""
    blocks = observation_blocks(ruleset)
    wanted = ("global", "seats") if block == "table" else (block,)
    return tuple(entry for name in wanted for field in blocks[name].fields for entry in _entries(ruleset, field, name))


@cache
def other_actions(ruleset: Ruleset) -> tuple[Entry, ...]:
    """The names of the actions that name neither a route nor a city, in order."""
    tables = graph_tables(ruleset)
    things = np.array(action_things(ruleset))[(tables.action_route < 0) & (tables.action_city < 0)]
    return tuple(Entry(thing, f"{thing} of {ruleset.players}" if "seat +" in thing else "") for thing in things.tolist())


class Features(NamedTuple):
    """Features by name of several rows: (rows, names) float32."""

    names: tuple[str, ...]
    values: np.ndarray


def _features(columns: dict[str, Sequence[float] | np.ndarray]) -> Features:
    return Features(tuple(columns), np.stack([np.asarray(one, np.float32) for one in columns.values()], 1))


def _of_cities(ruleset: Ruleset) -> dict[str, np.ndarray]:
    tables, count = graph_tables(ruleset), len(ruleset.board_data.cities)
    found: dict[str, np.ndarray] = {"city": np.ones(count)}
    found |= {f"develops {ability}": tables.city_abilities[:, k] for k, ability in enumerate(ABILITIES)}
    there = tables.office_shape >= 0
    found |= {"offices": there.sum(1) / 4, "merchants' offices": (tables.office_shape == 1).sum(1) / 2}
    found |= {f"privilege {k}": (tables.office_privilege == k).sum(1) / 2 for k in range(4)}
    found |= {"coins": np.where(there, tables.office_prestige, 0).sum(1), "green": tables.city_green}
    found |= {"routes": tables.incidence.sum(1) / 3, "link": np.isin(np.arange(count), tables.link_cities)}
    for region, cities, gates in zip(ruleset.board_data.regions, tables.region_cities, tables.region_gateways):
        found |= {f"in {region.id}": cities, f"gateway to {region.id}": gates}
    return {name: np.asarray(one, np.float32) for name, one in found.items()}


@cache
def city_features(ruleset: Ruleset) -> Features:
    """Of the cities, in the board's order."""
    cities = ruleset.board_data.cities
    own = dict(zip([f"{ruleset.board}: {city.id}" for city in cities], np.eye(len(cities), dtype=np.float32)))
    return _features({**_of_cities(ruleset), **own})


@cache
def route_features(ruleset: Ruleset) -> Features:
    """Of the routes, in the board's order."""
    tables, routes = graph_tables(ruleset), ruleset.board_data.routes
    found: dict[str, np.ndarray] = {"route": np.ones(len(routes)), "posts": tables.route_posts / 4}
    found |= {f"{count} posts": tables.route_posts == count for count in (2, 3, 4)}
    found |= {"ships": tables.route_ships, "tavern": tables.route_tavern, "permanent": tables.route_permanent >= 0}
    found |= {"prestige": np.arange(len(routes)) == tables.prestige_route}
    countries = ruleset.board_data.countries
    found |= {f"in {country}": tables.route_country == k for k, country in enumerate(countries) if len(countries) > 1}
    found |= {f"end {name}": tables.incidence.T.astype(np.float32) @ one for name, one in _of_cities(ruleset).items()}
    own = dict(zip([f"{ruleset.board}: {route.id}" for route in routes], np.eye(len(routes), dtype=np.float32)))
    return _features({**found, **own})


@cache
def table_features(ruleset: Ruleset) -> Features:
    """Of the ruleset, one row."""
    words = ["ruleset", f"{ruleset.players} players", f"board {ruleset.board}", f"edition {ruleset.edition}", *ruleset.modules]
    return _features({word: [1.0] for word in [*words, *([ruleset.two_players] if ruleset.two_players else [])]})
