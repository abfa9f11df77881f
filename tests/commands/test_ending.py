"""How commands end that somebody stops, whose reader goes away, or that find standard streams closed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest
from typer.testing import CliRunner

from hansa_env import Game, Ruleset
from hansa_env.commands.cli import app
from hansa_env.commands.ending import end_as_interrupted
from tests.interrupts import check_that_it_ends_in_a_word

#: The command line, in a process that is not the program.
COMMAND_LINE = """
sys.argv = ["hansa", "info"]
from hansa_env.commands.cli import main
main()
"""
#: A program that is stopped in a callback of C, where Python can only drop what is raised.
STOPPED_IN_A_CALLBACK = """
import ctypes, os, signal, time
from hansa_env.commands.ending import end_as_interrupted
from tests.interrupts import check_that_it_ends_in_a_word

def stopped():
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(1000):
        pass

def program():
    ctypes.CFUNCTYPE(None)(stopped)()
    time.sleep(600)
    print("nothing has stopped it")

end_as_interrupted(program)
"""
#: One whose work goes on to its end, whatever is raised in it.
SWALLOWS = """
import os, signal
from hansa_env.commands.ending import end_as_interrupted
from tests.interrupts import check_that_it_ends_in_a_word

def program():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):
            pass
    except BaseException:
        print("swallowed")

end_as_interrupted(program)
"""


def shell(words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `hansa` by a shell that ends with its exit code, in a pipe too."""
    command = f"{sys.executable} -m hansa_env {words}"
    return subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    game = Game(Ruleset(3), seed=3)
    (tmp_path / "game.json").write_text(json.dumps(game.record()))
    return tmp_path


def test_ctrl_c_while_a_command_loads_is_one_line() -> None:
    check_that_it_ends_in_a_word(COMMAND_LINE, "hansa_env.commands.rulesets")


def test_ctrl_c_in_a_callback_is_not_lost() -> None:
    done = subprocess.run([sys.executable, "-c", STOPPED_IN_A_CALLBACK], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_a_program_leaves_the_signals_of_a_notebook_and_of_a_thread_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGINT), sys.unraisablehook
    done: list[str] = []
    thread = Thread(target=end_as_interrupted, args=(lambda: done.append("in a thread"),))
    thread.start()
    thread.join()
    monkeypatch.setattr(sys, "ps1", "In : ", raising=False)
    with pytest.raises(SystemExit):
        end_as_interrupted(lambda: done.append("in a notebook"))
    assert done == ["in a thread", "in a notebook"] and (signal.getsignal(signal.SIGINT), sys.unraisablehook) == before


def test_ctrl_c_ends_in_its_exit_code_whatever_becomes_of_it() -> None:
    done = subprocess.run([sys.executable, "-c", SWALLOWS], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (130, "swallowed\n")


@pytest.mark.parametrize(
    ("words", "work", "said"),
    [
        ("analyse game.json", "hansa_env.commands.analyse.read_record", "interrupted"),
        ("picture game.json", "hansa_env.commands.picture.read_json", "interrupted"),
        ("record random", "hansa_agents.arena.play_game", "stopped before the game was over; nothing is written"),
        ("collect random -o data", "hansa_agents.datasets.collect.collect", "stopped; the same command continues"),
        ("exploit random --folder found", "hansa_training.exploit.exploit", "stopped; the same command continues"),
        ("compile", "hansa_agents.compiling.compile_all", "stopped; what is compiled is kept, and the same command continues"),
    ],
)
def test_what_is_stopped_says_so(words: str, work: str, said: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(folder)
    CliRunner().invoke(app, [words.split()[0], "--help"])  # so that it is there to be replaced
    monkeypatch.setattr(work, stop)
    done = CliRunner().invoke(app, words.split())
    assert done.exit_code == 130 and done.stderr.splitlines()[-1] == said


@pytest.mark.parametrize(
    ("words", "work", "said"),
    [
        ("picture game.json", "hansa_env.commands.picture.written", "pictures drawn: 0 of 1"),
        ("export ppo -p 3 --onnx o.onnx", "hansa_training.export.export", "networks written as ONNX: 0"),
        ("benchmark random", "hansa_agents.benchmark.head.milliseconds_alone", "is timed: 0 of "),
    ],
)
def test_what_takes_long_is_told(words: str, work: str, said: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(folder)
    monkeypatch.setattr("hansa_env.commands.progress.Late", lambda shown: shown)
    monkeypatch.setattr(work, stop)
    assert said in CliRunner().invoke(app, words.split()).stderr


@pytest.mark.parametrize("words", ["info", "--help", "replay --help", "replay game.json --no-step"])
def test_a_reader_that_goes_away_has_the_exit_code_of_that(words: str, folder: Path) -> None:
    done = shell(f"{words} | true", folder)
    assert (done.returncode, done.stdout, done.stderr) == (141, "", "")


@pytest.mark.parametrize("closed", [">&-", "<&- >&-"])
def test_a_closed_output_is_said(closed: str, folder: Path) -> None:
    done = shell(f"info {closed}", folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "error: the standard output is closed; expected one, such as a file or /dev/null\n"


def test_closed_input_is_empty_and_closed_errors_go_nowhere(folder: Path) -> None:
    done = shell("play greedy -p 2 --seed 1 <&- 2>&-", folder)
    assert done.returncode == 0 and "> \nThere is nothing to save yet: " in done.stdout
    assert shell("replay nothing.json 2>&-", folder).returncode == 2


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_what_the_encoding_of_the_output_lacks_is_a_question_mark(
    encoding: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(Ruleset(3), seed=3)
    game.play("place trader hamburg/lubeck")
    name = "game\udcff.json"  # a byte that is no UTF-8
    (folder / name).write_text(json.dumps(game.record()))
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    done = shell("replay game?.json --no-step", folder)
    assert done.returncode == 0 and not done.stderr, done.stderr
    route = "Hamburg–Lübeck" if encoding == "utf-8" else "Hamburg?L?beck"
    assert route in done.stdout and "game?.json replays" in done.stdout
