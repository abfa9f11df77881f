"""A network of your own for the searches: a model file of `hansa train`, read as data and without torch.

Compiled code trusts the shapes of the weights, so all that a file says is checked first: which game it is for, how large its
network is, and that every number is one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load

from hansa_agents.networks import Shipped
from hansa_agents.networks.metadata import FORMAT, LARGEST, WIDEST, WIDTHS, NoModel, described, description_in
from hansa_agents.networks.names import other_actions
from hansa_agents.networks.route_logits import route_logits
from hansa_agents.networks.run_models import MODEL
from hansa_env import Ruleset, observation_blocks
from hansa_env.formats.file_reading import read_at_most
from hansa_env.play.errors import AgentError, said


def network_in(path: Path, ruleset: Ruleset) -> Shipped:
    """The network of a model file, or of the folder of a run that is done; that for another game is carried over by names.

    Raises `AgentError`: there is none, it is broken, of another kind than `board`, or made with other rules or observations.
    """
    file = path / MODEL if path.is_dir() else path
    try:
        data = read_at_most(file, LARGEST)
        about = description_in(data)
        network = _network_of(file, about)
        found = Shipped(str(file), Ruleset.from_config(about["ruleset"]), network, load(data))
    except AgentError:
        raise
    except OSError as error:
        hint = f"; a run has {MODEL} when it is done, before that name one of its milestones" if path.is_dir() else ""
        raise AgentError(f"{file}: cannot be read as a model ({error.strerror}){hint}") from error
    except NoModel as error:
        raise AgentError(f"{file}: {error}") from error
    except (ValueError, KeyError, TypeError, AttributeError, SafetensorError) as error:
        raise AgentError(f"{file}: cannot be read as a model ({said(error):.200})") from error
    _check_description(found, about)
    _check_weights(found)
    return found._replace(ruleset=ruleset, weights=found.weights_for(ruleset))


def _network_of(file: Path, about: dict[str, Any]) -> dict[str, Any]:
    """What a file says of its network's kind and size. Raises `AgentError` where it is no `board` network."""
    network = about.get("network")
    if about.get("format") != FORMAT or not isinstance(network, dict) or network.get("kind") != "board":
        is_it = f"{about.get('format')!r:.80} with the network {network!s:.200}"
        raise AgentError(f"{file}: is {is_it}; expected {FORMAT!r} with one of the kind board")
    widths = [network.get(name) for name in WIDTHS]
    if set(network) != {"kind", *WIDTHS} or not all(type(width) is int and 1 <= width <= WIDEST for width in widths):
        raise AgentError(f"{file}: its network is {network!s:.200}; expected {', '.join(WIDTHS)} from 1 to {WIDEST}")
    return network


def _check_description(found: Shipped, about: dict[str, Any]) -> None:
    """Raises `AgentError` unless a file says of itself what it says of a network for that ruleset."""
    expected = described(found.ruleset, found.network)
    others = [name for name in expected | about if json.dumps(about.get(name)) != json.dumps(expected.get(name))]
    if others:
        which = ", ".join(map(repr, others))
        raise AgentError(f"{found.name}: is of other rules or observations of {found.ruleset} ({which:.200}); train it anew")


def _check_weights(found: Shipped) -> None:
    """Raises `AgentError` unless the weights are those of such a network."""
    expected = shapes_of(found.ruleset, found.network)
    if set(found.weights) != set(expected):
        raise AgentError(f"{found.name}: has weights of other names than a board network")
    for name, shape in expected.items():
        one = found.weights[name]
        if one.shape != shape or one.dtype != np.float32:
            raise AgentError(f"{found.name}: {name} is {one.dtype} {one.shape}; expected float32 {shape}")
        if not np.isfinite(one).all():
            raise AgentError(f"{found.name}: {name} has entries that are no finite numbers")


def shapes_of(ruleset: Ruleset, network: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """The shape of each weight of a `board` network of such widths, by the names of `hansa_training.networks.weights_of`."""
    width, route, city, of_route, of_city = (int(network[name]) for name in WIDTHS)
    routes, cities = (observation_blocks(ruleset)[block] for block in ("routes", "cities"))
    kinds, others = route_logits(ruleset), len(other_actions(ruleset))
    matrices = {
        "city_in": (city, cities.columns, False), "route_in": (route, routes.columns + cities.columns, False),
        "route_summary": (of_route, route, True), "city_summary": (of_city, city, True),
        "context_in": (width, routes.start, True), "context_out": (width, width, True),
        "context_board": (width, routes.rows * of_route + cities.rows * of_city, False),
        "route_out": (route, route, False), "route_context": (route, width, True), "route_logits": (kinds, route, True),
        "city_out": (city, city, False), "city_context": (city, width, True), "city_logits": (1, city, True),
    }  # fmt: skip
    layers = {f"features_extractor.{name}": one for name, one in matrices.items()}
    layers |= {"value_net.first": (width, width, True), "value_net.last": (1, width, True)}
    layers["action_net.others"] = (others, width, True)
    shapes: dict[str, tuple[int, ...]] = {
        "features_extractor.city_own": (cities.rows * city,), "features_extractor.route_own": (routes.rows * route,)
    }  # fmt: skip
    for name, (out, into, has_bias) in layers.items():
        shapes[f"{name}.weight"] = (out, into)
        if has_bias:
            shapes[f"{name}.bias"] = (out,)
    return shapes
