"""A trained network, compiled: what it reads out of a game, without torch and without a batch.

Its weights are those of `hansa_agents.networks`, or of a model file. What it thinks of a game is in `evaluation` and `policy`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hansa_agents.model_hash import hash_of_arrays
from hansa_agents.networks import YARDSTICKS, network_for
from hansa_agents.networks.from_file import network_in
from hansa_agents.networks.route_logits import logit_of_action, route_logits
from hansa_env import graph_tables, observation_blocks
from hansa_env.engine.compile import inner
from hansa_env.engine.rules.scoring import ALL_COLUMNS
from hansa_env.engine.state import OWNERS
from hansa_env.engine.view.observation import observation_high
from hansa_env.engine.view.write_observation import observe
from hansa_env.play.errors import AgentError
from hansa_env.ruleset import Ruleset


class Network(NamedTuple):
    """The weights, float32, each layer with its inputs as rows, for entries of observations as they are.

    There are R routes and C cities. Every city and route has a token; the context reads the first part of the observation
    (the question and the seats) and a summary of every token. All but summaries, logits and the value itself are cut off
    below 0.
    """

    city_in: np.ndarray  # (columns of a city, T)
    city_own: np.ndarray  # (C, T)
    route_in: np.ndarray  # (columns of a route, U)
    route_city: np.ndarray  # (columns of a city, U), of the two cities at its ends
    route_own: np.ndarray  # (R, U)
    city_summary: np.ndarray  # (T, S)
    route_summary: np.ndarray  # (U, Q)
    context_in: np.ndarray  # (entries before the routes, H)
    context_route: np.ndarray  # (R Q, H)
    context_city: np.ndarray  # (C S, H)
    context_own: np.ndarray  # (H,)
    context_out: np.ndarray  # (H, H), the second layer of the context, which all else is read off
    context_out_own: np.ndarray  # (H,)
    value_first: np.ndarray  # (H, H)
    value_first_own: np.ndarray  # (H,)
    value_last: np.ndarray  # (H,)
    value_last_own: np.ndarray  # (1,)
    route_out: np.ndarray  # (U, U)
    route_context: np.ndarray  # (H, U)
    route_context_own: np.ndarray  # (U,)
    route_logits: np.ndarray  # (U, 3), of a trader there, a merchant, and the route; with ships (U, 5), of these on their posts
    route_logits_own: np.ndarray  # (3,) or (5,)
    city_out: np.ndarray  # (T, T)
    city_context: np.ndarray  # (H, T)
    city_context_own: np.ndarray  # (T,)
    city_logit: np.ndarray  # (T, 1)
    city_logit_own: np.ndarray  # (1,)
    other_logits: np.ndarray  # (H, the actions after those of routes and cities)
    other_logits_own: np.ndarray  # (the same,)
    route_actions: np.ndarray  # (R, columns of `route_logits`) int64, the action of each, −1 = none


class Scratch(NamedTuple):
    """Arrays to work in, for one network: inputs of a layer that are not 0 come as `amounts` and `places`."""

    seen: np.ndarray  # an observation, int8
    amounts: np.ndarray  # float32
    places: np.ndarray  # int64
    cities: np.ndarray  # (C, T), tokens
    ends: np.ndarray  # (C, U), what a city tells the routes that end there
    routes: np.ndarray  # (R, U), tokens
    city_summaries: np.ndarray  # (C, S)
    route_summaries: np.ndarray  # (R, Q)
    gathered: np.ndarray  # (H,), the first layer of the context
    context: np.ndarray  # (H,), the second
    value: np.ndarray  # (H,), the first layer of the value
    of_routes: np.ndarray  # (U,), what the context tells every route
    of_cities: np.ndarray  # (T,), and every city
    token: np.ndarray  # (max(T, U),)
    logits: np.ndarray  # (A,)
    scores: np.ndarray  # (OWNERS, columns of scores) int64


def new_scratch(network: Network) -> Scratch:
    """Scratch arrays for a network."""
    (routes, of_route), (cities, of_city) = network.route_own.shape, network.city_own.shape
    size = len(network.context_in) + routes * len(network.route_in) + cities * len(network.city_in)
    width = len(network.context_own)
    longest = max(size, width, len(network.context_route), len(network.context_city))  # of the inputs of any layer
    shapes = {
        "amounts": longest, "cities": (cities, of_city), "ends": (cities, of_route), "routes": (routes, of_route),
        "city_summaries": (cities, network.city_summary.shape[1]), "route_summaries": (routes, network.route_summary.shape[1]),
        "gathered": width, "context": width, "value": width, "of_routes": of_route, "of_cities": of_city,
        "token": max(of_route, of_city), "logits": num_actions_of(network),
    }  # fmt: skip
    return Scratch(
        seen=np.zeros(size, np.int8), places=np.zeros(longest, np.int64), scores=np.zeros((OWNERS, len(ALL_COLUMNS)), np.int64),
        **{name: np.zeros(shape, np.float32) for name, shape in shapes.items()},
    )  # fmt: skip


def num_actions_of(network: Network) -> int:
    """The size of the action space that a network knows."""
    return int(network.route_actions.max()) + 1 + len(network.city_own) + len(network.other_logits_own)


def route_actions_of(ruleset: Ruleset) -> np.ndarray:
    """The actions that name a route, (R, K) int64, K as of `route_logits`; −1 where a route has none."""
    tables = graph_tables(ruleset)
    names = np.flatnonzero(tables.action_route >= 0)
    found = np.full((len(ruleset.board_data.routes), route_logits(ruleset)), -1)
    found[tables.action_route[names], logit_of_action(tables)] = names
    return found


@inner
def begin_with(out, values):
    """Before anything is added."""
    for i in range(out.size):
        out[i] = values[i]


@inner
def add_layer(amounts, places, count, layer, out):
    """Add what a layer makes of `count` inputs; four at a time, since adding up takes longest."""
    whole = count - count % 4
    for k in range(0, whole, 4):
        a, b, c, d = places[k], places[k + 1], places[k + 2], places[k + 3]
        u, v, x, y = amounts[k], amounts[k + 1], amounts[k + 2], amounts[k + 3]
        for j in range(out.size):
            out[j] += (u * layer[a, j] + v * layer[b, j]) + (x * layer[c, j] + y * layer[d, j])
    for k in range(whole, count):
        a, u = places[k], amounts[k]
        for j in range(out.size):
            out[j] += u * layer[a, j]


@inner
def add_above_0(inputs, scratch, layer, out):
    """Add what a layer makes of those of its inputs that are above 0."""
    count = 0
    for i in range(inputs.size):
        if inputs[i] > 0:
            scratch.amounts[count], scratch.places[count] = inputs[i], i
            count += 1
    add_layer(scratch.amounts, scratch.places, count, layer, out)


@inner
def gather(scratch, start, step, size):
    """The entries start, start + step ... of the observation that are not 0, of `size`, into amounts and places; how many."""
    count = 0
    for i in range(size):
        entry = scratch.seen[start + i * step]
        if entry != 0:
            scratch.amounts[count], scratch.places[count] = entry, i
            count += 1
    return count


@inner
def encode(game, tables, network, scratch, seat):
    """What a seat sees of a game into the tokens and the context in `scratch`."""
    observe(game, tables, seat, scratch.seen)
    encode_cities(network, scratch)
    encode_routes(tables, network, scratch)
    begin_with(scratch.gathered, network.context_own)
    count = gather(scratch, 0, 1, len(network.context_in))
    add_layer(scratch.amounts, scratch.places, count, network.context_in, scratch.gathered)
    for i in range(scratch.places.size):
        scratch.places[i] = i
    routes, cities = scratch.route_summaries.reshape(-1), scratch.city_summaries.reshape(-1)
    add_layer(routes, scratch.places, routes.size, network.context_route, scratch.gathered)
    add_layer(cities, scratch.places, cities.size, network.context_city, scratch.gathered)
    begin_with(scratch.context, network.context_out_own)
    add_above_0(scratch.gathered, scratch, network.context_out, scratch.context)


@inner
def encode_cities(network, scratch):
    """The tokens of the cities, their summaries, and what each tells the routes that end there."""
    cities, columns = len(network.city_own), len(network.city_in)
    start = scratch.seen.size - cities * columns
    scratch.ends[:] = 0
    scratch.city_summaries[:] = 0
    for city in range(cities):
        count = gather(scratch, start + city, cities, columns)
        begin_with(scratch.cities[city], network.city_own[city])
        add_layer(scratch.amounts, scratch.places, count, network.city_in, scratch.cities[city])
        add_layer(scratch.amounts, scratch.places, count, network.route_city, scratch.ends[city])
        add_above_0(scratch.cities[city], scratch, network.city_summary, scratch.city_summaries[city])


@inner
def encode_routes(tables, network, scratch):
    """The tokens of the routes and their summaries."""
    routes, columns, start = len(network.route_own), len(network.route_in), len(network.context_in)
    scratch.route_summaries[:] = 0
    for route in range(routes):
        token, here, there = scratch.routes[route], tables["route_city"][route, 0], tables["route_city"][route, 1]
        for j in range(token.size):
            token[j] = network.route_own[route, j] + scratch.ends[here, j] + scratch.ends[there, j]
        add_layer(scratch.amounts, scratch.places, gather(scratch, start + route, routes, columns), network.route_in, token)
        add_above_0(token, scratch, network.route_summary, scratch.route_summaries[route])


def network_from(weights: Mapping[str, np.ndarray], ruleset: Ruleset, precision: type = np.float32) -> Network:
    """The compiled network of a `board` network's weights (`hansa_agents.networks`), rounded to a precision: scaled for entries
    as they are, with the biases of the summaries in that of the context."""
    weights = {name.removeprefix("features_extractor."): np.asarray(one, np.float64) for name, one in weights.items()}
    routes, cities = observation_blocks(ruleset)["routes"], observation_blocks(ruleset)["cities"]
    scale = (1 / observation_high(ruleset).astype(np.float32)).astype(np.float64)
    of_route, of_city = _common(scale[routes.slice], routes.columns), _common(scale[cities.slice], cities.columns)
    summaries = routes.rows * len(weights["route_summary.weight"])
    of_board = weights["context_board.weight"].T
    biases = [np.tile(weights["route_summary.bias"], routes.rows), np.tile(weights["city_summary.bias"], cities.rows)]
    route_in = weights["route_in.weight"].T
    layers = dict(
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
        context_own=weights["context_in.bias"] + np.einsum("i,ij->j", np.concatenate(biases), of_board),
        context_out=weights["context_out.weight"].T,
        context_out_own=weights["context_out.bias"],
        value_first=weights["value_net.first.weight"].T,
        value_first_own=weights["value_net.first.bias"],
        value_last=weights["value_net.last.weight"][0],
        value_last_own=weights["value_net.last.bias"],
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
        other_logits=weights["action_net.others.weight"].T,
        other_logits_own=weights["action_net.others.bias"],
    )
    rounded = {name: np.require(layer.astype(precision), np.float32, "C") for name, layer in layers.items()}
    return Network(**rounded, route_actions=route_actions_of(ruleset))


def _common(scale: np.ndarray, columns: int) -> np.ndarray:
    """The scale (columns, 1) that all rows of a block share, as they do their weights."""
    scale = scale.reshape(columns, -1)
    assert (scale == scale[:, :1]).all(), "rows of a block have one scale"
    return scale[:, :1]


def network_hash(network: Network) -> str:
    """What tells a network from others."""
    layers = network._asdict()
    del layers["route_actions"]  # follows from the ruleset
    return hash_of_arrays(layers)


@cache
def network_of(ruleset: Ruleset, yardstick: str = "") -> Network:
    """The network for a ruleset: today's, or one that others are measured against (`hansa_agents.networks.YARDSTICKS`).

    Raises `AgentError` where there is none, or its file is broken.
    """
    if yardstick and yardstick not in YARDSTICKS:
        raise AgentError(f"network is {yardstick!r}; expected {' or '.join(YARDSTICKS)}, or nothing for today's")
    shipped = network_for(ruleset, yardstick)
    if shipped.network["kind"] != "board":
        raise AgentError(f"{shipped.name} is a network of the kind {shipped.network['kind']}; only board is compiled")
    return network_from(shipped.weights, ruleset, np.float16)  # as the ladder's games were played


def network_of_agent(agent: str, ruleset: Ruleset, yardstick: str = "", model: str = "") -> Network:
    """The network for a ruleset: as `network_of` takes it, or of a model file or the folder of a run.

    Raises `AgentError`, in the name of the agent that asks, where there is none or it cannot be played.
    """
    try:
        if yardstick and model:
            raise AgentError(f"network is {yardstick!r} and model {model!r}; expected one of them")
        return network_from(network_in(Path(model), ruleset).weights, ruleset) if model else network_of(ruleset, yardstick)
    except AgentError as error:
        raise AgentError(f"{agent}: {error}") from error
