"""Every command that shows a game shows one on the board `east`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from hansa_env.commands.cli import app
from tests.east import EAST, TO_FETCH, TO_GREEN, played

PEOPLE = ["person:Ann", "person:Ben", "person:Cid"]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    game = played([*TO_FETCH, "route lubeck/wismar", "1m", "done", "put merchant malmo/danzig:ship"])
    game.agents = PEOPLE
    path = tmp_path / "east.json"
    path.write_text(json.dumps(game.record()))
    return path


def run(*words: object, said: str = "") -> Result:
    result = CliRunner().invoke(app, [str(word) for word in words], input=said)
    assert result.exit_code == 0, result.output
    return result


def test_it_is_listed_and_told_about() -> None:
    rows = [line.split() for line in run("rulesets").output.splitlines()]
    assert [row[:3] for row in rows if "east" in row and "first" in row] == [[p, "first", "east"] for p in "345"]
    told = run("info", "--board", "east", "--players", 3).output
    assert "28 cities (3 green), 32 routes, 98 posts (6 on ships)" in told and str(EAST) in told
    assert "Stralsund–Malmö: permanent marker: who claims this route may develop privilege" in told
    told = " ".join(run("info", "--help").output.replace("│", " ").split())
    assert "britannia-4-5, east, " in told and "by default the one" in told


def test_a_record_is_replayed_drawn_and_viewed(record: Path) -> None:
    told = " ".join(run("replay", record).output.split())
    assert "takes up from Lübeck–Wismar the merchant of seat 1; takes up no more; puts the merchant on the ship of" in told
    stepped = run("replay", record, "--step", said=f"{len(TO_FETCH) + 3}\nq\n").stdout
    assert "is asked to put down the merchant of seat 1" in stepped
    run("picture", record)
    assert 'data-thing="permanent-marker malmo/visby"' in record.with_suffix(".svg").read_text("utf-8")
    run("view", record)
    assert "puts the merchant on the ship of Malmö–Danzig" in record.with_suffix(".html").read_text("utf-8")


def test_people_play_it_in_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    said = [*TO_GREEN, "done", "put dresden", "board", "quit"]
    result = run("play", *PEOPLE, "--board", "east", "-p", 3, "--seed", 1, "--out", file, said="\n".join(said) + "\n")
    assert "Choose the green city of an office:" in result.output and "Put an office into" in result.output
    assert "= put an office into Dresden" in result.output and "Ben): places a trader on Malmö–Visby;" in result.output
    assert [text for _, text in json.loads(file.read_text())["decisions"]] == [*TO_GREEN, "done", "city dresden"]
    fetching = run("play", *PEOPLE, "--board", "east", "-p", 3, "--seed", 1, "--out", tmp_path / "other.json",
                   said="\n".join([*TO_FETCH, "take up lubeck", "1m", "done"]) + "\n").output  # fmt: skip
    assert "to put down: 1 merchant. Put down the merchant of seat 1:" in fetching
