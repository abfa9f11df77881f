"""Processes that train and are killed at a chosen moment: `python -m tests.training.forks`, orders as JSON lines on stdin.

Each order is carried out by a fork, so that nothing has to be imported anew. An order: folder, resume, options, and how it
dies: `event` (at the n-th operation on a file of the folder: SIGKILL before it), `torn` (from that operation on, no file
may grow: the system kills the process in the middle of its next write), `seconds` (SIGKILL from outside). The answer is
the exit code, negative for a signal, and the number of operations so far.
"""

import json
import os
import resource
import signal
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

from rich.console import Console

from hansa_training.begin import train
from tests.training.tiny import TINY

#: Audit events that are operations on files.
OPERATIONS = {"open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.truncate"}


def die_at(folder: str, event: int | None, torn: bool, report: int) -> None:
    """Count this process's operations in a folder, and die at one of them."""
    count = 0

    def hook(name: str, args: tuple) -> None:
        nonlocal count
        if name not in OPERATIONS or not str(args[0]).startswith(folder):
            return
        count += 1
        os.pwrite(report, count.to_bytes(8, "little"), 0)
        if count != event:
            return
        if torn:
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (25, 25))
        else:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def carry_out(order: dict, report: int) -> int:
    """The exit code of a fork that trains."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        die_at(order["folder"], order.get("event"), order.get("torn", False), report)
        code = 1
        try:
            options = None if order["resume"] else order["options"]
            with open(os.devnull, "w") as null:
                train(Path(order["folder"]), order["resume"], options=options, console=Console(file=null))
            code = 0
        finally:
            if code:
                traceback.print_exc()
            os._exit(code)
    if order.get("seconds") is not None:
        time.sleep(order["seconds"])
        os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    with tempfile.TemporaryDirectory() as folder:  # loads and compiles everything
        os.dup2(2, 1)
        train(Path(folder) / "warm", options=TINY)
    assert threading.active_count() == 1, threading.enumerate()
    with tempfile.TemporaryFile() as report:
        print("ready", file=answers, flush=True)
        for line in sys.stdin:
            os.pwrite(report.fileno(), bytes(8), 0)
            code = carry_out(json.loads(line), report.fileno())
            count = int.from_bytes(os.pread(report.fileno(), 8, 0), "little")
            print(json.dumps({"code": code, "operations": count}), file=answers, flush=True)


if __name__ == "__main__":
    main()
