"""Progress as plain lines, for files and pipes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread

from hansa_env.commands.progress.base import Progress, pace_of, time_text

#: Seconds between two plain lines. Where nothing new is done, each pause is twice as long as the one before, up to the longest.
EVERY, LONGEST = 5.0, 80.0
#: The first thing done, less than this share of the work, says little of the rest: no time left is told before this share
#: of the time that it took has gone by again. Of games played side by side, one ends first and most soon after.
LITTLE = 0.1


class Lines(Progress):
    """Plain lines: what, how much of how much, rate, time left, a note.

    Within a `with`, a thread sees to it that lines come also while a step of the work takes long.

    Args:
        write: is given each line.
        every: seconds between two lines, more where nothing new is done; the beginning and the end of a piece of work always
            have theirs.
        clock: seconds.
    """

    def __init__(self, write: Callable[[str], None], every: float = EVERY, clock: Callable[[], float] = time.monotonic) -> None:
        self._write, self._every, self._clock = write, every, clock
        self._what, self._note = "", ""
        self._total = self._done = self._before = 0
        self._pause = every
        self._began = self._told = self._elsewhere = 0.0
        self._first: float | None = None
        self._aside: tuple[str, int, int] | None = None
        self._stood: object = None
        self._lock, self._stop = Lock(), Event()
        self._thread = Thread(target=self._keep_telling, daemon=True)

    def begin(self, what: str, total: int, done: int = 0, note: str = "") -> None:
        done = min(done, total)
        with self._lock:
            self._what, self._total, self._done, self._before, self._note = what, total, done, done, note
            self._began = self._told = self._clock()
            self._elsewhere, self._first = 0.0, None
            self._stood, self._pause = (done, None), self._every
            self._write(f"{self._so_far()}{self._noted()}")

    def at(self, done: int, note: str | None = None) -> None:
        with self._lock:
            self._done = min(done, self._total)
            if self._first is None and self._done > self._before:
                self._first = self._clock()
            if note is not None:
                self._note = note
        self.tell_when_due()

    @contextmanager
    def aside(self, what: str, total: int) -> Iterator[Callable[[], None]]:
        began, done = self._clock(), 0
        self._aside = what, total, 0

        def step() -> None:
            nonlocal done
            done += 1
            self._aside = what, total, done
            self.tell_when_due()

        try:
            yield step
        finally:
            with self._lock:
                self._aside = None
                spent = self._clock() - began
                if self._done == self._before:  # nothing is known of the pace yet
                    self._began += spent
                else:
                    self._elsewhere += spent

    def end(self) -> None:
        with self._lock:
            self._done = self._total
            self._write(f"{self._so_far()} in {time_text(self._clock() - self._began)}{self._noted()}")
            self._what = ""

    def tell(self, line: str) -> None:
        with self._lock:
            self._write(line)

    def tell_when_due(self) -> None:
        """A line on the work in hand, when the last one is long enough ago."""
        with self._lock:
            now = self._clock()
            aside, new = self._aside, self._done - self._before
            waits = self._stood == (self._done, aside)
            if not self._what or now - self._told < (self._pause if waits else self._every):
                return
            self._pause = min(2 * self._pause, LONGEST) if waits else self._every
            self._told, self._stood = now, (self._done, aside)
            if aside is not None:
                what, total, done = aside
                self._write(f"{what}: {done:,} of {total:,} ({self._so_far()})")
                return
            spent = now - self._began
            pace = f"{time_text(spent)} so far"
            if new > 0 and (new >= LITTLE * self._total or self._goes_on(now)):
                pace = f"{pace_of(new, spent - self._elsewhere)}, {time_text((self._total - self._done) * spent / new)} left"
            self._write(f"{self._so_far()}, {pace}{self._noted()}")

    def __enter__(self) -> Lines:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _keep_telling(self) -> None:
        with suppress(OSError, ValueError):  # nobody reads any more; the work itself will find out
            while not self._stop.wait(1.0):
                self.tell_when_due()

    def _goes_on(self, now: float) -> bool:
        """Whether the first thing done is long enough ago, for the time that it took."""
        return self._first is not None and now - self._first >= LITTLE * (self._first - self._began)

    def _so_far(self) -> str:
        share = f" ({self._done / self._total:.0%})" if self._total else ""
        return f"{self._what}: {self._done:,} of {self._total:,}{share}"

    def _noted(self) -> str:
        return f"; {self._note}" if self._note else ""
