"""The file of a row of the leaderboard (`hansa-benchmark/1`): lines of JSON, compressed; who played, then a line for each cell.

It is data, read like everything from outside: no more of it than such a file may have, strictly, and nothing in it is run.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, Strict

from hansa_agents.benchmark.card import Card, card_of
from hansa_agents.benchmark.cells import CellGames, Share
from hansa_agents.benchmark.exploit_report import Response
from hansa_agents.benchmark.suite import Cell, Suite, read_suite, suite_hash
from hansa_agents.game_line import LONGEST_GAME, LONGEST_REASON, Actions
from hansa_agents.game_result import forfeited_ranks
from hansa_agents.line_ups import MatchError
from hansa_agents.schedule import is_spread
from hansa_env.formats.errors import CONTROLS, LONGEST_NAME, FormatError
from hansa_env.formats.explain import checked
from hansa_env.formats.fields import PRINTABLE, Count, Seat, Strictly
from hansa_env.formats.file_reading import decompressing
from hansa_env.formats.file_writing import write_lines
from hansa_env.formats.json_text import parse_line
from hansa_env.formats.other_files import refuse_other_kind
from hansa_env.play.result import ranks_fit

FORMAT: Literal["hansa-benchmark/1"] = "hansa-benchmark/1"
#: Bytes of a line, and of a whole file, decompressed.
LONGEST_LINE, LARGEST = 2**23, 2**27
#: Characters of a spec, and of what is said of an agent.
LONGEST_TEXT = 1000
#: A name can stand as code in a table of a page, and nothing in it ends that.
NAME = f"^[^{CONTROLS}`<|]+$"
_Text = Annotated[str, Field(max_length=LONGEST_TEXT, pattern=PRINTABLE)]
_Key = Annotated[str, Field(max_length=200, pattern=PRINTABLE)]
_Number = Annotated[float, Field(ge=0, le=1e12)]
_Reason = Annotated[str, Field(max_length=LONGEST_REASON, pattern=PRINTABLE)]
_Game = Annotated[str, Field(pattern=r"^(0|[1-9][0-9]{0,6})$")]
MOST_CELLS, MOST_GAMES = 1000, 100_000


class RowError(ValueError):
    """A row's file cannot be read, or does not fit its suite; names the file, the line and what is wrong."""


class About(Strictly):
    """What whoever publishes a row says of it.

    Attributes:
        by: who; link: where more is to be found; seeds: how many runs of training, and which of them this is; compute: what it
            was trained with, and how long; met: specs of the suite's references that its training met.
    """

    by: _Text = ""
    link: _Text = ""
    seeds: _Text = ""
    compute: _Text = ""
    met: Annotated[list[_Key], Field(max_length=100)] = Field(default_factory=list)


class Head(Strictly):
    """The first line of a file: what played, where, and what is said of it."""

    format: Literal["hansa-benchmark/1"]
    suite: _Key
    suite_hash: _Key
    name: Annotated[str, Field(max_length=LONGEST_NAME, pattern=NAME)]
    spec: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT, pattern=PRINTABLE)]
    version: _Key
    machine: _Text
    models: dict[_Key, _Key | None]
    """By setting, the hash of the agent's model."""
    alone: dict[_Key, _Number]
    """By setting, milliseconds a decision in one game."""
    responses: dict[_Key, Response]
    about: About


class CellLine(Strictly):
    """A line of a file: the games of a cell by their numbers."""

    cell: _Key
    ranks: Annotated[list[Annotated[str, Field(pattern=r"^[0-4]{2,5}$")]], Field(min_length=1, max_length=MOST_GAMES)]
    """Of a game the place of each seat, a digit each; 0 is the first."""
    totals: Annotated[
        list[Annotated[list[Annotated[int, Field(ge=0, le=10_000)]], Field(min_length=2, max_length=5)]],
        Field(min_length=1, max_length=MOST_GAMES),
    ]
    decisions: Count
    """Of the agent, in all games."""
    seconds: _Number
    forfeits: dict[_Game, Annotated[tuple[Seat, _Reason], Strict(False)]]
    """By game, at which seat's question an agent failed, and how."""
    actions: dict[_Game, Actions]
    """By game."""

    def games(self, cell: Cell) -> CellGames:
        """The games. Raises RowError where they do not fit the cell, or each other."""
        players, count = cell.setting.game().players, len(self.ranks)
        if count != len(self.totals):
            raise RowError(f"{count} games in ranks and {len(self.totals)} in totals; expected as many")
        if any(len(text) != players for text in self.ranks) or any(len(row) != players for row in self.totals):
            raise RowError(f"a game has not {players} seats")
        if self.decisions > (most := count * LONGEST_GAME):
            raise RowError(f"{self.decisions:,} decisions in {count:,} games; expected at most {most:,}")
        ranks = np.array([[int(digit) for digit in text] for text in self.ranks])
        found = CellGames(
            cell, ranks, np.array(self.totals), self.decisions, self.seconds,
            {int(number): forfeit for number, forfeit in self.forfeits.items()},
            {int(number): actions for number, actions in self.actions.items()},
        )  # fmt: skip
        for text in _broken(found):
            raise RowError(text)
        return found


