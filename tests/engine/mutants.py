"""Would the tests notice a fault in the rules? `python -m tests.engine.mutants --count 200` plants so many, one at a time.

The rules run as plain Python (Numba's compiler is off), so that planting a fault is exchanging a function's code. First it is
noted which lines of the rules each test of TESTS runs, and each step of the games in `tests/playthroughs`: their dealing, then
every decision; that is kept under build/ until a source changes. Then, for each fault, the tests that run its lines are run,
the quickest first, until one fails. Where none does, up to STEPS recorded steps that run its lines are taken again: one after
which position or setup is another is what `tests/engine/test_playthroughs.py` would notice, and one after which the position
is not read back as the same bytes, `tests/formats/test_round_trip.py`. The comparison with the oracle
(`tests/engine/test_oracle.py`) is too slow for plain Python; what it alone would notice counts as survived.

A fault with which a test never ends counts as noticed, after `--patience` seconds of CPU. Faults that are proven to change
nothing are listed, each with its proof, in `equivalent_faults.json`. They are left out of the second share that is printed, and
are planted whether drawn or not: one that is noticed was listed wrongly, which is an error.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any

from tests.engine.fault_worker import READY, ROOT, worker

if TYPE_CHECKING:
    from tests.engine.faults import Fault

FOLDER = ROOT / "build" / "mutants"
TESTS = ("tests/rules", "tests/scenarios", "tests/engine/test_dealing.py", "tests/engine/test_rewards.py")
STEPS = 60  # of recorded games that are taken again for a fault
ENDLESS = "running on and on"


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
    parser.add_argument(
        "--least",
        type=float,
        default=0.95,
        help="share to be noticed of those that change anything; below it the exit code is 1",
    )
    args = parser.parse_args()
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # for the workers
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    from hansa_env.commands.progress import progress_on
    from tests.engine.faults import equivalent_faults, faults

    every = faults()
    equivalent = equivalent_faults(every)
    drawn = random.Random(args.seed).sample(every, len(every))[args.first : args.count]
    noticed_by: dict[Fault, str | None] = {}
    pool = Pool(args.processes, TESTS, args.patience)
    try:
        with progress_on() as progress:
            tasks = tasks_for(list(dict.fromkeys([*drawn, *equivalent])), lines_run(pool, progress.tell))
            progress.begin("faults", len(tasks))

            def done(task: tuple, by: str | None) -> None:
                fault, names, steps = task
                noticed_by[fault] = by
                if by is None and fault not in equivalent:
                    progress.tell(
                        f"survived: {fault} ({len(names)} tests and {sum(map(len, steps.values()))} recorded steps run it)"
                    )
                progress.at(len(noticed_by))

            pool.try_all(tasks, done)
            progress.end()
    finally:
        pool.close()
    print(f"{len(every)} faults can be planted, {len(equivalent)} of them are proven to change nothing")
    share, lines = outcome(drawn, set(equivalent), noticed_by)
    print("\n".join(lines))
    sys.exit(share < args.least or any(noticed_by[fault] for fault in equivalent))


def outcome(drawn: list[Fault], equivalent: set[Fault], noticed_by: dict[Fault, str | None]) -> tuple[float, list[str]]:
    """The share noticed of those drawn that change anything, and what is said of the trial."""
    real = [fault for fault in drawn if fault not in equivalent]
    noticed = [by for fault in real if (by := noticed_by[fault]) is not None]
    share = len(noticed) / len(real) if real else 1.0
    lines = [
        f"of {len(drawn)} planted {len(noticed)} were noticed ({len(noticed) / max(1, len(drawn)):.1%})",
        f"of {len(real)} that change anything {len(noticed)} were noticed ({share:.1%})",
    ]
    by_folder = Counter("/".join(by.split("/")[:2]) if "/" in by else by.split(",")[0] for by in noticed)
    lines += [f"  {times:4} by {who}" for who, times in by_folder.most_common()]
    lines += sorted(f"  survived: {fault}" for fault in real if noticed_by[fault] is None)
    for fault in sorted(equivalent, key=str):
        if noticed_by[fault] is not None:
            lines.append(f"  listed as changing nothing, and noticed by {noticed_by[fault]}: {fault}")
    return share, lines


if __name__ == "__main__":
    main()
