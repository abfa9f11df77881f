"""The trained network that comes with the project, compiled: what it reads out of a game, without torch and without a batch.

A file of `networks/` has its weights for one number of players; `python -m hansa_training.without_torch` makes the files from
the trained networks. What it thinks of a game is in `evaluation` and `policy`.
"""

from __future__ import annotations

import zipfile
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from hansa_agents.model_hash import hash_of_arrays
from hansa_env.engine.compile import inner
from hansa_env.engine.decisions import fingerprint, num_actions
from hansa_env.engine.rules.scoring import ALL_COLUMNS
from hansa_env.engine.state import OWNERS
from hansa_env.engine.view.observation import observation_fingerprint, observation_size
from hansa_env.engine.view.write_observation import observe
from hansa_env.play.errors import AgentError
from hansa_env.ruleset import Ruleset

FOLDER = files("hansa_agents.search") / "networks"


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
    route_logits: np.ndarray  # (U, 3), of a trader there, a merchant, and the route
    route_logits_own: np.ndarray  # (3,)
    city_out: np.ndarray  # (T, T)
    city_context: np.ndarray  # (H, T)
    city_context_own: np.ndarray  # (T,)
    city_logit: np.ndarray  # (T, 1)
    city_logit_own: np.ndarray  # (1,)
    other_logits: np.ndarray  # (H, the actions after those of routes and cities)
    other_logits_own: np.ndarray  # (the same,)


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
    routes, kinds = len(network.route_own), len(network.route_logits_own)
    return routes * kinds + len(network.city_own) + len(network.other_logits_own)


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


@cache
def network_hash(ruleset: Ruleset) -> str:
    """What tells the network for a ruleset from others. Raises `AgentError` as `network_of` does."""
    return hash_of_arrays(network_of(ruleset)._asdict())


def fingerprints(ruleset: Ruleset) -> list[str]:
    """What a file says of the games that it is for: of the actions, which belong to a board, and of the observation."""
    return [fingerprint(ruleset), observation_fingerprint(ruleset)]


@cache
def network_of(ruleset: Ruleset) -> Network:
    """The network for a ruleset. Raises `AgentError` where there is none, or its file is broken or for other games."""
    file = FOLDER / f"{ruleset.players}-players.npz"
    if not file.is_file():
        raise AgentError(f"there is no {file}; make it: python -m hansa_training.without_torch")
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as kept:
            made_for = kept["fingerprints"].tolist()
            network = Network(*(np.require(kept[name], np.float32, "C") for name in Network._fields))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise AgentError(f"{file} is broken ({error}); make it anew: python -m hansa_training.without_torch") from error
    sizes = new_scratch(network).seen.size, num_actions_of(network)
    if made_for != fingerprints(ruleset) or sizes != (observation_size(ruleset), num_actions(ruleset)):
        raise AgentError(f"{file.name} is for other games than {ruleset}; expected the edition and board it is for")
    return network


def network_of_agent(agent: str, ruleset: Ruleset) -> Network:
    """The network for a ruleset. Raises `AgentError`, in the name of the agent that asks, as `network_of` does."""
    try:
        return network_of(ruleset)
    except AgentError as error:
        raise AgentError(f"{agent}: {error}") from error
