"""The command `hansa ladder`: it shows the ladder, places agents on it and keeps what they played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hansa_agents.arena import Keep, play_match
from hansa_agents.ladder import Ladder, kept_file
from hansa_agents.results_file import read_lines
from hansa_env.commands.cli import app
from tests.agents.ladders import PAIR, copy, stops_after


def test_the_command_keeps_what_was_played_when_it_is_stopped(small, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    small.write(tmp_path / "some.jsonl.gz")
    before = (tmp_path / "some.jsonl.gz").read_bytes()
    command = ["ladder", "one=random", "two=random", "-p", "2", "--file", "some.jsonl.gz", "--max-games", "1", "--keep"]
    stop, _ = stops_after(9)
    with monkeypatch.context() as patched:
        patched.setattr("hansa_agents.match_progress.Counter.add", lambda self, result: stop(result))
        stopped = CliRunner().invoke(app, command)
    assert stopped.exit_code == 130
    kept = [line.game for file in (tmp_path / "ladder-some-two").glob("*.jsonl") for line in read_lines(file)]
    counted = next(number for number in range(4) if number not in kept)
    assert "one=random played 6 games\n" in stopped.output and f"{66 + counted} games" in stopped.output
    assert "stopped after 3 games of two=random, kept in ladder-some-two, " in stopped.output
    short = "; games under way, the longer ones, are missing" if counted else "; the same command continues"
    assert f"of which {counted} count: those up to the first gap{short}" in stopped.output
    assert (tmp_path / "some.jsonl.gz").read_bytes() == before
    assert sum(len(list(read_lines(file))) for file in (tmp_path / "ladder-some-two").glob("*.jsonl")) == 3
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "going on after 3 games played before" in done.output
    assert len(Ladder.read(tmp_path / "some.jsonl.gz").results) == 60 + 6 + 8
    assert [file.name for file in tmp_path.iterdir()] == ["some.jsonl.gz"], "nothing is left behind"


def test_the_games_of_one_that_has_changed_are_played_anew(small, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl.gz"
    small.write(file)
    command = ["ladder", "greedy=scripted:link", "--players", "2", "--file", str(file), "--max-games", "1", "--keep"]
    assert "is on the ladder already" in CliRunner().invoke(app, command).output
    both = CliRunner().invoke(app, [*command, "--restart", "--more"])
    assert both.exit_code == 2 and "expected one of the two" in both.output
    done = CliRunner().invoke(app, [*command, "--restart", "--exclude", "random"])
    assert done.exit_code == 0, done.output
    kept = Ladder.read(file)
    assert kept.agents["greedy"] == "scripted:link" and len(kept.results) == 20 + 2
    assert [line for line in kept.lines if "greedy" not in line["agents"]] == [
        json.loads(json.dumps(line)) for line in small.lines if "greedy" not in line["agents"]
    ]
    again = CliRunner().invoke(app, [*command, "--more"])
    assert again.exit_code == 0 and len(Ladder.read(file).results) == 22 + 4
    nobody = CliRunner().invoke(app, ["ladder", "new=random", *command[2:], "--restart"])
    assert nobody.exit_code == 2 and "'new' is not on the ladder" in nobody.output


def test_who_is_only_named_plays_as_it_did(small, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl.gz"
    ladder = copy(small)
    ladder.place("new=scripted:link", 2000, 6)
    ladder.write(file)
    options = ["--players", "2", "--file", str(file), "--max-games", "1", "--keep"]
    for how, games in (("--more", 12), ("--restart", 6)):
        done = CliRunner().invoke(app, ["ladder", "new", *options, how])
        assert done.exit_code == 0, done.output
        specs = [result.specs[result.agents.index("new")] for result in Ladder.read(file).results if "new" in result.agents]
        assert specs == ["scripted:link"] * games


def test_all_of_them_may_play_anew_and_options_of_nobody_are_refused(small, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl.gz"
    small.write(file)
    options = ["--players", "2", "--file", str(file), "--max-games", "1"]
    two = CliRunner().invoke(app, ["ladder", "greedy", "scripted:actions", "--restart", *options, "--keep"])
    assert "nobody is left" in two.output, "random met nobody else"
    assert Ladder.read(file).lines == json.loads(json.dumps(small.lines)), "nothing was written"
    for wrong, said in (
        (["--more"], "for agents that play"),
        (["--keep"], "for agents that play"),
        (["a=random", "--exclude", "nobody"], "'nobody' is not on the ladder; there are greedy"),
    ):
        refused = CliRunner().invoke(app, ["ladder", *wrong, *options])
        assert refused.exit_code == 2 and said in refused.output, refused.output


@pytest.mark.parametrize("option", [
    ["--ci-width", "50"], ["--max-games", "9"], ["--seed", "0"], ["--any-version"], ["--processes", "1"], ["--ray", "local"],
    ["--agent", "mybot:MyBot"],
])  # fmt: skip
def test_options_of_those_that_play_are_refused_where_nobody_does(option: list[str]) -> None:
    refused = CliRunner().invoke(app, ["ladder", "--players", "2", *option])
    assert refused.exit_code == 2 and f"{option[0]} is for agents that play" in refused.output, refused.output


def test_the_command_shows_places_and_keeps(small, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl.gz"
    small.write(file)
    there = ["--players", "2", "--file", str(file)]
    shown, options = CliRunner().invoke(app, ["ladder", *there]), [*there, "--max-games", "1"]
    assert shown.exit_code == 0 and "60 games" in shown.output
    places = [line.split()[0] for line in shown.output.splitlines() if line.split() and line.split()[0] in small.agents]
    assert places[-1] == "random" and set(places) == set(small.agents), "the best comes first"
    placed = CliRunner().invoke(app, ["ladder", "again=greedy", *options, "--keep"])
    assert placed.exit_code == 0, placed.output
    assert "again=greedy played 6 games" in placed.output and "again" in Ladder.read(file).agents


@pytest.mark.parametrize(("words", "said"), [
    (["greedy"], "'greedy' is on the ladder already"),
    (["greedy", "--more", "--exclude", "greedy"], "--exclude names greedy, which is to play; expected others of the ladder"),
])  # fmt: skip
def test_who_cannot_be_placed_is_refused_before_anything_is_rated(
    words: list[str], said: str, small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.write(tmp_path / "some.jsonl.gz")
    monkeypatch.setattr(Ladder, "match", lambda _: pytest.fail("it is rated"))
    refused = CliRunner().invoke(app, ["ladder", *words, "-p", "2", "--file", str(tmp_path / "some.jsonl.gz")])
    assert refused.exit_code == 2 and said in refused.output


def test_agents_that_there_are_not_are_said_before_a_game_is_read_or_played(small, tmp_path: Path, monkeypatch) -> None:
    file = tmp_path / "some.jsonl.gz"
    small.write(file)
    monkeypatch.setattr(Ladder, "place", lambda *_, **__: pytest.fail("games are played"))
    on_ladder = CliRunner().invoke(app, ["ladder", "random", "nobody", "--players", "2", "--file", str(file), "--more"])
    assert on_ladder.exit_code == 2 and "'nobody' is not on the ladder; there are" in on_ladder.output
    monkeypatch.setattr(Ladder, "read", lambda *_: pytest.fail("games are read"))
    for spec in ("nobody", "mine=nobody", "mixture:greedy+nobody"):
        wrong = CliRunner().invoke(app, ["ladder", "greedy", spec, "--players", "2"])
        assert wrong.exit_code == 2 and "unknown agent 'nobody'; there are greedy" in wrong.output


def test_a_match_of_ones_own_is_a_ladder_too_and_stays_a_results_file(tmp_path: Path) -> None:
    """Plain text stays plain text, and games go on being cut off where the file's were."""
    file = tmp_path / "mine.jsonl"
    play_match(["random", "greedy"], PAIR, 4, max_turns=6, keep=Keep(results=file))
    command = ["ladder", "new=random", "--players", "2", "--file", str(file), "--max-games", "1", "--keep"]
    kept = CliRunner().invoke(app, command)
    assert kept.exit_code == 0, kept.output
    assert {line.max_turns for line in read_lines(file)} == {6} and len(list(read_lines(file))) == 8


