"""Would the tests notice a fault in the rules? `python -m tests.engine.mutants --count 200` plants so many, one at a time.

The rules run as plain Python (Numba's compiler is off), so that planting a fault is exchanging a function's code. First it is
noted which lines of the rules each test of TESTS runs, and each step of the games in `tests/playthroughs`: their dealing, then
every decision; that is kept under build/ until a source changes. Then, for each fault, the tests that run its lines are run,
the quickest first, until one fails. Where none does, up to STEPS recorded steps that run its lines are taken again: one after
which position or setup is another is what `tests/engine/test_playthroughs.py` would notice. The comparison with the oracle
(`tests/engine/test_oracle.py`) is too slow for plain Python; what it alone would notice counts as survived.

A fault with which a test never ends counts as noticed, after `--patience` seconds of CPU. Changes that change nothing survive.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from threading import Thread
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "mutants"
TESTS = ("tests/rules", "tests/scenarios", "tests/engine/test_dealing.py", "tests/engine/test_rewards.py")
STEPS = 60  # of recorded games that are taken again for a fault
READY = "ready"
ENDLESS = "running on and on"


def worker(pipe: Connection, folders: tuple[str, ...], part: tuple[int, int], patience: float) -> None:
    """A process with the tests collected, the compiler off: it maps its part of them, or tries faults."""
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    os.chdir(ROOT)
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (for the life of the process)
    import pytest

    options = ["-q", "-p", "no:cacheprovider", "-W", "ignore", "-k", "not oracle and not has_a_scenario"]
    pytest.main([*options, *folders], plugins=[_Loop(pipe, part, patience)])


class _Loop:
    """Instead of running the tests once: does what comes through the pipe."""

    def __init__(self, pipe: Connection, part: tuple[int, int], patience: float) -> None:
        self.pipe, self.part, self.patience = pipe, part, patience
        self.began: float | None = None  # CPU time at which a test or step began, with a fault planted
        Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        """End the process where a fault keeps it running; by CPU time, so that a busy machine changes nothing."""
        while True:
            time.sleep(1)
            if self.began is not None and time.process_time() - self.began > self.patience:
                os._exit(1)

    def pytest_runtestloop(self, session: Any) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        self.pipe.send(READY)
        while (asked := self.pipe.recv()) is not None:
            task, given = asked
            self.pipe.send((task, getattr(self, task)(given)))
        return True

    def map_tests(self, _: None) -> dict[str, tuple[float, list]]:
        """Seconds and lines of each test of the part."""
        k, of = self.part
        found = {}
        for name, item in list(self.items.items())[k::of]:
            began, lines = time.process_time(), set()
            with _traced(lines):
                passed = self._passes(item)
            if passed:
                found[name] = time.process_time() - began, sorted(lines)
            self.pipe.send(("told", name))
        return found

    def map_games(self, _: None) -> dict[str, list]:
        """Of the recorded games of the part, by name: the lines that each step runs."""
        from tests.helpers import RULESETS, ruleset_id

        k, of = self.part
        found = {}
        for ruleset in RULESETS[k::of]:
            steps = []
            for _, take in _steps(ruleset):
                lines: set[tuple[str, int]] = set()
                with _traced(lines):
                    take()
                steps.append(sorted(lines))
            found[ruleset_id(ruleset)] = steps
            self.pipe.send(("told", ruleset_id(ruleset)))
        return found

    def notice(self, given: tuple) -> tuple[str, str | None]:
        """The name of the test that notices a fault, None if none does; or "spoiled" and the name where that test fails ever
        after, so that this process is of no more use."""
        fault, names, steps = given
        with _planted(fault):
            by = next((name for name in names if not self._in_time(name)), None)
        self.began = None
        if by is not None and not self._passes(self.items[by]):
            return "spoiled", by
        if by is None:
            by = self._replayed(fault, steps)
        return "done", by

    def _in_time(self, name: str) -> bool:
        self.began = time.process_time()
        return self._passes(self.items[name])

    def _passes(self, item: Any) -> bool:
        from _pytest.runner import runtestprotocol

        item._initrequest()
        return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))

    def _replayed(self, fault: Any, steps: dict[str, list[int]]) -> str | None:
        from hansa_env.formats.position import position_of
        from hansa_env.formats.setup import setup_of
        from tests.helpers import RULESETS, ruleset_id

        for ruleset in RULESETS:
            wanted = set(steps.get(ruleset_id(ruleset), ()))
            for number, (games, take) in enumerate(_steps(ruleset, max(wanted, default=-1) + 1)):
                if number in wanted:
                    before = games.copy()
                    take()
                    right = position_of(ruleset, games[0]), setup_of(ruleset, games[0])
                    games[:] = before
                    try:
                        self.began = time.process_time()
                        with _planted(fault):
                            take()
                        same = right == (position_of(ruleset, games[0]), setup_of(ruleset, games[0]))
                    except Exception:
                        same = False
                    self.began = None
                    if not same:
                        return f"recorded game {ruleset_id(ruleset)}, step {number}"
                    games[:] = before
                take()
        return None


def _play(batch: Any, ruleset: Any, text: str) -> None:
    import numpy as np

    from hansa_env.formats.notation import parse_decision

    batch.step(np.array([parse_decision(ruleset, batch.games[0], text)]))


def _steps(ruleset: Any, count: int | None = None) -> Iterator[tuple[Any, Callable[[], object]]]:
    """Before each step of a recorded game: the record (an array of one), and what takes the step; whoever asks does so."""
    from hansa_env import HansaBatch
    from tests.playthroughs import TURNS_PER_SEAT, read

    seed, decisions, _ = read(ruleset)
    batch = HansaBatch(1, ruleset, seeds=[seed], max_turns=TURNS_PER_SEAT)
    steps = [partial(batch.reset, seeds=[seed]), *(partial(_play, batch, ruleset, text) for text in decisions)]
    yield from ((batch.games, step) for step in steps[:count])


@contextmanager
def _planted(fault: Any) -> Iterator[None]:
    """With the fault in its function. Whoever calls that has the same function object, so nothing is imported anew."""
    from importlib import import_module

    function = getattr(import_module(f"hansa_env.engine.rules.{fault.file.removesuffix('.py')}"), fault.function)
    right = function.__code__
    function.__code__ = fault.code()
    try:
        yield
    finally:
        function.__code__ = right


@contextmanager
def _traced(lines: set) -> Iterator[None]:
    """Notes (file, line) of the rules that are run meanwhile."""
    from tests.engine.faults import RULES

    folder = str(RULES)

    def line(frame: Any, event: str, _: Any) -> Any:
        lines.add((os.path.basename(frame.f_code.co_filename), frame.f_lineno))
        return line

    def call(frame: Any, event: str, _: Any) -> Any:
        return line if frame.f_code.co_filename.startswith(folder) else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        yield
    finally:
        sys.settrace(before)


class Pool:
    """Workers that each do one thing after another; one that takes too long is replaced."""

    def __init__(self, processes: int, folders: tuple[str, ...], patience: float) -> None:
        self.folders, self.patience, self.of = folders, patience, processes
        self.context = get_context("spawn")
        self.pipes: dict[Connection, Any] = {}
        for k in range(processes):
            self._start(k)

    def _start(self, k: int) -> None:
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=worker, args=(theirs, self.folders, (k, self.of), self.patience), daemon=True)
        process.start()
        theirs.close()
        assert ours.recv() == READY
        self.pipes[ours] = (process, k)

    def each(self, task: str) -> Iterator[Any]:
        """What every worker answers to a task of its own; what they tell meanwhile comes as text."""
        for pipe in self.pipes:
            pipe.send((task, None))
        left = set(self.pipes)
        while left:
            for pipe in wait(list(left)):
                what, found = pipe.recv()  # type: ignore[union-attr]
                if what == "told":
                    yield found
                else:
                    left.discard(pipe)  # type: ignore[arg-type]
                    yield found

    def try_all(self, tasks: list[tuple], done: Callable[[tuple, str | None], None]) -> None:
        """Hand out (fault, tests, steps); `done` hears of each who noticed it."""
        todo, busy = list(reversed(tasks)), {}
        while todo or busy:
            for pipe in [one for one in self.pipes if one not in busy]:
                if todo:
                    busy[pipe] = todo.pop()
                    pipe.send(("notice", busy[pipe]))
            for pipe in wait(list(busy)):
                task = busy.pop(pipe)  # type: ignore[arg-type]
                try:
                    state, by = pipe.recv()[1]  # type: ignore[union-attr]
                except (EOFError, OSError):
                    state, by = "spoiled", ENDLESS
                if state == "spoiled":
                    self._replace(pipe)  # type: ignore[arg-type]
                done(task, by)

    def _replace(self, pipe: Connection) -> None:
        process, k = self.pipes.pop(pipe)
        process.kill()
        process.join()
        self._start(k)

    def close(self) -> None:
        for process, _ in self.pipes.values():
            process.kill()
            process.join()


def sources_hash() -> str:
    """Of what decides which lines are run: the rules, the boards, the tests."""
    digest = hashlib.sha256()
    for name in ("hansa_env/engine/rules", "hansa_env/boards", *TESTS, "tests/playthroughs"):
        for path in sorted((ROOT / name).rglob("*")) if (ROOT / name).is_dir() else [ROOT / name]:
            if path.suffix in (".py", ".txt", ".json"):
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def lines_run(pool: Pool, say: Callable[[str], None]) -> dict[str, Any]:
    """Which test, and which recorded decision, runs which lines; kept until a source changes."""
    file = FOLDER / f"{sources_hash()}.json"
    if file.exists():
        return json.loads(file.read_text("utf-8"))
    found: dict[str, Any] = {"tests": {}, "games": {}}
    for part, task in (("tests", "map_tests"), ("games", "map_games")):
        count = 0
        for one in pool.each(task):
            if isinstance(one, dict):
                found[part].update(one)
            else:
                count += 1
                say(f"lines run by {count} {part}: {one}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(found), "utf-8")
    return found


def tasks_for(chosen: list, run: dict[str, Any]) -> list[tuple]:
    """For each fault the tests that run its lines, the quickest first, and steps of recorded games that do, spread out."""
    tests: dict[tuple[str, int], set[str]] = {}
    for name, (_, lines) in run["tests"].items():
        for file, line in lines:
            tests.setdefault((file, line), set()).add(name)
    games: dict[tuple[str, int], list[tuple[str, int]]] = {}
    for game, steps in run["games"].items():
        for number, lines in enumerate(steps):
            for file, line in lines:
                games.setdefault((file, line), []).append((game, number))
    found = []
    for fault in chosen:
        where = [(fault.file, line) for line in range(fault.lines[0], fault.lines[1] + 1)]
        names = sorted(set().union(*(tests.get(one, set()) for one in where)), key=lambda name: run["tests"][name][0])
        every = sorted(set().union(*(set(games.get(one, ())) for one in where)))
        some: dict[str, list[int]] = {}
        for game, number in every[:: max(1, len(every) // STEPS)]:
            some.setdefault(game, []).append(number)
        found.append((fault, names, some))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="faults, drawn from all there are")
    parser.add_argument("--seed", type=int, default=0, help="of the draw; the first 100 of 200 are those of --count 100")
    parser.add_argument("--from", dest="first", type=int, default=0, help="leave out so many of them, tried before")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--patience", type=float, default=10.0, help="CPU seconds after which a test never ends")
    parser.add_argument("--least", type=float, default=0.95, help="share to be noticed; below it the exit code is 1")
    args = parser.parse_args()
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # for the workers
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    from hansa_env.commands.progress import progress_on
    from tests.engine.faults import faults

    every = faults()
    chosen = random.Random(args.seed).sample(every, len(every))[args.first : args.count]
    survived, by_folder = [], Counter()
    pool = Pool(args.processes, TESTS, args.patience)
    try:
        with progress_on() as progress:
            tasks = tasks_for(chosen, lines_run(pool, progress.tell))
            progress.begin("faults", len(tasks))
            count = 0

            def done(task: tuple, by: str | None) -> None:
                nonlocal count
                count += 1
                fault, names, steps = task
                if by is None:
                    reached = f"{len(names)} tests and {sum(map(len, steps.values()))} recorded steps run it"
                    survived.append(f"{fault} ({reached})")
                    progress.tell(f"survived: {survived[-1]}")
                else:
                    by_folder["/".join(by.split("/")[:2]) if "/" in by else by.split(",")[0]] += 1
                progress.at(count)

            pool.try_all(tasks, done)
            progress.end()
    finally:
        pool.close()
    noticed = len(chosen) - len(survived)
    print(f"{len(every)} faults can be planted; of {len(chosen)} planted {noticed} were noticed ({noticed / len(chosen):.1%})")
    for who, times in by_folder.most_common():
        print(f"  {times:4} by {who}")
    for text in sorted(survived):
        print(f"  survived: {text}")
    sys.exit(noticed < args.least * len(chosen))


if __name__ == "__main__":
    main()
