"""What every way to report progress has, and one that says nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType


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


def pace_of(done: int, seconds: float) -> str:
    """How fast so much was done: a rate, and of what is slow the time that each takes."""
    rate = done / max(seconds, 1e-9)
    if rate < 1:
        return f"{_digits(1 / rate)} s each"
    return f"{_digits(rate)}/s"


def time_text(seconds: float) -> str:
    """A time as a clock has it: "0:07", "1:02:03"."""
    minutes, seconds = divmod(round(max(0.0, seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _digits(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"
