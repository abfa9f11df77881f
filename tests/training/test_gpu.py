"""What a GPU does: what it records computes what the processor does. Where there is none, these tests are skipped."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from hansa_agents.mixture import MixtureAgent
from hansa_env import HansaBatch, Ruleset
from hansa_env.play.agents import inputs_for
from hansa_training.begin import train
from hansa_training.league import Company, League
from hansa_training.learner import Learner
from hansa_training.networks import evaluate, let_compute, new_policy
from hansa_training.networks.computing import Computing
from hansa_training.networks.recorded import FEWEST, Inference, recorded_sizes
from hansa_training.plan import Plan
from hansa_training.plan_file import make_plan
from hansa_training.ppo import FIGURES, LABELS_DRAWN, ppo_loss
from hansa_training.sizes import NETWORKS
from tests.training.tiny import TINY, arguments, figures

RULESET = Ruleset(3)
GPU = torch.device("cuda", 0)
needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")


def seen(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks from the middle of games."""
    batch, random = HansaBatch(count, RULESET, 3, autoreset=True), np.random.default_rng(0)
    for _ in range(40):
        batch.step(np.array([random.choice(np.flatnonzero(one)) for one in batch.action_mask]))
    return batch.observe(), batch.action_mask.copy()


def policy_on(device: torch.device, dtype: torch.dtype = torch.float32) -> MaskableActorCriticPolicy:
    torch.manual_seed(4)
    policy = new_policy(RULESET, NETWORKS["board-small"], forked=False)
    with torch.no_grad():
        for weights in policy.parameters():
            weights.add_(0.1 * torch.randn_like(weights))
    let_compute(policy, Computing(dtype, device))
    return policy


def plan_of(device: str, **settings) -> Plan:
    given = {
        "network": "board-small", "warm_start": 0, "self_play": 10**6, "envs": 24, "rollout": 16, "shards": 3, "threads": 1,
        "batch_size": 100, "value_rollouts": 1, "precision": "float32", "device": device,
    }  # fmt: skip
    return Plan(**given | settings)


@pytest.fixture
def two_learners() -> Iterator[list[Learner]]:
    """The same on the processor and on the GPU, where threads record what they ask while others go on."""
    made = [Learner(plan_of("cpu")), Learner(plan_of("cuda", threads=3))]
    yield made
    for one in made:
        one.close()


def test_rows_of_no_weight_change_neither_loss_nor_figures() -> None:
    """A GPU fills minibatches up with them; tried here on the processor."""
    learner = Learner(plan_of("cpu"))
    learner.ppo.collect()
    buffer, policy = learner.ppo.shards[0].buffer, learner.trained.policy(RULESET)
    rows = buffer.learnable()
    count = len(rows)
    loss, told = ppo_loss(policy, buffer.take(rows), 0.1, 0.5, learner.ppo.settings, False)
    weights = torch.where(torch.arange(count + 14) < count, 1 / count, 0.0)
    filled = buffer.take(np.concatenate([rows, np.zeros(14, np.int64)]))
    weighted, told_too = ppo_loss(policy, filled, 0.1, 0.5, learner.ppo.settings, False, weights)
    assert weighted.item() == pytest.approx(loss.item() / count, rel=1e-5)
    assert told_too.numpy() == pytest.approx(told.numpy() / count, rel=1e-4, abs=1e-7) and len(told) == LABELS_DRAWN + 1
    learner.close()


@needs_gpu
@pytest.mark.parametrize("dtype, near", [(torch.float32, 1e-4), (torch.bfloat16, 0.05)])
def test_what_is_recorded_is_what_the_network_says_also_when_its_weights_have_changed(dtype: torch.dtype, near: float) -> None:
    there, here, inference = policy_on(GPU, dtype), policy_on(torch.device("cpu")), Inference(RULESET, 64, GPU)
    observations, masks = seen(64)
    for count in (64, 1, 33):
        with torch.no_grad():
            for one, other in zip(there.parameters(), here.parameters()):
                change = 0.05 * torch.randn_like(other)
                other.add_(change)
                one.add_(change.to(GPU))
            found = [one.clone() for one in inference(there, observations[:count], masks[:count])]
            expected = evaluate(here, torch.from_numpy(observations[:count]), torch.from_numpy(masks[:count]))
        for one, other in zip(found, expected):
            assert one.device.type == "cpu" and one.shape == other.shape
            torch.testing.assert_close(one, other, rtol=near, atol=near)


@pytest.mark.parametrize("rows", [1, FEWEST - 1, FEWEST, FEWEST + 1, 1000, 4096, 5000])
def test_every_number_of_rows_has_a_recording_of_less_than_twice_its_size(rows: int) -> None:
    sizes = recorded_sizes(rows)
    assert sizes == sorted(set(sizes)) and sizes[-1] == rows
    for count in range(1, rows + 1):
        fitting = min(size for size in sizes if size >= count)
        assert fitting <= max(FEWEST, 2 * count)


@needs_gpu
def test_few_rows_are_answered_as_among_many() -> None:
    """By recordings of three sizes, back and forth, of two networks."""
    inference, (observations, masks) = Inference(RULESET, 1024, GPU), seen(1024)
    for policy in (policy_on(GPU), policy_on(GPU)):
        whole = [one.clone() for one in inference(policy, observations, masks)]
        for count in (10, 600, 256, 257, 10, 1024):
            for some, of_all in zip(inference(policy, observations[:count], masks[:count]), whole):
                torch.testing.assert_close(some, of_all[:count], rtol=1e-4, atol=1e-4)
    assert recorded_sizes(1024) == [256, 512, 1024]


