"""The command line: what it prints, and that mistakes end in one line."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from hansa_env import Game
from hansa_env.commands.cli import app


def run(*words):
    words = [str(word) for word in words]
    if words[0] in ("arena", "record") and "--players" not in words:
        words += ["--players", "3"]
    return CliRunner().invoke(app, words)


def test_cli_arena_prints_a_row_per_agent():
    result = run("arena", "random", "greedy", "--games", 12, "--max-turns", 10, "--no-progress")
    assert result.exit_code == 0
    assert all(text in result.output for text in ("random", "greedy", "33.3%", "12 games", "decisions/s"))
    result = run("arena", "--hero", "greedy", "--field", "random", "-n", 3, "--max-turns", 5, "--no-progress")
    assert result.exit_code == 0 and "3 games" in result.output


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["arena", "nobody"], "unknown agent 'nobody'"),
        (["arena", "greedy:x"], "takes no argument"),
        (["arena", "greedy", "--players", 6], "players is 6"),
        (["arena", "greedy", "--edition", "third"], "unknown edition 'third'"),
        (["arena", "greedy", "--board", "moon"], "unknown board 'moon'"),
        (["arena", "greedy", "--two-players", "pawn"], "two_players is 'pawn' with 3 players"),
        (["arena", "a=greedy", "a=random"], "two agents are called 'a'"),
        (["arena", "greedy", "--processes", 0], "processes is 0"),
        (["arena", "greedy", "--on-fault", "weep"], "on_fault is 'weep'"),
        (["arena", "greedy", "--records", "r", "--records-share", 2], "share of records is 2.0"),
        (["results", "nowhere.jsonl"], "nowhere.jsonl: No such file"),
        (["arena", "greedy", "--games", 0], "games is 0"),
        (["arena", "greedy", "--max-turns", -1], "max_turns is -1"),
        (["arena"], "--hero and --field"),
        (["arena", "greedy", "--hero", "greedy", "--field", "random"], "--hero and --field"),
        (["arena", "--hero", "greedy"], "--hero and --field"),
        (["info", "--players", 1], "players is 1"),
        (["record", "greedy", "random"], "2 agents for 3 seats"),
        (["record", "random", "--max-turns", 1, "--out", "/no/such/folder/game.json"], "No such file"),
        (["replay", "nowhere.json"], "nowhere.json: No such file"),
    ],
)
def test_cli_refuses_in_one_line(words, reason):
    result = run(*words)
    assert result.exit_code == 2
    assert reason in result.output and "Traceback" not in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_cli_info():
    result = run("info", "--players", 4)
    assert result.exit_code == 0 and "164 actions" in result.output and "107 posts" in result.output
    result = run("rulesets")
    assert result.exit_code == 0 and "base-4-5" in result.output


def test_cli_record_and_replay(tmp_path):
    file = tmp_path / "game.json"
    result = run("record", "greedy", "--players", 2, "--seed", 3, "--out", file)
    assert result.exit_code == 0 and "wins" in result.output
    data = json.loads(file.read_text())
    assert Game.from_record(data).record() == data
    result = run("replay", file)
    assert result.exit_code == 0 and "replays as it is written" in result.output


@pytest.mark.parametrize("damage", ["cut", "format", "decision", "result", "empty", "list", "binary"])
def test_cli_refuses_broken_records(tmp_path, damage):
    file = tmp_path / "game.json"
    assert run("record", "greedy", "--seed", 3, "--out", file).exit_code == 0
    text = file.read_text()
    data = json.loads(text)
    if damage == "format":
        data["format"] = "chess/1"
    elif damage == "decision":
        data["decisions"][5][1] = "claim atlantis/avalon"
    elif damage == "result":
        data["result"]["winners"] = [0, 1, 2]
    whole = json.dumps([data] if damage == "list" else data)
    file.write_bytes({"cut": text[:1000].encode(), "empty": b"", "binary": b"\xff\xfe\x00"}.get(damage, whole.encode()))
    result = run("replay", file)
    assert result.exit_code == 2 and str(file) in result.output
    assert "Traceback" not in result.output
