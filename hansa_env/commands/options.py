"""Options and arguments that several commands share."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import click
import typer
from typer.core import TyperCommand

from hansa_env.boards import board_names
from hansa_env.play.arguments import checked_max_turns
from hansa_env.renamed import called_now
from hansa_env.ruleset import EDITIONS, VARIANTS, Ruleset, RulesetError

DEFAULT = Ruleset()

#: Words for `Ruleset(favours=...)`, those of configuration files among them.
_FAVOURS_BY_WORD: dict[str, bool | str] = {"yes": True, "no": False, "true": True, "false": False, "any-board": "any-board"}
_BOARDS = f"{', '.join(board_names())}; by default the one of the base game for that number of players"

Players = Annotated[int, typer.Option("--players", "-p", help="2 to 5")]
Edition = Annotated[str, typer.Option(help=", ".join(EDITIONS))]
TwoPlayers = Annotated[str | None, typer.Option(help=f"{' or '.join(VARIANTS)}; only with 2 players")]
BoardName = Annotated[str | None, typer.Option("--board", help=_BOARDS)]
Missions = Annotated[bool, typer.Option("--missions", help="each player has a hidden mission card; boards of the base game")]
Favours = Annotated[
    str | None,
    typer.Option(help="the Emperor's Favour tiles: `yes` on the boards of the base game, `any-board` on any of them"),
]
Pile = Annotated[
    str | None,
    typer.Option(help="the face-down markers: `promos` draws them with the promo markers, names with commas between fix them"),
]
MaxTurns = Annotated[int, typer.Option(help="turns per seat before a game is cut off, 0 = never")]
Seed = Annotated[int, typer.Option(help="of the games and of the agents")]


def refusing(renamed: Mapping[str, str]) -> type[TyperCommand]:
    """The class of a command some of whose options had other names: each old one is refused in an error that names the new.

    Args:
        renamed: old to new, such as {"--width": "--ci-width"}.
    """

    class Renaming(TyperCommand):
        def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
            for arg in args[: args.index("--")] if "--" in args else args:
                old = arg.partition("=")[0]
                if old in renamed:
                    raise click.UsageError(called_now("option", old, renamed[old]), ctx)
            return super().parse_args(ctx, args)

    return Renaming


def ruleset(
    players: int,
    edition: str,
    two_players: str | None,
    board: str | None,
    missions: bool = False,
    favours: str | None = None,
    pile: str | None = None,
) -> Ruleset:
    """The ruleset that these options name. Raises RulesetError."""
    if favours is not None and favours not in _FAVOURS_BY_WORD:
        raise RulesetError(f"--favours is {favours!r}; expected yes, no or any-board")
    tiles = favours is not None and _FAVOURS_BY_WORD[favours]
    return Ruleset(players, edition, two_players, board, missions, tiles, pile)


def words_of(ruleset: Ruleset) -> str:
    """The options that name a ruleset, those left out that follow from others."""
    words = [f"--players {ruleset.players}"]
    if ruleset.edition != DEFAULT.edition:
        words.append(f"--edition {ruleset.edition}")
    if ruleset.two_players != Ruleset(ruleset.players, ruleset.edition).two_players:
        words.append(f"--two-players {ruleset.two_players}")
    if ruleset.board != Ruleset(ruleset.players).board:
        words.append(f"--board {ruleset.board}")
    if ruleset.missions:
        words.append("--missions")
    if ruleset.favours:
        words.append(f"--favours {'yes' if ruleset.favours is True else ruleset.favours}")
    if ruleset.pile is not None:
        words.append(f"--pile {ruleset.pile if isinstance(ruleset.pile, str) else ','.join(ruleset.pile)}")
    return " ".join(words)


def max_turns(given: int) -> int | None:
    """The turn limit per seat, 0 = none. Raises ValueError for a negative one."""
    return checked_max_turns(None if given == 0 else given)


def records_at(paths: list[Path]) -> list[Path]:
    """Files themselves, and the records (*.json) of folders in the order of their names. Raises ValueError where none is."""
    found = [file for path in paths for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])]
    if not found:
        raise ValueError(f"{', '.join(map(str, paths))}: there are no records (*.json)")
    return found