@needs_gpu
@pytest.mark.parametrize("spec", ["ppo:1", "ppo:0.2", "mixture:ppo+ppo:0.2", "greedy"])
def test_rivals_decide_on_a_gpu_as_on_the_processor(spec: str) -> None:
    """Networks among the opponents by name; in one of many close decisions rounding may tip the scales."""
    league = League(RULESET, ["greedy"], [spec], 0, Company(0, 0, 0, 1, 1), lambda: policy_on(GPU))
    batch, decided, same = HansaBatch(64, RULESET, 3, autoreset=True), 0, 0
    there, here = league.agent(1, 5, Inference(RULESET, 64, GPU)), league.agent(1, 5)
    for _ in range(60):
        games, masks = batch.games.copy(), batch.action_mask.copy()
        one, other = (agent.act(inputs_for(agent, RULESET, games), masks, games["seat"]) for agent in (there, here))
        decided, same = decided + len(one), same + int((one == other).sum())
        batch.step(other)
    assert same >= 0.999 * decided
    if spec != "greedy":
        players = there.members if isinstance(there, MixtureAgent) else [there]
        assert all(player.policy.device == GPU for player in players)


@needs_gpu
def test_a_rollout_teaches_on_a_gpu_what_it_teaches_on_the_processor(two_learners: list[Learner]) -> None:
    """The value alone first, then the policy too: in all of a minibatch's parts at once there, part by part here."""
    here, there = two_learners
    for value_only in (True, False):
        for one in two_learners:
            one.ppo.collect()
        for number, shard in there.ppo.shards.items():  # learns from the other's rows
            other = here.ppo.shards[number].buffer
            shard.buffer.size = other.size
            for name in ("observations", "action_masks", "actions", "log_probs", "values", "advantages", "returns", "known"):
                getattr(shard.buffer, name)[...] = getattr(other, name)
            shard.random.bit_generator.state = here.ppo.shards[number].random.bit_generator.state
        there.ppo._told = here.ppo._told
        before = [one.detach().clone() for one in here.trained.weights.values()]
        for one in two_learners:
            one.ppo.value_only = value_only
            one.ppo.learn()
        for name in FIGURES:
            told = [one.ppo.figures[f"train/{name}"] for one in two_learners]
            assert told[1] == pytest.approx(told[0], rel=1e-2, abs=1e-4), name
        moved = 0
        for start, one, other in zip(before, here.trained.weights.values(), there.trained.weights.values()):
            torch.testing.assert_close(one.detach(), other.detach().cpu(), rtol=0, atol=5e-4)
            moved += int(((one - start).abs() > 1e-3).sum())
        assert moved > 100


@needs_gpu
def test_a_run_on_a_gpu_is_the_same_twice_and_when_it_was_interrupted(tmp_path: Path) -> None:
    options = TINY | {"device": "cuda", "shards": "2", "threads": "2", "decay": "0"}  # the rate follows from the length
    whole, again, part = tmp_path / "whole", tmp_path / "again", tmp_path / "part"
    train(whole, options=options)
    train(again, options=options)
    assert figures(whole) == figures(again)
    train(part, options=options | {"self_play": "96"})
    train(part, resume=True, options={"self_play": options["self_play"]})
    assert (part / "model.safetensors").read_bytes() == (whole / "model.safetensors").read_bytes()


@needs_gpu
def test_a_run_goes_from_a_gpu_to_the_processor_and_back(tmp_path: Path) -> None:
    """Each part in a process of its own, of which only those on the GPU know of it."""
    command = [sys.executable, "-m", "hansa_training", "--folder", str(tmp_path / "run")]
    parts = [
        [*command, *arguments(TINY | {"device": "cuda", "self_play": "64", "keep_every": "0"})],
        *([*command, "--resume", "--device", device, "--self-play", n] for device, n in (("cpu", "128"), ("cuda", "192"))),
    ]
    for part in parts:
        done = subprocess.run(part, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "run" / "result.json").read_text())["curve"][-1]["decisions"] >= 192


@needs_gpu
def test_ranks_that_share_a_gpu_make_the_run_of_one_process(tmp_path: Path) -> None:
    """They learn from the same rows in another order, so that their weights differ by rounding alone."""
    options = TINY | {"device": "cuda", "precision": "float32", "shards": "2", "warm_start": "0", "self_play": "64"}
    alone = [sys.executable, "-m", "hansa_training"]
    two = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "hansa_training"]
    models = []
    for name, command in (("alone", alone), ("two", two)):
        done = subprocess.run([*command, "--folder", str(tmp_path / name), *arguments(options)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        models.append(load_file(tmp_path / name / "model.safetensors"))
    first = Learner(make_plan(options=options))
    first.close()
    began = {name: weights.detach().cpu() for name, weights in first.trained.weights.items()}
    assert began.keys() == models[0].keys() == models[1].keys()
    moved, apart = (torch.cat([(one[name] - other[name]).abs().flatten() for name in began]).mean()
                    for one, other in ((models[0], began), (models[0], models[1])))  # fmt: skip
    assert moved > 1e-5 and apart < 0.1 * moved
