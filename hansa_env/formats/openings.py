"""Openings (`hansa-openings/1`): how games of strong agents begin, as lines of JSON, compressed.

The first line says how the file was made and where games begin; each further line is a position, as [games, decisions], its
decisions as [text, games, wins, next]: how many games took it, how much of the win the seat that took it had in those, and
the number of the line that it leads to (from 0, always a later one), null where few games went on, a hidden marker was drawn,
or the decision leads back.

It is data, read like everything from outside: no more of it than such a file may have, strictly, and nothing in it is run.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, TypeAdapter, ValidationError

from hansa_env.formats.errors import LONGEST_NAME, FormatError
from hansa_env.formats.explain import in_one_line
from hansa_env.formats.fields import PRINTABLE, AgentSpec, DecisionText, Seed, Strictly
from hansa_env.formats.file_reading import read_lines_at_most
from hansa_env.formats.file_writing import write_lines
from hansa_env.formats.json_text import parse_line
from hansa_env.formats.other_files import refuse_other_kind
from hansa_env.formats.read import checked_setup
from hansa_env.ruleset import Ruleset, RulesetError

FORMAT: Literal["hansa-openings/1"] = "hansa-openings/1"
#: Bytes of a file, decompressed, and positions in it.
LARGEST, MOST_POSITIONS = 2**26, 200_000
MOST_BEGINNINGS, MOST_GAMES, DEEPEST = 1000, 10**8, 200
MOST_AGENTS = 20
#: Bytes of a position's line: a decision has a hundred or so.
LONGEST_LINE = 2**17
_Games = Annotated[int, Field(ge=1, le=MOST_GAMES)]
_Number = Annotated[int, Field(ge=0, lt=MOST_POSITIONS)]


class OpeningsError(ValueError):
    """A file of openings cannot be read, and then file and line are named, or written; says what is wrong."""


class Beginning(Strictly):
    """How the markers lie at first, as the `setup` of a record, and the number of that position."""

    setup: dict[str, Any]
    position: _Number


class Head(Strictly):
    """The first line: `agents` played `games` games of a ruleset, dealt from `seed`; of each at most `depth` decisions are
    told, and of positions those that `least` games came to."""

    format: Literal["hansa-openings/1"]
    version: Annotated[str, Field(min_length=1, max_length=200, pattern=PRINTABLE)]
    ruleset: dict[str, Any]
    agents: Annotated[list[AgentSpec], Field(min_length=1, max_length=MOST_AGENTS)]
    seed: Seed
    games: _Games
    depth: Annotated[int, Field(ge=1, le=DEEPEST)]
    least: _Games
    positions: Annotated[int, Field(ge=1, le=MOST_POSITIONS)]
    beginnings: Annotated[list[Beginning], Field(min_length=1, max_length=MOST_BEGINNINGS)]


class Taken(NamedTuple):
    """A decision that was taken: its text, in how many games, the wins in those, and the position it leads to."""

    text: DecisionText
    games: _Games
    wins: Annotated[float, Field(ge=0, le=MOST_GAMES, allow_inf_nan=False)]
    next: _Number | None


class Position(NamedTuple):
    """A position: the games that came to it, and what was decided, the most frequent first."""

    games: _Games
    taken: Annotated[list[Taken], Field(min_length=1, max_length=500)]


_POSITION: TypeAdapter[Position] = TypeAdapter(Position)


@dataclass(frozen=True)
class Openings:
    """What a file tells.

    Attributes:
        head: its first line; ruleset: of the games.
        positions: in the order of the file.
    """

    head: Head
    ruleset: Ruleset
    positions: list[Position]

    def walk(self, beginning: int, texts: Sequence[str]) -> Position | None:
        """The position after some decisions; None where the games do not tell. Raises IndexError: no such beginning."""
        at: int | None = self.head.beginnings[beginning].position
        for text in texts:
            if at is None:
                return None
            at = next((taken.next for taken in self.positions[at].taken if taken.text == text), None)
        return None if at is None else self.positions[at]


def check_agents(specs: Sequence[str]) -> None:
    """Raises OpeningsError: a file cannot tell who played."""
    if not 1 <= len(specs) <= MOST_AGENTS:
        raise OpeningsError(f"{len(specs)} agents; a file of openings tells of 1 to {MOST_AGENTS}: name fewer")
    for spec in specs:
        if len(spec) > LONGEST_NAME:
            raise OpeningsError(
                f"agent {spec:.40}... has {len(spec)} characters; a file of openings tells of at most {LONGEST_NAME}: name one "
                "with a shorter spec"
            )


def write_openings(path: Path, head: Head, positions: Sequence[Position]) -> None:
    """Write a file; the same openings give the same bytes. Raises OSError."""
    write_lines(path, [head.model_dump_json(), *(json.dumps(one, separators=(",", ":")) for one in positions)])


def read_openings(path: Path) -> Openings:
    """The openings of a file, all checked.

    Raises:
        OpeningsError: it is no such file, or a line of it is wrong; OSError.
    """
    refuse_other_kind(path, OpeningsError, "hansa-openings")
    try:
        lines = read_lines_at_most(path, LARGEST, MOST_POSITIONS, "positions")
    except ValueError as error:
        raise OpeningsError(str(error)) from None
    head, ruleset = _head(lines[0], f"{path}: line 1")
    if len(lines) - 1 != head.positions:
        raise OpeningsError(f"{path}: has {len(lines) - 1} positions; by its first line it has {head.positions}")
    positions = [_position(line, number, head, f"{path}: line {number + 2}") for number, line in enumerate(lines[1:])]
    for one in head.beginnings:
        if one.position >= head.positions:
            raise OpeningsError(f"{path}: line 1: a game begins at position {one.position}; there are {head.positions}")
    return Openings(head, ruleset, positions)


def _head(line: bytes, where: str) -> tuple[Head, Ruleset]:
    data = parse_line(OpeningsError, line, where)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise OpeningsError(f"{where}: no file of openings ({FORMAT})")
    try:
        head = Head.model_validate(data)
        ruleset = Ruleset.from_config(head.ruleset)
        for one in head.beginnings:
            checked_setup(ruleset, one.setup)
    except ValidationError as error:
        raise OpeningsError(f"{where}: {in_one_line(error)}") from None
    except (RulesetError, FormatError, TypeError) as error:
        raise OpeningsError(f"{where}: {error!s:.300}") from None
    if ruleset.config != head.ruleset:
        raise OpeningsError(f"{where}: ruleset: expected {json.dumps(ruleset.config)}, every option as it is")
    return head, ruleset


def _position(line: bytes, number: int, head: Head, where: str) -> Position:
    if len(line) > LONGEST_LINE:
        raise OpeningsError(f"{where}: {len(line):,} bytes; expected at most {LONGEST_LINE:,} of a position")
    try:
        found = _POSITION.validate_json(line, strict=True)
    except ValidationError as error:
        raise OpeningsError(f"{where}: {in_one_line(error)}") from None
    if sum(taken.games for taken in found.taken) != found.games or found.games > head.games:
        raise OpeningsError(f"{where}: {found.games} games; expected as many as took its decisions, and {head.games} at most")
    if len({taken.text for taken in found.taken}) != len(found.taken):
        raise OpeningsError(f"{where}: a decision is named twice")
    for taken in found.taken:
        if taken.wins > taken.games:
            raise OpeningsError(f"{where}: {taken.text!r:.90} has {taken.wins} wins in {taken.games} games")
        if taken.next is not None and not number < taken.next < head.positions:
            raise OpeningsError(f"{where}: {taken.text!r:.90} leads to {taken.next}; expected a later position or null")
    return found
