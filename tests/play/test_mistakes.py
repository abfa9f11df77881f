"""Mistakes are judged by action, from what was known, and said with whose judgement it is."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from hansa_env import Game, Ruleset
from hansa_env.commands.cli import app
from hansa_env.play.agents import Agent
from hansa_env.play.estimates import Estimate
from hansa_env.play.judge import judge_game
from hansa_env.play.mistakes import Judged, accuracy, actions, judged_actions, worst
from hansa_env.render.words import Move

MOVES = [
    Move(0, 0, 0, "act", "displace"), Move(0, 0, 0, "victim", "1t"), Move(0, 0, 1, "relocate", "put trader a/b"),
    Move(0, 0, 0, "act", "income 0"), Move(1, 1, 1, "act", "place trader a/b"), Move(1, 1, 1, "act", "done"),
]  # fmt: skip


def thought(value: float, *likeliest: tuple[str, float | None]) -> dict:
    return {"likeliest": [[text, 0.5, worth] for text, worth in likeliest], "value": value}


def test_decisions_are_grouped_by_action() -> None:
    assert actions(MOVES) == [(0, 2), (2, 3), (3, 4), (4, 5), (5, 6)]


def test_an_action_loses_what_its_decisions_lose() -> None:
    estimates = {
        0: thought(0.5, ("displace", 0.45), ("income 0", 0.5)),
        1: thought(0.45, ("1t", 0.3), ("1m", 0.45)),
        2: thought(0.4, ("put trader a/b", 0.4), ("put trader b/c", 0.3)),
        3: thought(0.3, ("income 0", 0.3), ("done", 0.1)),
    }
    found = judged_actions(MOVES, estimates)
    assert found == [
        Judged(0, 2, 0, 1, "1m", "1t", 0.5, 0.2), Judged(2, 3, 1, 2, "put trader a/b", "put trader a/b", 0.4, 0.0),
        Judged(3, 4, 0, 3, "income 0", "income 0", 0.3, 0.0),
    ]  # fmt: skip
    assert worst(found) == [found[0]] and worst(found, least=0.3) == []
    assert accuracy(found[:1]) == pytest.approx(0.6) and accuracy(found[1:]) == 1 and accuracy([]) is None


def test_what_has_no_value_is_judged_by_the_next_question_or_not_at_all() -> None:
    first = thought(0.5, ("displace", None), ("income 0", 0.5))
    second = thought(0.2, ("1t", 0.2), ("1m", 0.1))
    assert judged_actions(MOVES[:2], {0: first, 1: second})[0].loss == pytest.approx(0.3)
    assert judged_actions(MOVES[:1], {0: first}) == [], "nobody else's question tells what it was worth"


def test_who_values_no_decision_judges_none() -> None:
    """The value at the next question alone would make whatever was decided the best."""
    moves = MOVES[4:]
    first = thought(0.5, ("place trader a/b", None), ("done", None))
    assert judged_actions(moves, {0: first, 1: thought(0.2, ("done", None), ("income 0", None))}) == []
    assert judged_actions(moves, {0: first, 1: thought(0.2, ("done", None))}) == []
    mixed = judged_actions(moves, {0: first, 1: thought(0.2, ("done", 0.2), ("income 0", 0.1))})
    assert [one.first for one in mixed] == [1]


class Knows(Agent):
    """Thinks that placing is worth 0.6, all else 0.4, each a little more by its seed; counts what it is asked."""

    sees = "games"

    def __init__(self, ruleset: Ruleset, seed: int = 0) -> None:
        self.ruleset, self.seed, self.asked = ruleset, seed, 0

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        self.asked += len(inputs)
        after = np.full(masks.shape, np.nan, np.float32)
        for row, record in enumerate(inputs):
            game = Game.from_state(self.ruleset, record)
            for action in game.legal_actions():
                after[row, action] = (0.6 if game.describe(action).startswith("place") else 0.4) + 0.02 * self.seed
        shares = masks / masks.sum(1, keepdims=True)
        return Estimate(shares.astype(np.float32), np.full(len(masks), 0.6, np.float32), after)


def a_game() -> Game:
    game = Game(Ruleset(3), seed=5)
    for text in ("place trader stade/hamburg", "done", "income 0", "place trader stade/hamburg"):
        game.play(text)
    return game


def test_a_game_is_judged_for_its_record_by_the_mean_of_judges() -> None:
    game = a_game()
    judges = [Knows(game.ruleset, seed) for seed in (0, 1)]
    parts: list[tuple[int, int]] = []
    judge_game(game, judges, "knows", [0, 1], lambda done, of: parts.append((done, of)))
    assert [judge.asked for judge in judges] == [4, 4] and parts == [(1, 4), (4, 4)]
    judged = judged_actions(game.moves(), game.estimates)
    assert [(one.first, one.seat, one.loss) for one in judged] == [(0, 0, 0.0), (1, 0, 0.2), (2, 1, 0.2), (3, 1, 0.0)]
    record = Game.from_record(json.loads(json.dumps(game.record())))
    assert record.estimated_by == ["knows", "knows", None], "whose the estimates are stands with them"
    taken = [text for text, _, value in record.estimates[1]["likeliest"] if value is not None]
    assert "done" in taken, "what was decided is among them, however unlikely it is"


def test_an_agent_without_values_cannot_judge() -> None:
    class Silent(Knows):
        def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
            return super().estimate(inputs, masks, seats)._replace(decision_values=None)

    game = a_game()
    expected = "silent does not say what the win is worth after each decision; expected tree, search or rollout"
    with pytest.raises(ValueError, match=expected):
        judge_game(game, [Silent(game.ruleset)], "silent", [0])


def test_the_command_tells_who_lost_what_and_writes_whose_estimates_they_are(tmp_path: Path) -> None:
    file, out = tmp_path / "game.json", tmp_path / "judged.json"
    file.write_text(json.dumps(a_game().record()))
    spec = "tests.play.test_mistakes:Knows"
    done = CliRunner().invoke(app, ["analyse", str(file), "--by", spec, "--reshuffles", "2", "--seat", "0", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "20 %" in done.output and "end the turn" in done.output and "place a" in done.output
    assert json.loads(out.read_text())["estimated_by"] == [spec, None, None]
    wrong = CliRunner().invoke(app, ["analyse", str(file), "--by", spec, "--seat", "3"])
    assert wrong.exit_code == 2 and "expected 0 to 2" in wrong.output
