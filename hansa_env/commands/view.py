"""The command `hansa view`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from hansa_env.commands.options import records_at
from hansa_env.commands.output import one_line_errors
from hansa_env.commands.progress import progress_on
from hansa_env.commands.records import written_beside
from hansa_env.formats.file_reading import LARGEST_RECORD, read_text_at_most
from hansa_env.formats.json_text import GivenTwice, JsonError, parse_json
from hansa_env.formats.other_files import other_kind
from hansa_env.formats.outputs import PAGE, check_outputs, written
from hansa_env.pages.story import story_of
from hansa_env.pages.view import view_page
from hansa_env.play.game import Game
from hansa_env.play.recorded_game import FORMAT
from hansa_env.render.words import number_of
from hansa_env.start import telling_what_takes_long

#: Games on one page: more would make it slow to open.
MOST_GAMES = 50
#: Bytes of a file with a record a line.
LARGEST_FILE = 4 * LARGEST_RECORD
#: Lines of such a file, empty ones too.
MOST_LINES = 1000
_ENDING = re.compile(r"\.(json|jsonl|jsonl\.gz)$")


def view(
    files: Annotated[
        list[Path],
        typer.Argument(help="records (.json), folders of them, or files with one record per line (.jsonl, .jsonl.gz)"),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="page to write, in place of a file that is there; by default beside the first file, named after it, and a "
            "file that is there stays",
        ),
    ] = None,
) -> None:
    """Write games as one HTML page: the board at every decision, points over time, what agents thought.

    The page needs nothing else and opens from disk. Keys: arrows, Home, End, Page Up, Page Down, space.
    """
    with one_line_errors():
        path = out or _named_after(files[0].resolve())
        found = records_at(files)
        for file in found:
            file.stat()  # one that is missing is named, before the page beside it
        check_outputs({"--out": (PAGE, path)}, found)
        with telling_what_takes_long(f"reading {number_of(len(found), 'file')} ..."):
            games = list(islice((game for file in found for game in games_of(file)), MOST_GAMES + 1))
        if len(games) > MOST_GAMES:
            raise ValueError(f"more than {MOST_GAMES} games, which is what a page holds; give it fewer")
        stories = []
        with progress_on() as progress:
            progress.begin("games", len(games))
            for number, (name, game) in enumerate(games, 1):
                stories.append(story_of(game, name))
                progress.at(number)
            progress.end()
        page = view_page(stories, games[0][0] if len(games) == 1 else number_of(len(games), "game")).encode()
        said = written(path, page) if out else written_beside(path, page)
    decisions = sum(len(game.decisions) for _, game in games)
    typer.echo(f"{said}: {number_of(decisions, 'decision')} of {number_of(len(games), 'game')}, {len(page) / 1e6:.2f} MB")


def _named_after(given: Path) -> Path:
    """A page beside what it shows, but never outside the folder in which somebody works."""
    here = Path.cwd()
    folder = here if here.is_relative_to(given) else given.parent
    return folder / f"{_ENDING.sub('', given.name)}.html"


def games_of(file: Path) -> Iterator[tuple[str, Game]]:
    """The games of a file with names for them. Raises ValueError, naming the file and the line; OSError."""
    lines = file.name.endswith((".jsonl", ".jsonl.gz"))
    text = read_text_at_most(file, LARGEST_FILE if lines else LARGEST_RECORD)
    found = False
    for number, part in enumerate(text.split("\n", MOST_LINES) if lines else [text], 1):
        if lines and number > MOST_LINES and part:
            raise ValueError(f"{file}: more than {MOST_LINES:,} lines; expected one record a line, at most {MOST_GAMES}")
        if lines and not part.strip():
            continue
        found = True
        try:
            yield (f"{file.name}, line {number}" if lines else file.name), _game(part)
        except ValueError as error:
            raise ValueError(f"{file}: {f'line {number}: ' if lines else ''}{error}") from error
    if not found:
        raise ValueError(f"{file}: there are no games in it")


def _game(text: str) -> Game:
    other = other_kind(text, "hansa-record")
    if other is not None:
        raise ValueError(other)
    try:
        data = parse_json(text, "record")
    except GivenTwice:
        raise
    except JsonError:
        raise ValueError(f"no JSON; expected a record ({FORMAT})") from None
    return Game.from_record(data)
