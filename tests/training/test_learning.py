"""Rewards shaped by a potential, and draws that follow masks and seeds."""

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from hansa_env import HansaBatch, Ruleset
from hansa_env.engine.results import scores_of
from hansa_env.sb3 import HansaVecEnv
from hansa_training.agent import PPOAgent
from hansa_training.networks import new_policy
from hansa_training.sizes import NETWORKS
from tests.helpers import choose


def lead(ruleset: Ruleset, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """A potential: points ahead of the mean of the others, in units of 30."""
    totals = scores_of(ruleset, games)[:, :, 6].astype(np.float32)
    own = totals[np.arange(len(games)), seats]
    return (own - (totals.sum(1) - own) / (ruleset.players - 1)) / 30


def test_rewards_are_the_environments_plus_what_the_potential_rose_by() -> None:
    """Over a game the additions come to −Φ(first decision), whoever moved in between; the end has no potential."""
    ruleset = Ruleset(3)
    seen: list[np.ndarray] = []

    def spy(*arguments) -> np.ndarray:
        seen.append(lead(*arguments))
        return seen[-1].copy()

    plain = HansaVecEnv(8, ruleset, ["random"], seed=4, max_turns=6)
    shaped = HansaVecEnv(8, ruleset, ["random"], seed=4, max_turns=6, potential=spy)
    assert (plain.reset() == shaped.reset()).all()
    first, added, base = seen[-1].copy(), np.zeros(8), np.zeros(8)
    running = np.ones(8, bool)
    rng = np.random.default_rng(4)
    while running.any():
        actions = choose(shaped.action_masks(), rng)
        _, rewards, done, infos = shaped.step(actions)
        _, plain_rewards, plain_done, _ = plain.step(actions)
        assert (done == plain_done).all()
        added[running] += (rewards - plain_rewards)[running]
        base[running] += plain_rewards[running]
        for i in np.flatnonzero(done & running):
            assert added[i] == pytest.approx(-first[i], abs=1e-5)
            assert infos[i]["episode"]["r"] == pytest.approx(base[i], abs=1e-5)
            place = sum(other[6] > infos[i]["scores"][infos[i]["seat"], 6] for other in infos[i]["scores"])
            assert infos[i]["rank"] == place and infos[i]["cut_off"] and not infos[i]["TimeLimit.truncated"]
        running &= ~done
    assert np.abs(seen[-1] - first).max() > 0.01


def test_sampling_follows_the_masks_and_the_seed() -> None:
    run_policy = HansaVecEnv(4, Ruleset(3), ["random"])
    model = MaskablePPO("MlpPolicy", run_policy, seed=1, device="cpu")
    batch = HansaBatch(256, Ruleset(3))
    masks = batch.action_mask.copy()
    masks[7] = False
    inputs = batch.observe()
    drawn = [PPOAgent(Ruleset(3), model.policy, seed).act(batch.games, masks, batch.seat) for seed in (1, 1, 2)]
    assert (drawn[0] == drawn[1]).all() and (drawn[0] != drawn[2]).any()
    assert drawn[0][7] == -1 and len(set(drawn[0])) > 10
    rows = np.arange(256) != 7
    assert masks[np.arange(256), drawn[0]][rows].all()
    with torch.no_grad():
        distribution = model.policy.get_distribution(torch.from_numpy(inputs), action_masks=masks[:1].repeat(256, 0))
    same = batch.games[:1].repeat(20_000)
    same["noise"] = np.arange(20_000)  # as in so many games in which this moment came
    actions = PPOAgent(Ruleset(3), model.policy, 3).act(same, masks[:1].repeat(20_000, 0), batch.seat)
    shares = np.bincount(actions, minlength=masks.shape[1]) / 20_000
    policy = distribution.distribution.probs[0].numpy()
    np.testing.assert_allclose(shares, policy, atol=0.02)
    for temperature in (0.25, 4):
        agent = PPOAgent(Ruleset(3), model.policy, 3, temperature)
        actions = agent.act(same, masks[:1].repeat(20_000, 0), batch.seat)
        expected = np.where(masks[0], policy ** (1 / temperature), 0)
        shares = np.bincount(actions, minlength=masks.shape[1]) / 20_000
        np.testing.assert_allclose(shares, expected / expected.sum(), atol=0.02)
        assert agent.act(same[:2], masks[[7, 0]], batch.seat[:2])[0] == -1
    likeliest = PPOAgent(Ruleset(3), model.policy, 3, temperature=0).act(inputs, masks, batch.seat)
    for temperature in (1e-4, 1e-7, 1e-38, 5e-324):
        coldest = PPOAgent(Ruleset(3), model.policy, 3, temperature).act(batch.games, masks, batch.seat)
        assert (coldest == likeliest).mean() > 0.98 and coldest[7] == -1, temperature


def test_an_agent_computes_in_one_thread_and_leaves_the_process_as_it_was() -> None:
    batch, threads, before = HansaBatch(4, Ruleset(3)), [], torch.get_num_threads()
    policy = new_policy(Ruleset(3), NETWORKS["board-small"])
    policy.action_net.register_forward_hook(lambda *_: threads.append(torch.get_num_threads()))
    torch.set_num_threads(3)
    try:
        PPOAgent(Ruleset(3), policy).act(batch.games, batch.action_mask, batch.seat)
        assert threads == [1] and torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)
