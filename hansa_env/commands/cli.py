"""The command `hansa`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from itertools import product
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from hansa_env.boards import board_names, load_board
from hansa_env.commands import options
from hansa_env.commands.analyse import analyse
from hansa_env.commands.dataset import dataset
from hansa_env.commands.output import one_line_errors, print_table, run
from hansa_env.commands.picture import picture
from hansa_env.commands.play import play
from hansa_env.commands.replay import replay
from hansa_env.commands.view import view
from hansa_env.engine.decisions import fingerprint, num_actions, segments
from hansa_env.engine.state import GAME
from hansa_env.engine.view.observation import observation_fields, observation_fingerprint, observation_size
from hansa_env.extras import what_is_missing
from hansa_env.render.words import name_in_words, permanent_marker_in_words
from hansa_env.ruleset import BASE_BOARDS, BASE_EDITIONS, EDITIONS, VARIANTS, Ruleset
from hansa_env.version import __version__

GROUP = "hansa_env.commands"
#: What `rulesets` says below its table.
MODULES = """Each of these may be played on the other board of the base game too (--board), and with modules:
  --missions             hidden mission cards; boards of the base game
  --favours yes          Emperor's Favour; boards of the base game, elsewhere --favours any-board
  --pile promos          promo markers among the face-down markers, or --pile NAME,NAME,..."""
ANYTHING = {"allow_extra_args": True, "ignore_unknown_options": True}


app = typer.Typer(
    help="Hansa Teutonica as a reinforcement-learning environment.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _add_installed_commands() -> None:
    """The commands that installed packages bring: a function is a command, a `Typer` a group of them.

    A function may have an attribute `renamed`: the options that were called otherwise, as `options.refusing` takes them.
    """
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            found: Any = point.load()
        except ModuleNotFoundError as error:
            app.command(point.name, context_settings=ANYTHING)(_unavailable(point.name, error))
            continue
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=point.name)
        else:
            app.command(point.name, cls=options.refusing(getattr(found, "renamed", {})))(found)


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
@options.with_ruleset
def info(
    ruleset: Ruleset = options.DEFAULT,
) -> None:
    """Show a ruleset: its board, sizes, and the fields of an observation."""
    console = Console()
    data = ruleset.board_data
    console.print(str(ruleset), highlight=False)
    green, ships = sum(city.green for city in data.cities), sum(route.ships for route in data.routes)
    cities = f"{len(data.cities)} cities" + (f" ({green} green)" if green else "")
    posts = f"{sum(route.posts for route in data.routes)} posts" + (f" ({ships} on ships)" if ships else "")
    console.print(f"{cities}, {len(data.routes)} routes, {posts}", highlight=False)
    for route in data.routes:
        if route.permanent_marker is not None:
            console.print(f"{name_in_words(ruleset, route.id)}: {permanent_marker_in_words(route.permanent_marker)}",
                          highlight=False, soft_wrap=True)  # fmt: skip
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
    """List every ruleset: each number of players on the board that is printed for it, then on the boards of expansions;
    miniatures, which no box has, are left out."""
    table = _table("players", "edition", "two players", "board", "markers", "actions")
    for ruleset in _rulesets():
        variant = ruleset.two_players or ""
        markers, actions = sum(ruleset.marker_counts), num_actions(ruleset)
        table.add_row(*map(str, (ruleset.players, ruleset.edition, variant, ruleset.board, markers, actions)))
    print_table(table)
    print(MODULES)


def _rulesets() -> Iterator[Ruleset]:
    for edition, variant in product(BASE_EDITIONS, VARIANTS):
        yield Ruleset(2, edition, variant)
    for players, edition in product(range(3, 6), EDITIONS):
        yield Ruleset(players, edition)
    for board in board_names():
        if load_board(board).miniature:
            continue
        fewest, most = load_board(board).players
        for players, edition in product(range(fewest, most + 1), EDITIONS):
            if board not in BASE_BOARDS:
                yield Ruleset(players, edition, board=board)


app.command()(play)
app.command()(replay)
app.command()(analyse)
app.command()(dataset)
app.command()(picture)
app.command()(view)


def main() -> None:
    """The program `hansa`."""
    run(app)


_add_installed_commands()

if __name__ == "__main__":
    main()
