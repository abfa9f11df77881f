"""The network, and masked action choice for whole batches."""

from __future__ import annotations

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from hansa_env import Ruleset
from hansa_env.engine.actions import fingerprint
from hansa_env.position import config_of

WIDTHS = (256, 128)


class ModelError(ValueError):
    """A saved model does not fit the game it is asked to play."""


class ScaledObservation(BaseFeaturesExtractor):
    """Divides each entry of the observation by the largest value it can take."""

    def __init__(self, observation_space: spaces.Box) -> None:
        super().__init__(observation_space, observation_space.shape[0])
        self.register_buffer("scale", torch.from_numpy(1.0 / observation_space.high.astype(np.float32)))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return observations.float() * self.scale


POLICY_KWARGS = {
    "features_extractor_class": ScaledObservation,
    "net_arch": {"pi": list(WIDTHS), "vf": list(WIDTHS)},
    "activation_fn": torch.nn.ReLU,
}


def logits(policy: MaskableActorCriticPolicy, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Action logits (N, A) float32, very low where not legal."""
    features = policy.extract_features(observations, policy.pi_features_extractor)
    raw = policy.action_net(policy.mlp_extractor.forward_actor(features))
    return raw.masked_fill(~masks, -1e8)


def brand(model: MaskablePPO, ruleset: Ruleset) -> None:
    """Note in a model which game it plays; saved with it."""
    model.hansa_config = config_of(ruleset)
    model.hansa_fingerprint = fingerprint(ruleset)


def load_model(path: str, ruleset: Ruleset) -> MaskablePPO:
    """A saved model for a ruleset.

    Raises:
        ModelError: there is no such file, it is broken, or it was trained for another action space.
    """
    try:
        model = MaskablePPO.load(path, device="cpu")
    except (OSError, ValueError, KeyError, EOFError, RuntimeError) as error:
        raise ModelError(f"{path}: cannot be read as a model ({type(error).__name__}: {error})") from error
    if getattr(model, "hansa_fingerprint", None) != fingerprint(ruleset):
        raise ModelError(f"{path}: trained for {getattr(model, 'hansa_config', 'another game')}, not {config_of(ruleset)}")
    return model
