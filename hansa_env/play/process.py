"""A process of its own that answers questions one by one, and that can be ended whatever it does.

It is started without the script that began this process, so no script needs a guard for it; what it prints goes to stderr. It
ends with the thread that started it, and everything that it started itself ends with it.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import struct
import sys
from collections.abc import Callable, Set
from contextlib import suppress
from importlib import import_module
from math import inf
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.resource_tracker import ensure_running
from subprocess import DEVNULL, Popen
from time import monotonic
from typing import Any

#: Seconds after which we look whether a process lives whose pipe somebody else may hold open.
LOOK = 0.2
#: Seconds that the rest of an answer may keep us waiting once it has begun: somebody else may have written into the pipe.
STALL = 10
_SIZE = struct.Struct("!Q")  # of an answer in bytes, before it
_STDERR = 2
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux


class ProcessDied(Exception):
    """A process ended before it answered; says how."""


class AnsweringProcess:
    """A process that answers questions.

    Args:
        answers: "module:function". There the function is called once, for what answers: a callable of one question.
            Questions and answers are sent by pickle.
    """

    def __init__(self, answers: str) -> None:
        self._connection, theirs = Pipe()
        number = theirs.fileno()
        paths = [path for path in sys.path if isinstance(path, str)]
        program = f"import sys; sys.path[:] = {paths!r}; from {__name__} import serve; serve({number}, {answers!r})"
        self._process = Popen(
            [sys.executable, "-c", program], stdin=DEVNULL, stdout=_STDERR, pass_fds=[number], start_new_session=True
        )
        theirs.close()

    def send(self, question: Any) -> None:
        """Ask; if the process has died, `take` tells."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self._connection.send(question)

    def ready(self, seconds: float = inf) -> bool:
        """Wait for an answer, or the end of the process; False if neither has come within so many seconds."""
        end = monotonic() + seconds
        while not self._connection.poll(max(0.0, min(LOOK, end - monotonic()))):
            if self.has_ended():
                return True
            if monotonic() >= end:
                return False
        return True

    def take(self) -> Any:
        """The answer that `ready` told of. Raises ProcessDied; then everything of the process has been ended."""
        try:
            if self._connection.poll() or not self.has_ended():
                (size,) = _SIZE.unpack(self._read(_SIZE.size))
                return pickle.loads(self._read(size))
        except Exception:
            pass  # what came is no answer: the process died while it wrote, or somebody wrote into its pipe
        code = self.end()
        raise ProcessDied(f"killed by signal {-code}" if code < 0 else f"exit code {code}")

    def _read(self, size: int) -> bytearray:
        """So many bytes of an answer. Raises EOFError where the rest does not come."""
        data = bytearray()
        while len(data) < size:
            found = os.read(self._connection.fileno(), min(size - len(data), 1 << 20)) if self._connection.poll(STALL) else b""
            if not found:
                raise EOFError
            data += found
        return data

    def has_ended(self) -> bool:
        """Whether it has ended by itself."""
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def end(self) -> int:
        """Kill it with everything that it started; returns its exit code, or −signal."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)  # before it is waited for: until then the number is its own
        self._connection.close()
        return self._process.wait()


def serve(descriptor: int, answers: str) -> None:
    """Answer what comes over a connection until its other end is closed. Does not return."""
    us, code = os.getpid(), 1
    try:
        os.set_inheritable(descriptor, False)
        die_with_parent()
        connection = Connection(descriptor)
        module, _, name = answers.partition(":")
        answer: Callable[[Any], Any] = getattr(import_module(module), name)()
        with suppress(EOFError, BrokenPipeError, ConnectionResetError):
            while True:
                found = answer(connection.recv())
                if os.getpid() != us:  # a copy that somebody forked: one of us answers
                    break
                data = pickle.dumps(found, pickle.HIGHEST_PROTOCOL)
                _write(descriptor, _SIZE.pack(len(data)) + data)
        code = 0
    finally:
        if code and os.getpid() == us:
            sys.excepthook(*sys.exc_info())
        with suppress(Exception):
            sys.stderr.flush()
        os._exit(code)  # waits for no thread, and no copy goes on in the code around us


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def block_interrupts() -> Set[int]:
    """This thread, and every process that it starts from now on, take no notice of Ctrl-C, which goes to all processes of a
    command in a terminal. Returns the signals of which it took none before."""
    if not hasattr(signal, "pthread_sigmask"):
        return set()
    ensure_running()  # the helper of multiprocessing lets interrupts through when it is started
    return signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def die_with_parent(parent: int | None = None) -> None:
    """See to it that we end with the thread that started us, even in the middle of an answer (Linux).

    Args:
        parent: the number of its process, where that may be gone already; by default that of whoever is our parent now.
    """
    parent = os.getppid() if parent is None else parent
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
