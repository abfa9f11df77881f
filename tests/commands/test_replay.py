"""Stepping through a record."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hansa_agents.arena import play_game
from hansa_env import Game, Ruleset
from hansa_env.commands.cli import app
from hansa_env.formats.moves import turns_of
from hansa_env.render.text import render_text


@pytest.fixture(scope="module")
def game() -> Game:
    return play_game(["greedy", "random", "greedy"], Ruleset(3), seed=3, max_turns=4, estimates=True)


def step(game: Game, folder: Path, said: list[str], *words: str) -> tuple[str, str]:
    """Output and prompts of stepping with what is said."""
    file = folder / "game.json"
    file.write_text(json.dumps(game.record()))
    lines = "".join(f"{line}\n" for line in said)
    result = CliRunner().invoke(app, ["replay", str(file), "--step", *words], input=lines)
    assert result.exit_code == 0, result.output
    return result.stdout, result.stderr


def places(prompts: str) -> list[int]:
    return [int(place) for place in re.findall(r"-- (\d+) of", prompts)]


def test_it_goes_where_it_is_told(game: Game, tmp_path: Path) -> None:
    turns, last = [turn.first for turn in turns_of(game.moves())], len(game.decisions)
    third = turns[3]
    said = ["", "n", "b", "b", "b", "t", "t", "p", str(third + 1), "p", str(last), "b", "f", "q"]
    assert places(step(game, tmp_path, said)[1]) == [
        0, 1, 2, 1, 0, 0, turns[1], turns[2], turns[1], third + 1, third, last, last - 1, 0,
    ]  # fmt: skip
    shown, prompts = step(game, tmp_path, [str(last + 1), "nonsense", "h", "q"])
    assert places(prompts) == [0, 0, 0, 0] and f"There are {last} decisions." in shown and shown.count("Enter or n: next") == 2


def _as_one_line(text: str) -> str:
    """Without the line breaks that depend on how wide the terminal is."""
    return " ".join(text.split())


@pytest.mark.parametrize("place", [0, 1, 7, 20])
def test_it_shows_the_board_the_decision_and_what_was_thought(
    game: Game, tmp_path: Path, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")  # as wide as the board's text can be
    shown = _as_one_line(step(game, tmp_path, [str(place), "q"])[0])
    board = _as_one_line(render_text(game.ruleset, game.rewound(place).state))
    assert shown.split(board)[-1].count("expects") == 0 and board in shown
    after = shown.rsplit(board, 1)[1]
    seat, _ = game.decisions[place]
    assert f"seat {seat} ({game.agents[seat]}) is asked to " in after and f"{game.agents[seat]} estimates:" in after
    assert (f"{place} of {len(game.decisions)}, turn " in after) == (place > 0)
    assert (" 100 % " in after) == (game.agents[seat] == "greedy")


def test_the_end_has_the_table(game: Game, tmp_path: Path) -> None:
    shown, prompts = step(game, tmp_path, ["e"])
    assert "replays as it is written" in shown and places(prompts) == [0]
    shown, prompts = step(game, tmp_path, ["o", "t", ""], "--until", str(len(game.decisions) - 1))
    assert places(prompts)[0] == len(game.decisions) - 1 and "replays as it is written" in shown
    assert shown.count("Completed cities") == 1, "without the board after the first"


def test_it_is_told_with_what_was_thought(game: Game, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game.record()))
    told = CliRunner().invoke(app, ["replay", str(file), "--estimates"]).stdout
    assert re.search(r"^    \[0\] 100 % place a trader on ", told, re.MULTILINE)
    assert told.count("\n    [") == len(game.decisions)
    plain = CliRunner().invoke(app, ["replay", str(file)]).stdout
    assert "    [0]" not in plain and plain.startswith("Turn 1, seat 0 (greedy): ")


@pytest.mark.parametrize("option", ["--board", "--step", "--estimates"])
def test_the_result_alone_is_not_told_with_more(game: Game, tmp_path: Path, option: str) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game.record()))
    refused = CliRunner().invoke(app, ["replay", str(file), "--brief", option])
    assert refused.exit_code == 2
    assert refused.output == f"error: --brief shows the result only; expected it without {option}\n"
