"""The command `hansa picture`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hansa_env.commands.output import one_line_errors
from hansa_env.commands.progress import late
from hansa_env.commands.records import decisions_until, read_json, reading, written_beside
from hansa_env.formats.outputs import PICTURE, check_outputs, written
from hansa_env.play.game import Game
from hansa_env.render.picture import check_drawable, picture_of
from hansa_env.render.svg import THEMES


def picture(
    file: Annotated[Path, typer.Argument(help="a record (hansa-record/1) or a position (hansa-position/2)")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="file to write, in place of one that is there: .svg, or .png with the extra "
            "`picture`; by default FILE.svg, and a file that is there stays",
        ),
    ] = None,
    until: Annotated[
        int | None, typer.Option(help="draw a record after so many decisions; negative: so many before the end")
    ] = None,
    width: Annotated[
        int, typer.Option(min=100, max=8000, help="width in pixels; below 900 the desks stand below the map")
    ] = 1200,
    theme: Annotated[str, typer.Option(help=f"colours: {' or '.join(THEMES)}")] = "light",
) -> None:
    """Draw a position, or how a record ends."""
    with one_line_errors():
        path = out or file.with_suffix(".svg")
        file.stat()  # one that is missing is named, before the picture beside it
        check_outputs({"--out": (PICTURE, path)}, [file])
        check_drawable(path)
        with reading(file):
            game = _game(file, until)
            svg = game.svg(width, theme)
        with late("pictures drawn", 1):
            drawn = picture_of(svg, path)
            said = written(path, drawn) if out else written_beside(path, drawn)
    typer.echo(said)


def _game(file: Path, until: int | None) -> Game:
    """The game to draw. Raises ValueError, naming the file; OSError."""
    data = read_json(file)
    kind = data.get("format") if isinstance(data, dict) else None
    is_position = isinstance(kind, str) and kind.startswith("hansa-position/")
    try:
        game = Game.from_position(data) if is_position else Game.from_record(data)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error
    if until is None:
        return game
    if is_position:
        raise ValueError(f"--until is for records; {file} is a position")
    return game.rewound(decisions_until(game, until))
