"""Weights that many rulesets share: how those of one ruleset's network are read off them, in NumPy or PyTorch alike.

A column of the observation takes the sum of the weights of its names, a route or a city the sum of the weights of its features
(`hansa_agents.search.names`). So what is read off is linear in the shared weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from hansa_agents.search.names import Entry, Features, city_features, entries, other_actions, route_features, table_features
from hansa_env import Ruleset

#: Kinds of names: entries of the observation by block, other actions, and features.
NAMED = ("table", "routes", "cities", "actions")
FEATURES = ("route features", "city features", "table features")
KINDS = (*NAMED, *FEATURES)
#: Logits that a route can have: trader, merchant, route, and on ships merchant and route.
ROUTE_LOGITS = 5
#: Layers that all rulesets have in common as they are.
COMMON = (
    "route_summary",
    "city_summary",
    "context_out",
    "route_context",
    "city_context",
    "city_logits",
    "value_first",
    "value_last",
)
WITHOUT_BIAS = ("route_out", "city_out")


def names_of(rulesets: Iterable[Ruleset]) -> dict[str, list[str]]:
    """All names that rulesets have, by kind, in the order in which they come."""
    found: dict[str, dict[str, None]] = {kind: {} for kind in KINDS}
    for ruleset in rulesets:
        for kind, some in _named(ruleset).items():
            found[kind] |= dict.fromkeys(name for entry in some for name in entry if name)
        for kind, features in zip(FEATURES, _features_of(ruleset)):
            found[kind] |= dict.fromkeys(features.names)
    return {kind: list(names) for kind, names in found.items()}


def _named(ruleset: Ruleset) -> dict[str, Sequence[Entry]]:
    found: dict[str, Sequence[Entry]] = {kind: entries(ruleset, kind) for kind in NAMED[:-1]}
    return found | {NAMED[-1]: other_actions(ruleset)}


def _features_of(ruleset: Ruleset) -> tuple[Features, Features, Features]:
    return route_features(ruleset), city_features(ruleset), table_features(ruleset)


def places_of(ruleset: Ruleset, names: Mapping[str, Sequence[str]]) -> dict[str, np.ndarray]:
    """Where a ruleset's names stand among shared ones.

    Of each kind of NAMED, "KIND shared" and "KIND own" (entries,) int64, and "KIND has shared", "KIND has own" (entries,)
    float32, 0 where the name is not among them; of each of FEATURES, the features (rows, names) float32.
    """
    found: dict[str, np.ndarray] = {}
    for kind, some in _named(ruleset).items():
        place = {name: i for i, name in enumerate(names[kind])}
        for which, several in zip(("shared", "own"), zip(*some)):
            where = np.array([place.get(name, -1) for name in several], np.int64)
            found[f"{kind} {which}"], found[f"{kind} has {which}"] = np.maximum(where, 0), (where >= 0).astype(np.float32)
    for kind, features in zip(FEATURES, _features_of(ruleset)):
        place = {name: i for i, name in enumerate(names[kind])}
        found[kind] = np.zeros((len(features.values), len(names[kind])), np.float32)
        for name, column in zip(features.names, features.values.T):
            if name in place:
                found[kind][:, place[name]] = column
    return found


def read_off(
    weights: Mapping[str, Any], places: Mapping[str, Any], ships: bool, join: Callable[[Sequence[Any], int], Any]
) -> dict[str, Any]:
    """The weights of a ruleset's `board` network, by the names of its layers.

    Args:
        weights: the shared ones, arrays or tensors.
        places: of `places_of`, as arrays or tensors like these.
        ships: whether the board has posts for ships.
        join: concatenates several along an axis.
    """

    def columns(layer: Any, kind: str) -> Any:
        """(out, names) -> (out, entries)."""
        shared = layer[:, places[f"{kind} shared"]] * places[f"{kind} has shared"]
        return shared + layer[:, places[f"{kind} own"]] * places[f"{kind} has own"]

    def board(kind: str, layer: Any) -> Any:
        """(names, out of a token, out) -> (out of all tokens, out)."""
        return (places[kind] @ layer.reshape(len(layer), -1)).reshape(-1, layer.shape[2])

    routes, cities, table = FEATURES
    kinds = ROUTE_LOGITS if ships else 3
    found = {
        "city_in.weight": columns(weights["city_in"], "cities"),
        "city_own": (places[cities] @ weights["city_own"]).reshape(-1),
        "route_in.weight": join([columns(weights["route_in"], "routes"), columns(weights["route_city_in"], "cities")], 1),
        "route_own": (places[routes] @ weights["route_own"]).reshape(-1),
        "context_in.weight": columns(weights["context_in"], "table"),
        "context_in.bias": (places[table] @ weights["context_own"]).reshape(-1),
        "context_board.weight": join([board(routes, weights["context_route"]), board(cities, weights["context_city"])], 0).T,
        "route_logits.weight": weights["route_logits_weight"][:kinds],
        "route_logits.bias": weights["route_logits_bias"][:kinds],
        "head.others.weight": columns(weights["others"].T, "actions").T,
        "head.others.bias": columns(weights["others_bias"].reshape(1, -1), "actions").reshape(-1),
    }
    found |= {f"{name}.weight": weights[name] for name in WITHOUT_BIAS}
    for name in COMMON:
        layer = name.replace("value_", "value.")
        found |= {f"{layer}.{what}": weights[f"{name}_{what}"] for what in ("weight", "bias")}
    return found
