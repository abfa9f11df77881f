"""A process that has the tests collected and notices planted faults, for `python -m tests.engine.mutants`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import Any

ROOT = Path(__file__).parents[2]
READY = "ready"


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
        from tests.helpers import RULESETS, ruleset_id

        for ruleset in RULESETS:
            wanted = set(steps.get(ruleset_id(ruleset), ()))
            for number, (games, take) in enumerate(_steps(ruleset, max(wanted, default=-1) + 1)):
                if number in wanted:
                    before = games.copy()
                    take()
                    right = _as_told(ruleset, games)
                    games[:] = before
                    try:
                        self.began = time.process_time()
                        with _planted(fault):
                            take()
                            same = right == _as_told(ruleset, games)
                    except Exception:
                        same = False
                    self.began = None
                    if not same:
                        return f"recorded game {ruleset_id(ruleset)}, step {number}"
                    games[:] = before
                take()
        return None


def _as_told(ruleset: Any, games: Any) -> tuple:
    """A game's position and setup, and whether its position is read back as the same bytes."""
    from hansa_env.engine.identity import same_position
    from hansa_env.formats.position import position_of
    from hansa_env.formats.read_position import read_position
    from hansa_env.formats.setup import setup_of

    position = position_of(ruleset, games[0])
    return position, setup_of(ruleset, games[0]), bool(same_position(games, read_position(position)[1])[0])


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
    from tests.engine.faults import module_of

    function = getattr(module_of(fault.file), fault.function)
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
