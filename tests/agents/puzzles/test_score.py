"""How agents are asked for the answers, and the command."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from hansa_agents.entrants import Entrant
from hansa_agents.puzzles.puzzle_file import ENDING, KINDS, Puzzle
from hansa_agents.puzzles.score import ALL, score
from hansa_env import Agent, Game, Ruleset
from hansa_env.commands.cli import app
from hansa_env.play.errors import AgentError, AgentFault


class Knows(Agent):
    """Takes an answer where it knows the position, or none."""

    def __init__(self, puzzles: list[Puzzle], right: bool) -> None:
        self.right = right
        self.known = {one.game.tobytes()[:1000]: one for one in puzzles}

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return np.array([self.choose(inputs[row : row + 1]) for row in range(len(inputs))])

    def choose(self, game: np.ndarray) -> int:
        one = self.known[game.tobytes()[:1000]]
        return Game.from_state(one.ruleset, game[0]).parse(min(one.answers if self.right else one.legal - one.answers))


class OnlyTwo(Agent):
    """Plays with two players alone, any legal decision."""

    def __init__(self, ruleset: Ruleset) -> None:
        if ruleset.players != 2:
            raise AgentError("only for two")

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)


@pytest.mark.parametrize("right", [True, False])
def test_who_knows_the_answers_solves_all_and_who_avoids_them_none(puzzles: list[Puzzle], right: bool) -> None:
    some = puzzles[::5]
    told: list[int] = []
    found = score(Entrant("knows", "knows", 0, Knows(some, right)), some, told.append)
    share = found.share(ALL)
    assert share is not None and share.share == right and found.count(ALL) == len(some) == told[-1]
    assert share.low > 0.9 if right else share.high < 0.1
    assert sum(found.count(kind) for kind in KINDS) == len(some) and told == sorted(told)


def test_the_chance_is_that_of_any_decision(puzzles: list[Puzzle]) -> None:
    some = [one for one in puzzles if one.line.kind == ENDING][:20]
    found = score(Entrant("first", "first", 0, Knows(some, True)), some)
    assert found.chance(ENDING) == pytest.approx(np.mean([len(one.answers) / len(one.legal) for one in some]))
    assert found.share("opening") is None and found.chance("opening") == 0 and found.as_data()["opening"] is None


def test_settings_that_an_agent_does_not_play_are_left_out(puzzles: list[Puzzle]) -> None:
    entrant = Entrant("two", f"{__name__}:OnlyTwo", 0)
    found = score(entrant, puzzles[::5])
    assert 0 < found.count(ALL) == sum(one.ruleset.players == 2 for one in puzzles[::5])
    assert set(found.left_out.values()) == {"only for two"} and "three" in found.left_out and "two" not in found.left_out
    with pytest.raises(AgentError, match="only for two"):
        score(entrant, [one for one in puzzles if one.ruleset.players == 3][:3])


def test_an_agent_that_fails_is_named(puzzles: list[Puzzle]) -> None:
    with pytest.raises(AgentFault, match="Raises"):
        score(Entrant("bad", "tests.agents.faulty:Raises", 0), puzzles[:100])


def test_an_agent_that_fails_does_not_take_the_others_with_it() -> None:
    words = ["puzzles", "random", "bad=tests.agents.faulty:Raises", "last=random", "--setting", "two"]
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 2 and all(word in found.stdout for word in ("random", "last", "any decision"))
    assert "error: " in found.stderr and "bad" not in found.stdout and "Raises" in found.stderr
    data = CliRunner().invoke(app, [*words, "--json"])
    assert data.exit_code == 2 and [one["agent"] for one in json.loads(data.stdout)["scores"]] == ["random", "last"]
    alone = CliRunner().invoke(app, ["puzzles", words[2], "--setting", "two", "--json"])
    assert alone.exit_code == 2 and alone.stdout == "" and "error: " in alone.stderr and "100%" not in alone.stderr


def test_an_agent_whose_file_is_not_there_does_not_take_the_others_with_it() -> None:
    words = ["puzzles", "random", "tests.agents.faulty:Unreadable", "last=random", "--setting", "two", "--json"]
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 2 and [one["agent"] for one in json.loads(found.stdout)["scores"]] == ["random", "last"]
    assert found.stderr.splitlines()[-1] == "error: weights.bin: No such file or directory"


def test_ctrl_c_shows_whom_it_was_all_asked_of_and_says_who_is_missing() -> None:
    words = ["puzzles", "random", "tests.agents.faulty:Interrupts", "last=random", "--setting", "two", "--seed", "4"]
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 130 and "any decision" in found.stdout and "last" not in found.stdout
    assert found.stderr.splitlines()[-1] == (
        "stopped; not measured: tests.agents.faulty:Interrupts last=random; to ask these, repeat the command with them alone "
        "and --seed 5"
    )
    data = CliRunner().invoke(app, [*words, "--json"])
    assert data.exit_code == 130 and [one["agent"] for one in json.loads(data.stdout)["scores"]] == ["random"]
    rest = CliRunner().invoke(app, ["puzzles", "bad=tests.agents.faulty:Raises", *words[2:]])
    assert rest.exit_code == 130 and rest.stdout == "" and "error: " in rest.stderr, "what failed is said too"


def test_the_command_tells_of_every_agent_by_kind() -> None:
    words = ["puzzles", "random", "mine=greedy", "--players", "2", "--setting", "two"]
    found = CliRunner().invoke(app, [*words, "--json"])
    assert found.exit_code == 0, found.output
    data = json.loads(found.stdout)
    assert data["format"] == "hansa-puzzle-scores/1" and [one["agent"] for one in data["scores"]] == ["random", "mine"]
    for one in data["scores"]:
        assert sum(one[kind]["puzzles"] for kind in KINDS) == one[ALL]["puzzles"] >= 20
        assert all(0 <= one[kind]["low"] <= one[kind]["share"] <= one[kind]["high"] <= 1 for kind in KINDS)
    assert data["scores"][1][ALL]["share"] > data["scores"][0][ALL]["share"]
    table = CliRunner().invoke(app, words)
    assert table.exit_code == 0 and all(word in table.stdout for word in ("endings", "random", "mine", "any decision"))


@pytest.mark.parametrize(("words", "said"), [
    (["--setting", "six"], "--setting is 'six'; expected one of two,"),
    (["--setting", "two", "--players", "3"], "there are no such puzzles"),
    (["--file", "nowhere.gz"], "nowhere.gz: No such file"),
])  # fmt: skip
def test_what_there_is_not_is_said_in_one_line(words: list[str], said: str) -> None:
    found = CliRunner().invoke(app, ["puzzles", "random", *words])
    assert found.exit_code == 2 and said in found.stderr


def test_an_agent_that_there_is_not_is_said_before_puzzles_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hansa_agents.puzzles.puzzle_file.read_puzzles", lambda file: pytest.fail("puzzles are read"))
    found = CliRunner().invoke(app, ["puzzles", "random", "gredy"])
    assert found.exit_code == 2 and found.output.startswith("error: unknown agent 'gredy'; did you mean greedy? There are")
