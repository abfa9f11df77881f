"""The compiled network of `hansa_agents.search.network` from the weights of a trained one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hansa_agents.search.network import Network, route_actions_of
from hansa_env import Ruleset, observation_blocks
from hansa_env.engine.view.observation import observation_high


def network_from(weights: Mapping[str, np.ndarray], ruleset: Ruleset) -> Network:
    """The compiled network of a `board` network's weights, by the names of its layers: scaled for entries as they are, with the
    biases of the summaries in that of the context."""
    weights = {name: np.asarray(one, np.float64) for name, one in weights.items()}
    routes, cities = observation_blocks(ruleset)["routes"], observation_blocks(ruleset)["cities"]
    scale = (1 / observation_high(ruleset).astype(np.float32)).astype(np.float64)
    of_route, of_city = _common(scale[routes.slice], routes.columns), _common(scale[cities.slice], cities.columns)
    summaries = routes.rows * len(weights["route_summary.weight"])
    of_board = weights["context_board.weight"].T
    biases = [np.tile(weights["route_summary.bias"], routes.rows), np.tile(weights["city_summary.bias"], cities.rows)]
    route_in = weights["route_in.weight"].T
    return Network(
        route_actions=route_actions_of(ruleset),
        city_in=of_city * weights["city_in.weight"].T,
        city_own=weights["city_own"].reshape(cities.rows, -1),
        route_in=of_route * route_in[: routes.columns],
        route_city=of_city * route_in[routes.columns :],
        route_own=weights["route_own"].reshape(routes.rows, -1),
        city_summary=weights["city_summary.weight"].T,
        route_summary=weights["route_summary.weight"].T,
        context_in=scale[: routes.start, None] * weights["context_in.weight"].T,
        context_route=of_board[:summaries],
        context_city=of_board[summaries:],
        context_own=weights["context_in.bias"] + np.concatenate(biases) @ of_board,
        context_out=weights["context_out.weight"].T,
        context_out_own=weights["context_out.bias"],
        value_first=weights["value.first.weight"].T,
        value_first_own=weights["value.first.bias"],
        value_last=weights["value.last.weight"][0],
        value_last_own=weights["value.last.bias"],
        route_out=weights["route_out.weight"].T,
        route_context=weights["route_context.weight"].T,
        route_context_own=weights["route_context.bias"],
        route_logits=weights["route_logits.weight"].T,
        route_logits_own=weights["route_logits.bias"],
        city_out=weights["city_out.weight"].T,
        city_context=weights["city_context.weight"].T,
        city_context_own=weights["city_context.bias"],
        city_logit=weights["city_logits.weight"].T,
        city_logit_own=weights["city_logits.bias"],
        other_logits=weights["head.others.weight"].T,
        other_logits_own=weights["head.others.bias"],
    )


def _common(scale: np.ndarray, columns: int) -> np.ndarray:
    """The scale (columns, 1) that all rows of a block share, as they do their weights."""
    scale = scale.reshape(columns, -1)
    assert (scale == scale[:, :1]).all(), "rows of a block have one scale"
    return scale[:, :1]
