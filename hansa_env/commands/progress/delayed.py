"""Progress of work that is often soon done."""

from __future__ import annotations

from threading import Lock, Timer
from types import TracebackType

from hansa_env.commands.progress.base import Progress

#: Seconds after which such work tells how far it is.
AFTER = 1.5


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
