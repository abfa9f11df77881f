"""Gradients of minibatches on a GPU: all rows lie there, and what is computed of some of them is recorded once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from hansa_training.networks.recorded import Memory, Recorded

#: A minibatch is filled up to a multiple of this, with rows of no weight: each size is a recording of its own.
ROOM = 256

#: Of the columns of some rows and their weights (K,): the loss, a sum in which each row counts by its weight, and figures, one
#: or (F,).
Loss = Callable[[list[Tensor], Tensor], tuple[Tensor, Tensor]]


class _Minibatch:
    """The recording for minibatches of up to so many rows, and what it reads."""

    def __init__(self, rows: int, gradients: Callable[[Tensor, Tensor], Tensor], memory: Memory) -> None:
        device = memory.stream.device
        self.places = torch.zeros(rows, dtype=torch.int64, device=device)
        self.weights = torch.zeros(rows, device=device)
        self.recorded = Recorded(lambda: [gradients(self.places, self.weights)], memory)


class GradientsOnGPU:
    """Of the rows of several parts at once.

    Args:
        parts: the columns of each part, arrays with the room that they have.
        loss: what is learned.
        parameters: by which it is differentiated.
        device: the GPU.
    """

    def __init__(
        self, parts: Mapping[int, Sequence[np.ndarray]], loss: Loss, parameters: Sequence[Tensor], device: torch.device
    ) -> None:  # fmt: skip
        self._parts, self._loss, self._parameters = parts, loss, parameters
        rooms = [len(columns[0]) for columns in parts.values()]
        self._first = dict(zip(parts, np.cumsum([0, *rooms[:-1]]).tolist()))
        self._columns = [
            torch.from_numpy(one[:1]).to(device).expand(sum(rooms), *one.shape[1:]).clone()
            for one in next(iter(parts.values()))
        ]
        self._memory = Memory(device)
        self._minibatches: dict[int, _Minibatch] = {}

    def bring(self, sizes: Mapping[int, int]) -> None:
        """Bring the first rows of every part to the GPU, so many of each."""
        for part, columns in self._parts.items():
            rows = slice(self._first[part], self._first[part] + sizes[part])
            for there, here in zip(self._columns, columns):
                there[rows].copy_(torch.from_numpy(here[: sizes[part]]), non_blocking=True)
        torch.cuda.synchronize(self._memory.stream.device)

    def __call__(self, rows: Mapping[int, np.ndarray], size: int) -> list[Tensor]:
        """The gradients of some rows of each part in the mean loss of a minibatch of `size`, and figures, as one vector; the
        next call overwrites it. None where there are no rows."""
        if not rows:
            return []
        places = np.concatenate([self._first[part] + some for part, some in rows.items()])
        room = -(-len(places) // ROOM) * ROOM
        if room not in self._minibatches:
            self._minibatches[room] = _Minibatch(room, self._gradients, self._memory)
        minibatch = self._minibatches[room]
        given = np.zeros(room, np.int64)
        given[: len(places)] = places
        weights = np.where(np.arange(room) < len(places), np.float32(1 / size), np.float32(0))
        minibatch.places.copy_(torch.from_numpy(given).pin_memory(), non_blocking=True)
        minibatch.weights.copy_(torch.from_numpy(weights).pin_memory(), non_blocking=True)
        minibatch.recorded.replay()
        return list(minibatch.recorded.outputs)

    def _gradients(self, places: Tensor, weights: Tensor) -> Tensor:
        loss, figures = self._loss([one[places] for one in self._columns], weights)
        found = torch.autograd.grad(loss, self._parameters, allow_unused=True, materialize_grads=True)
        return torch.cat([*(one.flatten() for one in found), figures.flatten()])
