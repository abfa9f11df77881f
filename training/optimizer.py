"""How gradients change weights: by Adam, or by Muon where weights are matrices and by Adam elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

#: Layers that end in logits or in the value are not for Muon, though they are matrices.
LAST = ("route_logits.weight", "city_logits.weight", "others.weight", "last.weight")
EPSILON = 1e-5


class MuonAndAdam(torch.optim.Optimizer):
    """Muon (Jordan 2024) for the matrices between inputs and outputs, Adam for everything else.

    Muon takes the momentum of a matrix's gradient and makes all its singular values alike, so that no direction of the weights
    learns much faster than another. Its steps are scaled to the size of Adam's, so one learning rate serves both.
    """

    def __init__(self, weights: Mapping[str, Tensor], learning_rate: float) -> None:
        matrices = [name for name, one in weights.items() if one.ndim == 2 and not name.endswith(LAST)]
        others = [one for name, one in weights.items() if name not in matrices]
        self._adam = torch.optim.Adam(others, learning_rate, eps=EPSILON)
        self._muon = torch.optim.Muon(
            [weights[name] for name in matrices], learning_rate, weight_decay=0.0, adjust_lr_fn="match_rms_adamw"
        )
        super().__init__([*self._adam.param_groups, *self._muon.param_groups], {})

    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        """One step of both; a weight without a gradient stays as it is."""
        for one, group in zip((self._adam, self._muon), self.param_groups):
            one.state, one.param_groups = self.state, [group]  # they are others after `load_state_dict`
            one.step()


def new_optimizer(name: str, weights: Mapping[str, Tensor], learning_rate: float) -> torch.optim.Optimizer:
    """The optimiser of that name, "adam" or "muon", for weights by name."""
    if name == "muon":
        return MuonAndAdam(weights, learning_rate)
    return torch.optim.Adam(weights.values(), learning_rate, eps=EPSILON)
