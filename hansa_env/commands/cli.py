"""The command `hansa`."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from hansa_env.commands import options
from hansa_env.commands.output import one_line_errors, print_game
from hansa_env.engine.decisions import fingerprint, num_actions, segments
from hansa_env.engine.state import GAME
from hansa_env.engine.view.observation import observation_fields, observation_fingerprint, observation_size
from hansa_env.play.errors import what_is_missing
from hansa_env.play.game import Game
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
    actions = Table("actions", "from", "number", box=SIMPLE_HEAD)
    for segment in segments(ruleset):
        actions.add_row(segment.name, str(segment.start), str(len(segment.things)))
    console.print(actions)
    table = Table("observation", "block", "from", "shape", "meaning", box=SIMPLE_HEAD)
    for field in observation_fields(ruleset):
        table.add_row(field.name, field.block, str(field.start), " × ".join(map(str, field.shape)), field.meaning)
    console.print(table)


@app.command()
def rulesets() -> None:
    """List every ruleset."""
    table = Table("players", "edition", "two players", "board", "markers", "actions", box=SIMPLE_HEAD)
    for players in range(2, 6):
        for edition in EDITIONS:
            for variant in VARIANTS if players == 2 else (None,):
                ruleset = Ruleset(players, edition, variant)
                row = players, edition, variant or "", ruleset.board, sum(ruleset.marker_counts), num_actions(ruleset)
                table.add_row(*map(str, row))
    Console().print(table)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="a hansa-record/1 file")],
    moves: Annotated[bool, typer.Option("--moves", help="list every decision")] = False,
    at: Annotated[int | None, typer.Option(help="show the board after so many decisions; negative: before the end")] = None,
) -> None:
    """Replay a record, checking every decision and its result."""
    with one_line_errors():
        try:
            game = Game.from_record(json.loads(file.read_text("utf-8")))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{file}: {error}") from error
        if at is not None:
            count = at if at >= 0 else len(game.decisions) + at
            if not 0 <= count <= len(game.decisions):
                raise ValueError(f"--at is {at}; the record has {len(game.decisions)} decisions")
            print(game.rewound(count))
    if moves:
        _print_moves(game)
    print_game(game, f"{file} replays as it is written")


def _print_moves(game: Game) -> None:
    """Every decision, a line for as many as a seat makes in a row."""
    start = 0
    for i, (seat, _) in enumerate(game.decisions):
        if i + 1 == len(game.decisions) or game.decisions[i + 1][0] != seat:
            texts = "; ".join(text for _, text in game.decisions[start : i + 1])
            name = f" {game.agents[seat]}" if game.agents else ""
            print(f"{start + 1:5} seat {seat}{name}: {texts}")
            start = i + 1


_add_installed_commands()

if __name__ == "__main__":
    app()
