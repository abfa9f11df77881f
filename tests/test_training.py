"""Training: shaping, the learner's stream, a tiny run from start to finish, resuming."""

import json

import numpy as np
import pytest
import torch

from hansa_agents import make_agent
from hansa_env import Game, HansaBatch, Ruleset
from hansa_env.sb3 import HansaVecEnv
from hansa_training.agent import PPOAgent
from hansa_training.job import Job, JobError, Plan
from hansa_training.policy import ModelError, load_model
from hansa_training.shaping import potential
from tests.helpers import choose

TINY = Plan(warm_start=33_000, self_play=512, envs=16, rollout=8, epochs=1, rows=64, value_rollouts=1,
            evaluate_every=2, curve_games=3, final_games=3, threads=1)  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Job:
    job = Job(TINY, tmp_path_factory.mktemp("run") / "ppo")
    job.run()
    return job


def test_a_run_leaves_model_curve_picture_and_table(run: Job) -> None:
    result = json.loads((run.folder / "result.json").read_text())
    assert [line["opponent"] for line in result["final"]] == ["random", "greedy"]
    for line in result["final"]:
        assert line["games"] >= 3 and 0 <= line["low"] <= line["share"] <= line["high"] <= 1
    decisions = [point["decisions"] for point in run.points()]
    assert decisions == sorted(decisions) and decisions[0] == 0 and decisions[-1] >= 512 and len(decisions) >= 2
    assert (run.folder / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert list((run.folder / "tensorboard").glob("events*"))


def test_a_saved_model_plays_in_the_arena(run: Job) -> None:
    ruleset = Ruleset(3)
    agent = make_agent(f"ppo:{run.model_file}", ruleset)
    batch = HansaBatch(8, ruleset, max_turns=3)
    actions = agent.act(batch.observe(), batch.action_mask, batch.seat)
    assert batch.action_mask[np.arange(8), actions].all()
    assert (agent.act(batch.observe(), batch.action_mask, batch.seat) == actions).all(), "the likeliest action is one"


def test_a_model_is_refused_where_it_does_not_fit(run: Job, tmp_path) -> None:
    with pytest.raises(ModelError, match=r"trained for .*'players': 3.*, not .*'players': 4"):
        load_model(str(run.model_file), Ruleset(4))
    broken = tmp_path / "broken.zip"
    broken.write_bytes(run.model_file.read_bytes()[:1000])
    with pytest.raises(ModelError, match=r"broken\.zip: cannot be read as a model"):
        load_model(str(broken), Ruleset(3))
    with pytest.raises(ModelError, match=r"nothing\.zip: cannot be read"):
        load_model(str(tmp_path / "nothing.zip"), Ruleset(3))


def test_a_run_resumes_where_it_stopped(run: Job, tmp_path) -> None:
    with pytest.raises(JobError, match="holds a run already"):
        Job(TINY, run.folder).run()
    with pytest.raises(JobError, match="is the plan of another run"):
        Job(Plan(), run.folder).run(resume=True)
    with pytest.raises(JobError, match="holds no run"):
        Job(TINY, tmp_path / "none").run(resume=True)
    before = run.points()
    Job(TINY, run.folder).run(resume=True)
    assert run.points() == before, "a finished run has nothing left to train"


def test_the_potential_is_the_lead() -> None:
    """Zero between equals, up for who develops, down for the others."""
    ruleset = Ruleset(3)
    seats = np.arange(3, dtype=np.int8)
    games = np.repeat(Game(ruleset, seed=1).state[None], 3)
    start = potential(ruleset, games, seats)
    assert start.sum() == pytest.approx(0, abs=1e-6)
    games["prestige"][:, 1] += 6
    np.testing.assert_allclose(potential(ruleset, games, seats) - start, [-0.1, 0.2, -0.1], atol=1e-6)


def test_rewards_are_the_environments_plus_what_the_potential_rose_by() -> None:
    """Over a game the additions add up to Φ(final board) − Φ(first decision), whoever moved in between."""
    ruleset = Ruleset(3)
    seen: list[np.ndarray] = []

    def spy(*arguments) -> np.ndarray:
        seen.append(potential(*arguments))
        return seen[-1].copy()

    plain = HansaVecEnv(8, ruleset, ["random"], seed=4, max_turns=6)
    shaped = HansaVecEnv(8, ruleset, ["random"], seed=4, max_turns=6, potential=spy)
    assert (plain.reset() == shaped.reset()).all()
    first, added, base = seen[-1].copy(), np.zeros(8), np.zeros(8)
    running = np.ones(8, bool)
    rng = np.random.default_rng(4)
    while running.any():
        actions = choose(shaped.action_masks(), rng)
        calls = len(seen)
        _, rewards, done, infos = shaped.step(actions)
        _, plain_rewards, plain_done, _ = plain.step(actions)
        assert (done == plain_done).all()
        added[running] += (rewards - plain_rewards)[running]
        base[running] += plain_rewards[running]
        for i in np.flatnonzero(done & running):
            assert added[i] == pytest.approx(seen[calls][i] - first[i], abs=1e-5)
            assert infos[i]["episode"]["r"] == pytest.approx(base[i], abs=1e-5)
            place = sum(other[6] > infos[i]["scores"][infos[i]["seat"], 6] for other in infos[i]["scores"])
            assert infos[i]["rank"] == place and infos[i]["TimeLimit.truncated"]
        running &= ~done
    assert np.abs(seen[-1] - first).max() > 0.01


def test_sampling_follows_the_masks_and_the_seed() -> None:
    run_policy = HansaVecEnv(4, Ruleset(3), ["random"])
    from sb3_contrib import MaskablePPO

    from hansa_training.policy import POLICY_KWARGS

    model = MaskablePPO("MlpPolicy", run_policy, policy_kwargs=POLICY_KWARGS, seed=1, device="cpu")
    batch = HansaBatch(256, Ruleset(3))
    masks = batch.action_mask.copy()
    masks[7] = False
    inputs = batch.observe()
    drawn = [PPOAgent(model.policy, seed).act(inputs, masks, batch.seat) for seed in (1, 1, 2)]
    assert (drawn[0] == drawn[1]).all() and (drawn[0] != drawn[2]).any()
    assert drawn[0][7] == -1 and len(set(drawn[0])) > 10
    rows = np.arange(256) != 7
    assert masks[np.arange(256), drawn[0]][rows].all()
    with torch.no_grad():
        distribution = model.policy.get_distribution(torch.from_numpy(inputs), action_masks=masks[:1].repeat(256, 0))
    shares = np.bincount(PPOAgent(model.policy, 3).act(np.repeat(inputs[:1], 20_000, 0), masks[:1].repeat(20_000, 0),
                                                       batch.seat), minlength=masks.shape[1]) / 20_000  # fmt: skip
    np.testing.assert_allclose(shares, distribution.distribution.probs[0].numpy(), atol=0.02)
