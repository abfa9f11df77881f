"""The first seconds of the program, in which it loads."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from hansa_env import start
from tests.interrupts import check_that_it_ends_in_a_word

#: `python -m hansa_env`.
PROGRAM = """
import runpy
sys.argv, sys.orig_argv = ["-m", "info"], [sys.executable, "-m", "hansa_env", "info"]
runpy.run_module("hansa_env", run_name="__main__")
"""


@pytest.mark.parametrize("module", ["numba", "hansa_env.play.game", "hansa_env.commands.cli", "hansa_env.commands.rulesets"])
def test_ctrl_c_while_the_program_loads_is_one_line(module: str) -> None:
    check_that_it_ends_in_a_word(PROGRAM, module)


@pytest.mark.parametrize(
    ("words", "process", "is_it"),
    [
        (["-m", "info"], ["python", "-m", "hansa_env", "info"], True),
        (["-m", "info"], ["python", "-X", "dev", "-m", "hansa_env", "info"], True),
        (["bin/hansa", "info"], ["python", "bin/hansa", "info"], True),
        (["bin/hansa", "info"], ["python", "-c", "from multiprocessing.spawn import spawn_main"], False),
        (["-m", "-q"], ["python", "-m", "pytest", "-q"], False),
        (["-m"], ["python", "-m"], False),
        (["bin/pytest"], ["python", "bin/pytest"], False),
        ([""], ["python"], False),
        ([], [], False),
    ],
)
def test_only_the_program_is_taken_for_it(words: list[str], process: list[str], is_it: bool) -> None:
    assert start.is_program(words, process) is is_it


class Clock:
    """Timers that ring when they are told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, since: float | None) -> None:
        self.due: list[float] = []
        monkeypatch.setattr(start, "Timer", self._timer)
        monkeypatch.setattr(start._Start, "since", since)
        monkeypatch.setattr(start._Start, "told", False)
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    def _timer(self, patience: float, tell: object) -> Clock:
        self.due.append(patience)
        self.start, self.cancel = tell, lambda: None
        return self


def test_what_is_loaded_in_steps_is_told_once_and_from_the_beginning(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock(monkeypatch, time.monotonic() - 60)
    with start.loading("hansa arena"), start.loading("hansa arena"):
        assert clock.due == [0.0, 0.0], "a minute is longer than anybody should wait for a word"
    with start.telling_what_takes_long("reading game.json ..."):
        assert clock.due[-1] == start.PATIENCE
    assert capsys.readouterr().err == "hansa arena: loading ...\nreading game.json ...\n"


def test_a_word_that_names_no_agent_is_refused_before_anything_is_loaded() -> None:
    for words in ("arena gredy greedy", "record gredy", "crossplay gredy greedy", "puzzles gredy", "train --players 6"):
        code = (
            f"import sys; from typer.testing import CliRunner; from hansa_env.commands.cli import app\n"
            f"done = CliRunner().invoke(app, {words.split()}); print(done.exit_code, done.output)\n"
            "print([name for name in ('scipy.stats', 'torch', 'hansa_agents.arena') if name in sys.modules])"
        )
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240).stdout
        assert said.startswith("2 error: ") and said.endswith("\n[]\n"), (words, said)
