"""What a GPU does for a network, recorded once and replayed from then on (CUDA graphs).

A network of this project is a hundred small kernels. Where there are few rows, to launch them one by one from Python takes up
to nine times as long as they run.
"""

from __future__ import annotations

from collections import defaultdict
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
#: Of streams, by their handles: PyTorch hands out 32, and then the first ones again.
_OF_STREAM: defaultdict[int, Lock] = defaultdict(Lock)


class Memory:
    """What recordings share that are never replayed side by side: a stream, and the room for what they compute.

    Without it each would have room of its own, of which nothing comes back where networks come and go.
    """

    def __init__(self, device: torch.device) -> None:
        self.stream = torch.cuda.Stream(device)
        self.pool = torch.cuda.graph_pool_handle()
        self.alone = _OF_STREAM[self.stream.cuda_stream]


class Recorded:
    """A function of tensors that stay where they are, as a GPU does it: recorded here, done anew by each `replay`.

    Weights and inputs are read where they lie, so they may change in place. Nobody else may use the stream meanwhile.

    Args:
        function: launches kernels and nothing else, always the same ones; what it returns are the `outputs`.
        memory: shared with recordings that are replayed at other times.

    Attributes:
        outputs: overwritten by each `replay`.
    """

    def __init__(self, function: Callable[[], Sequence[Tensor]], memory: Memory) -> None:
        stream = memory.stream
        with _ONE_AT_A_TIME, torch.cuda.stream(stream):
            stream.wait_stream(torch.cuda.default_stream(stream.device))  # there the inputs were made
            function()  # libraries choose their kernels and make room, which cannot be recorded
            stream.synchronize()
            self._graph = torch.cuda.CUDAGraph()
            self._graph.capture_begin(memory.pool, capture_error_mode="thread_local")  # other threads go on meanwhile
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

    Attributes:
        device, on_gpu: where that is, and whether it is a GPU.
    """

    def __init__(self, ruleset: Ruleset, rows: int, device: torch.device) -> None:
        self.device, self.on_gpu = device, device.type == "cuda"
        if not self.on_gpu:
            return
        entries, actions = observation_size(ruleset), num_actions(ruleset)
        self._memory = Memory(device)
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
        if not self.on_gpu:
            return evaluate(policy, seen, legal)
        with self._memory.alone:
            return self._replayed(policy, seen, legal)

    def _replayed(self, policy: MaskableActorCriticPolicy, seen: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        if policy not in self._recorded:
            function = lambda: evaluate(policy, self._observations, self._masks)  # noqa: E731
            self._recorded[policy] = Recorded(function, self._memory)
        recorded, count, stream = self._recorded[policy], len(seen), self._memory.stream
        with torch.cuda.stream(stream):
            stream.wait_stream(torch.cuda.default_stream(stream.device))  # there weights are changed
            self._observations[:count].copy_(seen, non_blocking=True)
            self._masks[:count].copy_(legal, non_blocking=True)
            recorded.replay()
            for here, there in zip((self._logits, self._values), recorded.outputs):
                here[:count].copy_(there[:count], non_blocking=True)
        stream.synchronize()
        return self._logits[:count], self._values[:count]
