"""Workers that are processes of this machine.

Each has a pipe of its own to the one that hands out the work, so that one that dies is found out, and takes nothing with
it but the games it had under way.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pickle import PicklingError
from typing import cast

from hansa_agents.line_ups import MatchError
from hansa_agents.match_job import Job, Played
from hansa_agents.workers import WorkerDied, Workers, cannot_be_sent, games_and_errors
from hansa_env.play.process import block_interrupts, die_with_parent


class Processes(Workers):
    """So many processes, started as there is work for them."""

    def __init__(self, job: Job, count: int) -> None:
        self.job, self.count = job, count
        self._context = get_context("spawn")  # a fork would take over threads of compiled code and of torch in any state
        self._processes: dict[Connection, BaseProcess] = {}
        self._idle: list[Connection] = []
        self._starting: set[Connection] = set()

    def has_room(self) -> bool:
        return bool(self._idle) or len(self._processes) < self.count

    def begin(self, numbers: Sequence[int]) -> Hashable:
        connection = self._idle.pop() if self._idle else self._started()
        with suppress(BrokenPipeError, ConnectionResetError):  # it has died; `news` tells
            connection.send(numbers)
        return connection

    def news(self) -> Iterator[tuple[Hashable, Played | Exception | None]]:
        playing = [connection for connection in self._processes if connection not in self._idle]
        for connection in cast("list[Connection]", wait(playing)):
            starting = connection in self._starting
            self._starting.discard(connection)
            try:
                news = connection.recv()
            except (EOFError, ConnectionResetError):
                yield connection, self._died(connection, starting)
                continue
            if starting:
                continue
            if not isinstance(news, Played):
                self._idle.append(connection)
            yield connection, news

    def __exit__(self, *_: object) -> None:
        for connection in self._idle:
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.send(None)
        for connection, process in self._processes.items():
            if connection not in self._idle:
                process.kill()
        for connection, process in self._processes.items():
            process.join()
            connection.close()

    def _started(self) -> Connection:
        ours, theirs = self._context.Pipe()
        process: BaseProcess = self._context.Process(target=_work, args=(theirs, self.job), daemon=True)
        try:
            with _no_interrupts():
                process.start()
        except (TypeError, AttributeError, ValueError, PicklingError) as error:
            raise cannot_be_sent(error) from error
        theirs.close()
        self._processes[ours] = process
        self._starting.add(ours)
        return ours

    def _died(self, connection: Connection, starting: bool) -> WorkerDied:
        process = self._processes.pop(connection)
        process.join()
        connection.close()
        if starting and process.exitcode and process.exitcode > 0:
            raise MatchError(
                f"a process of the match could not start (exit code {process.exitcode}); it imports the script that began the "
                'match, and from there the agents\' classes. Put the call under `if __name__ == "__main__":`, or play with '
                "processes=1"
            )
        return WorkerDied(f"a process of the match died (exit code {process.exitcode})")


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """What is started here takes no notice of Ctrl-C: who hands out the work decides. Here it is only put off."""
    before = block_interrupts()
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(connection: Connection, job: Job) -> None:
    """Play pieces as they come, and send each game."""
    if (parent := parent_process()) is not None:
        die_with_parent(parent.pid)  # which may be gone since it began us
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # as many processes as cores are at work already
    with suppress(EOFError, BrokenPipeError), job.seating() as seating:  # or else nobody is there any more
        connection.send(None)
        while (numbers := connection.recv()) is not None:
            failed = False
            for news in games_and_errors(job, numbers, seating):
                connection.send(news)
                failed = isinstance(news, Exception)
            if not failed:
                connection.send(None)
