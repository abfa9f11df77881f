"""How gradients change weights: by Adam, or by Muon where weights are matrices and by Adam elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor

#: Layers that end in logits or in the value are not for Muon, though they are matrices; nor are biases that rulesets share, a
#: row for each of their names. As networks call them, those of Stable-Baselines3 last, and then as `SharedWeights` does.
LAST = (
    "route_logits.weight", "city_logits.weight", "others.weight", "last.weight", "action_net.weight", "value_net.weight",
    "route_logits_weight", "city_logits_weight", "others", "value_last_weight", "_own", "_bias",
)  # fmt: skip
EPSILON = 1e-5


class Muon(torch.optim.Muon):
    """Muon that computes in a type of the caller's. PyTorch's always computes in bfloat16, for which a processor that does not
    know it took sixteen times as long as for float32."""

    def __init__(self, weights: Iterable[Tensor], learning_rate: float, dtype: torch.dtype) -> None:
        super().__init__(weights, learning_rate, weight_decay=0.0, adjust_lr_fn="match_rms_adamw")
        self._dtype = dtype

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        """One step; a weight without a gradient stays as it is."""
        if self._dtype == torch.bfloat16:
            super().step()
            return
        for group in self.param_groups:
            for one in group["params"]:
                if one.grad is None:
                    continue
                if not self.state[one]:
                    self.state[one]["momentum_buffer"] = torch.zeros_like(one)
                buffer = self.state[one]["momentum_buffer"]
                buffer.lerp_(one.grad, 1 - group["momentum"])
                update = one.grad.lerp(buffer, group["momentum"])
                update = orthogonal(update.to(self._dtype), group["ns_coefficients"], group["ns_steps"], group["eps"])
                one.add_(update, alpha=-group["lr"] * 0.2 * max(one.shape) ** 0.5)


def orthogonal(matrix: Tensor, coefficients: tuple[float, float, float], steps: int, smallest: float) -> Tensor:
    """A matrix with its singular values brought close to 1, by Newton and Schulz's iteration as Jordan (2024) has it."""
    a, b, c = coefficients
    tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.T if tall else matrix
    x = x / x.norm().clamp(min=smallest)
    for _ in range(steps):
        gram = x @ x.T
        x = torch.addmm(x, torch.addmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.T if tall else x


class MuonAndAdam(torch.optim.Optimizer):
    """Muon (Jordan 2024) for the matrices between inputs and outputs, Adam for everything else.

    Muon takes the momentum of a matrix's gradient and makes all its singular values alike, so that no direction of the weights
    learns much faster than another. Its steps are scaled to the size of Adam's, so one learning rate serves both.
    """

    def __init__(self, weights: Mapping[str, Tensor], learning_rate: float, dtype: torch.dtype = torch.float32) -> None:
        matrices = [name for name, one in weights.items() if one.ndim == 2 and not name.endswith(LAST)]
        others = [one for name, one in weights.items() if name not in matrices]
        self.dtype = dtype
        self._adam = _adam(others, learning_rate)
        self._muon = Muon([weights[name] for name in matrices], learning_rate, dtype)
        super().__init__([*self._adam.param_groups, *self._muon.param_groups], {})

    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        """One step of both; a weight without a gradient stays as it is."""
        for one, group in zip((self._adam, self._muon), self.param_groups):
            one.state, one.param_groups = self.state, [group]  # they are others after `load_state_dict`
            one.step()


def new_optimizer(
    name: str, weights: Mapping[str, Tensor], learning_rate: float, dtype: torch.dtype = torch.float32
) -> torch.optim.Optimizer:
    """The optimizer of that name, "adam" or "muon", for weights by name; Muon computes in `dtype`."""
    if name == "muon":
        return MuonAndAdam(weights, learning_rate, dtype)
    return _adam(list(weights.values()), learning_rate)


def _adam(weights: list[Tensor], learning_rate: float) -> torch.optim.Adam:
    """Adam, on a GPU as one kernel for all weights."""
    return torch.optim.Adam(weights, learning_rate, eps=EPSILON, fused=weights[0].is_cuda or None)
