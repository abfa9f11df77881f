"""The command line: what it prints, and that mistakes end in one line."""

from __future__ import annotations

import csv
import json
import os
import re
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hansa_agents import Bot
from hansa_agents.networks import network_for
from hansa_env import Game, Ruleset
from hansa_env.commands import rulesets
from hansa_env.commands.cli import app
from hansa_env.commands.records import write_record


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
        (["arena", "greedy", "--two-players", "pawn"], "--two-players is 'pawn' with 3 players"),
        (["arena", "a=greedy", "a=random"], "two agents are called 'a'"),
        (["arena", "greedy", "--processes", 0], "processes is 0"),
        (["arena", "greedy", "--on-fault", "weep"], "--on-fault is 'weep'"),
        (["arena", "greedy", "--records", "r", "--records-share", 2], "share of records is 2.0"),
        (["results", "nowhere.jsonl"], "nowhere.jsonl: No such file"),
        (["arena", "greedy", "--games", 0], "games is 0"),
        (["arena", "greedy", "--max-turns", -1], "--max-turns is -1; expected 0 for no limit, or a whole number up to "),
        (["arena"], "--hero and --field"),
        (["arena", "greedy", "--hero", "greedy", "--field", "random"], "--hero and --field"),
        (["arena", "--hero", "greedy"], "--hero and --field"),
        (["arena", "--hero", "greedy", "--field", "ppo", "--field", "random"], "--field names ppo and random; expected one"),
        (["info", "--players", 1], "players is 1"),
        (
            ["record", "greedy", "random"],
            "2 agents for 3 seats; expected one per seat, or one for all; for 2 players add --",
        ),
        (["record", *["nobody"] * 6], "6 agents for 3 seats; expected one per seat, or one for all\n"),
        (["record", "random", "--max-turns", 1, "--out", "/no/such/folder/game.json"], "there is no folder /no/such/folder"),
        (["arena", "greedy", "--json", "--csv"], "expected one of the two"),
        (["results", "nowhere.jsonl", "--json", "--csv"], "expected one of the two"),
        (["ladder", "--json", "--csv"], "expected one of the two"),
        (["arena", "greedy", "--records-share", 0.5], "name a folder for them with --records"),
        (["replay", "nowhere.json"], "nowhere.json: No such file"),
    ],
)
def test_cli_refuses_in_one_line(words, reason):
    result = run(*words)
    assert result.exit_code == 2
    assert reason in result.output and "Traceback" not in result.output
    said = [line for line in result.output.strip().splitlines() if not line.startswith("games: ")]  # how far it came
    assert len(said) == 1


def test_cli_info():
    result = run("info", "--players", 4)
    assert result.exit_code == 0 and "164 actions" in result.output and "107 posts" in result.output
    result = run("rulesets")
    assert result.exit_code == 0 and "base-4-5" in result.output


def test_cli_info_names_the_network_by_which_ppo_plays(monkeypatch):
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    points = [EntryPoint(*item, rulesets.GROUP) for item in project["entry-points"][rulesets.GROUP].items()]
    points.append(EntryPoint("theirs", "no_such_package:about", rulesets.GROUP))
    monkeypatch.setattr(rulesets, "entries", lambda group: points if group == rulesets.GROUP else [])
    own, carried = (network_for(ruleset).model_hash[:12] for ruleset in (Ruleset(4), Ruleset(4, missions=True)))
    output = run("info", "--players", 4).output
    assert f"ppo plays it by 4-players.safetensors, hash {own}\n" in output and "theirs: " in output
    told = f"4-players.safetensors, made for {Ruleset(4)} and carried over, hash {carried}\n"
    assert told in run("info", "--players", 4, "--missions").output and own != carried
    assert "train one: hansa train --players 2 --board miniature-2" in run("info", "-p", 2, "--board", "miniature-2").output


def test_cli_record_and_replay(tmp_path):
    file = tmp_path / "game.json"
    result = run("record", "greedy", "--players", 2, "--seed", 3, "--out", file)
    assert result.exit_code == 0 and "wins" in result.output
    data = json.loads(file.read_text())
    assert Game.from_record(data).record() == data
    result = run("replay", file)
    assert result.exit_code == 0 and "replays as it is written" in result.output


