"""The results of games as lines of JSON, written as games end, and read back.

Each line says everything about its game, so files of several matches may be joined, and rated again whenever.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from io import BufferedIOBase, BufferedRandom
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from filelock import FileLock, Timeout
from pydantic import Field, ValidationError, create_model

from hansa_agents.game_result import FORFEIT, TRUNCATED, Forfeit, GameResult, forfeited_ranks
from hansa_env.engine.rules.scoring import ALL_COLUMNS, BASE_COLUMNS, score_columns
from hansa_env.formats.explain import problems
from hansa_env.formats.fields import AgentName, PerSeat, Seat, Seed, Strictly
from hansa_env.formats.json_text import GivenTwice, JsonError, parse_json
from hansa_env.formats.schema import WholeConfig
from hansa_env.play.arguments import MOST_TURNS
from hansa_env.ruleset import Ruleset, RulesetError
from hansa_env.version import __version__

if TYPE_CHECKING:
    from hansa_agents.match_job import Job

FORMAT = "hansa-game/1"
LONGEST_REASON = 1000
#: Actions of a game that are written, so that a line stays within its length; their highest index, as they are kept (int16).
LONGEST_GAME, MOST_ACTIONS = 15_000, 2**15 - 1
#: Bytes of a line, with every text as long as it may be and escaped; and of a file, about a million games.
LONGEST_LINE, LARGEST = 2**17, 2**30
_Count = Annotated[int, Field(ge=0, le=10**12)]
_Points = Annotated[int, Field(ge=0, le=10_000)]


class ResultsError(ValueError):
    """A results file cannot be read or continued; names the file, the line and what is wrong."""


class ResultsInUse(ResultsError):
    """Another match writes to it."""


if TYPE_CHECKING:
    ScoresModel = Strictly
else:
    #: Points of a seat by category (R7); the base game has fewer.
    _columns = {name: (_Points, ...) if name in BASE_COLUMNS else (_Points | None, None) for name in ALL_COLUMNS}
    ScoresModel = create_model("ScoresModel", __base__=Strictly, **_columns)


def points_of(scores: ScoresModel) -> list[int]:
    """The points of a seat in the order of the columns, those of its game."""
    return [points for name in ALL_COLUMNS if (points := getattr(scores, name)) is not None]


class ForfeitModel(Strictly):
    """Whose fault ended the game, at which seat's question, and what it did."""

    agent: AgentName
    seat: Seat
    reason: Annotated[str, Field(max_length=LONGEST_REASON)]


