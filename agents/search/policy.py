"""What the trained network would decide: the shares of its choice, compiled."""

from __future__ import annotations

import numpy as np

from hansa_agents.search.compiled_network import add_above_0, begin_with, encode
from hansa_env.engine.action_space import is_legal
from hansa_env.engine.compile import inner

#: The least logit of a legal decision, so that it comes before those that are not, also where the numbers of somebody's network
#: overflow.
LOWEST = np.finfo(np.float32).min


@inner
def add_logits(inputs, layer, own, game, tables, actions, first, logits):
    """Of some actions (−1 = none; where there are none given, of first, first + 1 ...) those that are legal: what a layer reads
    off inputs that are above 0."""
    for kind in range(own.size):
        action = actions[kind] if actions.size else first + kind
        if action >= 0 and is_legal(game, tables, action):
            logit = own[kind]
            for j in range(inputs.size):
                logit += max(inputs[j], np.float32(0)) * layer[j, kind]
            logits[action] = logit if logit > LOWEST else LOWEST  # NaN is not


@inner
def policy_logits(game, tables, network, scratch):
    """The logits of the legal decisions into `scratch.logits`, from what `encode` left in `scratch` for the seat that decides;
    the others are −inf."""
    scratch.logits[:] = -np.inf
    begin_with(scratch.of_routes, network.route_context_own)
    add_above_0(scratch.context, scratch, network.route_context, scratch.of_routes)
    begin_with(scratch.of_cities, network.city_context_own)
    add_above_0(scratch.context, scratch, network.city_context, scratch.of_cities)
    routes, cities, none = len(network.route_own), len(network.city_own), network.route_actions[0, :0]
    token = scratch.token[: scratch.of_routes.size]
    for route in range(routes):
        if any_legal(game, tables, network.route_actions[route]):
            begin_with(token, scratch.of_routes)
            add_above_0(scratch.routes[route], scratch, network.route_out, token)
            actions = network.route_actions[route]
            add_logits(token, network.route_logits, network.route_logits_own, game, tables, actions, 0, scratch.logits)
    first = scratch.logits.size - cities - network.other_logits_own.size
    token = scratch.token[: scratch.of_cities.size]
    for city in range(cities):
        if is_legal(game, tables, first + city):
            begin_with(token, scratch.of_cities)
            add_above_0(scratch.cities[city], scratch, network.city_out, token)
            add_logits(token, network.city_logit, network.city_logit_own, game, tables, none, first + city, scratch.logits)
    first += cities
    add_logits(scratch.context, network.other_logits, network.other_logits_own, game, tables, none, first, scratch.logits)


@inner
def any_legal(game, tables, actions):
    """Whether one of some actions (−1 = none) is legal."""
    for action in actions:
        if action >= 0 and is_legal(game, tables, action):
            return True
    return False


@inner
def likeliest(game, tables, network, scratch, avoided, actions, shares):
    """The decisions that the network would likeliest take, but one that is avoided (−1 = none), into actions (K,), and the
    shares of its choice that fall on them into shares (K,). Returns how many they are."""
    encode(game, tables, network, scratch, game["seat"])
    policy_logits(game, tables, network, scratch)
    logits = scratch.logits
    if avoided >= 0:
        logits[avoided] = -np.inf
    highest, total = logits[logits.argmax()], 0.0
    for action in range(logits.size):
        total += np.exp(logits[action] - highest)
    for i in range(actions.size):
        action = logits.argmax()
        if logits[action] == -np.inf:
            return i
        actions[i], shares[i] = action, np.exp(logits[action] - highest) / total
        logits[action] = -np.inf
    return actions.size
