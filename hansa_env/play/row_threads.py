"""Threads that share the rows of a batch."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any


class RowThreads:
    """So many threads, which start when they are first needed.

    Args:
        count: how many share the work, the caller's own among them.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool: ThreadPoolExecutor | None = None
        self._process = -1

    def run(self, work: Callable[..., int | None], rows: int, *given: Any) -> int:
        """Call work(*given, start, stop) for parts that make up all the rows; returns the sum of what it returns.

        Whatever a part raises is raised once all of them have ended.
        """
        if self.count == 1:
            return work(*given, 0, rows) or 0
        if self._pool is None or self._process != os.getpid():  # a fork has the pool, but none of its threads
            self._pool, self._process = ThreadPoolExecutor(self.count - 1), os.getpid()
        bounds = [rows * k // self.count for k in range(self.count + 1)]
        others: list[Future] = []
        try:
            others.extend(self._pool.submit(work, *given, a, b) for a, b in zip(bounds[1:-1], bounds[2:]))
            total = work(*given, bounds[0], bounds[1]) or 0
            return total + sum(other.result() or 0 for other in others)
        except BaseException:  # after Ctrl-C, too, nobody writes into the rows any more
            wait(others)
            raise
