"""What somebody may mistype in commands ends in a line that names it and says what is expected."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from hansa_benchmarks import first_use, training_speed
from hansa_env.commands.cli import app

LEAVES = "import sys\n\n\nclass Bot:\n    def __init__(self):\n        sys.exit('gone')\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["benchmark", "random", "--quick", "--by", "a\nb"], r"error: --by is 'a\nb'; expected a text without line feeds"),
        (
            ["arena", "leaves:Bot", "random", "-p", "2"],
            "'leaves:Bot' cannot be made: it raised SystemExit: gone (leaves.py, line 6)",
        ),
        (
            ["arena", "left:Bot", "random", "-p", "2"],
            "'left:Bot' cannot be loaded: its module 'left' raised SystemExit: 3 (left.py, line 1)",
        ),
        (["puzzles", "random", "--seed", "-1"], "error: --seed is -1; expected a whole number from 0"),
        (["speed", "peers", "--timeout", "nan"], "error: --timeout is nan; expected a number of seconds above 0"),
        (["speed", "--no-peers", "--out", "left.py"], "error: --out is left.py, but"),
        (["speed", "--no-peers", "--out", ""], "--out is empty; expected a name"),
        (["speed", "peers", "--out="], "--out is empty; expected a name"),
    ],
)
def test_what_is_wrong_is_named(words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "leaves.py").write_text(LEAVES)
    (tmp_path / "left.py").write_text("raise SystemExit(3)\n")
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2 and said in done.output, done.output


def test_work_that_there_is_none_of_is_refused(capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["first_use", "nope"])
    with pytest.raises(SystemExit):
        first_use.main()
    assert "work is 'nope'; expected some of: import hansa_env, " in capsys.readouterr().err


def test_no_rollout_cannot_be_measured() -> None:
    command = typer.Typer()
    command.command()(training_speed.main)
    done = CliRunner().invoke(command, ["--rollouts", "0"])
    assert done.exit_code == 2 and "greater than or equal to 1" in done.output
