"""Threads that share the work of a step; what they compute does not depend on how many there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import torch

Part = TypeVar("Part")
Result = TypeVar("Result")


class Workers:
    """Calls a function on several parts at once, in so many threads; with one, in the caller's.

    PyTorch and the compiled engine let go of Python's lock while they compute, so that threads share the cores.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool: ThreadPoolExecutor | None = None

    def map(self, function: Callable[[Part], Result], parts: Iterable[Part]) -> list[Result]:
        """The results in the order of the parts; the first error of a part is raised when all are done."""
        parts = list(parts)
        if self.threads == 1 or len(parts) == 1:
            return [function(part) for part in parts]
        if self._pool is None:
            # In each thread: OpenMP counts its threads by the thread that asks for them.
            self._pool = ThreadPoolExecutor(self.threads, "hansa-training", torch.set_num_threads, (1,))
        futures = [self._pool.submit(function, part) for part in parts]
        return [future.result() for future in futures]

    def close(self) -> None:
        """Let the threads go."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
