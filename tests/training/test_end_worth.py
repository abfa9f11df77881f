"""Your own function says what games are worth."""

import re
from pathlib import Path

import numpy as np
import pytest

from hansa_env import Ruleset
from hansa_training.begin import train
from hansa_training.end_worth import Worth, worth_of
from hansa_training.errors import PlanError, RunError
from hansa_training.learner import Learner
from hansa_training.plan_file import make_plan
from hansa_training.plan_texts import described
from tests.training.tiny import TINY

OWN = """
import numpy as np
calls = []

def points(ruleset, rewards, scores):
    calls.append((ruleset, rewards.shape, scores.shape))
    return scores[:, :, -1] / 50 + np.array([1.0, 0.0, -1.0])

def wrong(ruleset, rewards, scores):
    return rewards[:, :1]

def nothing(ruleset, rewards, scores):
    return np.where(rewards > 0, np.nan, rewards)

def failing(ruleset, rewards, scores):
    raise KeyError("prestige")

def large(ruleset, rewards, scores):
    return rewards * 1e39

def leaving(ruleset, rewards, scores):
    raise SystemExit(0)

def as_ever(ruleset, rewards, scores):
    from hansa_training.end_worth import Worth
    return Worth().of_games(rewards, scores)
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch) -> Path:
    (tmp_path / "own_worth.py").write_text(OWN)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.slow
def test_it_is_given_games_and_seats_and_what_it_answers_is_learned(own: Path) -> None:
    one = worth_of(make_plan(options={"worth": "own_worth:points"}))
    rewards, scores = np.array([[1.0, -0.5, -0.5]]), np.zeros((1, 3, 7), np.int16)
    scores[0, :, -1] = [50, 20, 10]
    assert one.of_games(rewards, scores).tolist() == [[2.0, 0.4, -0.8]]
    train(own / "plain", options=TINY)
    train(own / "same", options=TINY | {"worth": "own_worth:as_ever"})
    train(own / "other", options=TINY | {"worth": "own_worth:points"})
    plain, same, other = ((own / name / "model.safetensors").read_bytes() for name in ("plain", "same", "other"))
    assert plain == same != other
    import own_worth

    assert own_worth.calls[-1][0] == Ruleset(3) and own_worth.calls[-1][2][1:] == (3, 7)


def test_what_is_wrong_with_it_is_said_in_a_line(own: Path) -> None:
    rewards, scores = np.zeros((2, 3)), np.zeros((2, 3, 7), np.int16)
    rewards[1, 2], scores[1, :, -1] = 1, [7, 8, 9]
    wrong = {
        "wrong": r"answered with shape \(2, 1\); expected \(2, 3\)", "failing": "raised KeyError: 'prestige'",
        "leaving": "raised SystemExit: 0",
        "nothing": r"answered with \[0.0, 0.0, nan\] for a game of \[7, 8, 9\] points; expected finite numbers",
        "large": r"answered with \[0.0, 0.0, 1e\+39\] for a game of \[7, 8, 9\] points; expected finite numbers",
    }  # fmt: skip
    for name, said in wrong.items():
        with pytest.raises(RunError, match=f"own_worth:{name} {said}"):
            worth_of(make_plan(options={"worth": f"own_worth:{name}"})).of_games(rewards, scores)
    assert isinstance(worth_of(make_plan()), Worth)


@pytest.mark.parametrize(("spec", "said"), [
    ("own_worth:none", "function 'own_worth:none' cannot be loaded: module 'own_worth' has no 'none'"),
    ("no_such_module:f", r"function .* cannot be loaded \(No module named 'no_such_module'\); expected module:function$"),
    ("own_worth", "worth is 'own_worth'; expected module:function"), ("own_worth:", "expected module:function"),
    ("own_worth:wrong", "answered with shape"), ("own_worth:failing", "raised KeyError"), ("own_worth:nothing", "finite"),
])  # fmt: skip
def test_it_is_tried_before_anything_is_made(own: Path, spec: str, said: str) -> None:
    with pytest.raises((PlanError, RunError), match=said):
        train(own / "run", options=TINY | {"worth": spec})
    assert not (own / "run").exists()


def test_a_lead_counts_up_to_what_its_option_says() -> None:
    limit = re.search(r"counted up to (\d+) × lead_scale points", described("lead"))
    assert limit is not None
    worth = Worth(lead=0.5, lead_scale=2.0)
    (ahead, _), (further, _) = worth.of(np.zeros((2, 2)), np.array([[2 * int(limit[1]), 0], [1000, 0]], np.int16))
    (before, _), *_ = worth.of(np.zeros((1, 2)), np.array([[2 * int(limit[1]) - 2, 0]], np.int16))
    assert before < ahead == further == 0.5 * int(limit[1])


@pytest.mark.parametrize("name", ["win", "lead", "own_points", "turn_limit_cost", "turn_cost"])
def test_more_than_can_be_learned_is_refused_before_anything_is_made(name: str, tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=rf"{name} 1e\+39.*; expected finite numbers, ideally near 1"):
        train(tmp_path / "run", options=TINY | {name: "1e39"})
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("options", "said"), [
    ({"ent_coef": "1e38", "value_rollouts": "0"}, "the loss is no number after rollout 1; try a smaller learning rate"),
    ({"turn_cost": "1e30"}, "the loss is no number after rollout 1"),
])  # fmt: skip
def test_a_run_ends_where_its_loss_is_no_number(options: dict[str, str], said: str) -> None:
    learner = Learner(make_plan(options=TINY | {"warm_start": "0", "rollout": "64"} | options))
    with pytest.raises(RunError, match=said):
        learner.play()


@pytest.mark.slow
def test_a_run_that_goes_on_needs_it_named_again(own: Path) -> None:
    train(own / "run", options=TINY | {"worth": "own_worth:points", "self_play": "96"})
    with pytest.raises(PlanError, match=r"--worth own_worth:points"):
        train(own / "run", resume=True, options={"self_play": "192"})
    train(own / "run", resume=True, options={"self_play": "192", "worth": "own_worth:points"})
