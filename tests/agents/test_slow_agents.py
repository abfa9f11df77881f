"""Slow agents of a ladder: who they are, and that `hansa ladder` names them before it lets anybody play."""

from __future__ import annotations

import shlex
from pathlib import Path

from typer.testing import CliRunner

from hansa_agents.ladder import Ladder, kept_file
from hansa_agents.ladder.slow import slow_agents
from hansa_env.commands.cli import app
from tests.agents.ladders import copy

SAID = "slow agents of the ladder take nearly all of the time: "


def with_slow(small: Ladder, name: str) -> Ladder:
    """The small ladder, on which an agent took five milliseconds for each of its decisions."""
    found = copy(small)
    found.lines = [
        line | {"seconds": [0.005 * n if one == name else 0.0 for one, n in zip(line["agents"], line["decisions"])]}
        for line in found.lines
    ]
    return found


def test_those_that_search_are_slow_on_the_ladder_that_comes_with_the_project() -> None:
    slow = slow_agents(Ladder.read(kept_file(3)))
    assert set(slow) == {"rollout", "tree-0.2", "search-0.2", "lookahead-0.2"}
    assert list(slow.values()) == sorted(slow.values(), reverse=True)


def test_the_command_names_them_first_and_how_to_leave_them_out(small: Ladder, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "some games.jsonl.gz"
    with_slow(small, "greedy").write(file)
    command = ["ladder", "new=random", "--players", "2", "--file", str(file), "--max-games", "1"]
    told = CliRunner().invoke(app, command)
    assert told.exit_code == 0 and told.stderr.startswith(f"{SAID}greedy (5 ms a decision); without them: hansa ladder "), told
    quick = shlex.split(told.stderr.splitlines()[0].rpartition("without them: ")[2])
    assert quick[:3] == ["hansa", "ladder", "new=random"] and quick[-2:] == ["--exclude", "greedy"]
    without = CliRunner().invoke(app, quick[1:])
    assert without.exit_code == 0 and SAID not in without.output
    assert "new=random played 6 games" in told.stderr and "new=random played 4 games" in without.stderr
    shown = CliRunner().invoke(app, ["ladder", "--players", "2", "--file", str(file)])
    assert shown.exit_code == 0 and SAID not in shown.output, "nobody plays"
