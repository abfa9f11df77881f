"""The file of puzzles (`hansa-puzzles/1`): lines of JSON, compressed; how it was made, then a line for each puzzle.

It is data, read like everything from outside: no more of it than such a file may have, strictly, and nothing in it is run.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args

import numpy as np
from pydantic import Field

from hansa_agents.puzzles.settings import SETTINGS
from hansa_env import HansaBatch, Ruleset
from hansa_env.formats.errors import FormatError, PositionError, shown, shown_key
from hansa_env.formats.explain import checked
from hansa_env.formats.fields import PRINTABLE, AgentSpec, DecisionText, Seed, Share, Strictly
from hansa_env.formats.file_reading import read_lines_at_most
from hansa_env.formats.file_writing import write_lines
from hansa_env.formats.json_text import parse_line
from hansa_env.formats.notation import legal_texts, parse_decision
from hansa_env.formats.other_files import refuse_other_kind
from hansa_env.formats.read_position import read_position

FORMAT: Literal["hansa-puzzles/1"] = "hansa-puzzles/1"
PUBLISHED = "hansa-puzzles-1.jsonl.gz"
Kind = Literal["opening", "fight", "ending"]
OPENING, FIGHT, ENDING = KINDS = get_args(Kind)
PROVEN: Final = "proven"
AGREED: Final = "agreed"
#: Bytes of a file, decompressed, and puzzles in it; the published one has a tenth of either.
LARGEST, MOST_PUZZLES = 2**26, 10_000
_Text = Annotated[str, Field(min_length=1, max_length=200, pattern=PRINTABLE)]
_Count = Annotated[int, Field(ge=1, le=10**9)]


class PuzzleError(ValueError):
    """A file of puzzles cannot be read; names the file, the line and what is wrong."""


class Search(Strictly):
    """A search that chose the answer, and the share of its choice that fell on it."""

    spec: AgentSpec
    seed: Seed
    share: Share


class Head(Strictly):
    """The first line: how the file was made."""

    format: Literal["hansa-puzzles/1"]
    version: _Text
    """Of hansa-env."""
    seed: Seed
    puzzles: Annotated[int, Field(ge=1, le=MOST_PUZZLES)]


class PuzzleLine(Strictly):
    """A line: the position, the decisions that are right there, and how that is known."""

    kind: Kind
    setting: _Text
    answers: Annotated[list[DecisionText], Field(min_length=1, max_length=500)]
    """The best decisions, sorted."""
    known: Literal["proven", "agreed"]
    tried: _Count | None
    """Of a proof, how many decisions were tried."""
    searches: Annotated[list[Search], Field(max_length=20)]
    """Those that agreed."""
    then: list[Annotated[list[DecisionText], Field(max_length=50)]] = Field(default_factory=list, max_length=500)
    """For each answer, the decisions with which the seat ends the action that it begins; an empty list: nobody looked."""
    position: dict[str, Any]


@dataclass(frozen=True)
class Puzzle:
    """A puzzle as it is put to agents.

    Attributes:
        line: as the file has it.
        ruleset: of the game.
        game: its record (1,); what is hidden is dealt from seed 0, and agents draw by the position.
        legal, answers: decisions as texts.
    """

    line: PuzzleLine
    ruleset: Ruleset
    game: np.ndarray
    legal: frozenset[str]
    answers: frozenset[str]

    def action(self, text: str) -> int:
        """The index of a decision that is legal there."""
        return parse_decision(self.ruleset, self.game[0], text)


def published() -> Path:
    """The file that comes with the package."""
    return Path(str(files("hansa_agents.puzzles") / PUBLISHED))


def write_puzzles(path: Path, head: Head, lines: Sequence[str]) -> None:
    """Write a file, each puzzle as `text_of` has it; the same puzzles give the same bytes. Raises OSError."""
    write_lines(path, [head.model_dump_json(), *lines])


def text_of(line: PuzzleLine) -> str:
    """A puzzle as a line of a file."""
    return json.dumps(line.model_dump(), separators=(",", ":"))


def read_puzzles(path: Path | None = None) -> tuple[Head, list[Puzzle]]:
    """The puzzles of a file, by default of the published one, all checked: positions by the rules, answers to be legal.

    Raises:
        PuzzleError: it is no such file, or a line of it is wrong; OSError.
    """
    path = path or published()
    refuse_other_kind(path, PuzzleError, "hansa-puzzles")
    try:
        texts = read_lines_at_most(path, LARGEST, MOST_PUZZLES, "puzzles")
    except ValueError as error:
        raise PuzzleError(str(error)) from None
    head = _head(texts[0], f"{path}: line 1")
    found: list[Puzzle] = []
    known: dict[tuple, int] = {}
    for number, text in enumerate(texts[1:], 2):
        where = f"{path}: line {number}"
        one = _puzzle(text, where)
        key = one.line.setting, json.dumps(one.line.position, sort_keys=True)
        if key in known:
            raise PuzzleError(f"{where}: the position of line {known[key]} again")
        known[key] = number
        found.append(one)
    if len(found) != head.puzzles:
        raise PuzzleError(f"{path}: has {len(found)} puzzles; by its first line it has {head.puzzles}")
    return head, found


def _head(text: bytes, where: str) -> Head:
    data = parse_line(PuzzleError, text, where)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise PuzzleError(f"{where}: no file of puzzles ({FORMAT})")
    try:
        return checked(Head, data)
    except FormatError as error:
        raise PuzzleError(f"{where}: {error}") from None


def puzzle_of(line: PuzzleLine) -> Puzzle:
    """The puzzle of a line. Raises ValueError, saying what is wrong."""
    if line.setting not in SETTINGS:
        raise PuzzleError(f"setting {shown(line.setting)}; expected one of {', '.join(SETTINGS)}")
    if (line.known == PROVEN) != (line.tried is not None) or (line.known == AGREED) != bool(line.searches):
        raise PuzzleError("expected `tried` of what is proven, `searches` of what is agreed, and no other")
    ruleset, game = read_position(line.position, composed=False)
    if ruleset != SETTINGS[line.setting]:
        raise PuzzleError(f"the position is of {ruleset}; expected {line.setting}: {SETTINGS[line.setting]}")
    legal, answers = frozenset(legal_texts(ruleset, game[0])), frozenset(line.answers)
    strange = [answer for answer in line.answers if answer not in legal]
    if strange:
        raise PuzzleError(f"answers: {shown_key(strange[0])} is not legal there")
    if line.answers != sorted(answers):
        raise PuzzleError("answers: expected them sorted, each once")
    if answers == legal:
        raise PuzzleError("answers: no legal decision is wrong")
    if line.then and len(line.then) != len(line.answers):
        raise PuzzleError(f"then: has {len(line.then)} entries; expected one for each of {len(line.answers)} answers")
    for answer, more in zip(line.answers, line.then):
        _check_played(ruleset, game, [answer, *more])
    return Puzzle(line, ruleset, game, legal, answers)


def _check_played(ruleset: Ruleset, game: np.ndarray, texts: Sequence[str]) -> None:
    """Raises PuzzleError unless the seat that decides can take these decisions one after the other."""
    if len(texts) == 1:
        return
    now, seat = game.copy(), int(game["seat"][0])
    batch = HansaBatch.holding(ruleset, now, 0)
    for number, text in enumerate(texts):
        if now["seat"][0] != seat or text not in legal_texts(ruleset, now[0]):
            raise PuzzleError(f"then: {shown_key(text)} is not for this seat to decide after {', '.join(texts[:number])}")
        batch.step_legal(np.array([parse_decision(ruleset, now[0], text)]))


def _puzzle(text: bytes, where: str) -> Puzzle:
    data = parse_line(PuzzleError, text, where)
    try:
        line = checked(PuzzleLine, data)
    except FormatError as error:
        raise PuzzleError(f"{where}: {error}") from None
    try:
        return puzzle_of(line)
    except PositionError as error:
        raise PuzzleError(f"{where}: position: {error}") from None
    except PuzzleError as error:
        raise PuzzleError(f"{where}: {error}") from None
