"""The command `hansa`."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from hansa_env.commands import options
from hansa_env.commands.dataset import dataset
from hansa_env.commands.output import one_line_errors, print_game, print_table, run
from hansa_env.commands.picture import picture
from hansa_env.commands.view import view
from hansa_env.engine.decisions import fingerprint, num_actions, segments
from hansa_env.engine.state import GAME
from hansa_env.engine.view.observation import observation_fields, observation_fingerprint, observation_size
from hansa_env.play.errors import what_is_missing
from hansa_env.play.game import Game
from hansa_env.render.text import WIDTH
from hansa_env.render.words import turn_in_words, turns_of
from hansa_env.ruleset import EDITIONS, VARIANTS, Ruleset
from hansa_env.version import __version__

GROUP = "hansa_env.commands"
ANYTHING = {"allow_extra_args": True, "ignore_unknown_options": True}


app = typer.Typer(
    help="Hansa Teutonica as a reinforcement-learning environment.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _add_installed_commands() -> None:
    """The commands that installed packages bring: a function is a command, a `Typer` a group of them."""
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            found: Any = point.load()
        except ModuleNotFoundError as error:
            app.command(point.name, context_settings=ANYTHING)(_unavailable(point.name, error))
            continue
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=point.name)
        else:
            app.command(point.name)(found)


def _unavailable(name: str, error: ModuleNotFoundError) -> Callable[[], None]:
    def command() -> None:
        with one_line_errors():
            raise ValueError(f"hansa {name}: {what_is_missing(error)}")

    command.__doc__ = f"(not available: {error})"
    return command


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"hansa-env {__version__}")
        raise typer.Exit


@app.callback()
def hansa(
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help="and exit")] = False,
) -> None:
    """Hansa Teutonica as a reinforcement-learning environment."""


@app.command()
def info(
    players: options.Players = options.DEFAULT.players,
    edition: options.Edition = options.DEFAULT.edition,
    two_players: options.TwoPlayers = None,
    board: options.BoardName = None,
) -> None:
    """Show a ruleset: its board, sizes, and the fields of an observation."""
    with one_line_errors():
        ruleset = options.ruleset(players, edition, two_players, board)
    console = Console()
    data = ruleset.board_data
    console.print(str(ruleset), highlight=False)
    console.print(f"{len(data.cities)} cities, {len(data.routes)} routes, {sum(r.posts for r in data.routes)} posts")
    console.print(f"{num_actions(ruleset)} actions, observation of {observation_size(ruleset)} int8, "
                  f"game record of {GAME.itemsize} bytes")  # fmt: skip
    for what, text in (("action space", fingerprint(ruleset)), ("observation", observation_fingerprint(ruleset))):
        console.print(f"fingerprint of the {what} {text}", highlight=False, soft_wrap=True)
    actions = _table("actions", "from", "number")
    for segment in segments(ruleset):
        actions.add_row(segment.name, str(segment.start), str(len(segment.things)))
    print_table(actions, console)
    table = _table("observation", "block", "from", "shape", "meaning")
    for field in observation_fields(ruleset):
        table.add_row(field.name, field.block, str(field.start), " × ".join(map(str, field.shape)), field.meaning)
    print_table(table, console)


def _table(*columns: str) -> Table:
    """A table whose columns, but for one of meanings, are never cut."""
    table = Table(box=SIMPLE_HEAD)
    for column in columns:
        table.add_column(column, no_wrap=column != "meaning")
    return table


@app.command()
def rulesets() -> None:
    """List every ruleset."""
    table = _table("players", "edition", "two players", "board", "markers", "actions")
    for players in range(2, 6):
        for edition in EDITIONS:
            for variant in VARIANTS if players == 2 else (None,):
                ruleset = Ruleset(players, edition, variant)
                row = players, edition, variant or "", ruleset.board, sum(ruleset.marker_counts), num_actions(ruleset)
                table.add_row(*map(str, row))
    print_table(table)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="a hansa-record/1 file")],
    until: Annotated[
        int | None, typer.Option(help="stop after so many decisions and show the board; negative: so many before the end")
    ] = None,
    board: Annotated[bool, typer.Option("--board", help="show the board after every turn")] = False,
    step: Annotated[bool, typer.Option("--step", help="the same, and wait for Enter after every turn; q ends")] = False,
    brief: Annotated[bool, typer.Option("--brief", help="the result only")] = False,
) -> None:
    """Check a record, every decision and the result, and tell its game in words, turn by turn."""
    with one_line_errors():
        try:
            game = Game.from_record(json.loads(file.read_text("utf-8")))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{file}: {error}") from error
        decisions = len(game.decisions)
        last = decisions if until is None else until if until >= 0 else decisions + until
        if not 0 <= last <= decisions:
            raise ValueError(f"--until is {until}; the record has {decisions} decisions")
    if not brief and not _tell(game, last, board or step, step):
        return
    if until is not None:
        print(game.rewound(last))
    else:
        print_game(game, f"{file} replays as it is written")


app.command()(dataset)
app.command()(picture)
app.command()(view)


def _tell(game: Game, last: int, board: bool, step: bool) -> bool:
    """Tell a game in words; False when whoever watches has had enough."""
    moves = game.moves()[:last]
    width = shutil.get_terminal_size((WIDTH, 24)).columns
    shown = game.rewound(0)
    for turn in turns_of(moves):
        line = turn_in_words(game.ruleset, moves, turn, game.agents)
        print(textwrap.fill(line, max(width, 40), subsequent_indent="    ", break_long_words=False, break_on_hyphens=False))
        if board:
            for move in moves[turn.first : turn.last]:
                shown.play(move.text)
            print(f"\n{shown}\n", flush=True)
        if step and turn.last < last:
            print(f"-- decision {turn.last} of {last}: Enter goes on, q ends --", end="", file=sys.stderr, flush=True)
            answer = sys.stdin.readline()
            if not answer or answer.strip().lower() == "q":
                return False
    return True


def main() -> None:
    """The program `hansa`."""
    run(app)


_add_installed_commands()

if __name__ == "__main__":
    main()
