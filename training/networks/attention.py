"""The network of `board.py` whose tokens also read each other, by one round of attention (Vaswani et al. 2017)."""

from __future__ import annotations

import torch
from gymnasium import spaces
from torch import Tensor, nn

from hansa_env import Ruleset
from hansa_training.networks.board import BoardFeatures, BoardPolicy


class AttentionFeatures(BoardFeatures):
    """As `BoardFeatures`; every route and city reads all of them before the context does. Routes and cities are equally wide,
    a multiple of the heads."""

    def __init__(self, observation_space: spaces.Box, ruleset: Ruleset, sizes: dict[str, int]) -> None:
        super().__init__(observation_space, ruleset, sizes)
        width, self.heads = sizes["route"], sizes["heads"]
        self.ask = nn.Linear(width, 3 * width)
        self.answer = nn.Linear(width, width)

    def _exchange(self, route: Tensor, city: Tensor) -> tuple[Tensor, Tensor]:
        tokens = torch.cat([route, city], 1)
        query, key, value = self._linear(self.ask, tokens).unflatten(2, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        # Written out: for so few and narrow tokens PyTorch's own is three times slower backwards, in bfloat16 on a processor.
        weights = torch.softmax(query @ key.transpose(2, 3) * query.shape[3] ** -0.5, 3)
        read = (weights @ value).transpose(1, 2).flatten(2)
        tokens = tokens + self._linear(self.answer, read)
        return tokens[:, : self.routes], tokens[:, self.routes :]


class AttentionPolicy(BoardPolicy):
    """`BoardPolicy` with `AttentionFeatures`."""

    features_class = AttentionFeatures
