"""Networks as Stable-Baselines3 policies, made from a description that can be kept as data.

`board` has the structure of the game, `attention` also lets its parts read each other, `mlp` has neither.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeGuard, cast

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.policies import ActorCriticPolicy, BasePolicy
from stable_baselines3.dqn.policies import DQNPolicy

from hansa_agents.networks.metadata import WIDEST
from hansa_env import Ruleset
from hansa_env.api.spaces import action_space, observation_space
from hansa_env.engine.action_space import num_actions
from hansa_env.engine.view.observation import observation_size
from hansa_training.errors import ModelError
from hansa_training.networks.attention import AttentionPolicy
from hansa_training.networks.board import BoardFeatures, BoardPolicy
from hansa_training.networks.computing import AS_IT_IS, Computing
from hansa_training.networks.drawing import NEVER
from hansa_training.networks.mlp import MlpPolicy, ScaledObservation
from hansa_training.sizes import BOARD, MLP, NETWORKS

#: The policy classes of the kinds that are made from a ruleset's board.
POLICIES: dict[str, type[BoardPolicy]] = {"board": BoardPolicy, "attention": AttentionPolicy}


def spaces_of(ruleset: Ruleset) -> tuple[spaces.Box, spaces.Discrete]:
    """Observations (D,) int8 and the A actions of a ruleset."""
    return observation_space(ruleset), action_space(ruleset)


def check_sizes(name: str, observation: int, actions: int, ruleset: Ruleset, trained: dict[str, Any] | None = None) -> None:
    """Raises `ModelError` unless a network of that name takes the observations and knows the actions of a ruleset."""
    if (observation, actions) != (observation_size(ruleset), num_actions(ruleset)):
        game = f" (trained for {trained!s:.200})" if trained else ""
        raise ModelError(
            f"{name}: takes observations of {observation} entries and chooses among {actions} actions{game}; "
            f"the game for {ruleset} has {observation_size(ruleset)} and {num_actions(ruleset)}"
        )


def policy_arguments(ruleset: Ruleset, network: dict[str, Any]) -> tuple[type[MaskableActorCriticPolicy], dict[str, Any]]:
    """The policy class of a network and its keyword arguments, for `MaskablePPO(policy, env, policy_kwargs=...)`.

    Raises:
        ModelError: the network is not known, or one of its numbers is out of range.
    """
    known = {name: value for one in NETWORKS.values() if one["kind"] == network.get("kind") for name, value in one.items()}
    if not known or set(network) != set(known):
        raise ModelError(f"the network is {network!s:.200}; expected one like {BOARD} or {MLP}")
    for name, value in network.items():
        numbers = value if isinstance(value, list) and isinstance(known[name], list) else [value]
        if name != "kind" and not all(type(number) is int and 1 <= number <= WIDEST for number in numbers):
            raise ModelError(f"the network's {name} is {value!r:.200}; expected whole numbers from 1 to {WIDEST}")
    if network["kind"] == "attention" and (network["city"] != network["route"] or network["route"] % network["heads"]):
        raise ModelError(f"the network is {network}; expected route and city equal, and a multiple of heads")
    if network["kind"] in POLICIES:
        sizes = {name: value for name, value in network.items() if name != "kind"}
        return POLICIES[network["kind"]], {"features_extractor_kwargs": {"ruleset": ruleset, "sizes": sizes}}
    if not isinstance(network["widths"], list) or not 1 <= len(network["widths"]) <= 8:
        raise ModelError(f"the network's widths are {network['widths']!r:.200}; expected 1 to 8 whole numbers")
    return MlpPolicy, {
        "features_extractor_class": ScaledObservation,
        "net_arch": {"pi": list(network["widths"]), "vf": list(network["widths"])},
        "activation_fn": torch.nn.ReLU,
    }


class NoOptimizer:
    """Stands in a policy of `new_policy` where Stable-Baselines3 has an optimizer: PyTorch's own import a compiler, which takes
    seconds, and nobody learns with this one."""

    def __init__(self, parameters: Iterable[torch.nn.Parameter], lr: float, **settings: Any) -> None: ...


def new_policy(ruleset: Ruleset, network: dict[str, Any], forked: bool = True) -> MaskableActorCriticPolicy:
    """A policy with fresh weights, without an optimizer, which, where it is `forked`, draws nothing from PyTorch's generator.
    Raises `ModelError`."""
    policy, arguments = policy_arguments(ruleset, network)
    with torch.random.fork_rng(devices=[], enabled=forked):
        return policy(*spaces_of(ruleset), lambda _: 0.0, optimizer_class=cast(Any, NoOptimizer), **arguments)


def is_ours(policy: BasePolicy) -> TypeGuard[MaskableActorCriticPolicy]:
    """Whether a policy is one of `new_policy`, which `evaluate` can ask."""
    ours = BoardFeatures | ScaledObservation
    return isinstance(policy, MaskableActorCriticPolicy) and isinstance(policy.features_extractor, ours)


def let_compute(policy: MaskableActorCriticPolicy, computing: Computing) -> None:
    """From now on a policy computes like this; its weights move."""
    policy.to(computing.device)
    if isinstance(policy.features_extractor, BoardFeatures):
        policy.features_extractor.dtype = computing.dtype


def weights_of(policy: MaskableActorCriticPolicy) -> dict[str, torch.Tensor]:
    """The weights of a policy, each under the first of its names: Stable-Baselines3 has three for a shared extractor."""
    first: dict[int, str] = {}
    weights = policy.state_dict(keep_vars=True)
    for name, tensor in weights.items():
        first.setdefault(id(tensor), name)
    return {name: weights[name].detach() for name in first.values()}


def set_weights(policy: MaskableActorCriticPolicy, weights: Mapping[str, torch.Tensor]) -> None:
    """Give a policy the weights that `weights_of` found in another; the other names of shared weights may be there too.

    Raises:
        ModelError: a name is lacking or not known, or its weights have another shape or type, or are no numbers.
    """
    own = _checked(policy, weights)
    with torch.no_grad():
        for name, tensor in own.items():
            tensor.copy_(weights[name])


def policy_of(ruleset: Ruleset, network: dict[str, Any], weights: Mapping[str, torch.Tensor]) -> MaskableActorCriticPolicy:
    """A policy with these weights, a copy. Nothing is made of a network that they do not fit, however large it says it is.

    Raises:
        ModelError: the network is not known, or as `set_weights`.
    """
    with torch.device("meta"):  # names and shapes alone
        policy = new_policy(ruleset, network)
    own = _checked(policy, weights)
    policy.load_state_dict({name: weights[name].clone() for name in own}, strict=False, assign=True)
    return policy


def _checked(policy: MaskableActorCriticPolicy, weights: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The weights of a policy, by name, which others fit. Raises ModelError."""
    own = weights_of(policy)
    check_weights(own, weights, policy.state_dict().keys())
    return own