def test_a_game_is_written_beside_a_file_that_is_there(tmp_path):
    """Also what is estimated of it; a second command may have been typed from the history."""
    file = tmp_path / "game.json"
    file.write_text("another game")
    result = run("record", "greedy", "--players", 2, "--seed", 3, "--out", file)
    beside = tmp_path / "game-2.json"
    assert result.exit_code == 0 and f"written to {beside}, as {file} exists" in " ".join(result.output.split())
    assert file.read_text() == "another game" and Game.from_record(beside.read_text()).over
    estimated = tmp_path / "game-2-estimated.json"
    assert f"{estimated}: " in run("estimate", beside, "greedy").output
    assert f"game-2-estimated-2.json, as {estimated} exists: " in run("estimate", beside, "greedy").output
    whole = (tmp_path / "judged.json").write_text("judged before")
    out = tmp_path / "judged.json"
    for number in (2, 3):
        said = run("analyse", beside, "--by", "tree:sims=2", "--seat", 0, "-o", out).output
        assert f"judged-{number}.json has the record with the estimates of tree:sims=2, as {out} exists\n" in said
    assert len(out.read_text()) == whole


def test_of_two_who_write_a_game_at_once_each_has_a_file(tmp_path, monkeypatch):
    file, sync, first, second = tmp_path / "game.json", os.fsync, Game(Ruleset(2), 1), [Game(Ruleset(2), 2)]

    def sync_late(descriptor):
        if second:
            assert write_record(file, second.pop()) == file
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", sync_late)
    assert write_record(file, first) == tmp_path / "game-2.json"
    seeds = {path.name: json.loads(path.read_text())["seed"] for path in tmp_path.iterdir()}
    assert seeds == {"game.json": 2, "game-2.json": 1}


class Tires(Bot):
    """Plays, and is stopped by Ctrl-C as soon as it is asked for estimates."""

    def choose(self, game, random):
        return game.legal()[-1]

    def estimate(self, inputs, masks, seats):
        raise KeyboardInterrupt


def test_a_game_whose_estimates_are_stopped_is_kept_without_them(tmp_path):
    file, bot = tmp_path / "game.json", f"{__name__}:Tires"
    result = run("record", "greedy", bot, "--players", 2, "--max-turns", 2, "--estimates", "--out", file)
    assert result.exit_code == 130
    added = f"this writes a copy with them: hansa estimate {file} greedy {bot}"
    assert result.stderr.splitlines()[-1] == f"stopped; {file} has the game without estimates, and {added}"
    data = json.loads(file.read_text())
    assert Game.from_record(data).over and data["agents"] == ["greedy", bot] and "estimates" not in data


def test_cli_replay_tells_the_game(tmp_path):
    file = tmp_path / "game.json"
    assert run("record", "greedy", "--seed", 3, "--out", file).exit_code == 0
    told = run("replay", file).output
    assert told.startswith("Turn 1, seat 0 (greedy): ") and "wins" in told and "Completed cities" not in told
    brief = run("replay", file, "--brief").output
    assert told.endswith(brief) and "Turn" not in brief
    until = run("replay", file, "--until", 9).output
    assert "Completed cities" in until and "wins" not in until and until.count("Turn ") < 7
    assert run("replay", file, "--until", -1, "--brief").output == str(Game.from_record(json.loads(file.read_text())).rewound(
        len(json.loads(file.read_text())["decisions"]) - 1)) + "\n"  # fmt: skip
    boards = run("replay", file, "--until", 9, "--board").output
    assert boards.count("Completed cities") > 2
    stepped = CliRunner().invoke(app, ["replay", str(file), "--step"], input="\n\nq\n")
    assert stepped.exit_code == 0 and stepped.stdout.count("Completed cities") == 3 and "wins" not in stepped.stdout
    refused = run("replay", file, "--until", 100_000)
    assert refused.exit_code == 2 and "--until is 100000; the record has" in refused.output


def test_cli_results_rates_again(tmp_path):
    file = tmp_path / "games.jsonl"
    words = ["random", "one=random", "--games", 6, "--max-turns", 8, "--no-progress", "--results", file]
    first = run("arena", *words)
    assert first.exit_code == 0 and "6 games" in first.output
    data = json.loads(run("results", file, "--json").stdout)
    assert data["games"] == 6 and [row["agent"] for row in data["agents"]] == ["random", "one"]
    table = list(csv.DictReader(run("results", file, "--csv").stdout.splitlines()))
    assert [float(row["share"]) for row in table] == [row["share"] for row in data["agents"]]
    file.write_text("no JSON\n" + file.read_text())
    refused = run("results", file)
    assert refused.exit_code == 2 and f"{file}: line 1: no JSON" in refused.output


