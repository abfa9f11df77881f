"""How commands show results and errors."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hansa_env.engine.rules.scoring import SCORE_COLUMNS
from hansa_env.play.errors import what_is_missing
from hansa_env.play.game import Game


@contextmanager
def one_line_errors() -> Iterator[None]:
    """What a user can get wrong ends in one line on stderr and exit code 2, without a traceback."""
    try:
        yield
    except (ValueError, OSError, ModuleNotFoundError) as error:
        text = _described(error)
        Console(stderr=True).print(f"[red]error:[/red] {escape(text)}", highlight=False, soft_wrap=True)
        raise typer.Exit(2) from error


def _described(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError):
        return what_is_missing(error)
    if isinstance(error, OSError) and error.filename is not None and error.errno is not None:
        return f"{error.filename}: {os.strerror(error.errno)}"
    return str(error)


def print_game(game: Game, note: str) -> None:
    """Print how a game stands or ended, in 80 columns; of a narrower terminal the lines go on in the next ones."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    for column in ("seat", "agent", *SCORE_COLUMNS):
        table.add_column(column.replace("_", "\n"), overflow="fold")
    for seat, scores in enumerate(game.scores()):
        table.add_row(str(seat), game.agents[seat] if game.agents else "", *map(str, scores))
    console = Console(width=max(80, Console().width))
    console.print(table)
    ending = f"ended by {game.reason}" if game.reason else "cut off" if game.over else "not finished"
    if game.over:
        ending += f", won by seat {' and '.join(map(str, game.winners()))}"
    console.print(f"{len(game.decisions)} decisions, {ending}; {note}", highlight=False, soft_wrap=True)
