"""Plays a suite with the arena, cell by cell, each into a results file of its own, so that the same command continues."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from hansa_agents.arena import ONE_PROCESS, Compute, Faults, Keep, MatchInterrupted, play_match
from hansa_agents.benchmark.cells import NO_ORACLES, CellGames
from hansa_agents.benchmark.frozen import check_frozen
from hansa_agents.benchmark.suite import AMONG, HERO, REFERENCE, Cell, Setting, Suite
from hansa_agents.entrants import entrants
from hansa_agents.game_result import Forfeit, GameResult
from hansa_agents.line_ups import MatchError
from hansa_agents.match_job import Job
from hansa_agents.match_progress import Counter
from hansa_agents.model_hash import model_hash_of
from hansa_agents.schedule import Schedule
from hansa_env import Agent, HansaBatch
from hansa_env.commands.progress import Progress
from hansa_env.formats.file_names import file_name_of
from hansa_env.play.agents import ask_agents, attribute_of
from hansa_env.play.errors import AgentFault, OutOfTime
from hansa_env.play.result import share_text
from hansa_env.render.words import number_of

#: Decisions, and seconds, after which the time of a decision in one game is known.
DECISIONS, SECONDS = 40, 20.0


class BenchmarkInterrupted(KeyboardInterrupt):
    """Ctrl-C; `played` has the cells of which anything was played."""

    def __init__(self, played: list[CellGames]) -> None:
        super().__init__()
        self.played = played


class ReferencesFailed(MatchError):
    """References failed, which ended their cells; `played` has the cells of which anything was played, without these."""

    def __init__(self, text: str, played: list[CellGames]) -> None:
        super().__init__(text)
        self.played = played


class _ReferenceFailed(MatchError):
    """A reference forfeited a game, which says nothing of the agent."""


def faults_of(timeout: float | None = None) -> Faults:
    """An agent that fails, or takes more than so many seconds for a decision, forfeits its game; the time of references is not
    limited. Raises MatchError."""
    return Faults("forfeit", timeout, None if timeout is None else {HERO})


def play_suite(
    spec: str, suite: Suite, cells: Sequence[Cell], games: int, folder: Path, progress: Progress, *,
    compute: Compute = ONE_PROCESS, faults: Faults | None = None,
) -> list[CellGames]:  # fmt: skip
    """Let an agent play cells of a suite.

    Args:
        spec: of the agent.
        games: of each cell, rounded up to equal numbers per rotation.
        folder: for the results files, one for each cell; games that are there are not played again.
        progress: of each cell in turn; a line for each that is done.
        compute: where games are played.
        faults: what `faults_of` gives; without it the agent may take as long as it likes.

    Raises:
        MatchError: a reference is not what it was when the suite was published, or the agent sees what is hidden. Else what
            `play_match` raises.
        ReferencesFailed: after all other cells, where a reference has failed.
        BenchmarkInterrupted: by Ctrl-C.
    """
    if cells and attribute_of(_hero(spec, cells[0].setting), "sees_hidden", False):
        raise MatchError(NO_ORACLES)
    faults = faults or faults_of()
    played: list[CellGames] = []
    failed: list[str] = []
    unchanged: set[tuple[str, str]] = set()
    costs: dict[tuple[str, str], float] = {}
    try:
        for number, cell in enumerate(cells):
            check_frozen(suite.name, cell.setting, cell.reference, unchanged)
            began = time.monotonic()
            counter = Counter(progress, f"{cell.key}, {number + 1} of {len(cells)}")
            try:
                found, fresh = _play_cell(spec, suite, cell, games, folder, counter, compute, faults)
            except _ReferenceFailed as failure:
                progress.end()
                failed.append(str(failure))
                progress.tell(f"{failure}; the cell has ended")
                continue
            progress.end()
            played.append(found)
            if fresh:
                costs[cell.setting.name, cell.reference.pool] = (time.monotonic() - began) / fresh
            share = found.share
            left = _time_left(cells[number + 1 :], games, costs)
            alone = spec if cell.way == AMONG else cell.reference.spec
            won = f"{alone} alone wins {share_text(*share)}"
            progress.tell(f"{cell.key}: {won} of {found.games:,} games{_forfeits(found, spec)}{left}")
    except BenchmarkInterrupted as stopped:
        raise BenchmarkInterrupted([*played, *stopped.played]) from None
    except KeyboardInterrupt:
        raise BenchmarkInterrupted(played) from None
    if failed:
        raise ReferencesFailed("; ".join(failed), played)
    return played


def _hero(spec: str, setting: Setting) -> Agent:
    """The agent as it plays a setting. Raises AgentError where it cannot be made for it."""
    return entrants([f"{HERO}={spec}"], setting.seed)[0][0].make(setting.game())


def model_of(spec: str, setting: Setting) -> str | None:
    """The hash of the model by which an agent plays a setting. Raises AgentError where it cannot be made for it."""
    return model_hash_of(_hero(spec, setting))


def milliseconds_alone(spec: str, setting: Setting, faults: Faults, tell: Callable[[str], None]) -> float | None:
    """How long the agent takes for a decision in one game, all seats being its own; the first decision does not count.

    Args:
        faults: as in games, where it would forfeit.
        tell: is given a line where it fails, so that nobody plays on for hours without knowing.

    Returns:
        None where it fails, or takes too long.

    Raises AgentError where it cannot be made.
    """
    ruleset, found = setting.game(), entrants([f"{HERO}={spec}"], setting.seed)[0]
    job = Job(ruleset, Schedule.of([(0,) * ruleset.players], 1, setting.seed), tuple(found), None, faults)
    batch, who, spent = HansaBatch(1, ruleset, seeds=[setting.seed]), np.zeros(1, np.int64), np.zeros(1)
    decisions = 0
    with job.seating() as seating:
        agents = seating.make()
        try:
            batch.step(ask_agents(agents, who, ruleset, batch.games))
            while decisions < DECISIONS and spent[0] < SECONDS and not batch.terminated[0]:
                batch.step(ask_agents(agents, who, ruleset, batch.games, spent))
                decisions += 1
        except (AgentFault, OutOfTime) as fault:
            reason = fault.reason if isinstance(fault, AgentFault) else "took too long"
            tell(f"{setting.name}: {spec} {reason}; it will forfeit the games in which it does so. Ctrl-C ends the benchmark")
            return None
    return float(1000 * spent[0] / max(1, decisions))


def _play_cell(
    spec: str, suite: Suite, cell: Cell, games: int, folder: Path, counter: Counter, compute: Compute, faults: Faults
) -> tuple[CellGames, int]:
    """The games of a cell, and how many of them were played now. Raises BenchmarkInterrupted with those of this cell,
    _ReferenceFailed at the first game in which the reference does."""
    before, file = 0, folder / file_of(cell)

    def begin(total: int, there: int) -> None:
        nonlocal before
        before = there
        counter.begin(total, there)

    def add(result: GameResult) -> None:
        counter.add(result)
        _check_reference(cell, result, file)

    try:
        match = play_match(
            cell.specs_with(spec), cell.setting.game(), games, cell.setting.seed, max_turns=suite.max_turns, faults=faults,
            compute=compute, keep=Keep(file, actions=suite.published, instead="name another folder (--folder)"),
            on_begin=begin, on_game_end=add,
        )  # fmt: skip
    except MatchInterrupted as stopped:
        found = stopped.match.results
        raise BenchmarkInterrupted([] if any(map(_failure_of_reference, found)) else [CellGames.of(cell, found)]) from None
    for result in match.results:  # those that were there too
        _check_reference(cell, result, file)
    return CellGames.of(cell, match.results), counter.done - before


def _failure_of_reference(result: GameResult) -> Forfeit | None:
    """What a game was forfeited by, if it was the reference that failed."""
    return result.forfeit if result.forfeit is not None and result.forfeit.agent == REFERENCE else None


def _check_reference(cell: Cell, result: GameResult, file: Path) -> None:
    """Raises _ReferenceFailed where the reference forfeited a game."""
    if failure := _failure_of_reference(result):
        problem = f"{cell.key}: the reference failed in game {result.number} ({failure.reason:.200})"
        way_out = f"remove the line of game {result.number} from {file}, or the file, and play on"
        raise _ReferenceFailed(f"{problem}; it shares a process with the agent, which may be why: {way_out}")


def file_of(cell: Cell) -> str:
    """The results file of a cell, in a folder for the agent."""
    return f"{file_name_of(cell.key)}.jsonl"


def _forfeits(games: CellGames, spec: str) -> str:
    """How many of a cell's games the agent forfeited, and why the first of them."""
    if not games.forfeits:
        return ""
    number = min(games.forfeits)
    return f", {len(games.forfeits):,} of them forfeited; in game {number} {spec} {games.forfeits[number][1]:.200}"


def _time_left(cells: Sequence[Cell], games: int, costs: dict[tuple[str, str], float]) -> str:
    """What is left, from how long games of the same kind took; of a kind that was not played yet, in other settings."""
    if not cells or not costs:
        return ""
    seconds, unknown = 0.0, sorted({cell.reference.pool for cell in cells} - {pool for _, pool in costs})
    for cell in cells:
        key = cell.setting.name, cell.reference.pool
        alike = [cost for (_, pool), cost in costs.items() if pool == cell.reference.pool]
        seconds += games * costs.get(key, max(alike, default=0.0))
    minutes = round(seconds / 60)
    left = f"{minutes // 60}:{minutes % 60:02} hours" if minutes >= 60 else f"{minutes} min" if minutes else f"{seconds:.0f} s"
    known = [f"about {left} left"] if seconds else []
    unsaid = [f"no time known yet for the {' and '.join(unknown)} references"] if unknown else []
    return "; " + ", ".join([*known, f"{number_of(len(cells), 'cell')} to play", *unsaid])
