"""Threads that share the parts of a work: what comes out, and how soon they stop."""

from __future__ import annotations

import _thread
import os
import signal
from concurrent import futures
from contextlib import closing
from itertools import count
from threading import Barrier, Event, main_thread
from typing import Any

import pytest

from hansa_training.learner import Learner
from hansa_training.plan_file import make_plan
from hansa_training.workers import Workers
from tests.training.tiny import TINY

#: Seconds after which a test fails that waits.
PATIENCE = 30


def test_results_come_in_the_order_of_the_parts() -> None:
    both = Barrier(2)
    with closing(Workers(2)) as workers:
        assert workers.map(lambda part: (both.wait(PATIENCE), 2 * part)[1], range(8)) == list(range(0, 16, 2))
        assert workers.map(lambda part: (workers.check(), part)[1], [7]) == [7], (
            "a part alone is not told to stop by those before"
        )


def test_where_a_part_fails_others_end_early_and_the_rest_do_not_begin() -> None:
    begun: list[int] = []
    both = Barrier(2)

    def work(part: int) -> None:
        begun.append(part)
        if part < 2:
            both.wait(PATIENCE)
        if part == 1:
            raise ValueError("it is broken")
        while True:
            workers.check()

    with closing(Workers(2)) as workers:
        with pytest.raises(ValueError, match="it is broken"):
            workers.map(work, range(12))
        assert len(begun) <= 3  # whoever failed may have begun another before it was cancelled
        assert workers.map(lambda part: (workers.check(), part)[1], range(4)) == [0, 1, 2, 3], "and goes on with other work"


def test_ctrl_c_does_not_wait_for_parts_that_have_not_begun() -> None:
    begun, over = count(), Event()

    def work(part: int) -> None:
        if next(begun) == 0:
            _thread.interrupt_main()
        while not over.is_set():
            workers.check()

    workers = Workers(2)
    try:
        with closing(workers), pytest.raises(KeyboardInterrupt):
            workers.map(work, range(12))
    finally:
        over.set()
    assert next(begun) <= 3


@pytest.mark.skipif(os.name == "nt", reason="sends itself a signal")
def test_ctrl_c_waits_for_parts_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """They write where what follows reads."""
    both, waited_for, never, ended = Barrier(2), Event(), Event(), []

    def wait(*args: Any, **options: Any) -> Any:
        waited_for.set()
        return futures.wait(*args, **options)

    def work(part: int) -> None:
        both.wait(PATIENCE)
        if part == 0:
            assert waited_for.wait(PATIENCE)
            while not workers._stopping:  # one that comes just before the main thread sleeps does not wake it
                signal.pthread_kill(main_thread().ident, signal.SIGINT)
                never.wait(1)
        while not workers._stopping:
            never.wait(0.01)
        never.wait(0.2)
        ended.append(part)

    monkeypatch.setattr("hansa_training.workers.wait", wait)
    with closing(Workers(2)) as workers:
        with pytest.raises(KeyboardInterrupt):
            workers.map(work, range(2))
        assert sorted(ended) == [0, 1]


@pytest.mark.parametrize("warm_start", ["0", "64"])
def test_shards_look_at_it_before_each_decision(warm_start: str) -> None:
    """So that neither Ctrl-C nor an error waits for all of a rollout."""
    with closing(Learner(make_plan(options=TINY | {"warm_start": warm_start, "threads": "2"}))) as learner:
        asked = []
        learner.workers.check = lambda: asked.append(1)  # type: ignore[method-assign]
        (learner.play if warm_start == "0" else learner.imitate)()
        assert len(asked) == 2 * 4  # shards, and ticks of each