def _broken(games: CellGames) -> Iterator[str]:
    """What does not fit together."""
    for number in (*games.forfeits, *games.actions):
        if number >= games.games:
            yield f"game {number} is none of the {games.games}"
            return
    seats = games.agent_seats
    for number, (seat, _) in games.forfeits.items():
        if seat >= seats.shape[1]:
            yield f"game {number}: is forfeited at seat {seat}; expected 0 to {seats.shape[1] - 1}"
            return
        if not seats[number, seat]:
            yield f"game {number}: is forfeited by the reference, which says nothing of the agent; expected one that was played"
            return
    fit = ranks_fit(games.ranks, games.totals)
    for number, (seat, _) in games.forfeits.items():
        fit[number] = True
        if (games.ranks[number] != forfeited_ranks(seats[number] == seats[number, seat])).any():
            yield f"game {number}: ranks {games.ranks[number].tolist()} are none of a game that was forfeited"
    for number in np.flatnonzero(~fit).tolist():
        ranks, totals = games.ranks[number].tolist(), games.totals[number].tolist()
        yield f"game {number}: ranks {ranks} are not those of the points {totals}"


@dataclass(frozen=True)
class Row:
    """A row of the leaderboard: its head, and the cells that were played."""

    head: Head
    played: tuple[CellGames, ...]

    def card(self) -> Card:
        """The score-card."""
        responses = {name: Share(one.share, one.low, one.high) for name, one in self.head.responses.items()}
        head = self.head
        return card_of(
            head.name, read_suite(head.suite), self.played, met=head.about.met, alone=head.alone, responses=responses
        )


def check_met(what: str, met: Collection[str], suite: Suite) -> None:
    """Raises RowError where training is said to have met what is no reference."""
    references = dict.fromkeys(cell.reference.spec for cell in suite.cells())
    for one in met:
        if one not in references:
            expected = ", ".join(references)
            raise RowError(f"{what} names {one!r:.100}, which is no reference of {suite.name}; expected some of {expected}")


def published_numbers(cell: Cell, share: float, games: int) -> list[int]:
    """The games of a cell whose decisions are published."""
    schedule = cell.schedule(max(1, games))
    return [number for number in range(games) if is_spread(schedule.deal(number), share)]


def write_row(path: Path, row: Row) -> None:
    """Write a row's file; the same row gives the same bytes. Raises OSError."""
    lines = [row.head.model_dump_json()]
    for games in row.played:
        line = CellLine(
            cell=games.cell.key, ranks=["".join(map(str, ranks)) for ranks in games.ranks.tolist()],
            totals=games.totals.tolist(), decisions=games.decisions, seconds=round(games.seconds, 3),
            forfeits={str(number): (seat, reason[:LONGEST_REASON]) for number, (seat, reason) in games.forfeits.items()},
            actions={str(number): actions for number, actions in games.actions.items() if len(actions) <= LONGEST_GAME},
        )  # fmt: skip
        lines.append(json.dumps(line.model_dump(), separators=(",", ":")))
    write_lines(path, lines)


def read_row(path: Path) -> Row:
    """The row of a file. Raises RowError, MatchError for a suite that this version does not have, OSError."""
    lines = _lines(path)
    _, first = next(lines, (1, {}))
    if not isinstance(first, dict) or first.get("format") != FORMAT:
        raise RowError(f"{path}: line 1: no row of a leaderboard ({FORMAT}), which `hansa benchmark` writes")
    try:
        head = checked(Head, first)
    except FormatError as error:
        raise RowError(f"{path}: line 1: {error}") from None
    try:
        suite = read_suite(head.suite)
    except MatchError as error:
        raise RowError(f"{path}: line 1: {error}") from None
    if head.suite_hash != suite_hash(head.suite):
        raise RowError(f"{path}: line 1: {head.suite} had other contents there (suite_hash {head.suite_hash:.12}…)")
    cells = {cell.key: cell for cell in suite.cells()}
    strange = (set(head.models) | set(head.alone) | set(head.responses)) - {one.name for one in suite.settings}
    if strange:
        raise RowError(f"{path}: line 1: {sorted(strange)[0]!r} is no setting of {suite.name}")
    try:
        check_met("met", head.about.met, suite)
    except RowError as error:
        raise RowError(f"{path}: line 1: {error}") from None
    for name, response in head.responses.items():
        try:
            response.check()
        except ValueError as error:
            raise RowError(f"{path}: line 1: responses {name}: {error}") from None
    found: dict[str, CellGames] = {}
    for number, data in lines:
        where = f"{path}: line {number}"
        try:
            line = checked(CellLine, data)
        except FormatError as error:
            raise RowError(f"{where}: {error}") from None
        if line.cell not in cells or line.cell in found:
            how = "is there twice" if line.cell in found else f"is none of {suite.name}"
            raise RowError(f"{where}: cell {line.cell!r} {how}")
        try:
            found[line.cell] = line.games(cells[line.cell])
        except RowError as error:
            raise RowError(f"{where}: {error}") from None
        if found[line.cell].games > cells[line.cell].schedule(suite.games).games:
            raise RowError(f"{where}: more games than {suite.name} has")
    if not found:
        raise RowError(f"{path}: there are no games")
    return Row(head, tuple(found[key] for key in cells if key in found))


def _lines(path: Path) -> Iterator[tuple[int, object]]:
    """The lines of a file as JSON data, with their numbers; no more is read than a file may have."""
    refuse_other_kind(path, RowError, "hansa-benchmark")
    with decompressing(path, RowError, "a row of `hansa benchmark`"), gzip.open(path, "rb") as file:
        number = size = 0
        while text := file.readline(LONGEST_LINE + 1):
            number, size = number + 1, size + len(text)
            if len(text) > LONGEST_LINE or size > LARGEST or number > MOST_CELLS:
                raise RowError(f"{path}: line {number}: the file is larger than a row can be")
            yield number, parse_line(RowError, text, f"{path}: line {number}")
