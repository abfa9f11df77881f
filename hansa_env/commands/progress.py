"""How far a run is: a bar on a terminal, elsewhere a plain line every few seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stdout, suppress
from threading import Event, Lock, Thread, Timer
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Task, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress
from rich.table import Column

from hansa_env.commands.output import print_line

#: Seconds after which work that is often done at once tells how far it is.
AFTER = 1.5
#: Seconds between two plain lines. Where nothing new is done, each pause is twice as long as the one before, up to the longest.
EVERY, LONGEST = 5.0, 80.0
#: The first thing done, less than this share of the work, says little of the rest: no time left is told before this share
#: of the time that it took has gone by again. Of games played side by side, one ends first and most soon after.
LITTLE = 0.1
#: Bars of earlier pieces of work that stay on a terminal above the one in hand; more would push it off the screen.
EARLIER = 3


class Progress(AbstractContextManager):
    """Reports one piece of work after the other. This one says nothing."""

    def begin(self, what: str, total: int, done: int = 0, note: str = "") -> None:
        """Start on a piece of work of `total`, `done` of it in earlier runs."""

    def at(self, done: int, note: str | None = None) -> None:
        """So much is done now, the whole of it where more is said; None leaves the note as it is."""

    @contextmanager
    def aside(self, what: str, total: int) -> Iterator[Callable[[], None]]:
        """Within a `with`, something else of `total` is done, whose time counts for no rate; call what it gives after each."""
        yield lambda: None

    def end(self) -> None:
        """The piece of work is done."""

    def tell(self, line: str) -> None:
        """A line for whoever watches."""

    @contextmanager
    def away(self) -> Iterator[None]:
        """Within a `with`, between two pieces of work, another progress may have the terminal."""
        yield

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        return None


class Bar(Progress):
    """A bar for each piece of work: share done, rate, time spent and left, and a note."""

    def __init__(self, console: Console) -> None:
        self._rich = self._bars(console)
        self._task, self._before, self._elsewhere = TaskID(0), 0, 0.0

    @staticmethod
    def _bars(console: Console) -> RichProgress:
        whole = Column(no_wrap=True)  # on a narrow terminal it is the note that goes on in further lines
        return RichProgress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=12, table_column=whole),
            TaskProgressColumn(table_column=whole),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(table_column=whole),
            TimeRemainingColumn(elapsed_when_finished=True, table_column=whole),
            TextColumn("{task.fields[note]}", table_column=Column(no_wrap=False)),
            console=console,
            speed_estimate_period=60,
            redirect_stdout=sys.stdout.isatty(),  # what is written into a file or pipe stays there
        )

    @property
    def _in_hand(self) -> Task:
        """The piece of work in hand. Its id is no place in the list of bars, from which some were taken."""
        return next(task for task in self._rich.tasks if task.id == self._task)

    def begin(self, what: str, total: int, done: int = 0, note: str = "") -> None:
        for task in self._rich.tasks[:-EARLIER]:
            self._rich.remove_task(task.id)
        total = max(1, total)
        done = min(done, total)
        self._task = self._rich.add_task(what, total=total, completed=done, rate="", note=note)
        self._before, self._elsewhere = done, 0.0

    def at(self, done: int, note: str | None = None) -> None:
        task = self._in_hand
        spent, done = (task.elapsed or 0.0) - self._elsewhere, min(done, int(task.total or 1))
        new = done - self._before
        fields: dict[str, Any] = {"rate": pace_of(new, spent) if spent > 1 and new > 0 else ""}
        if note is not None:
            fields["note"] = note
        self._rich.update(self._task, completed=done, **fields)

    @contextmanager
    def aside(self, what: str, total: int) -> Iterator[Callable[[], None]]:
        began, other = time.monotonic(), self._rich.add_task(f"  {what}", total=total, rate="", note="")
        try:
            yield lambda: self._rich.advance(other)
        finally:
            self._rich.remove_task(other)
            self._elsewhere += time.monotonic() - began

    def end(self) -> None:
        self.at(int(self._in_hand.total or 1))

    def tell(self, line: str) -> None:
        print_line(line, self._rich.console)

    @contextmanager
    def away(self) -> Iterator[None]:
        self._rich.stop()
        try:
            yield
        finally:
            self._rich = self._bars(self._rich.console)  # the bars so far stay above, and what was written below them too
            self._rich.start()

    def __enter__(self) -> Bar:
        self._rich.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._rich.stop()


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
            self._write(f"{self._so_far()} in {_time(self._clock() - self._began)}{self._noted()}")
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
            pace = f"{_time(spent)} so far"
            if new > 0 and (new >= LITTLE * self._total or self._goes_on(now)):
                pace = f"{pace_of(new, spent - self._elsewhere)}, {_time((self._total - self._done) * spent / new)} left"
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


class Late(Progress):
    """Says nothing of work that is soon done: what it reports goes to another progress only from some seconds on.

    Args:
        shown: what is begun then.
        after: seconds from the beginning of the `with`.
    """

    def __init__(self, shown: Progress, after: float = AFTER) -> None:
        self._shown, self._lock = shown, Lock()
        self._due = self._late = False
        self._timer = Timer(after, self._show)
        self._timer.daemon = True
        self._begun: tuple[str, int, int, str] | None = None

    def begin(self, what: str, total: int, done: int = 0, note: str = "") -> None:
        with self._lock:
            self._begun = what, total, done, note
            self._show_if_due()

    def at(self, done: int, note: str | None = None) -> None:
        with self._lock:
            if self._begun:
                what, total, _, before = self._begun
                self._begun = what, total, done, before if note is None else note
            if self._late:
                self._shown.at(done, note)

    def end(self) -> None:
        with self._lock:
            self._begun = None
            if self._late:
                self._shown.end()

    def tell(self, line: str) -> None:
        self._shown.tell(line)

    def __enter__(self) -> Late:
        self._timer.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._timer.cancel()
        with self._lock:
            if self._late:
                self._shown.__exit__(kind, error, trace)
            self._due = self._late = False

    def _show(self) -> None:
        with self._lock:
            self._due = not self._timer.finished.is_set()
            self._show_if_due()

    def _show_if_due(self) -> None:
        if self._due and self._begun:
            if not self._late:
                self._shown.__enter__()
            self._late = True
            self._shown.begin(*self._begun)


@contextmanager
def late(what: str, total: int) -> Iterator[Progress]:
    """Progress of one piece of work, of which nothing is said if it is soon done."""
    with Late(progress_on()) as progress:
        progress.begin(what, total)
        yield progress
        progress.end()


def progress_on(console: Console | None = None) -> Progress:
    """What fits a console, by default that of stderr: a bar on a terminal, else lines."""
    console = console or Console(stderr=True)
    if console.is_terminal:
        return Bar(console)
    return Lines(lambda line: _print_at_once(console, line))


@contextmanager
def progress_of_agents(shown: AbstractContextManager[Progress] | None = None) -> Iterator[Progress]:
    """Progress while agents are asked. What they print meanwhile, and Ray, goes to stderr, so that the output is the results
    alone."""
    with redirect_stdout(sys.stderr), shown or progress_on() as progress:
        yield progress


def _print_at_once(console: Console, line: str) -> None:
    print_line(line, console)
    console.file.flush()


def pace_of(done: int, seconds: float) -> str:
    """How fast so much was done: a rate, and of what is slow the time that each takes."""
    rate = done / max(seconds, 1e-9)
    if rate < 1:
        return f"{_digits(1 / rate)} s each"
    return f"{_digits(rate)}/s"


def _digits(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def _time(seconds: float) -> str:
    minutes, seconds = divmod(round(max(0.0, seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
