"""Commands that work for seconds say so: reading and rating kept games, and asking agents what they thought."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hansa_agents import record_command, results, results_file
from hansa_agents.arena import Keep, play_match
from hansa_env import Game, Ruleset
from hansa_env.commands import progress
from hansa_env.commands.cli import app
from hansa_env.commands.progress import Progress
from hansa_env.play.estimates import PART

PAIR = Ruleset(2)


class Heard(Progress):
    """Notes what it is told, in order."""

    def __init__(self) -> None:
        self.said: list[tuple] = []

    def begin(self, what: str, total: int, done: int = 0, note: str = "") -> None:
        self.said.append(("begin", what, total))

    def at(self, done: int, note: str | None = None) -> None:
        self.said.append(("at", done, note))

    def end(self) -> None:
        self.said.append(("end",))


def hansa(*words: object) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results file of a few games."""
    file = tmp_path_factory.mktemp("games") / "games.jsonl"
    play_match(["random", "greedy"], PAIR, 6, max_turns=3, keep=Keep(results=file))
    return file


@pytest.mark.parametrize("command", [("ladder", "--file"), ("results",)])
def test_what_reads_and_rates_many_games_says_so_before_it_does(
    command: tuple[str, ...], games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, rate = Heard(), results.ratings_of

    def rated(*given: Any) -> Any:
        heard.said.append(("rated",))
        return rate(*given)

    monkeypatch.setattr(results, "ratings_of", rated)
    monkeypatch.setattr(progress, "progress_on", lambda: heard)
    monkeypatch.setattr(progress, "Late", lambda shown: shown)
    monkeypatch.setattr(results_file, "LINES", 2)
    found = hansa(*command, games)
    assert found.exit_code == 0 and "6 games" in found.stdout, found.output
    size = games.stat().st_size
    (begun, *read, last), end = heard.said[:4], heard.said[4:]
    assert begun == ("begin", "bytes of games read", size) and last == ("at", size, None)
    assert [0 < done <= size for _, done, _ in read] == [True] * 2
    assert end == [("end",), ("begin", "games rated", 6), ("rated",), ("at", 0, "2 agents"), ("end",)]


def test_of_a_few_games_nothing_is_said(games: Path) -> None:
    for command in (("ladder", "--file"), ("results",)):
        found = hansa(*command, games)
        assert found.exit_code == 0 and found.stderr == ""


def test_a_game_that_is_recorded_with_estimates_says_how_many_decisions_have_been_thought_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, file = Heard(), tmp_path / "game.json"
    monkeypatch.setattr(record_command, "progress_of_agents", lambda: heard)
    found = hansa("record", "greedy", "--players", 2, "--seed", 1, "--estimates", "--out", file)
    assert found.exit_code == 0, found.output
    decided = len(Game.from_record(file.read_text()).decisions)
    assert decided > 2 * PART
    told = [said[2] for said in heard.said if said[0] == "at"]
    assert told[:decided] == [f"{number} decisions" for number in range(1, decided + 1)]
    parts = [*range(PART, decided, PART), decided]
    assert told[decided:] == [f"{done} of {decided} decisions estimated" for done in parts]
    heard.said.clear()
    assert hansa("estimate", file, "greedy").exit_code == 0
    assert heard.said == [("begin", "decisions", decided), *(("at", done, None) for done in parts), ("end",)]
