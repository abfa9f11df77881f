"""Progress as bars on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, Task, TaskID, TaskProgressColumn, TextColumn
from rich.progress import Progress as RichProgress
from rich.table import Column
from rich.text import Text

from hansa_env.commands.output import print_line
from hansa_env.commands.progress.base import Progress, pace_of, time_text

#: Bars of earlier pieces of work that stay on a terminal above the one in hand; more would push it off the screen.
EARLIER = 3


class _Times(ProgressColumn):
    """How long a piece of work has taken so far, and will take; of one that is done how long it took."""

    max_refresh = 0.5

    def render(self, task: Task) -> Text:
        if task.finished_time is not None:
            return Text(f"in {time_text(task.finished_time)}", "progress.elapsed")
        left = "" if task.time_remaining is None else f", {time_text(task.time_remaining)} left"
        return Text(f"{time_text(task.elapsed or 0.0)} so far{left}", "progress.remaining")


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
            _Times(table_column=whole),
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
