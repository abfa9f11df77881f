"""Work that is split into parts, and threads that share it; what comes out does not depend on how many there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

import torch

Part = TypeVar("Part")
Result = TypeVar("Result")


class Stopped(Exception):
    """A part ends early, since nobody waits for it any more."""


class Workers:
    """Calls a function on several parts at once, in so many threads; with one, in the caller's.

    PyTorch and the compiled engine let go of Python's lock while they compute, so that threads share the cores.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._stopping = False

    def map(self, function: Callable[[Part], Result], parts: Iterable[Part]) -> list[Result]:
        """The results in the order of the parts.

        Where a part fails, or Ctrl-C comes, its error is raised when the parts under way have ended; those that have not begun
        do not begin, and long ones end sooner where they call `check`. Of several errors the first part's is raised.
        """
        parts = list(parts)
        self._stopping = False
        if self.threads == 1 or len(parts) == 1:
            return [function(part) for part in parts]
        if self._pool is None:
            gpu = torch.cuda.current_device() if torch.cuda.is_initialized() else None
            self._pool = ThreadPoolExecutor(self.threads, "hansa-training", _begin_thread, (gpu,))
        futures: list[Future[Result]] = []
        try:
            for part in parts:
                futures.append(self._pool.submit(function, part))  # Ctrl-C may come between two
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:  # all are done, or nobody waits for what is left
            self._stopping = True
            for future in futures:
                future.cancel()
            wait(futures)
        errors = (future.exception() for future in futures if not future.cancelled())
        for error in errors:
            if error is not None and not isinstance(error, Stopped):
                raise error
        return [future.result() for future in futures]

    def check(self) -> None:
        """For parts that take long: raises Stopped where another has failed, or Ctrl-C has come."""
        if self._stopping:
            raise Stopped

    def close(self) -> None:
        """Let the threads go, as soon as the parts under way have ended."""
        if self._pool is not None:
            self._stopping = True
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


def _begin_thread(gpu: int | None) -> None:
    """OpenMP counts its threads by the thread that asks for them, and which GPU is current is each thread's own too."""
    torch.set_num_threads(1)
    if gpu is not None:
        torch.cuda.set_device(gpu)


@contextmanager
def one_thread() -> Iterator[None]:
    """Let each operation of PyTorch be one thread's: small ones spend more on sharing than they gain, and on a machine whose
    cores are busy a hundred times as much."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def split_evenly(total: int, parts: int) -> list[int]:
    """Sizes of the parts of a whole, which differ by one at most."""
    return [total * (i + 1) // parts - total * i // parts for i in range(parts)]
