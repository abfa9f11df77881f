"""How a command ends that Ctrl-C stops, or whose reader goes away, or that finds standard streams closed."""

from __future__ import annotations

import os
import signal
import sys
from _thread import interrupt_main
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from threading import Timer, current_thread, main_thread
from types import TracebackType
from typing import Any, NoReturn

import typer
from rich.console import Console

from hansa_env.commands.output import FAILED, READER_GONE, print_errors
from hansa_env.start import INTERRUPTED, SAID

#: What is said of what keeps what it has done.
GOES_ON = "stopped; the same command continues"
#: Seconds after which an interrupt that was lost is raised again.
AGAIN = 0.05


class Stoppable:
    """Work, in a `with`, that Ctrl-C stops while its command goes on to show what is whole; then `end_stopped` ends that.

    Attributes:
        stopped: whether it was stopped.
    """

    stopped = False

    def __enter__(self) -> Stoppable:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> bool:
        self.stopped = kind is not None and issubclass(kind, KeyboardInterrupt)
        return self.stopped


def end_stopped(said: str, failed: Sequence[Exception] = ()) -> NoReturn:
    """End as Ctrl-C does, with a line on stderr of what is kept or missing and how it goes on, after those of what failed."""
    print_errors(failed)
    _say(said)
    raise typer.Exit(INTERRUPTED)


@contextmanager
def going_on(said: str | Callable[[], str]) -> Iterator[None]:
    """Ctrl-C within it ends the command, with a line on stderr of what is kept and how it goes on."""
    try:
        yield
    except KeyboardInterrupt:
        end_stopped(said if isinstance(said, str) else said())


@contextmanager
def told_in_one_place() -> Iterator[None]:
    """Around every command: what stops it from outside ends in the exit code of that, before Typer gives it one of its own."""
    try:
        with going_on(SAID):
            yield
    except BrokenPipeError:
        raise SystemExit(READER_GONE) from None


def end_as_interrupted(program: Callable[[], object]) -> None:
    """Run a program that Ctrl-C ends with its exit code, whatever becomes of the exception that it raises.

    One that is raised in a callback of compiled code is lost: Python says that it was ignored. It is raised again. A second one
    may come while the first is being dealt with, a further one while Python ends.
    """
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        program()
        return
    interrupted, before = False, (sys.unraisablehook, signal.getsignal(signal.SIGINT))

    def interrupt(*_: object) -> None:
        nonlocal interrupted
        interrupted = True
        raise KeyboardInterrupt

    def not_raised(lost: Any) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            sys.__unraisablehook__(lost)
            return
        timer = Timer(AGAIN, _interrupt)
        timer.daemon = True
        timer.start()

    sys.unraisablehook = not_raised
    signal.signal(signal.SIGINT, interrupt)
    code: Any = None
    try:
        program()
    except KeyboardInterrupt:
        _say(SAID)
    except SystemExit as ended:
        code = ended.code
    finally:
        sys.unraisablehook, handler = before
        # Python ends now, but not in a notebook or at its prompt.
        signal.signal(signal.SIGINT, handler if hasattr(sys, "ps1") else lambda *_: os._exit(INTERRUPTED))
    raise SystemExit(INTERRUPTED if interrupted and not code else code)


def _interrupt() -> None:
    """Ctrl-C once more, which also wakes a main thread that waits."""
    main = main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)
    else:
        interrupt_main()


def ready_streams() -> None:
    """See to it that there are standard streams: a closed input is an empty one, closed errors go nowhere. What the encoding of
    the output lacks is shown as a question mark.

    Raises SystemExit: there is no output, which is said.
    """
    Console.on_broken_pipe = _nobody_reads_on  # type: ignore[method-assign]  # its own ends the program with code 1
    closed = [name for name in ("stdin", "stdout", "stderr") if getattr(sys, name) is None]
    for name in closed:  # each takes the lowest free number of a file: that of its stream, which nothing else must get
        setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115
    if "stdout" in closed:
        _say("error: the standard output is closed; expected one, such as a file or /dev/null")
        raise SystemExit(FAILED)
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="replace")


def _nobody_reads_on(self: Console) -> None:
    raise BrokenPipeError


def _say(line: str) -> None:
    with suppress(OSError):
        typer.echo(line, err=True)