def check_weights(
    own: Mapping[str, torch.Tensor], weights: Mapping[str, torch.Tensor], known: Collection[str] | None = None
) -> None:
    """Raises ModelError unless weights are for the same names as `own`, of the same shapes and types, and numbers. They may
    have others of the names `known`."""
    for name in [*own, *weights]:
        if name not in weights:
            raise ModelError(f"there is no {name}")
        if name not in (own if known is None else known):
            raise ModelError(f"{name} is not known")
        if name not in own:
            continue
        if weights[name].shape != own[name].shape:
            raise ModelError(f"{name} has shape {tuple(weights[name].shape)}, expected {tuple(own[name].shape)}")
        if weights[name].dtype != own[name].dtype:
            raise ModelError(f"{name} is of type {weights[name].dtype}, expected {own[name].dtype}")
        if not weights[name].isfinite().all():
            raise ModelError(f"{name} has entries that are no numbers")


def new_player(ruleset: Ruleset, network: dict[str, Any], computing: Computing = AS_IT_IS) -> MaskableActorCriticPolicy:
    """A policy with fresh weights, which plays and does not learn."""
    policy = new_policy(ruleset, network)
    let_compute(policy, computing)
    policy.set_training_mode(False)
    return policy


def evaluate(
    policy: MaskableActorCriticPolicy, observations: torch.Tensor, masks: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Logits (N, A) of observations (N, D) int8, NEVER where masks (N, A) say not legal, and values (N,); float32, on the
    policy's device, to which observations and masks are brought."""
    device = policy.device  # looked for among the weights
    features = policy.features_extractor(observations.to(device))
    for_actor, for_critic = policy.mlp_extractor(features)
    scores = policy.action_net(for_actor)
    if masks is not None:
        scores = scores.masked_fill(~masks.to(device), NEVER)
    return scores, policy.value_net(for_critic).squeeze(1)


def policy_logits(policy: BasePolicy, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Action logits (N, A) float32, NEVER where not legal; also of policies that others trained, of DQN its values. They are
    on the policy's device, to which observations and masks are brought."""
    device = policy.device
    observations, masks = observations.to(device), masks.to(device)
    if isinstance(policy, DQNPolicy):
        return policy.q_net(observations).float().masked_fill(~masks, NEVER)
    assert isinstance(policy, ActorCriticPolicy | MaskableActorCriticPolicy)
    features = policy.extract_features(observations)
    if isinstance(features, tuple):  # the actor's and the critic's
        features = features[0]
    raw = policy.action_net(policy.mlp_extractor.forward_actor(features))
    return raw.float().masked_fill(~masks, NEVER)
