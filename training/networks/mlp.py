"""The baseline: layers over the flat observation, which know nothing of the board."""

from __future__ import annotations

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor


class ScaledObservation(BaseFeaturesExtractor):
    """Divides each entry of the observation by the largest value it can take."""

    scale: torch.Tensor

    def __init__(self, observation_space: spaces.Box) -> None:
        super().__init__(observation_space, observation_space.shape[0])
        self.register_buffer("scale", torch.from_numpy(1.0 / observation_space.high.astype(np.float32)))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return observations.float() * self.scale


class MlpPolicy(MaskableActorCriticPolicy):
    """Stable-Baselines3's own; before it has weights it is where tensors are made, not always on the processor."""

    @property
    def device(self) -> torch.device:
        return next((weights.device for weights in self.parameters()), torch.get_default_device())
