"""A run's folder whose checkpoints are gone, or say something else than a run's: nothing is lost over it, in one line."""

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hansa_env import Ruleset
from hansa_env.engine.state import GAME
from hansa_training.begin import result_of, train
from hansa_training.checkpoints import Checkpoints
from hansa_training.curve import read_curve
from hansa_training.errors import PlanError, RunError
from hansa_training.learner import Learner
from hansa_training.plan_file import make_plan
from hansa_training.rollout import SeatBuffer
from hansa_training.state import pack, unpack
from tests.training.tiny import TINY, figures


@pytest.mark.parametrize("left", ["model.safetensors", "milestones", "curve.jsonl"])
def test_a_run_whose_checkpoints_are_gone_does_not_begin_anew_over_what_it_made(left: str, finished: Path, tmp_path) -> None:
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    shutil.rmtree(run / "checkpoints")
    for name in {"model.safetensors", "curve.jsonl"} - {left}:
        (run / name).unlink()
    if left != "milestones":
        shutil.rmtree(run / "milestones")
    start = "" if left == "curve.jsonl" else f"hansa train --start {run}/{left}"
    with pytest.raises(RunError, match=f"checkpoints are gone.*{start}"):
        train(run, resume=True)


@pytest.mark.parametrize(("name", "was", "now"), [("seed", 0, 1), ("envs", 8, 16), ("decay", 0.4, 0.5)])
def test_a_plan_that_was_edited_is_refused_for_what_it_says(
    name: str, was: float, now: float, finished: Path, tmp_path
) -> None:
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    plan, before = run / "plan.toml", (run / "plan.toml").read_text()
    plan.write_text(before.replace(f"\n{name} = {was}\n", f"\n{name} = {now}\n"))
    assert plan.read_text() != before
    with pytest.raises(PlanError, match=rf"plan\.toml: {name} = {now}, but the run was made with {was}; expected the same"):
        train(run, resume=True)
    plan.write_text(before[: before.index("\nenvs = ")] + "\n")  # the end is gone
    with pytest.raises(PlanError, match=r"plan\.toml: envs = \d+, but the run was made with 8; expected the same"):
        train(run, resume=True)
    plan.write_text(before)
    assert train(run, resume=True) == json.loads((finished / "result.json").read_text())


def _changed(state: Any, path: str, value: Any) -> None:
    *way, last = path.split("/")
    for name in way:
        state = state[int(name) if isinstance(state, list) else name]
    state[last] = value


