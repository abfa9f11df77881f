"""Weights averaged over the last of training (Polyak and Juditsky 1992): they play better than any of those they are made of,
which a minibatch has just pushed somewhere."""

from __future__ import annotations

from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from hansa_training.networks import weights_of
from hansa_training.state import tensors


class Average:
    """An average of a policy's weights in which what is older counts less.

    Args:
        policy: whose weights are what it begins with.
        over: of about how many `note` it is; 1 = the last alone. The first so many count the same.
    """

    def __init__(self, policy: MaskableActorCriticPolicy, over: int) -> None:
        self.over, self.count = over, 0
        self.weights = {name: one.clone() for name, one in weights_of(policy).items()}

    def restart(self, policy: MaskableActorCriticPolicy) -> None:
        """Begin anew with these weights."""
        self.count = 0
        self.note(policy)

    @torch.no_grad()
    def note(self, policy: MaskableActorCriticPolicy) -> None:
        """The policy's weights as they are now count too."""
        self.count = min(self.count + 1, self.over)
        for name, now in weights_of(policy).items():
            self.weights[name].lerp_(now, 1 / self.count)

    def state(self) -> dict[str, Any]:
        """As `hansa_training.state` keeps it."""
        return {"count": self.count, "weights": self.weights}

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.count = state["count"]
        self.weights = {name: one.to(self.weights[name].device) for name, one in tensors(state["weights"]).items()}