class GameLine(WholeConfig):
    """A line of a results file; lists have an item for each seat."""

    format: Literal["hansa-game/1"]
    max_turns: Annotated[int, Field(ge=1, le=MOST_TURNS)] | None
    run_seed: Seed
    """Of the match; `seed` is that of the game."""
    game: _Count
    seed: Seed
    agents: PerSeat[AgentName]
    specs: PerSeat[Annotated[str, Field(max_length=1000)]]
    reason: Literal["prestige", "markers", "cities", "stalled", "truncated", "forfeit"]
    truncated: bool
    forfeit: ForfeitModel | None
    turns: _Count
    decisions: PerSeat[_Count]
    seconds: PerSeat[Annotated[float, Field(ge=0, le=1e12)]]
    scores: PerSeat[ScoresModel]
    version: Annotated[str, Field(max_length=100)] | None = None
    """Of the package that played it; null where unknown."""
    models: PerSeat[Annotated[str, Field(max_length=64)] | None] | None = None
    """Hashes of the agents' models, null for one that has none; left out where unknown."""
    ranks: PerSeat[Seat]
    """0 is the first; seats that tie share the better place."""
    actions: Annotated[list[Annotated[int, Field(ge=0, le=MOST_ACTIONS)]], Field(max_length=LONGEST_GAME)] | None = None
    """Action indices in order; left out where they were not kept."""

    def broken(self) -> Iterator[str]:
        """What does not fit together, a text each."""
        for field in ("agents", "specs", "decisions", "seconds", "scores", "ranks", "models"):
            given = getattr(self, field)
            if given is not None and len(given) != self.players:
                yield f"{field}: {len(given)} seats; expected {self.players}"
        if self.truncated != (self.reason == TRUNCATED):
            yield f"truncated: {json.dumps(self.truncated)} with reason {self.reason!r}"
        if (self.forfeit is not None) != (self.reason == FORFEIT):
            yield f"forfeit: {'one' if self.forfeit else 'none'} with reason {self.reason!r}"
        if self.forfeit is not None and self.forfeit.agent not in self.agents:
            yield f"forfeit: {self.forfeit.agent!r} does not sit at the table"
        if any(rank != sum(other < rank for other in self.ranks) for rank in self.ranks):
            yield f"ranks: {self.ranks}; expected 0 for the first, ties sharing the better place"
        if self.actions is not None and len(self.actions) != sum(self.decisions):
            yield f"actions: {len(self.actions)}; expected {sum(self.decisions)}, as many as decisions"
        if len(set(zip(self.agents, self.specs))) != len(set(self.agents)):
            yield f"specs: {self.specs}; expected one for each of the agents {self.agents}"
        yield from self._broken_result()
        columns = len(score_columns(self.ruleset()))
        for seat, scores in enumerate(self.scores):
            *parts, total = points_of(scores)
            if len(parts) + 1 != columns:
                yield f"scores of seat {seat}: {len(parts) + 1} columns; expected the {columns} of this game"
            if sum(parts) != total:
                yield f"scores of seat {seat}: total {total}; expected {sum(parts)}, the sum of the rest"

    def _broken_result(self) -> Iterator[str]:
        """What does not fit together of ranks and of what they come from."""
        if self.truncated and self.max_turns is None:
            yield "truncated: true with max_turns null"
        if self.forfeit is not None:
            if self.agents[self.forfeit.seat : self.forfeit.seat + 1] != [self.forfeit.agent]:
                yield f"forfeit: seat {self.forfeit.seat} is not held by {self.forfeit.agent!r}"
            wanted = forfeited_ranks(np.array([agent == self.forfeit.agent for agent in self.agents])).tolist()
            if self.ranks != wanted:
                yield f"ranks: {self.ranks}; expected {wanted}, as {self.forfeit.agent!r} forfeited"
            return
        totals = [points_of(scores)[-1] for scores in self.scores]
        for rank, total in zip(self.ranks, totals):
            better = sum(other > total for other in totals)
            if not better <= rank < better + totals.count(total):
                yield f"ranks: {self.ranks}; expected those of the totals {totals}"
                return

    def ruleset(self) -> Ruleset:
        """The game that was played. Raises RulesetError."""
        given = {name: getattr(self, name) for name in WholeConfig.model_fields}
        return _ruleset(json.dumps({name: value for name, value in given.items() if value is not None}))

    def result(self) -> GameResult:
        """The game."""
        rows = [points_of(row) for row in self.scores]
        forfeit = None if self.forfeit is None else Forfeit(**self.forfeit.model_dump())
        return GameResult(
            self.game, self.seed, tuple(self.agents), tuple(self.specs), self.reason, self.turns, tuple(self.decisions),
            tuple(self.seconds), np.array(rows, np.int16), np.array(self.ranks, np.int64), forfeit,
            None if self.actions is None else np.array(self.actions, np.int16),
            models=tuple(self.models or ()), version=self.version,
        )  # fmt: skip


@lru_cache(maxsize=64)
def _ruleset(config: str) -> Ruleset:
    return Ruleset.from_config(json.loads(config))


