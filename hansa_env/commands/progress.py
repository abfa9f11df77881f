"""Progress of long work: a bar on a terminal, a plain line every few seconds into a pipe or log."""

from __future__ import annotations

import sys
import time

from rich import progress as bars
from rich.console import Console

EVERY = 10.0  # seconds between plain lines


class Progress:
    """Counts up to a total, on stderr.

    Args:
        what: what is done; total: how many; unit: of what; shown: False says nothing.
    """

    def __init__(self, what: str, total: int, unit: str, shown: bool = True) -> None:
        self.what, self.total, self.unit = what, total, unit
        self.done, self._began, self._said = 0, time.monotonic(), time.monotonic()
        self._plain = shown and not sys.stderr.isatty()
        columns = (bars.TextColumn("{task.description}"), bars.BarColumn(), bars.MofNCompleteColumn(),
                   bars.TextColumn("{task.fields[rate]}"), bars.TimeRemainingColumn())  # fmt: skip
        self._bar = bars.Progress(*columns, console=Console(stderr=True), disable=not shown or self._plain, transient=True)
        self._task = self._bar.add_task(what, total=total, rate="")

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def advance(self, count: int = 1) -> None:
        """So many more are done."""
        self.done += count
        now = time.monotonic()
        rate = self.done / max(now - self._began, 1e-9)
        self._bar.update(self._task, advance=count, rate=f"{rate:,.0f} {self.unit}/s", total=max(self.total, self.done))
        if self._plain and now - self._said >= EVERY:
            self._said = now
            left = max(0, self.total - self.done) / rate
            print(f"{self.what}: {self.done:,} of {self.total:,} {self.unit}, {rate:,.0f}/s, {left:.0f} s left",
                  file=sys.stderr, flush=True)  # fmt: skip
