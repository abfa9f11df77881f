"""The network, and masked action choice for whole batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from hansa_env import Ruleset
from hansa_env.engine.decisions import num_actions
from hansa_env.engine.view.observation import observation_high
from hansa_training.errors import ModelError

#: What a model file says about the network it holds the weights of.
NETWORK = {"kind": "mlp", "widths": [256, 128]}


class ScaledObservation(BaseFeaturesExtractor):
    """Divides each entry of the observation by the largest value it can take."""

    scale: torch.Tensor

    def __init__(self, observation_space: spaces.Box) -> None:
        super().__init__(observation_space, observation_space.shape[0])
        self.register_buffer("scale", torch.from_numpy(1.0 / observation_space.high.astype(np.float32)))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return observations.float() * self.scale


def policy_kwargs(network: dict[str, Any]) -> dict[str, Any]:
    """The arguments of Stable-Baselines3's policy for a network. Raises `ModelError` for one that is not known."""
    widths = network.get("widths")
    if network.get("kind") != "mlp" or not isinstance(widths, list) or not 1 <= len(widths) <= 8:
        raise ModelError(f"the network is {network}; expected the kind 'mlp' with 1 to 8 widths")
    if not all(isinstance(width, int) and 1 <= width <= 8192 for width in widths):
        raise ModelError(f"the network's widths are {widths}; expected whole numbers from 1 to 8192")
    return {
        "features_extractor_class": ScaledObservation,
        "net_arch": {"pi": list(widths), "vf": list(widths)},
        "activation_fn": torch.nn.ReLU,
    }


POLICY_KWARGS = policy_kwargs(NETWORK)


def spaces_of(ruleset: Ruleset) -> tuple[spaces.Box, spaces.Discrete]:
    """Observations (D,) int8 and the A actions of a ruleset."""
    high = np.array(observation_high(ruleset), np.int8)
    return spaces.Box(np.zeros_like(high), high, dtype=np.int8), spaces.Discrete(num_actions(ruleset))


def new_policy(ruleset: Ruleset, network: dict[str, Any]) -> MaskableActorCriticPolicy:
    """A policy with fresh weights, which draws nothing from the process's generators."""
    with torch.random.fork_rng(devices=[]):
        return MaskableActorCriticPolicy(*spaces_of(ruleset), lambda _: 0.0, **policy_kwargs(network))


def logits(policy: MaskableActorCriticPolicy, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Action logits (N, A) float32, very low where not legal."""
    features = policy.extract_features(observations)
    if isinstance(features, tuple):  # the actor's and the critic's
        features = features[0]
    raw = policy.action_net(policy.mlp_extractor.forward_actor(features))
    return raw.masked_fill(~masks, -1e8)
