"""Waiting for what another process does."""

import time
from collections.abc import Callable


def until(happens: Callable[[], bool], seconds: float = 120) -> None:
    """Wait for what happens at once, however slow the machine is."""
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.02)
