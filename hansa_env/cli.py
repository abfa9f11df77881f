"""The command `hansa`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from hansa_env.game import Game
from hansa_env.ruleset import EDITIONS, VARIANTS, Ruleset

app = typer.Typer(
    help="Hansa Teutonica as a reinforcement-learning environment.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

#: For commands whose options another package reads.
PASS_ON = {"allow_extra_args": True, "ignore_unknown_options": True}

Players = Annotated[int, typer.Option("--players", "-p", help="2 to 5")]
Edition = Annotated[str, typer.Option(help=", ".join(EDITIONS))]
TwoPlayers = Annotated[str | None, typer.Option(help=f"{' or '.join(VARIANTS)}; only with 2 players")]
BoardName = Annotated[str | None, typer.Option("--board", help="by default the one for that number of players")]
Seed = Annotated[int, typer.Option(help="of the markers and of the agents")]


@contextmanager
def one_line_errors() -> Iterator[None]:
    """What a user can get wrong ends in one line on stderr and exit code 2, without a traceback."""
    try:
        yield
    except (ValueError, OSError) as error:
        Console(stderr=True).print(f"[red]error:[/red] {_plain(error)}", highlight=False, soft_wrap=True)
        raise typer.Exit(2) from error


def _plain(error: Exception) -> str:
    return str(error).replace("[", r"\[")


@app.command()
def info(players: Players = 3, edition: Edition = "fourth", two_players: TwoPlayers = None, board: BoardName = None) -> None:
    """Show a ruleset: its board, sizes, and the fields of an observation."""
    from hansa_env.engine.actions import fingerprint, num_actions, segments
    from hansa_env.engine.observation import observation_fields, observation_size
    from hansa_env.engine.record import GAME

    with one_line_errors():
        ruleset = Ruleset(players, edition, two_players, board)
    console = Console()
    data = ruleset.board_data
    variant = f", {ruleset.two_players}" if ruleset.two_players else ""
    console.print(f"{ruleset.players} players, {ruleset.edition} edition, board {ruleset.board}{variant}", highlight=False)
    console.print(f"{len(data.cities)} cities, {len(data.routes)} routes, {sum(r.posts for r in data.routes)} posts")
    console.print(f"{num_actions(ruleset)} actions, observation of {observation_size(ruleset)} int8, "
                  f"game record of {GAME.itemsize} bytes")  # fmt: skip
    console.print(f"fingerprint of the action space {fingerprint(ruleset)}", highlight=False, soft_wrap=True)
    actions = Table("actions", "from", "number", box=SIMPLE_HEAD)
    for segment in segments(ruleset):
        actions.add_row(segment.name, str(segment.start), str(len(segment.things)))
    console.print(actions)
    table = Table("observation", "from", "size", "meaning", box=SIMPLE_HEAD)
    for field in observation_fields(ruleset):
        table.add_row(field.name, str(field.start), str(field.size), field.meaning)
    console.print(table)


@app.command()
def rulesets() -> None:
    """List every ruleset."""
    from hansa_env.engine.actions import num_actions

    table = Table("players", "edition", "two players", "board", "markers", "actions", box=SIMPLE_HEAD)
    for players in range(2, 6):
        for edition in EDITIONS:
            for variant in VARIANTS if players == 2 else (None,):
                ruleset = Ruleset(players, edition, variant)
                row = players, edition, variant or "", ruleset.board, sum(ruleset.marker_counts), num_actions(ruleset)
                table.add_row(*map(str, row))
    Console().print(table)


@app.command()
def arena(
    agents: Annotated[
        list[str] | None, typer.Argument(help="as many as players: that line-up, in every rotation; fewer: mixed tables")
    ] = None,
    hero: Annotated[str | None, typer.Option(help="one agent ...")] = None,
    field: Annotated[str | None, typer.Option(help="... against a table of this one")] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="rounded up to equal numbers per line-up")] = 200,
    players: Players = 3,
    edition: Edition = "fourth",
    two_players: TwoPlayers = None,
    board: BoardName = None,
    seed: Seed = 0,
    max_turns: Annotated[int, typer.Option(help="turns per seat before a game is cut off, 0 = never")] = 100,
    progress: Annotated[bool, typer.Option(help="show a progress bar")] = True,
) -> None:
    """Let agents play each other: hansa arena greedy random, hansa arena --hero greedy --field random."""
    with one_line_errors():
        from hansa_agents.arena import play_match, print_match

        ruleset = Ruleset(players, edition, two_players, board)
        specs = _line_up(agents or [], hero, field, ruleset.players)
        if max_turns < 0:
            raise ValueError(f"--max-turns is {max_turns}; expected 0 or more")
        print_match(play_match(specs, ruleset, games, seed, max_turns=max_turns or None, progress=progress))


def _line_up(agents: list[str], hero: str | None, field: str | None, players: int) -> list[str]:
    if (hero is None) != (field is None) or bool(agents) == (hero is not None):
        raise ValueError("name agents, or else both --hero and --field")
    return agents if hero is None else [hero, *[field] * (players - 1)]


@app.command()
def record(
    agents: Annotated[list[str], typer.Argument(help="one per seat, or a single one for all")],
    out: Annotated[Path, typer.Option("--out", "-o", help="file to write")] = Path("game.json"),
    players: Players = 3,
    edition: Edition = "fourth",
    two_players: TwoPlayers = None,
    board: BoardName = None,
    seed: Seed = 0,
    max_turns: Annotated[int, typer.Option(help="turns per seat before the game is cut off")] = 100,
) -> None:
    """Let agents play one game and write its record."""
    with one_line_errors():
        from hansa_agents.table import play_game

        ruleset = Ruleset(players, edition, two_players, board)
        game = play_game(agents, ruleset, seed, max_turns)
        out.write_text(json.dumps(game.record(), indent=1) + "\n")
    print_game(game, f"written to {out}")


@app.command()
def replay(file: Annotated[Path, typer.Argument(help="a hansa-record/1 file")]) -> None:
    """Replay a record, checking every decision and its result."""
    with one_line_errors():
        try:
            game = Game.from_record(json.loads(file.read_text()))
        except OSError as error:
            raise ValueError(f"{file}: {error.strerror}") from error
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from error
    print_game(game, f"{file} is sound")


@app.command(add_help_option=False, context_settings=PASS_ON)
def train(context: typer.Context) -> None:
    """Train MaskablePPO by self-play and show how good it got (`hansa train --help`)."""
    _pass_on("hansa_training.app", "train", context.args)


@app.command(add_help_option=False, context_settings=PASS_ON)
def bench(context: typer.Context) -> None:
    """Measure how fast everything is, beside what you know (`hansa bench --help`)."""
    _pass_on("hansa_benchmarks.app", "bench", context.args)


def _pass_on(module: str, name: str, arguments: list[str]) -> None:
    try:
        other = import_module(module)
    except ModuleNotFoundError as error:
        raise typer.BadParameter(f"{error}; install the optional dependencies: pip install 'hansa-env[train]'") from error
    other.app(arguments, prog_name=f"hansa {name}")


def print_game(game: Game, note: str) -> None:
    """Print how a game stands or ended."""
    from hansa_env.engine.scoring import SCORE_COLUMNS

    winners = game.winners() if game.over else []
    table = Table("seat", "agent", *(column.replace("_", " ") for column in SCORE_COLUMNS), "", box=SIMPLE_HEAD)
    for seat, scores in enumerate(game.scores()):
        agent = game.agents[seat] if game.agents else ""
        table.add_row(str(seat), agent, *map(str, scores), "wins" if seat in winners else "")
    console = Console()
    console.print(table)
    ending = f"ended by {game.reason}" if game.reason else "cut off" if game.over else "not finished"
    console.print(f"{len(game.decisions)} decisions, {ending}; {note}", highlight=False, soft_wrap=True)


if __name__ == "__main__":
    app()
