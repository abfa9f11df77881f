"""The baseline: layers over the flat observation, which know nothing of the board."""

from __future__ import annotations

import numpy as np
import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor


class ScaledObservation(BaseFeaturesExtractor):
    """Divides each entry of the observation by the largest value it can take."""

    scale: torch.Tensor

    def __init__(self, observation_space: spaces.Box) -> None:
        super().__init__(observation_space, observation_space.shape[0])
        self.register_buffer("scale", torch.from_numpy(1.0 / observation_space.high.astype(np.float32)))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return observations.float() * self.scale
