"""Weights of one game's `board` network for another game: by the names of what it sees and does (`names`).

What both games name has the same weights; on the same board that is nearly all. What only the new game has begins at 0, and
routes and cities of another board begin as the mean of those that there were. So a module that was added is not understood at
first, and everything else is played as before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from hansa_agents.networks.names import entries, other_actions
from hansa_agents.networks.route_logits import ON_LAND, route_logits
from hansa_env import Ruleset, observation_blocks
from hansa_env.engine.view.observation import observation_high

#: The names of the two layers of parts of a policy that read the board.
FEATURES, _HEAD = "features_extractor.", "action_net.others."


def likeness(given: Ruleset, to: Ruleset) -> float:
    """How well a network for one game should play another: what both games name, as a share of that and of what only one names
    (Tversky's index). What the network never saw counts whole, what it need not know half: so it measured best."""
    there, here = names_of(to), names_of(given)
    shared = len(there & here)
    return shared / (len(there) + 0.5 * (len(here) - shared))


def names_of(ruleset: Ruleset) -> set[str]:
    """All that a game names: what is seen, what is done, routes and cities."""
    found = {f"{block} {entry.shared}" for block in ("table", "routes", "cities") for entry in entries(ruleset, block)}
    found |= {f"action {entry.shared}" for entry in other_actions(ruleset)}
    return found | {f"route {name}" for name in _routes(ruleset)} | {f"city {name}" for name in _cities(ruleset)}


def carried(weights: Mapping[str, np.ndarray], given: Ruleset, to: Ruleset) -> dict[str, np.ndarray]:
    """The weights of a `board` network, by name, as `hansa_training.networks.weights_of` has them, for another ruleset.

    Args:
        weights: of a network for the ruleset `given`, float32.
        to: the ruleset that they are to play. It may have other numbers of players: seats are counted from one's own.
    """
    found = dict(weights)
    for layer, blocks in (("city_in", ["cities"]), ("route_in", ["routes", "cities"]), ("context_in", ["table"])):
        name, first, parts = f"{FEATURES}{layer}.weight", 0, []
        for block in blocks:
            size = len(entries(given, block))
            parts.append(_columns(weights[name][:, first : first + size], given, to, block))
            first += size
        found[name] = np.concatenate(parts, 1)
    routes, cities = _places(_routes(given), _routes(to)), _places(_cities(given), _cities(to))
    for layer, places in (("route_own", routes), ("city_own", cities)):
        own = weights[FEATURES + layer]
        found[FEATURES + layer] = _rows(own.reshape(_count(given, layer), -1), places).flatten()
    board = weights[f"{FEATURES}context_board.weight"].T
    summaries = _count(given, "route_own") * len(weights[f"{FEATURES}route_summary.bias"])
    found[f"{FEATURES}context_board.weight"] = np.concatenate(
        [
            _rows(part.reshape(_count(given, layer), -1), places).reshape(-1, board.shape[1])
            for part, layer, places in ((board[:summaries], "route_own", routes), (board[summaries:], "city_own", cities))
        ]
    ).T
    kinds = list(ON_LAND[: route_logits(to)])
    for what in ("weight", "bias"):
        name = f"{FEATURES}route_logits.{what}"
        found[name] = weights[name] if len(weights[name]) >= len(kinds) else weights[name][kinds]
        found[name] = found[name][: len(kinds)]
    places = _places([one.shared for one in other_actions(given)], [one.shared for one in other_actions(to)])
    for what in ("weight", "bias"):
        found[_HEAD + what] = _rows(weights[_HEAD + what], places, np.float32(0))
    return {name: np.require(one, np.float32, "C") for name, one in found.items()}


def _columns(layer: np.ndarray, given: Ruleset, to: Ruleset, block: str) -> np.ndarray:
    """A layer (out, entries) for other entries: by name, and by the range over which an entry is scaled."""
    places = _places([one.shared for one in entries(given, block)], [one.shared for one in entries(to, block)])
    ranges = _ranges(to, block) / np.where(places >= 0, _ranges(given, block)[places], 1)
    return _rows(layer.T, places, np.float32(0)).T * ranges


def _ranges(ruleset: Ruleset, block: str) -> np.ndarray:
    """The largest value of each entry, of the blocks of routes and cities of each column."""
    high, blocks = observation_high(ruleset), observation_blocks(ruleset)
    if block == "table":
        return high[: blocks["routes"].start].astype(np.float64)
    return high[blocks[block].slice].reshape(blocks[block].columns, -1)[:, 0].astype(np.float64)


def _places(given: Sequence[str], to: Sequence[str]) -> np.ndarray:
    """Where each name stands among those given, -1: nowhere."""
    where = {name: place for place, name in enumerate(given)}
    return np.array([where.get(name, -1) for name in to], np.int64)


def _rows(rows: np.ndarray, places: np.ndarray, missing: np.ndarray | np.float32 | None = None) -> np.ndarray:
    """The rows at some places; those of no place are the mean of all, or `missing`."""
    found = rows[places]
    found[places < 0] = rows.mean(0) if missing is None else missing
    return found


def _routes(ruleset: Ruleset) -> list[str]:
    return [route.id for route in ruleset.board_data.routes]


def _cities(ruleset: Ruleset) -> list[str]:
    return [city.id for city in ruleset.board_data.cities]


def _count(ruleset: Ruleset, layer: str) -> int:
    return len(_routes(ruleset) if layer == "route_own" else _cities(ruleset))
