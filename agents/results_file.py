"""Files of results: a line a game (`hansa_agents.game_line`), written as games end, and read back.

Each line says everything about its game, so files of several matches may be joined, and rated again whenever.
"""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from io import BufferedIOBase, BufferedRandom
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from filelock import FileLock, Timeout

from hansa_agents.game_line import LONGEST_SPEC, GameLine, ResultsError, game_line, is_torn, line_of
from hansa_agents.game_result import GameResult
from hansa_env.formats.file_reading import decompressing
from hansa_env.formats.file_writing import naming
from hansa_env.formats.locks import hold, let_go
from hansa_env.formats.other_files import refuse_other_kind
from hansa_env.formats.schema import WholeConfig
from hansa_env.ruleset import Ruleset
from hansa_env.version import __version__

if TYPE_CHECKING:
    from hansa_agents.match_job import Job

log = logging.getLogger(__name__)
#: Bytes of a line, with every text as long as it may be and escaped; and of a file, half a million games. A line of 700 to
#: 1,200 bytes becomes a game that takes 800 to 1,500 in memory, so a file as large as that takes about 0.7 GB.
LONGEST_LINE, LARGEST = 2**17, 2**29
#: After so many lines it is told how much has been read.
LINES = 100


class ResultsInUse(ResultsError):
    """Another match writes to it."""


class NoGames(ResultsError):
    """There are none, as while the first ones are under way."""


def read_lines(path: Path, on_read: Callable[[int], object] | None = None, before: int = 0) -> Iterator[GameLine]:
    """The games of a results file, which may be compressed (`.gz`), one by one; a last line that was torn off is left out,
    which is logged. `on_read` is called every some lines with how many bytes have been read, `before` of them from other files.

    Raises:
        ResultsError: a line is none of a results file, or stands there twice. OSError: the file cannot be read.
    """
    refuse_other_kind(path, ResultsError, "hansa-game")
    compressed = path.suffix == ".gz"
    with (
        decompressing(path, ResultsError) if compressed else nullcontext(),
        path.open("rb") as raw,
        gzip.GzipFile(fileobj=raw) if compressed else nullcontext(raw) as file,
    ):
        told = (lambda: on_read(before + raw.tell())) if on_read and raw.seekable() else None  # a pipe cannot say
        for line, _ in _lines_and_ends(path, file, on_lines=told):
            yield line


def read_lines_of_one_ruleset(
    paths: Sequence[Path], on_read: Callable[[int], object] | None = None
) -> Iterator[tuple[Path, GameLine]]:  # fmt: skip
    """The games of results files of one ruleset, one by one, each with its file. `on_read` is called every some lines with how
    many bytes have been read.

    Raises:
        ResultsError: as `read_lines`; or the files are of different rulesets, or share games. NoGames: there are none at all.
    """
    first: tuple[Path, GameLine] | None = None
    found: dict[tuple, Path] = {}
    known: dict[str, tuple[Path, str]] = {}
    models: dict[str, tuple[str, str | None]] = {}
    before = 0
    for path in paths:
        for number, line in enumerate(read_lines(path, on_read, before), 1):
            where = f"{path}: line {number}"
            first = first or (path, line)
            for field in (*WholeConfig.model_fields, "max_turns"):
                given, wanted = getattr(line, field), getattr(first[1], field)
                if given != wanted:
                    raise ResultsError(f"{where}: {field} is {given!r}, but {wanted!r} in {first[0]}; rate them apart")
            key = line.run_seed, line.game, line.seed, line.table
            if key in found:
                raise ResultsError(f"{where}: game {line.game} of seed {line.run_seed} is in {found[key]} already")
            found[key] = path
            for name, spec in zip(line.agents, line.specs):
                first_path, first_spec = known.setdefault(name, (path, spec))
                if spec != first_spec:
                    raise ResultsError(f"{where}: {name} is {spec!r}, but {first_spec!r} in {first_path}; rate them apart")
            for name, model in zip(line.agents, line.models or ()):
                first_where, first_model = models.setdefault(name, (where, model))
                if model != first_model:
                    raise ResultsError(f"{where}: the model of {name} is not the one of {first_where}; rate them apart")
            yield path, line
        before += path.stat().st_size
    if first is None:
        raise NoGames(f"{', '.join(map(str, paths))}: there are no games yet")


class ReadGames(NamedTuple):
    """What is read of results files.

    Attributes:
        ruleset, max_turns: what was played; results: the games.
        missing: how many are missing, by the numbers within each run of each file, before the last ones that are there. Two
            files may be of two matches with one seed.
    """

    ruleset: Ruleset
    max_turns: int | None
    results: list[GameResult]
    missing: int


