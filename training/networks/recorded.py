"""What a GPU does for a network, recorded once and replayed from then on (CUDA graphs).

A network of this project is a hundred small kernels. To launch them one by one from Python takes ten times as long as they
run, and holds up all threads that play.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor

from hansa_env import Ruleset
from hansa_env.engine.decisions import num_actions
from hansa_env.engine.view.observation import observation_size
from hansa_training.networks import evaluate

_ONE_AT_A_TIME = Lock()


class Recorded:
    """A function of tensors that stay where they are, as a GPU does it: recorded here, done anew by each `replay`.

    Weights and inputs are read where they lie, so they may change in place. Nobody else may use `stream` meanwhile.

    Args:
        function: launches kernels and nothing else, always the same ones; what it returns are the `outputs`.

    Attributes:
        outputs: overwritten by each `replay`.
    """

    def __init__(self, function: Callable[[], Sequence[Tensor]], stream: torch.cuda.Stream) -> None:
        with _ONE_AT_A_TIME, torch.cuda.stream(stream):
            stream.wait_stream(torch.cuda.default_stream(stream.device))  # there the inputs were made
            function()  # libraries choose their kernels and make room, which cannot be recorded
            stream.synchronize()
            self._graph = torch.cuda.CUDAGraph()
            self._graph.capture_begin(capture_error_mode="thread_local")  # other threads go on meanwhile
            try:
                self.outputs = function()
            finally:
                self._graph.capture_end()

    def replay(self) -> None:
        """Do it, on the current stream."""
        self._graph.replay()


class Inference:
    """Asks networks about decisions, from one thread at a time; on a GPU what they compute is recorded.

    Args:
        ruleset: that they play.
        rows: of how many decisions at most at a time.
        device: where the networks are.
    """

    def __init__(self, ruleset: Ruleset, rows: int, device: torch.device) -> None:
        self._on_gpu = device.type == "cuda"
        if not self._on_gpu:
            return
        entries, actions = observation_size(ruleset), num_actions(ruleset)
        self._stream = torch.cuda.Stream(device)
        self._recorded: WeakKeyDictionary[MaskableActorCriticPolicy, Recorded] = WeakKeyDictionary()
        self._observations = torch.zeros(rows, entries, dtype=torch.int8, device=device)
        self._masks = torch.ones(rows, actions, dtype=torch.bool, device=device)
        self._logits, self._values = torch.empty(rows, actions).pin_memory(), torch.empty(rows).pin_memory()

    @torch.no_grad()
    def __call__(
        self, policy: MaskableActorCriticPolicy, observations: np.ndarray, masks: np.ndarray
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        """Logits (N, A) and values (N,) as of `evaluate`, on the processor; the next call may overwrite them."""
        seen, legal = torch.from_numpy(observations), torch.from_numpy(masks)
        if not self._on_gpu:
            return evaluate(policy, seen, legal)
        if policy not in self._recorded:
            function = lambda: evaluate(policy, self._observations, self._masks)  # noqa: E731
            self._recorded[policy] = Recorded(function, self._stream)
        recorded, count = self._recorded[policy], len(seen)
        with torch.cuda.stream(self._stream):
            self._stream.wait_stream(torch.cuda.default_stream(self._stream.device))  # there weights are changed
            self._observations[:count].copy_(seen, non_blocking=True)
            self._masks[:count].copy_(legal, non_blocking=True)
            recorded.replay()
            for here, there in zip((self._logits, self._values), recorded.outputs):
                here[:count].copy_(there[:count], non_blocking=True)
        self._stream.synchronize()
        return self._logits[:count], self._values[:count]
