"""Records that commands are given, read, checked, and taken back to the decision that is asked for; and those they write."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal

from hansa_env.formats.file_names import in_first_free
from hansa_env.formats.file_reading import LARGEST_RECORD, read_text_at_most
from hansa_env.formats.file_writing import write_new
from hansa_env.formats.json_text import JsonError, parse_json
from hansa_env.formats.other_files import other_kind
from hansa_env.formats.write import record_text
from hansa_env.play.game import RECORDED, Game
from hansa_env.start import telling_what_takes_long


def reading(path: Path) -> AbstractContextManager[None]:
    """Around what is read, also of games that are replayed: a long one, and the rules that it needs, take seconds."""
    return telling_what_takes_long(f"reading {path} ...")


def read_text(path: Path) -> str:
    """The text of a record. Raises ValueError, naming the file, where that is something else of this project; OSError."""
    text = read_text_at_most(path, LARGEST_RECORD)
    other = other_kind(text, "hansa-record", "hansa-position")
    if other is not None:
        raise ValueError(f"{path}: {other}")
    return text


def read_json(path: Path) -> Any:
    """What a file says. Raises ValueError, naming the file; OSError."""
    text = read_text(path)
    try:
        return parse_json(text, "file")
    except JsonError as error:
        raise ValueError(f"{path}: {error}") from error


def read_record(path: Path, max_turns: int | Literal["recorded"] | None = RECORDED) -> Game:
    """The game of a record, as `Game.from_record` has it. Raises ValueError, naming the file; OSError."""
    with reading(path):
        data = read_json(path)
        try:
            return Game.from_record(data, max_turns)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error


def write_record(path: Path, game: Game) -> Path:
    """Write the record of a game, beside a file that is there and never in its place; returns where. Raises OSError."""
    data = record_text(game.record()).encode()
    return in_first_free(path, lambda place: write_new(place, data))


def written_beside(path: Path, data: bytes) -> str:
    """Write a file under a name that nobody typed, beside one that is there; returns what to say of it. Raises OSError."""
    place = in_first_free(path, lambda place: write_new(place, data))
    return f"written to {place}{as_another_exists(place, path)}"


def as_another_exists(place: Path, asked: Path) -> str:
    """Why what was to be written somewhere is beside it; nothing where it is there."""
    return "" if place == asked else f", as {asked} exists"


def decisions_until(game: Game, until: int | None) -> int:
    """After how many decisions an option --until stops: all without it, below 0 so many before the end. Raises ValueError."""
    decisions = len(game.decisions)
    last = decisions if until is None else until if until >= 0 else decisions + until
    if not 0 <= last <= decisions:
        raise ValueError(f"--until is {until}; the record has {decisions} decisions")
    return last
