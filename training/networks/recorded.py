"""What a GPU does for a network, recorded once and replayed from then on (CUDA graphs).

A network of this project is a hundred small kernels. Where there are few rows, to launch them one by one from Python takes up
to nine times as long as they run.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Sequence
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor

from hansa_env import Ruleset
from hansa_env.engine.action_space import num_actions
from hansa_env.engine.view.observation import observation_size
from hansa_training.networks import evaluate

#: Below this many rows a GPU takes hardly less time for fewer.
FEWEST = 256

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


def recorded_sizes(rows: int) -> list[int]:
    """Of how many rows there are recordings, the smallest first: of all, of half, of a quarter and so on, down to `FEWEST`."""
    sizes = [rows]
    while sizes[0] > FEWEST:
        sizes.insert(0, max(FEWEST, -(-sizes[0] // 2)))
    return sizes


class Inference:
    """Asks networks about decisions, from one thread at a time; on a GPU what they compute is recorded.

    An opponent plays few of the games of a shard. So each network has recordings of several sizes, made when they are needed,
    and the smallest that holds the rows is replayed.

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
        self._sizes = recorded_sizes(rows)
        self._recorded: WeakKeyDictionary[MaskableActorCriticPolicy, dict[int, Recorded]] = WeakKeyDictionary()
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
        count, stream = len(seen), self._memory.stream
        recorded = self._recording(policy, count)
        with torch.cuda.stream(stream):
            stream.wait_stream(torch.cuda.default_stream(stream.device))  # there weights are changed
            self._observations[:count].copy_(seen, non_blocking=True)
            self._masks[:count].copy_(legal, non_blocking=True)
            recorded.replay()
            for here, there in zip((self._logits, self._values), recorded.outputs):
                here[:count].copy_(there[:count], non_blocking=True)
        stream.synchronize()
        return self._logits[:count], self._values[:count]

    def _recording(self, policy: MaskableActorCriticPolicy, count: int) -> Recorded:
        """The smallest recording of a network that holds so many rows."""
        size = self._sizes[bisect_left(self._sizes, count)]
        of_policy = self._recorded.setdefault(policy, {})
        if size not in of_policy:
            observations, masks = self._observations[:size], self._masks[:size]
            of_policy[size] = Recorded(lambda: evaluate(policy, observations, masks), self._memory)
        return of_policy[size]
