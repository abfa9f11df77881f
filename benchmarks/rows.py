"""One line of the report, and what a run measures with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

RATE = "decisions/s"


class Missing(Exception):
    """Something that a row needs is not there; says what."""


@dataclass(frozen=True)
class Scale:
    """How much is measured.

    Attributes:
        repeats: samples of a row; seconds: how long each takes at least.
        sizes: batch sizes; main: the one that single rows use; flat: where cost per decision is held flat from.
        spread: batch size and number of steps at which both cores are compared with one.
        trace: decisions in a recorded stretch of play; warm: decisions played before anything is measured.
        rollouts: of MaskablePPO; ppo: environments, steps per environment, epochs, minibatch.
        cold: compile everything from nothing (half a minute).
    """

    repeats: int = 7
    seconds: float = 0.25
    sizes: tuple[int, ...] = (1, 8, 64, 256, 1024, 4096, 16384, 65536)
    main: int = 1024
    flat: int = 64
    both: int = 16384
    trace: int = 1 << 19
    warm: int = 300
    rollouts: int = 5
    ppo: tuple[int, int, int, int] = (256, 32, 3, 1024)
    processes: int = 5
    cold: bool = True


FULL = Scale()
QUICK = Scale(
    repeats=2, seconds=0.001, sizes=(1, 8, 64), main=64, flat=8, both=64, trace=512, warm=20, rollouts=2,
    ppo=(2, 8, 1, 8), processes=1, cold=False,
)  # fmt: skip


@dataclass(frozen=True)
class Aim:
    """What a median should reach."""

    value: float
    at_most: bool = False

    def met(self, median: float) -> bool:
        return median <= self.value if self.at_most else median >= self.value


@dataclass
class Row:
    """One line of the report.

    Attributes:
        key: its name in the JSON file; the part before the first slash is its group.
        what, setting: what was measured, and how.
        unit: of the samples.
        reference: key of the row that its median is set in relation to.
        note: a word beside it.
        skipped: why it has no samples.
    """

    key: str
    what: str
    setting: str = ""
    unit: str = RATE
    reference: str | None = None
    aim: Aim | None = None
    samples: list[float] = field(default_factory=list)
    note: str = ""
    skipped: str | None = None

    @property
    def group(self) -> str:
        return self.key.split("/")[0]

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

    @property
    def met(self) -> bool | None:
        return None if self.aim is None or not self.samples else self.aim.met(self.median)


def attempt(row: Row, measure: Callable[[], list[float]]) -> Row:
    """Fill a row with samples, or with the word why there are none: a part that is not installed."""
    try:
        row.samples = [float(sample) for sample in measure()]
    except ImportError as error:
        row.skipped = f"not installed: {error.name or error}"
    except Missing as error:
        row.skipped = str(error)
    return row
