"""Timing: warm-up apart, no garbage collection while the clock runs."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Garbage is collected before, not meanwhile."""
    gc.collect()
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class CoresGot:
    """How many cores this process had on average within `with`: below what its threads could use, others had them."""

    def __enter__(self) -> CoresGot:
        self._wall, self._used = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.cores = (time.process_time() - self._used) / (time.perf_counter() - self._wall)


def seconds_of(work: Callable[[], object]) -> float:
    """How long one call takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def rates(work: Callable[[], object], units: int, repeats: int, seconds: float) -> list[float]:
    """Units per second of `work`, which does `units` per call.

    One call warms up and says how many make a sample of at least `seconds`; then `repeats` samples are taken.
    """
    work()
    calls = max(1, math.ceil(seconds / max(seconds_of(work), 1e-9)))
    samples = []
    with no_collection():
        for _ in range(repeats):
            began = time.perf_counter()
            for _ in range(calls):
                work()
            samples.append(units * calls / (time.perf_counter() - began))
    return samples