def test_the_compact_table_fits_80_columns_and_details_show_the_rest():
    words = ["greedy", "random", "--games", 12, "--max-turns", 10, "--no-progress"]
    compact = run("arena", *words).stdout
    table = compact[: compact.index("12 games")].splitlines()
    assert max(map(len, table)) <= 80 and "rating" in compact and "ahead of" not in compact
    details = run("arena", *words, "--details").stdout
    assert all(text in details for text in ("ahead of", "seat 2", "prestige", "ms each", "their table"))
    data = json.loads(run("arena", *words, "--json").stdout)
    greedy, random = data["agents"]
    assert random["rating"]["points"] == 0 < greedy["rating"]["low"] <= greedy["rating"]["high"]
    assert data["head_to_head"]["greedy"]["random"] + data["head_to_head"]["random"]["greedy"] == pytest.approx(1)
    assert sum(data["win_share_by_seat"]) == pytest.approx(1) and sum(data["ends"].values()) == 12
    assert greedy["margin"] == pytest.approx(-random["margin"])


def test_a_match_in_which_an_agent_forfeits_every_game_fails(tmp_path, monkeypatch):
    (tmp_path / "neverplays.py").write_text(
        "from hansa_env import Agent\n\n\n"
        "class Never(Agent):\n"
        "    def act(self, inputs, masks, seats):\n"
        "        raise OSError\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    result = run("arena", "neverplays:Never", "random", "random", "--games", 3, "--max-turns", 8, "--no-progress")
    assert result.exit_code == 2 and result.output.startswith("Every game was forfeited (neverplays:Never 3): ")
    assert "error: agent 'neverplays:Never' forfeited every game that it played (3)" in result.stderr


def test_cli_forfeits_and_says_so():
    words = ["tests.agents.faulty:Raises", "random", "random", "--games", 30, "--max-turns", 8, "--no-progress"]
    result = run("arena", *words)
    assert result.exit_code == 0 and "A forfeited game" in result.output and "raised KeyError" in result.output
    assert re.match(r"\d+ of 30 games were forfeited \(tests.agents.faulty:Raises \d+\)\.\n", result.output)
    assert len(re.findall("raised KeyError", result.output)) == 1 and "more game like it" in result.output
    result = run("arena", *words, "--on-fault", "raise")
    assert result.exit_code == 2 and "raised KeyError" in result.output and "Traceback" not in result.output


def test_ctrl_c_prints_what_was_played(tmp_path, monkeypatch):
    from hansa_agents import match_job

    played = []

    def stop(job, numbers, seating, play=match_job.Job.play):
        for result in play(job, numbers, seating):
            if len(played) == 4:
                raise KeyboardInterrupt
            played.append(result)
            yield result

    monkeypatch.setattr(match_job.Job, "play", stop)
    result = run("arena", "random", "--games", 9, "--max-turns", 8, "--no-progress", "--results", tmp_path / "games.jsonl")
    assert result.exit_code == 130 and "the same command continues" in result.stderr
    assert "stopped after 4 games" in result.stderr
    assert "short games count somewhat too much" in result.stderr
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 4


@pytest.mark.parametrize("command", [("arena",), ("ladder", "-p", 2, "--max-games", 1)])
def test_ctrl_c_before_a_game_ends_leaves_nothing_that_counts_too_much(command, tmp_path, monkeypatch):
    from hansa_agents import match_job

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(match_job.Job, "play", stop)
    words = {"arena": ("--games", 9, "--no-progress", "--results", "games.jsonl"), "ladder": ()}[command[0]]
    stopped = run(*command, "new=random", "--processes", 1, *words)
    assert (
        stopped.exit_code == 130 and "stopped after 0 games" in stopped.stderr and "; the same command cont" in stopped.stderr
    )
    assert "too much" not in stopped.stderr and "kept in" not in stopped.stderr


def test_results_without_a_game_yet_are_no_error(tmp_path):
    (tmp_path / "games.jsonl").write_text("")
    found = run("results", tmp_path / "games.jsonl")
    assert (found.exit_code, found.stdout, found.stderr) == (0, "", f"{tmp_path / 'games.jsonl'}: there are no games yet\n")


@pytest.mark.parametrize("content", ["raise RuntimeError('no luck')", "def (", "class Bot:\n    def __init__(self): 1 / 0", ""])
def test_a_bad_bot_file_is_one_line(tmp_path, monkeypatch, content):
    (tmp_path / f"bot{len(content)}.py").write_text(content)
    monkeypatch.syspath_prepend(tmp_path)
    result = run("arena", f"bot{len(content)}:Bot", "--games", 3, "--no-progress")
    assert result.exit_code == 2 and "Traceback" not in result.output
    assert f"agent 'bot{len(content)}:Bot' cannot be" in result.output


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
