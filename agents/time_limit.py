"""A limit to the time that a piece of code takes."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from hansa_env.play.errors import OutOfTime


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise OutOfTime from a block that takes longer than so many seconds; None = it may take as long as it likes.

    Python code is stopped when the time is over, where the system has timers and the block is run by the main thread;
    compiled code, and other threads, are found out when they return.
    """
    if seconds is None:
        yield
        return
    began = time.perf_counter()
    stops = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if stops:
        before = signal.signal(signal.SIGALRM, _stop)
        signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        if stops:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    if time.perf_counter() - began > seconds:
        raise OutOfTime


def _stop(_: int, __: FrameType | None) -> None:
    raise OutOfTime