def line_of(result: GameResult, ruleset: Ruleset, max_turns: int | None, run_seed: int) -> dict:
    """A game as the data of its line."""
    forfeit = None if result.forfeit is None else result.forfeit._asdict()
    if forfeit is not None:
        forfeit["reason"] = forfeit["reason"][:LONGEST_REASON]
    return {
        "format": FORMAT, **ruleset.config, "max_turns": max_turns, "run_seed": run_seed, "game": result.number,
        "seed": result.seed, "agents": list(result.agents), "specs": list(result.specs), "reason": result.reason,
        "truncated": result.truncated, "forfeit": forfeit, "turns": result.turns, "decisions": list(result.decisions),
        "seconds": [round(seconds, 6) for seconds in result.seconds],
        "scores": [dict(zip(score_columns(ruleset), row)) for row in result.scores.tolist()], "ranks": result.ranks.tolist(),
        **({} if result.version is None else {"version": result.version}),
        **({"models": list(result.models)} if result.models else {}),
        **({} if result.actions is None or len(result.actions) > LONGEST_GAME else {"actions": result.actions.tolist()}),
    }  # fmt: skip


def read_lines(path: Path) -> list[GameLine]:
    """The games of a results file, which may be compressed (`.gz`); a last line that was torn off is left out.

    Raises:
        ResultsError: a line is none of a results file, or stands there twice. OSError: the file cannot be read.
    """
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
            return [line for line, _ in _lines_and_ends(path, file)]
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ResultsError(f"{path}: cannot be decompressed ({error})") from error


def read_results(paths: Sequence[Path]) -> list[tuple[GameLine, GameResult]]:
    """The games of results files of one ruleset.

    Raises:
        ResultsError: as `read_lines`; or the files are of different rulesets, share games, or have none at all.
    """
    found: dict[tuple, tuple[Path, GameLine]] = {}
    known: dict[str, tuple[Path, str]] = {}
    models: dict[str, tuple[str, str | None]] = {}
    for path in paths:
        for number, line in enumerate(read_lines(path), 1):
            where = f"{path}: line {number}"
            first_path, first = next(iter(found.values()), (path, line))
            for field in (*WholeConfig.model_fields, "max_turns"):
                given, wanted = getattr(line, field), getattr(first, field)
                if given != wanted:
                    raise ResultsError(f"{where}: {field} is {given!r}, but {wanted!r} in {first_path}; rate them apart")
            key = line.run_seed, line.game, line.seed, tuple(line.agents), tuple(line.specs)
            if key in found:
                raise ResultsError(f"{where}: game {line.game} of seed {line.run_seed} is in {found[key][0]} already")
            found[key] = path, line
            for name, spec in zip(line.agents, line.specs):
                first_path, first_spec = known.setdefault(name, (path, spec))
                if spec != first_spec:
                    raise ResultsError(f"{where}: {name} is {spec!r}, but {first_spec!r} in {first_path}; rate them apart")
            for name, model in zip(line.agents, line.models or ()):
                first_where, first_model = models.setdefault(name, (where, model))
                if model != first_model:
                    raise ResultsError(f"{where}: the model of {name} is not the one of {first_where}; rate them apart")
    if not found:
        raise ResultsError(f"{', '.join(map(str, paths))}: there are no games")
    return [(line, line.result()) for _, line in found.values()]


