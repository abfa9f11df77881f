"""How commands show results and errors."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import typer
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from hansa_env.engine.state import GAME
from hansa_env.extras import what_is_missing
from hansa_env.formats.errors import printable
from hansa_env.formats.missions import EVERYBODY, scores_seen
from hansa_env.formats.outputs import written
from hansa_env.play.errors import TOLD
from hansa_env.play.game import Game
from hansa_env.render.scores import columns_shown
from hansa_env.render.text import WIDTH

#: The exit code of a process that SIGPIPE ends.
READER_GONE = 141
#: That of a command that cannot do its work, or finds something wrong, though it was called rightly.
FAILED = 1
#: What helps where a file, or what is printed, cannot be written; some of it where one cannot be read.
REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "make room there, or name another place"),
    **dict.fromkeys((errno.EACCES, errno.EPERM), "see to it that you may use it, or name another place"),
    errno.EROFS: "name another place",
    errno.EFBIG: "allow larger files, or name another place",
}


#: The options of the command that runs, by what Python calls them.
_options: dict[str, str] = {}


@contextmanager
def naming_options(options: Mapping[str, str]) -> Iterator[None]:
    """While a command with these options runs, by their names in Python, errors name an option as it is typed."""
    before = dict(_options)
    _options.update(options)
    try:
        yield
    finally:
        _options.clear()
        _options.update(before)


@contextmanager
def one_line_errors() -> Iterator[None]:
    """What a user can get wrong ends in one line on stderr and exit code 2, without a traceback."""
    try:
        yield
    except BrokenPipeError:  # nobody reads on; see `run`
        raise
    except TOLD as error:
        _print_error(error)
        raise typer.Exit(2) from error


def print_errors(failed: Sequence[Exception]) -> None:
    """A line on stderr for each thing that failed while the rest went on."""
    for error in failed:
        _print_error(error)


def end_with(failed: Sequence[Exception]) -> None:
    """End with an error's exit code where something failed while the rest went on, which is said."""
    print_errors(failed)
    if failed:
        raise typer.Exit(2)


def _print_error(error: Exception) -> None:
    text = _as_typed(printable(" ".join(_described(error).splitlines())))
    console = Console(stderr=True)
    console.print(f"[red]error:[/red] {escape(text)}", highlight=False, soft_wrap=True, emoji=False)


def _as_typed(text: str) -> str:
    """What an error says: "seed is -1" with the option, --seed."""
    name, sign, rest = text.partition(" ")
    return f"{_options[name]}{sign}{rest}" if name in _options and rest.startswith(("is ", "has ")) else text


def _described(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError):
        return what_is_missing(error)
    if isinstance(error, OSError) and error.errno is not None:
        said = f"{error.filename}: {os.strerror(error.errno)}"
        if error.errno in REMEDIES:
            return f"{error.strerror if error.filename is None else said}; {REMEDIES[error.errno]}"
        return str(error) if error.filename is None else said
    return str(error)


def run(command: Callable[[], object]) -> None:
    """Run a command; one whose reader goes away, as `head` does, ends without a word, and one that cannot print with one."""
    try:
        try:
            command()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        raise SystemExit(READER_GONE) from None
    except OSError as error:
        if error.filename is not None or error.errno not in REMEDIES:
            raise
        _drop_output()
        _print_error(error)
        raise SystemExit(2) from None


def _drop_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is still to be flushed at the exit


def print_line(line: str, console: Console | None = None) -> None:
    """Print a line as it is, whatever its length; `scripted:link:` is no picture of a chain."""
    (console or Console()).print(line, highlight=False, soft_wrap=True, markup=False, emoji=False)


def write_and_tell(path: Path, data: bytes) -> None:
    """Write a page or picture and say so: on stderr, as the output is the results alone. Raises OSError."""
    typer.echo(written(path, data), err=True)


def terminal_width() -> int:
    """Columns of the terminal, as many as the board as text takes where there is none."""
    return max(40, shutil.get_terminal_size((WIDTH, 24)).columns)


def take_back_lines(*lines: str) -> None:
    """Take the last lines from the terminal at which somebody sits, with all rows that they fill.

    The cursor is expected at the row after them. Where it still stands in their last row (nobody pressed Enter), the row above
    them goes too: better that than one that stays.
    """
    columns = os.get_terminal_size(sys.stdin.fileno()).columns or shutil.get_terminal_size().columns
    rows = sum(max(1, -(-cell_len(line) // columns)) for line in lines)
    print(f"\r\x1b[{rows}A\x1b[J", end="", flush=True)


def print_wrapped(text: str, indent: int = 4) -> None:
    """Print a sentence in lines that fit the terminal, later ones indented by so many columns."""
    later = " " * indent
    print(textwrap.fill(text, terminal_width(), subsequent_indent=later, break_long_words=False, break_on_hyphens=False))


def table_of(
    columns: Sequence[str], rows: Iterable[Sequence[str]] = (), title: str | None = None, left: int = 1
) -> Table:  # fmt: skip
    """A table whose first `left` columns stand left and all others right; what stands in its cells is shown as it is."""
    table = Table(box=SIMPLE_HEAD, title=None if title is None else Text(title, "table.title"), title_justify="left")
    for number, column in enumerate(columns):
        table.add_column(Text(column), justify="left" if number < left else "right", no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def print_table(table: Table, console: Console | None = None) -> None:
    """Print a table; what stands in its `no_wrap` columns is never cut, even where the terminal is too narrow for it.

    Into a file or pipe it takes the room that it needs.
    """
    console = console or Console()
    _keep_whole(table)
    wide = console.options.update(width=10_000)
    needed = Measurement.get(console, wide, table)
    if console.is_terminal and needed.maximum > console.width:  # without frames, and with headings in lines, it may fit
        table.box, table.show_edge, table.padding, table.pad_edge = SIMPLE_HEAD, False, (0, 1, 0, 0), False
        for column in table.columns:
            column.overflow = "fold"
            column.header = Text(re.sub(r"(?<!\d) ", "\n", str(column.header)))  # but "95 %" is one word
        _keep_whole(table)
        needed = Measurement.get(console, wide, table)
    before = console.width
    console.width = max(before, needed.minimum) if console.is_terminal else max(before, needed.maximum)
    console.print(table)
    console.width = before


def _keep_whole(table: Table) -> None:
    for column in table.columns:
        if column.no_wrap:
            cells = [str(column.header), *map(str, column.cells)]
            column.min_width = max(len(line) for cell in cells for line in cell.split("\n"))


def print_game(game: Game, note: str, viewer: int = EVERYBODY) -> None:
    """Print how a game stands or ended, without the points of mission cards that a viewer may not see
    (`hansa_env.formats.missions`)."""
    winners = game.winners() if game.over else []
    table = Table("seat", "agent", box=SIMPLE_HEAD)
    columns = columns_shown(game.ruleset)
    for column in (*columns, ""):
        table.add_column(column.replace("_", "\n"), justify="right", no_wrap=True)
    for seat, scores in enumerate(scores_seen(game.ruleset, np.array([game.state], GAME), viewer)[0].tolist()):
        agent = Text(game.agents[seat] if game.agents else "")
        table.add_row(str(seat), agent, *(str(scores[place]) for place in columns.values()), "wins" if seat in winners else "")
    console = Console()
    print_table(table, console)
    ending = f"ended by {game.reason}" if game.reason else "cut off" if game.over else "not finished"
    print_line(f"{len(game.decisions)} decisions, {ending}; {note}", console)
