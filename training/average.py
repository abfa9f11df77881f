"""Weights averaged over the last of training (Polyak and Juditsky 1992): they play better than any of those they are made of,
which a minibatch has just pushed somewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from hansa_training.networks import check_weights
from hansa_training.state import tensors, within

Weights = Mapping[str, torch.Tensor]


class Average:
    """An average of weights, by name, in which what is older counts less.

    Args:
        weights: what it begins with.
        over: of about how many `note` it is; 1 = the last alone. The first so many count the same.
    """

    def __init__(self, weights: Weights, over: int) -> None:
        self.over, self.count = over, 0
        self.weights = {name: one.clone() for name, one in weights.items()}

    def restart(self, weights: Weights) -> None:
        """Begin anew with these weights."""
        self.count = 0
        self.note(weights)

    @torch.no_grad()
    def note(self, weights: Weights) -> None:
        """These weights count too."""
        self.count = min(self.count + 1, self.over)
        for name, now in weights.items():
            self.weights[name].lerp_(now, 1 / self.count)

    def state(self) -> dict[str, Any]:
        """As `hansa_training.state` keeps it."""
        return {"count": self.count, "weights": self.weights}

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from there. Raises `ModelError` where it is an average of other weights, `RunError` of more than it can be."""
        weights = tensors(state["weights"])
        check_weights(self.weights, weights)
        self.count = within("average/count", int(state["count"]), 0, self.over)
        self.weights = {name: one.to(self.weights[name].device) for name, one in weights.items()}
