"""A match shared among processes.

Each process has a pipe of its own to the one that hands out the work, so that one that dies is found out, and takes
nothing with it but the games it had under way.
"""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from hansa_agents.game_result import GameResult
from hansa_agents.line_ups import MatchError
from hansa_agents.tables import Job


def play_in_processes(job: Job, pieces: Sequence[list[int]], processes: int) -> Iterator[GameResult]:
    """Play the pieces of a match in so many processes; yields each game as it ends.

    Whatever ends the iteration ends the processes.

    Raises:
        MatchError: a process died, or the job cannot be sent to one. Else what `Job.play` raises.
    """
    context = get_context("spawn")  # a fork would take over threads of compiled code and of torch in any state
    left = list(reversed(pieces))
    workers: dict[Connection, BaseProcess] = {}
    try:
        for _ in range(min(processes, len(pieces))):
            ours, theirs = context.Pipe()
            process: BaseProcess = context.Process(target=_work, args=(theirs, job), daemon=True)
            _start(process)
            theirs.close()
            workers[ours] = process
            ours.send(left.pop())
        while workers:
            ready = set(wait(list(workers)))
            for connection in [one for one in workers if one in ready]:
                answer = _received(connection, workers[connection])
                if isinstance(answer, GameResult):
                    yield answer
                elif isinstance(answer, Exception):
                    raise answer
                elif left:
                    connection.send(left.pop())
                else:
                    connection.send(None)
                    workers.pop(connection).join()
    finally:
        for worker in workers.values():
            worker.kill()
        for worker in workers.values():
            worker.join()


def _start(process: BaseProcess) -> None:
    try:
        process.start()
    except (TypeError, AttributeError, ValueError) as error:  # what pickle says of things it cannot send
        raise MatchError(f"an agent cannot be sent to another process ({error}); use processes=1, or agents by spec") from error
    except Exception as error:
        if type(error).__name__ == "PicklingError":
            raise MatchError(f"an agent cannot be sent to another process ({error}); use processes=1") from error
        raise


def _received(connection: Connection, process: BaseProcess) -> object:
    try:
        return connection.recv()
    except (EOFError, ConnectionResetError):
        process.join()
        raise MatchError(
            f"a process of the match died (exit code {process.exitcode}): an agent crashed it, or memory ran out; games that "
            "had ended are in the results file, if there is one, and the same command goes on"
        ) from None


def _work(connection: Connection, job: Job) -> None:
    """Play pieces as they come, and send each game."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who handed out the work decides
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # as many processes as cores are at work already
    with suppress(EOFError, BrokenPipeError):  # nobody is there any more
        while (numbers := connection.recv()) is not None:
            try:
                for result in job.play(numbers):
                    connection.send(result)
            except BrokenPipeError:
                raise
            except (ValueError, OSError) as error:
                connection.send(error)
            except Exception:
                connection.send(RuntimeError(f"in a process of the match:\n{traceback.format_exc()}"))
            connection.send(None)
