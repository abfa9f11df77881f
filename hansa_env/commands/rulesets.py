"""The commands `hansa info` and `hansa rulesets`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from hansa_env.boards import printed_boards
from hansa_env.commands import options
from hansa_env.commands.output import print_table
from hansa_env.engine.action_space import fingerprint, num_actions, segments
from hansa_env.engine.state import GAME
from hansa_env.engine.view.observation import observation_fields, observation_fingerprint, observation_size
from hansa_env.installed import NotLoaded, entries, load
from hansa_env.render.words import name_in_words, permanent_marker_in_words
from hansa_env.ruleset import BASE_BOARDS, BASE_EDITIONS, EDITIONS, VARIANTS, Ruleset, players_on

#: Of functions that take a ruleset and return lines about it.
GROUP = "hansa_env.about"
#: What `rulesets` says below its table.
MODULES = """Each of these may be played on the other board of the base game too (--board), and with modules:
  --missions             hidden mission cards; boards of the base game
  --favours yes          Emperor's Favour; boards of the base game, elsewhere --favours any-board
  --pile promos          promo markers among the face-down markers, or --pile NAME,NAME,..."""


@options.with_ruleset
def info(
    ruleset: Ruleset = options.DEFAULT,
) -> None:
    """Show a ruleset: its board, sizes, trained network, and the fields of an observation."""
    console = Console()
    data = ruleset.board_data
    console.print(str(ruleset), highlight=False)
    green, ships = sum(city.green for city in data.cities), sum(route.ships for route in data.routes)
    cities = f"{len(data.cities)} cities" + (f" ({green} green)" if green else "")
    posts = f"{sum(route.posts for route in data.routes)} posts" + (f" ({ships} on ships)" if ships else "")
    console.print(f"{cities}, {len(data.routes)} routes, {posts}", highlight=False)
    for route in data.routes:
        if route.permanent_marker is not None:
            told = permanent_marker_in_words(route.permanent_marker, len(data.countries) > 1)
            console.print(f"{name_in_words(ruleset, route.id)}: {told}", highlight=False, soft_wrap=True)
    console.print(f"{num_actions(ruleset)} actions, observation of {observation_size(ruleset)} int8, "
                  f"game record of {GAME.itemsize} bytes")  # fmt: skip
    for what, text in (("action space", fingerprint(ruleset)), ("observation", observation_fingerprint(ruleset))):
        console.print(f"fingerprint of the {what} {text}", highlight=False, soft_wrap=True)
    for line in _said_by_others(ruleset):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    actions = _table("actions", "from", "number")
    for segment in segments(ruleset):
        actions.add_row(segment.name, str(segment.start), str(len(segment.things)))
    print_table(actions, console)
    table = _table("observation", "block", "from", "shape", "meaning")
    for field in observation_fields(ruleset):
        table.add_row(field.name, field.block, str(field.start), " × ".join(map(str, field.shape)), field.meaning)
    print_table(table, console)


def _said_by_others(ruleset: Ruleset) -> Iterator[str]:
    """What installed packages say of a ruleset, or why one cannot be asked."""
    for point in entries(GROUP):
        try:
            yield from load(point)(ruleset)
        except NotLoaded as error:
            yield f"{point.name}: {error}"


def _table(*columns: str) -> Table:
    """A table whose columns, but for one of meanings, are never cut."""
    table = Table(box=SIMPLE_HEAD)
    for column in columns:
        table.add_column(column, no_wrap=column != "meaning")
    return table


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
    for board in printed_boards():
        for players, edition in product(players_on(board), EDITIONS):
            if board not in BASE_BOARDS:
                yield Ruleset(players, edition, board=board)
