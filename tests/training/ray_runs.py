"""What tests of runs on a Ray cluster wait for, and look at from outside."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from tests.training.tiny import has_checkpoint


def after_a_checkpoint(folder: Path, act: Callable[[], None]) -> None:
    """Act as soon as there is something to go on from."""
    until = time.monotonic() + 1200
    while not has_checkpoint(folder):
        assert time.monotonic() < until
        time.sleep(0.05)
    act()


def descendants(process: int) -> Iterator[int]:
    with suppress(OSError):  # it is gone
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                yield child
                yield from descendants(child)