@pytest.mark.parametrize(("path", "value"), [
    ("learner", 7), ("learner", None), ("learner", []), ("learner/shards", []), ("learner/leagues", [7]), ("learner/random", 7),
    ("learner/random/python", [1, 2]), ("learner/optimiser", None), ("learner/optimiser/state", {"x": 1}),
    ("learner/optimiser/groups", []), ("learner/decisions", "many"), ("learner/rollouts", None), ("learner/weights", {}),
    ("learner/average", 7), ("learner/figures", 7), ("points", 7), ("points", [7]), ("points", {}),
    ("points/0/decisions", "many"), ("points/0/greedy scores", {}), ("points/0/greedy ends", None),
    ("learner/random/numpy", []), ("learner/average/count", -1), ("learner/average/count", 31), ("learner/rollouts", -1),
    ("learner/decisions", -1), ("learner/updates", -1), ("learner/before last", -1), ("learner/before last", 10**9),
    ("learner/leagues/0/opponents/0/share", 1.05), ("learner/leagues/0/opponents/0/share", float("nan")),
    ("learner/leagues/0/opponents/0/games", -1), ("learner/leagues/0/next", 0),
    ("learner/optimiser/groups/0/lr", float("nan")), ("learner/optimiser/groups/0/lr", 1.5),
    ("learner/optimiser/groups/0/lr", 0.0), ("learner/optimiser/groups/0/betas", [5, 2]),
    ("learner/optimiser/groups/0/betas", [5.0, 2.0]), ("learner/optimiser/groups/0/eps", 0.0),
])  # fmt: skip
def test_a_checkpoint_that_says_something_else_is_refused(path: str, value: Any, finished: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    ring = Checkpoints(run / "checkpoints")
    newest = ring.newest()
    assert newest is not None
    state = json.loads(newest.files["state.json"])
    _changed(state, path, value)
    ring.save({**newest.files, "state.json": json.dumps(state).encode()}, newest.note)
    before = figures(run)
    with pytest.raises(RunError) as refused:
        train(run, resume=True, options={"self_play": "256"})
    assert "cannot be used to continue the run" in str(refused.value) and str(refused.value).count("\n") == 0
    assert figures(run) == before


def test_what_could_not_be_read_back_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ring = Checkpoints(tmp_path)
    ring.save({"a": b"1234"}, {})
    monkeypatch.setattr("hansa_training.checkpoints.LARGEST", 4)
    with pytest.raises(RunError, match=r"checkpoint have 5 bytes, and 4 can be read back; begin a run that keeps less"):
        ring.save({"a": b"123", "b": b"45"}, {})
    assert ring.numbers() == [1] and ring.newest().files == {"a": b"1234"}


@pytest.mark.parametrize("place", ["games", pytest.param("midgame starts", marks=pytest.mark.slow)])
def test_bytes_that_are_no_game_are_refused_before_the_rules_see_them(place: str, tmp_path: Path) -> None:
    """The compiled rules look things up by what stands in a record, and check none of it."""
    run = tmp_path / "run"
    train(run, options=TINY | {"warm_start": "0", "from_middle": "0.5"})
    ring = Checkpoints(run / "checkpoints")
    newest = ring.newest()
    assert newest is not None
    state = unpack(newest.files["state.json"], newest.files["state.safetensors"])
    games = state["learner"]["shards"][0][place]["games"].view(GAME)
    games["extra_city"][0, 0] = 100
    text, arrays = pack(state)
    ring.save({**newest.files, "state.json": text, "state.safetensors": arrays}, newest.note)
    with pytest.raises(RunError, match=r"cannot be used to continue the run \(.*record"):
        train(run, resume=True, options={"self_play": "100000"})


def _waiting(run: Path) -> dict[str, np.ndarray]:
    """The decisions that wait in the newest checkpoint of a run."""
    newest = Checkpoints(run / "checkpoints").newest()
    assert newest is not None
    waiting = unpack(newest.files["state.json"], newest.files["state.safetensors"])["learner"]["shards"][0]["waiting"]
    assert len(waiting["games"]) > 1
    return {name: one.copy() for name, one in waiting.items()}


@pytest.mark.parametrize(("name", "value"), [
    ("games", 10**6), ("games", -1), ("seats", 3), ("actions", -1), ("actions", 10**6), ("log_probs", np.nan),
    ("rewards", np.inf), ("weights", np.nan), ("weights", -1), ("action_masks", False), ("seats", None), ("observations", None),
])  # fmt: skip
def test_decisions_that_wait_are_checked_before_they_are_learned_from(name: str, value: float | None, finished: Path) -> None:
    """What comes after them in their seat is looked up by what they say, without a check."""
    waiting, buffer = _waiting(finished), SeatBuffer(Ruleset(3), 64, 4)
    buffer.set_state(waiting)
    assert buffer.waiting == len(waiting["games"])
    if value is None:
        waiting[name] = waiting[name][:-1]
    else:
        waiting[name][0] = value
    with pytest.raises(RunError, match="waiting decisions are none of its games"):
        buffer.set_state(waiting)


def test_two_decisions_that_wait_are_of_two_seats(finished: Path) -> None:
    twice = {name: np.concatenate([one, one[:1]]) for name, one in _waiting(finished).items()}
    with pytest.raises(RunError, match="waiting decisions are none of its games"):
        SeatBuffer(Ruleset(3), 64, 4).set_state(twice)


def test_a_run_does_not_go_on_with_decisions_of_games_that_it_has_not(finished: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    ring = Checkpoints(run / "checkpoints")
    newest = ring.newest()
    assert newest is not None
    state = unpack(newest.files["state.json"], newest.files["state.safetensors"])
    state["learner"]["shards"][0]["waiting"]["games"] = np.full_like(_waiting(run)["games"], 10**6)
    text, arrays = pack(state)
    ring.save({**newest.files, "state.json": text, "state.safetensors": arrays}, newest.note)
    with pytest.raises(RunError, match=r"continue the run .*waiting decisions are none of its games"):
        train(run, resume=True, options={"self_play": "100000"})


def test_a_field_given_twice_is_refused(finished: Path, tmp_path: Path) -> None:
    """Of a state, of a point of the curve, of a result: readers could take the one or the other."""
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    ring = Checkpoints(run / "checkpoints")
    newest = ring.newest()
    assert newest is not None
    text = newest.files["state.json"].replace(b'"rollouts":', b'"rollouts": 1, "rollouts":', 1)
    ring.save({**newest.files, "state.json": text}, newest.note)
    with pytest.raises(RunError, match=r"cannot be used to continue the run .*rollouts is given twice"):
        train(run, resume=True, options={"self_play": "256"})
    curve = run / "curve.jsonl"
    curve.write_text(curve.read_text().replace('{"decisions":', '{"decisions": 1, "decisions":', 1))
    with pytest.raises(RunError, match=r"line 1 is no point of a learning curve .*decisions is given twice"):
        read_curve(curve)
    (run / "result.json").write_text('{"curve": [], "curve": []}')
    with pytest.raises(RunError, match=r"result\.json: is not what `hansa train` writes .*curve is given twice"):
        result_of(run)


@pytest.mark.parametrize(("path", "value", "said"), [
    ("decisions", -1, "decisions: -1; expected 0 to"), ("figures", 7, "figures: 7; expected an object"),
    ("greedy", 1.5, "greedy share: 1.5; expected 0 to 1"), ("greedy among it", True, "true; expected a number from 0 to 1"),
    ("greedy scores", {"total": 7}, "greedy scores: an object of 1 fields; expected"), ("more", 1, "field more is unknown"),
    ("greedy scores/total", float("nan"), "greedy scores total: NaN; expected a number"),
])  # fmt: skip
def test_what_is_no_point_of_a_curve_is_refused_with_what_was_expected(
    path: str, value: Any, said: str, finished: Path, tmp_path: Path
) -> None:
    points = read_curve(finished / "curve.jsonl")
    _changed(points[1], path, value)
    (tmp_path / "curve.jsonl").write_text("".join(json.dumps(point) + "\n" for point in points))
    with pytest.raises(RunError, match="line 2 is no point of a learning curve") as refused:
        read_curve(tmp_path / "curve.jsonl")
    assert said in str(refused.value)


def test_only_a_last_line_without_an_end_is_torn(finished: Path, tmp_path: Path) -> None:
    curve, told = tmp_path / "curve.jsonl", []
    whole = (finished / "curve.jsonl").read_bytes()
    curve.write_bytes(whole + b'{"decisions": 7')
    assert read_curve(curve, told.append) == read_curve(finished / "curve.jsonl") and len(told) == 1
    curve.write_bytes(whole + b'{"decisions": 7\n')
    with pytest.raises(RunError, match="is no point of a learning curve"):
        read_curve(curve)


def test_the_games_of_shards_and_of_the_warm_start_are_all_looked_at() -> None:
    plan = make_plan(options=TINY)
    with closing(Learner(plan)) as learner:
        learner.start()
        games = [len(one) for _, one in learner.kept_games()]
    assert sum(games) == plan.envs + plan.teacher_games