class ResultsFile:
    """The results file of a match under way, or none; held by one process at a time.

    Attributes:
        played: the games that were in it.
    """

    def __init__(self, path: Path | None, job: Job) -> None:
        self.path, self.job = path, job
        self.played: list[GameResult] = []
        self._file: BufferedRandom | None = None
        self._lock: FileLock | None = None

    @classmethod
    def opened(cls, path: str | Path | None, job: Job) -> ResultsFile:
        """Take up a file: read what is there, cut off what was torn. Raises ResultsError, OSError."""
        self = cls(None if path is None else Path(path), job)
        if self.path is None:
            return self
        if self.path.suffix == ".gz":
            raise ResultsError(f"{self.path}: games are written one by one, which compressed files do not take; leave off .gz")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(self.path.with_name(f".{self.path.name}.lock"), timeout=0)
        try:
            self._lock.acquire()
        except Timeout:
            raise ResultsInUse(f"{self.path} is in use by another match; wait for it, or name another file") from None
        try:
            self._file = self.path.open("r+b" if self.path.exists() else "w+b")
            lines = _lines_and_ends(self.path, self._file, whole=True)
            for number, (line, _) in enumerate(lines, 1):
                _of_this_match(f"{self.path}: line {number}", line, job)
                if line.game < job.schedule.games:
                    self.played.append(line.result())
            self._file.truncate(lines[-1][1] if lines else 0)
            self._file.seek(0, 2)
        except BaseException:
            self.close()
            raise
        return self

    def write(self, result: GameResult) -> None:
        """Write a game, so that it is there whatever happens to the process. Raises OSError."""
        if self._file is not None:
            line = line_of(result, self.job.ruleset, self.job.max_turns, self.job.schedule.seed)
            self._file.write((json.dumps(line) + "\n").encode())
            self._file.flush()

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _of_this_match(where: str, line: GameLine, job: Job) -> None:
    """Raises ResultsError unless the match has that game."""
    wanted = dict.fromkeys(WholeConfig.model_fields) | job.ruleset.config
    wanted |= {"max_turns": job.max_turns, "run_seed": job.schedule.seed}
    entrants = [job.entrants[place] for place in job.schedule.seats(line.game)]
    wanted |= {"agents": [entrant.name for entrant in entrants], "specs": [entrant.spec for entrant in entrants],
               "seed": job.schedule.seed_of(line.game)}  # fmt: skip
    if line.version is not None:
        wanted["version"] = __version__
    if line.models is not None:
        wanted["models"] = [entrant.model for entrant in entrants]
    for field, value in wanted.items():
        given = getattr(line, field)
        if given != value:
            raise ResultsError(
                f"{where}: {field} is {given!r}, but this match has {value!r}; name another file, or ask for the same match"
            )


@cache
def _schema() -> dict:
    return GameLine.model_json_schema()


def _lines_and_ends(path: Path, file: BufferedIOBase, whole: bool = False) -> list[tuple[GameLine, int]]:
    """The lines of a file, each with where it ends; of a last one without its end only if it reads well and need not be
    `whole`. No more is read than a file, or a line, may have."""
    found: list[tuple[GameLine, int]] = []
    seen: dict[tuple, int] = {}
    number, end = 0, 0
    while text := file.readline(LONGEST_LINE + 1):
        number, end = number + 1, end + len(text)
        if len(text) > LONGEST_LINE:
            raise ResultsError(f"{path}: line {number}: more than {LONGEST_LINE:,} bytes, which no game takes")
        if end > LARGEST:
            raise ResultsError(f"{path}: more than {LARGEST:,} bytes, which is the most that is read; rate its games in parts")
        torn = not text.endswith(b"\n")
        if torn and whole:
            break
        try:
            line = _line(text)
        except ResultsError as error:
            if torn:
                break
            raise ResultsError(f"{path}: line {number}: {error}") from None
        key = line.run_seed, line.game, tuple(line.agents), tuple(line.specs)
        if key in seen:
            raise ResultsError(f"{path}: line {number}: game {line.game} is in line {seen[key]} already")
        seen[key] = number
        found.append((line, end))
    return found


def _line(text: bytes) -> GameLine:
    try:
        data = parse_json(text, "line")
    except GivenTwice as error:
        raise ResultsError(str(error)) from None
    except JsonError:
        raise ResultsError(f"no JSON; expected a game as `hansa arena --results` writes it ({FORMAT})") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ResultsError(f"no game of the format {FORMAT}, which `hansa arena --results` writes")
    try:
        line = GameLine.model_validate(data)
        line.ruleset()
    except ValidationError as error:
        raise ResultsError("; ".join(problems(error, _schema())[:3])) from None
    except RulesetError as error:
        raise ResultsError(str(error)) from None
    broken = list(line.broken())
    if broken:
        raise ResultsError("; ".join(broken[:3]))
    return line
