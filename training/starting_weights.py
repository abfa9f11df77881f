"""The weights that a run begins with, where its plan names some."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from hansa_agents.networks.carry import carried
from hansa_agents.networks.spec import weights_named
from hansa_env import Ruleset
from hansa_env.play.errors import AgentError
from hansa_training.agent import is_shipped, load_player, shipped_network
from hansa_training.errors import ModelError
from hansa_training.model_file import load_shared, network_of, trained_for
from hansa_training.networks import weights_of
from hansa_training.networks.board import BoardPolicy
from hansa_training.networks.trained import SharedNetwork, Trained
from hansa_training.networks.widen import widened
from hansa_training.sizes import NETWORKS
from hansa_training.state import tensors


def network_named(start: str, ruleset: Ruleset) -> str | None:
    """What the network of the weights that a start names is called in `hansa_training.sizes`; None of archives of other
    libraries.

    Raises `ModelError` where there are no such weights, or their network has no name.
    """
    path = _path_of(start)
    network = shipped_network(ruleset, str(path or "")).network if path is None or is_shipped(path) else network_of(path)
    name = next((name for name, one in NETWORKS.items() if one == network), None)
    if network is not None and name is None:
        known = ", ".join(NETWORKS)
        raise ModelError(
            f"{start}: its network is {network!s:.200}, from which no learner can start; expected one of those of hansa train: "
            f"{known}"
        )
    return name


def _path_of(start: str) -> Path | None:
    """None means the agent that comes with the project."""
    try:
        name = weights_named(start)  # as the agent is named elsewhere
    except AgentError as error:
        raise ModelError(str(error)) from error
    return None if name == "ppo" else Path(name)


def started_from(start: str, trained: Trained) -> Mapping[str, torch.Tensor]:
    """The weights of "ppo", the agent that comes with the project, or of a model file or a run's folder, which has to be a
    network of this kind, or a narrower one that is made wider (`hansa_training.networks.widen`); of another game by its names
    (`hansa_agents.networks.carry`). Raises `ModelError`."""
    path = _path_of(start)
    if isinstance(trained, SharedNetwork):
        if path is None or is_shipped(path):
            wanted = "a model file or the folder of a run of several rulesets"
            raise ModelError(
                f"{start}: comes with the project, in networks of one ruleset each; with --rulesets expected {wanted}"
            )
        return load_shared(path).for_names_of(trained.shared)
    ruleset = trained.rulesets[0]
    given = ruleset if path is None or is_shipped(path) else trained_for(path) or ruleset
    policy = load_player(path, given)
    if not isinstance(policy, MaskableActorCriticPolicy):
        raise ModelError(f"{start}: is a {type(policy).__name__}; expected a network of this project")
    weights, own = weights_of(policy), trained.kept()
    if given != ruleset and isinstance(policy, BoardPolicy):
        weights = tensors(carried({name: one.numpy() for name, one in weights.items()}, given, ruleset))
    if {name: one.shape for name, one in weights.items()} == {name: one.shape for name, one in own.items()}:
        return weights
    try:
        if type(policy) is not BoardPolicy or type(trained.policy(ruleset)) is not BoardPolicy:
            raise ModelError("only board networks become wider")
        return widened(weights, own)
    except ModelError as error:
        wanted = f"expected one of the kind that is to learn, as wide or narrower ({trained.network}); see --network"
        raise ModelError(f"{start}: its network cannot begin this run ({error}); {wanted}") from error
