"""The board as a terminal has room for it."""

from __future__ import annotations

import shutil
import sys

from hansa_env.commands.output import terminal_width
from hansa_env.formats.missions import DECIDER
from hansa_env.play.game import Game
from hansa_env.render.text import LEAST_WIDTH as LEAST_TEXT
from hansa_env.render.text import WIDTH, render_desks, render_text
from hansa_env.render.text_map import LEAST_WIDTH, SHAPE, map_as_text

#: Columns that a map takes at most, and rows that the desks and a question take beside it.
MOST_WIDTH, BESIDE = 140, 20


def board_as_text(game: Game, viewer: int = DECIDER) -> str:
    """Everything in letters: desks, routes and cities.

    Args:
        game: at any moment.
        viewer: whose mission cards are seen: a seat's, or as `hansa_env.formats.missions` has it.
    """
    return render_text(game.ruleset, game.state, width=_text_width(), viewer=viewer)


def board_as_map(game: Game, viewer: int = DECIDER) -> str:
    """The map, as large as the terminal has rows for, and the desks. Raises ValueError: the terminal is too narrow for it."""
    width = terminal_width()
    if width < LEAST_WIDTH:
        raise ValueError(f"The map takes {LEAST_WIDTH} columns; the terminal has {width}.")
    rows = shutil.get_terminal_size().lines - BESIDE
    wide = max(LEAST_WIDTH, min(width, MOST_WIDTH, int(rows / SHAPE)))
    desks = render_desks(game.ruleset, game.state, _text_width(), viewer)
    return f"{map_as_text(game.scene(0), wide, sys.stdout.isatty())}\n\n{desks}"


def board_that_fits(game: Game, viewer: int = DECIDER) -> str:
    """The map on a terminal that is wide enough, else everything in letters."""
    fits = sys.stdout.isatty() and terminal_width() >= LEAST_WIDTH
    return board_as_map(game, viewer) if fits else board_as_text(game, viewer)


def _text_width() -> int:
    return max(LEAST_TEXT, min(WIDTH, terminal_width()))
