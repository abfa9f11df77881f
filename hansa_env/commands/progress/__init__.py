"""How far a run is: a bar on a terminal, elsewhere a plain line every few seconds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stdout

from rich.console import Console

from hansa_env.commands.output import print_line
from hansa_env.commands.progress.bar import Bar
from hansa_env.commands.progress.base import Progress
from hansa_env.commands.progress.delayed import Late
from hansa_env.commands.progress.lines import Lines

__all__ = ["Progress", "late", "progress_of_agents", "progress_on"]


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
