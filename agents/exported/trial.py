"""Tries an ONNX file in a process of its own.

The libraries that read such files are written in C++, and over some broken ones they end the process in which they run. So a
file is read and run there first, and here only when that went well.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256

import numpy as np

from hansa_agents.exported.graph import check_graph
from hansa_agents.exported.session import session_of
from hansa_env import AgentError
from hansa_env.play.errors import said
from hansa_env.play.process import AnsweringProcess, ProcessDied

#: Seconds that a trial may take, and bytes of memory that its process may use where the system can limit them.
LONGEST, MOST_MEMORY = 60.0, 2**33
#: Positions in a trial's batches.
BATCHES = 1, 3
#: What answers in the process.
ANSWERS = f"{__name__}:ready_to_try"
_DTYPES: dict[str, type[np.generic]] = {"tensor(int8)": np.int8, "tensor(bool)": np.bool_}


class Trials:
    """One process for all trials, begun when it is needed, and anew where a file ended it.

    Args:
        longest: seconds that a trial may take.
    """

    def __init__(self, longest: float = LONGEST) -> None:
        self.longest = longest
        self._lock = threading.Lock()
        self._passed: dict[bytes, int] = {}
        self._process: AnsweringProcess | None = None
        self._owner = 0

    def check(self, data: bytes, name: str) -> int:
        """How many numbers the largest array of a network has for one position. Raises AgentError where a file is no plain
        network, or does not survive its trial."""
        digest = sha256(data).digest()
        with self._lock:
            if digest not in self._passed:
                found = self._found_in(data)
                if isinstance(found, str):
                    raise AgentError(f"{name}: {found}")
                self._passed[digest] = found
            return self._passed[digest]

    def _found_in(self, data: bytes) -> int | str:
        """The size of the largest array of a file, or what is wrong with it."""
        # That of whoever forked us is not ours, and ours ends with the thread that began it.
        if self._process is None or self._owner != os.getpid() or self._process.has_ended():
            self._process, self._owner = AnsweringProcess(ANSWERS), os.getpid()
        process, self._process = self._process, None
        process.send(data)
        if not process.ready(self.longest):
            process.end()
            return f"takes longer than {self.longest:g} s to read; expected a file of `hansa export`"
        try:
            found: int | str = process.take()
        except ProcessDied as death:
            return f"ends the process that reads it ({death}); expected a file of `hansa export`"
        self._process = process
        return found


def ready_to_try() -> Callable[[bytes], int | str]:
    """`try_out`, in a process whose memory is limited and in which libraries say nothing on stderr."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    return try_out


def try_out(data: bytes) -> int | str:
    """Read a file, and let it answer a few positions; returns how many numbers its largest array has for one, or what went
    wrong.

    Files with other inputs than a network of this project has are not run: they are refused where the ruleset is known.
    """
    try:
        largest = check_graph(data)
        session = session_of(data)
        inputs = {one.name: (one.shape[1:], _DTYPES.get(one.type)) for one in session.get_inputs()}
        for count in BATCHES if all(dtype for _, dtype in inputs.values()) else ():
            session.run(None, {name: np.ones([count, *shape], dtype) for name, (shape, dtype) in inputs.items()})
    except AgentError as error:
        return str(error)
    except Exception as error:  # what onnxruntime raises has no common class
        return f"cannot be run ({type(error).__name__}: {said(error):.200})"
    return largest
