"""A process that answers, and that can be ended whatever it does."""

import os
import signal
import stat
import struct
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from hansa_env.play import process
from hansa_env.play.process import AnsweringProcess, ProcessDied


def half_an_answer() -> Callable[[str], None]:
    """Writes the head of a message into every socket that it finds, and no more."""

    def answer(question: str) -> None:
        for descriptor in range(3, 64):
            try:
                if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                    os.write(descriptor, struct.pack("!Q", 1000) + b"x")
            except OSError:
                continue
        time.sleep(600)

    return answer


def echo() -> Callable[[object], object]:
    return lambda question: question


def test_an_answer_that_never_ends_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "STALL", 0.3)
    one = AnsweringProcess("tests.play.test_process:half_an_answer")
    one.send("?")
    assert one.ready()
    with pytest.raises(ProcessDied, match="killed by signal 9"):
        one.take()


def test_long_answers_come_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "STALL", 5)
    one, data = AnsweringProcess("tests.play.test_process:echo"), os.urandom(8_000_000)
    one.send(data)
    assert one.ready() and one.take() == data
    one.end()


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="there are no masks of signals")
def test_interrupts_stay_blocked_for_every_process_that_is_started() -> None:
    """Also for those after the first, which starts the helper of multiprocessing as well."""
    code = (
        "import signal\nfrom multiprocessing import get_context\nfrom hansa_env.play.process import block_interrupts\n"
        "print(signal.SIGINT in block_interrupts())\none = get_context('spawn').Process(target=str)\none.start()\n"
        "print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))\none.join()\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["False", "True"]
