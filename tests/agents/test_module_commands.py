"""The commands that are run by their modules: what a user gets wrong ends in one line, as in those of `hansa`."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from hansa_agents import maxims
from hansa_agents.benchmark import frozen
from hansa_agents.scripted import breed


def app_of(command) -> typer.Typer:
    app = typer.Typer()
    app.command()(command)
    return app


FEW = ["--generations", "1", "--candidates", "1", "--games", "2"]


@pytest.mark.parametrize(
    ("app", "words", "said"),
    [
        (app_of(maxims.main), ["nobody"], "error: unknown agent 'nobody'; there are "),
        (app_of(frozen.main), ["nothing"], "error: there is no suite 'nothing'; this version has "),
        (breed.app, ["exploiter", "nobody"], "error: unknown agent 'nobody'; there are "),
        (breed.app, ["population", "--players", "x"], "error: --players is 'x'; expected numbers of players, such as '2 3'"),
        (breed.app, ["population", "--players", "2 7"], "error: players is 7; expected a whole number from 2 to 5"),
        (breed.app, ["population", "--players", "2", "--least", "9", *FEW], "error: no style wins 9 times chance with 2"),
    ],
)
def test_wrong_arguments_end_in_one_line(
    app: typer.Typer, words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2 and done.stderr.splitlines()[-1].startswith(said), done.output
    assert not list(tmp_path.iterdir())