@pytest.mark.slow
def test_an_oracle_has_its_place(small, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl.gz"
    small.write(file)
    spec = "tests.agents.faulty:Oracle"
    for name, how, games in (
        (f"sees={spec}", [], 6), ("sees", ["--more"], 12), ("sees (oracle)", ["--more"], 18), ("sees", ["--restart"], 6)
    ):  # fmt: skip
        options = ["--players", "2", "--file", str(file), "--max-games", "1", "--keep", *how, "--agent", spec]
        done = CliRunner().invoke(app, ["ladder", name, *options])
        assert done.exit_code == 0, done.output
        assert sum("sees (oracle)" in result.agents for result in Ladder.read(file).results) == games


def test_a_ladder_of_other_games_is_refused(small, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl.gz"
    small.write(file)
    for options, said in ((["--players", "5"], "--players is 5, but"), (["--board", "east"], "--board is east, but")):
        refused = CliRunner().invoke(app, ["ladder", "--file", str(file), *options])
        assert refused.exit_code == 2 and said in refused.output.replace("\n", " "), refused.output
    assert CliRunner().invoke(app, ["ladder", "--file", str(file)]).exit_code == 0


def test_where_no_ladder_is_kept_that_is_said() -> None:
    refused = CliRunner().invoke(app, ["ladder", "--players", "2", "--board", "miniature-2"])
    assert refused.exit_code == 2 and "no ladder of 2 players on the board miniature-2 is kept" in refused.output
    assert kept_file(3, "base-2-3") == kept_file(3) != kept_file(3, "east")


@pytest.mark.parametrize(
    ("old", "new"),
    [(["--width=9"], "--ci-width"), (["--most", "9"], "--max-games"), (["--anew"], "--restart"), (["--without"], "--exclude")],
)
def test_an_option_by_its_old_name_is_refused_with_the_new_one(old: list[str], new: str) -> None:
    found = CliRunner().invoke(app, ["ladder", "random", *old])
    assert found.exit_code == 2 and f"'{new}' now" in found.output


def test_what_follows_two_dashes_is_no_option() -> None:
    found = CliRunner().invoke(app, ["ladder", "--", "--width"])
    assert "'--ci-width' now" not in found.output and "unknown agent '--width'" in found.output
