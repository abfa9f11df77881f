"""One line of a result, and how much is measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from hansa_benchmarks.peers.measure import at_once, no_collection

#: Seconds that a process of its own may take, compiling included.
TIMEOUT = 600


@dataclass(frozen=True)
class Scale:
    """How much is measured.

    Attributes:
        repeats: samples of a row; seconds: how long each takes at least.
        sizes: of batches; main: the one that single rows use; both: the one that two threads share.
        warm: decisions a game plays before it is measured; trace: decisions of a recorded stretch of play.
        ppo: environments, steps per environment, epochs, minibatch of MaskablePPO.
        cold: also compile everything from nothing (a minute).
        turn: called ahead of each sample, waits until it may be taken.
    """

    repeats: int = 7
    seconds: float = 0.25
    sizes: tuple[int, ...] = (1, 8, 64, 256, 1024, 4096, 16384, 65536)
    main: int = 1024
    both: int = 16384
    warm: int = 300
    trace: int = 1 << 19
    ppo: tuple[int, int, int, int] = (256, 32, 3, 1024)
    cold: bool = True
    turn: Callable[[], None] = at_once

    @property
    def sampling(self) -> tuple[int, float, Callable[[], None]]:
        """What `rates` is given."""
        return self.repeats, self.seconds, self.turn


SCALES = {
    "full": Scale(),
    "quick": Scale(2, 0.001, (1, 64), main=64, both=64, warm=20, trace=512, ppo=(2, 8, 1, 8), cold=False),
    "compare": Scale(repeats=5, seconds=0.125, sizes=(1, 64, 1024, 16384), trace=1 << 17),
}


@dataclass
class Row:
    """One line of a result.

    Attributes:
        key: its name in bench.json.
        what: what was measured, and how; note: what happened meanwhile, or why there are no samples.
        samples: what was measured, in `unit`; "s" and ".../s" are speeds.
        reference: key of the row that its median is compared with.
    """

    key: str
    what: str
    samples: list[float] = field(default_factory=list)
    unit: str = "decisions/s"
    reference: str | None = None
    note: str = ""

    @property
    def median(self) -> float | None:
        return float(np.median(self.samples)) if self.samples else None

    @property
    def spread(self) -> float | None:
        """The interquartile range as a part of the median."""
        if len(self.samples) < 2 or not self.median:
            return None
        low, high = np.percentile(self.samples, (25, 75))
        return float((high - low) / self.median)


def in_turns(rows: list[tuple[Row, Callable[[], float]]], repeats: int, turn: Callable[[], None] = at_once) -> Iterator[Row]:
    """Fill rows a sample at a time, so that what else the machine does falls on all of them alike.

    An interruption leaves the rows with the samples that they have.
    """
    try:
        for _, sample in rows:
            turn()
            sample()
        with no_collection():
            for _ in range(repeats):
                for row, sample in rows:
                    turn()
                    row.samples.append(sample())
    finally:
        yield from (row for row, _ in rows if row.samples)
