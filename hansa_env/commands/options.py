"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from hansa_env.boards import board_names
from hansa_env.play.arguments import checked_max_turns
from hansa_env.ruleset import EDITIONS, VARIANTS, Ruleset

DEFAULT = Ruleset()

_BOARDS = f"{', '.join(board_names())}; by default the one of the base game for that number of players"

Players = Annotated[int, typer.Option("--players", "-p", help="2 to 5")]
Edition = Annotated[str, typer.Option(help=", ".join(EDITIONS))]
TwoPlayers = Annotated[str | None, typer.Option(help=f"{' or '.join(VARIANTS)}; only with 2 players")]
BoardName = Annotated[str | None, typer.Option("--board", help=_BOARDS)]
MaxTurns = Annotated[int, typer.Option(help="turns per seat before a game is cut off, 0 = never")]
Seed = Annotated[int, typer.Option(help="of the games and of the agents")]


def ruleset(players: int, edition: str, two_players: str | None, board: str | None) -> Ruleset:
    """The ruleset that these options name. Raises RulesetError."""
    return Ruleset(players, edition, two_players, board)


def max_turns(given: int) -> int | None:
    """The turn limit per seat, 0 = none. Raises ValueError for a negative one."""
    return checked_max_turns(None if given == 0 else given)
