"""Tries an ONNX file in a process of its own.

The libraries that read such files are written in C++, and over some broken ones they end the process in which they run. So a
file is read and run there first, and here only when that went well.
"""

from __future__ import annotations

import os
import struct
import sys
import threading
from contextlib import suppress
from hashlib import sha256
from subprocess import DEVNULL, PIPE, Popen
from time import monotonic
from typing import IO

import numpy as np

from hansa_env import AgentError

#: Seconds that a trial may take, and bytes of memory that its process may use where the system can limit them.
LONGEST, MOST_MEMORY = 60.0, 2**33
#: Positions in a trial's batches, and characters of what is told of a file.
BATCHES, LONGEST_TEXT = (1, 3), 1000
_DTYPES: dict[str, type[np.generic]] = {"tensor(int8)": np.int8, "tensor(bool)": np.bool_}
_SIZE = struct.Struct("!Q")


class Trials:
    """One process for all trials, begun when it is needed, and anew where a file ended it.

    Args:
        longest: seconds that a trial may take.
    """

    def __init__(self, longest: float = LONGEST) -> None:
        self.longest = longest
        self._lock = threading.Lock()
        self._passed: set[bytes] = set()
        self._process: Popen[bytes] | None = None
        self._owner = 0

    def check(self, data: bytes, name: str) -> None:
        """Raises AgentError where a file is no plain network, or does not survive its trial."""
        digest = sha256(data).digest()
        with self._lock:
            problem = "" if digest in self._passed else self._problem_of(data)
            if problem:
                raise AgentError(f"{name}: {problem}")
            self._passed.add(digest)

    def _problem_of(self, data: bytes) -> str:
        """What is wrong with a file; empty where nothing is."""
        # The pipes of whoever forked us are not ours, and somebody may have ended it.
        if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
            self._process, self._owner = begin(), os.getpid()
        process, began = self._process, monotonic()
        timer = threading.Timer(self.longest, process.kill)
        timer.start()
        try:
            assert process.stdin is not None and process.stdout is not None
            _send(process.stdin, data)
            return _received(process.stdout).decode("utf-8", "replace")[:LONGEST_TEXT]
        except (OSError, EOFError):
            self._process = None
            process.kill()
            code = process.wait()
            late = monotonic() - began >= self.longest
            how = f"takes longer than {self.longest:g} s to read" if late else f"ends the process that reads it ({code})"
            return f"{how}; expected a file of `hansa export`"
        finally:
            timer.cancel()


def serve() -> None:
    """Try what comes on stdin until it is closed, and tell on stdout what is wrong with it."""
    _limit_memory()
    given, told = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    with suppress(EOFError, BrokenPipeError):
        while True:
            _send(told, problem_with(_received(given)).encode("utf-8", "replace"))


def problem_with(data: bytes) -> str:
    """Read a file, let it answer a few positions, and say what went wrong; empty where nothing did."""
    from hansa_agents.exported.graph import check_graph
    from hansa_agents.exported.session import session_of

    try:
        check_graph(data)
        session = session_of(data)
        for count in BATCHES:
            given = {one.name: np.ones([count, *one.shape[1:]], _DTYPES[one.type]) for one in session.get_inputs()}
            session.run(None, given)
    except AgentError as error:
        return str(error)
    except Exception as error:  # what onnxruntime raises has no common class
        return f"cannot be run ({type(error).__name__}: {' '.join(str(error).split()):.200})"
    return ""


def _limit_memory() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def begin() -> Popen[bytes]:
    """Start a process that serves."""
    paths = [path for path in sys.path if isinstance(path, str)]
    program = f"import sys; sys.path[:] = {paths!r}; from {__name__} import serve; serve()"
    return Popen([sys.executable, "-c", program], stdin=PIPE, stdout=PIPE, stderr=DEVNULL)


def _send(pipe: IO[bytes], data: bytes) -> None:
    pipe.write(_SIZE.pack(len(data)) + data)
    pipe.flush()


def _received(pipe: IO[bytes]) -> bytes:
    """Raises EOFError where the other side has ended."""
    size = pipe.read(_SIZE.size)
    count = _SIZE.unpack(size)[0] if len(size) == _SIZE.size else -1
    data = pipe.read(count) if count >= 0 else b""
    if len(data) != count:
        raise EOFError
    return data