def read_results(paths: Sequence[Path], on_read: Callable[[int], object] | None = None) -> ReadGames:
    """The games of results files of one ruleset. `on_read` and what is raised are as of `read_lines_of_one_ruleset`."""
    results: list[GameResult] = []
    numbers: dict[tuple[Path, int], set[int]] = {}
    for path, line in read_lines_of_one_ruleset(paths, on_read):
        results.append(line.result())
        numbers.setdefault((path, line.run_seed), set()).add(line.game)
    missing = sum(max(there) + 1 - len(there) for there in numbers.values())
    return ReadGames(line.ruleset(), line.max_turns, results, missing)


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
        """Take up a file: read what is there, cut off a last line that was torn. Raises ResultsError, OSError; then nothing has
        changed."""
        self = cls(None if path is None else Path(path), job)
        if self.path is None:
            return self
        if self.path.suffix == ".gz":
            raise ResultsError(f"{self.path}: games are written one by one, which compressed files do not take; leave off .gz")
        for entrant in job.entrants:
            if len(entrant.spec) > LONGEST_SPEC:
                raise ResultsError(
                    f"{self.path}: the spec of {entrant.name:.40} has {len(entrant.spec)} characters; expected at most "
                    f"{LONGEST_SPEC} in a results file"
                )
        if self.path.exists() and not self.path.is_file():
            raise ResultsError(
                f"{self.path}: is no regular file, as one is that games are read back from{_or(job.keep.instead)}"
            )
        refuse_other_kind(self.path, ResultsError, "hansa-game")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._lock = hold(self.path)
        except Timeout:
            raise ResultsInUse(f"{self.path} is in use by another match; wait for it{_or(job.keep.instead, ', or ')}") from None
        try:
            self._file = self.path.open("r+b" if self.path.exists() else "w+b")
            end = 0
            for number, (line, at) in enumerate(_lines_and_ends(self.path, self._file), 1):
                end = at
                _of_this_match(f"{self.path}: line {number}", line, job)
                if line.game < job.schedule.games:
                    self.played.append(line.result())
            self._cut_off(end)
        except BaseException:
            self.close()
            raise
        return self

    def _cut_off(self, end: int) -> None:
        """Leave no more than so many bytes, the last of which ends a line."""
        assert self._file is not None
        self._file.truncate(end)
        self._file.seek(max(end - 1, 0))
        if end and self._file.read(1) != b"\n":
            self._file.write(b"\n")

    def write(self, result: GameResult) -> None:
        """Write a game, so that it is there whatever happens to the process. Raises OSError."""
        if self._file is not None:
            line = line_of(result, self.job.ruleset, self.job.max_turns, self.job.schedule.seed)
            with naming(self.path or Path()):
                self._file.write((json.dumps(line) + "\n").encode())
                self._file.flush()

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()
        if self._lock is not None:
            let_go(self._lock)

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
            how = _or(f"{job.keep.instead}, or ask for the same match" if job.keep.instead else "")
            raise ResultsError(f"{where}: {field} is {given!r}, but this match has {value!r}{how}")


def _or(instead: str, before: str = "; ") -> str:
    return before + instead if instead else ""


def _lines_and_ends(
    path: Path, file: BufferedIOBase, on_lines: Callable[[], object] | None = None
) -> Iterator[tuple[GameLine, int]]:
    """The lines of a file, each with where it ends; a last one that was torn is left out, one that only lacks its end is not.
    No more is read than a file, or a line, may have. `on_lines` is called after every LINES of them."""
    seen: dict[tuple, int] = {}
    number, end = 0, 0
    while text := file.readline(LONGEST_LINE + 1):
        number, end = number + 1, end + len(text)
        if on_lines is not None and number % LINES == 0:
            on_lines()
        if len(text) > LONGEST_LINE:
            raise ResultsError(f"{path}: line {number}: more than {LONGEST_LINE:,} bytes, which no game takes")
        if end > LARGEST:
            raise ResultsError(f"{path}: more than {LARGEST:,} bytes, which is the most that is read; rate its games in parts")
        if not text.endswith(b"\n") and is_torn(text):
            log.warning("%s: line %d is left out: the rest of the game was never written", path, number)
            break
        try:
            line = game_line(text)
        except ResultsError as error:
            raise ResultsError(f"{path}: line {number}: {error}") from None
        key = line.run_seed, line.game, line.table
        if key in seen:
            raise ResultsError(f"{path}: line {number}: game {line.game} is in line {seen[key]} already")
        seen[key] = number
        yield line, end
