"""How the program `hansa` starts: Ctrl-C ends it in a word while it loads too, and a terminal is told what it waits for.

`hansa_env` begins with this, so it imports only what costs nothing.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Timer, current_thread, main_thread

#: The exit code, as of a process that SIGINT ends, and what is said where nothing better is known.
INTERRUPTED, SAID = 130, "interrupted"
#: Seconds after which it is said what is waited for.
PATIENCE = 1.5


class _Start:
    """Of the program: since when it runs, None in any other; what it waits for; whether the terminal knows that it loads."""

    since: float | None = None
    waiting = ExitStack()
    told = False


def begin() -> None:
    """If this process is the program, let Ctrl-C end it, and tell that it loads, until `go_on`."""
    if not is_program(sys.argv, sys.orig_argv):
        return
    _Start.since = time.monotonic()
    _Start.waiting.enter_context(loading("hansa"))
    if current_thread() is main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def go_on() -> None:
    """The program has what it needs to run a command, and sees to Ctrl-C itself."""
    _Start.waiting.close()


def is_program(words: list[str], process: list[str]) -> bool:
    """Whether this is `hansa`, as a script or by `python -m hansa_env`, and not a process that it has started.

    Args:
        words: `sys.argv` while the package is imported.
        process: `sys.orig_argv`, in which a process that Python has started has other words.
    """
    if words[:1] == ["-m"]:
        return process[process.index("-m") + 1 :][:1] == ["hansa_env"] if "-m" in process else False
    return bool(words) and os.path.basename(words[0]) == "hansa" and words[0] in process


@contextmanager
def telling_what_takes_long(line: str) -> Iterator[None]:
    """Whoever watches at a terminal is told what is waited for, where that takes seconds: with PyTorch, or while the compiled
    rules are loaded, a command shows nothing itself yet."""
    with _telling(line, PATIENCE):
        yield


@contextmanager
def loading(name: str) -> Iterator[None]:
    """The same of what a command loads and looks at before it works. That may be done in several steps: the seconds count from
    the beginning of the program, and it is told once."""
    spent = 0.0 if _Start.since is None else time.monotonic() - _Start.since
    with _telling(f"{name}: loading ...", max(0.0, PATIENCE - spent), once=True):
        yield


@contextmanager
def _telling(line: str, patience: float, once: bool = False) -> Iterator[None]:
    def tell() -> None:
        if once and _Start.since is not None:
            if _Start.told:
                return
            _Start.told = True
        print(line, file=sys.stderr, flush=True)

    timer = Timer(patience, tell)
    timer.daemon = True
    if sys.stderr is not None and sys.stderr.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _end(*_: object) -> None:
    os.write(2, f"{SAID}\n".encode())
    os._exit(INTERRUPTED)  # an exception would end in pages about what was being imported; nothing has been begun
