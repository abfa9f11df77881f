"""What self-play writes down: every decision of the seats that learn, what it was worth, and to whom."""

from collections.abc import Iterator

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from hansa_env import Ruleset, make_agent
from hansa_env.sb3 import HansaVecEnv
from hansa_training.league import LEARNER, League
from hansa_training.networks import policy_arguments
from hansa_training.ppo import SelfPlayPPO
from hansa_training.rollout import SeatBuffer
from hansa_training.shard import Shard
from hansa_training.sizes import NETWORKS
from hansa_training.workers import Workers
from hansa_training.worth import Worth

RULESET = Ruleset(3)
DISCOUNT, TRACE = 0.97, 0.9


@pytest.fixture(autouse=True)
def one_thread_an_operation() -> Iterator[None]:
    """As in a run: shards are what shares the cores."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def trainer(shards: int = 1, games: int = 16, ticks: int = 96, max_turns: int = 3, **settings) -> SelfPlayPPO:
    """A trainer at its beginning, whose games are cut off early so that many end."""
    policy, arguments = policy_arguments(RULESET, NETWORKS["board-small"])
    env = HansaVecEnv(1, RULESET)
    settings = {"batch_size": 256, "n_epochs": 1, "gamma": DISCOUNT, "gae_lambda": TRACE, "seed": 1} | settings
    model = SelfPlayPPO(policy, env, n_steps=ticks, policy_kwargs=arguments, rollout_buffer_class=SeatBuffer, device="cpu",
                        **settings)  # fmt: skip
    league = League(RULESET, NETWORKS["board-small"], ["greedy"], 2, 0.3, 0.3, 0.5)
    model.shards = [
        Shard(RULESET, SeatBuffer(ticks, env.observation_space, env.action_space, "cpu", TRACE, DISCOUNT, games // shards),
              league, 5 + i, max_turns, Worth(0.5, 0.25, 20.0))
        for i in range(shards)
    ]  # fmt: skip
    model._setup_learn(1)
    return model


def test_advantages_are_those_of_each_seat_by_itself() -> None:
    """Against the definition, seat by seat: the sum over t of (discount · trace)^t times what was better than expected."""
    model = trainer()
    shard = model.shards[0]
    shard.collect(model.policy)
    buffer = shard.buffer
    n = buffer.pos
    checked = 0
    for game in range(16):
        for seat in range(3):
            rows = np.flatnonzero((buffer.games[:n] == game) & (buffer.seats[:n] == seat))
            for first, row in enumerate(rows):
                path = rows[first:]
                ends = np.flatnonzero(buffer.ended[path])
                path = path[: ends[0] + 1] if len(ends) else path
                whole = bool(len(ends))
                errors = []
                for at, after in zip(path, [*path[1:], None]):
                    if after is None and not whole:
                        break
                    later = 0.0 if after is None else DISCOUNT * float(buffer.values[after])
                    errors.append(float(buffer.rewards[at]) + later - float(buffer.values[at]))
                assert buffer.known[row] == bool(errors)
                if errors:
                    expected = sum((DISCOUNT * TRACE) ** t * error for t, error in enumerate(errors))
                    assert buffer.advantages[row] == pytest.approx(expected, abs=1e-4)
                    assert buffer.returns[row] == pytest.approx(expected + buffer.values[row], abs=1e-4)
                    checked += 1
    assert checked > 500 and buffer.ended[:n].sum() > 20 and (~buffer.known[:n]).sum() > 5


def test_an_ended_game_is_worth_the_win_and_the_lead_at_the_last_decision_of_each_seat() -> None:
    model = trainer()
    shard = model.shards[0]
    booked, who_ended = [], []
    end = shard._end

    def spy(ended: np.ndarray) -> None:
        before, last, who = shard.buffer.rewards.copy(), shard.last_row.copy(), shard.who[ended].copy()
        wins, totals = shard.batch.rewards[ended].copy(), shard.batch.final_scores[ended, :, 6].astype(float)
        end(ended)
        for k, game in enumerate(ended):
            for seat in np.flatnonzero(who[k] == LEARNER):
                row = last[game, seat]
                if row < 0:
                    continue
                assert shard.buffer.games[row] == game and shard.buffer.seats[row] == seat and before[row] == 0
                others = [points for s, points in enumerate(totals[k]) if s != seat]
                worth = 0.5 * wins[k, seat] + 0.25 * (totals[k, seat] - max(others)) / 20
                assert shard.buffer.rewards[row] == pytest.approx(worth, abs=1e-6) and shard.buffer.ended[row]
                booked.append(row)
            who_ended.append((who[k] == LEARNER).sum())

    shard._end = spy
    shard.collect(model.policy)
    rewards = shard.buffer.rewards[: shard.buffer.pos]
    assert sorted(booked) == np.flatnonzero(shard.buffer.ended[: shard.buffer.pos]).tolist()
    assert set(np.flatnonzero(rewards)) <= set(booked) and len(booked) > 20 and {1, 2, 3} == set(who_ended)


def test_only_the_learners_decisions_are_kept_as_they_were_seen() -> None:
    """Played again from the same seed, every row is what the seat saw, could do, and did."""
    first, second = trainer(), trainer()
    shard, witness = first.shards[0], second.shards[0]
    shard.collect(first.policy)
    seen = []

    def look(own: np.ndarray) -> slice:
        observations, masks = witness.batch.observe(), witness.batch.action_mask
        seen.extend((observations[g].copy(), masks[g].copy(), g, int(witness.batch.seat[g])) for g in own)
        return type(witness)._look(witness, own)

    witness._look = look
    witness.collect(second.policy)
    buffer = shard.buffer
    assert len(seen) == buffer.pos > 500
    for row, (observation, mask, game, seat) in enumerate(seen):
        assert (buffer.observations[row] == observation).all() and (buffer.action_masks[row] == mask).all()
        assert (buffer.games[row], buffer.seats[row]) == (game, seat) and mask[buffer.actions[row]]


def test_what_is_learned_from_a_rollout_is_what_stable_baselines_learns() -> None:
    """One minibatch with all rows: the weights after it equal those after MaskablePPO's own `train`."""
    ours, theirs = (trainer(batch_size=100_000, vf_coef=0.7, ent_coef=0.01, learning_rate=1e-3) for _ in range(2))
    for model in (ours, theirs):
        model.shards[0].collect(model.policy)
    before = [p.detach().clone() for p in ours.policy.parameters()]
    ours.train()
    theirs.rollout_buffer = theirs.shards[0].buffer
    MaskablePPO.train(theirs)
    moved = 0
    for start, one, other in zip(before, ours.policy.parameters(), theirs.policy.parameters()):
        torch.testing.assert_close(one, other, rtol=0, atol=2e-5)
        moved += int(((one - start).abs() > 5e-4).sum())
    assert moved > 1000


def test_threads_do_not_change_what_is_learned() -> None:
    weights = []
    for threads in (1, 2):
        model = trainer(shards=2)
        model.workers = Workers(threads)
        for _ in range(3):
            model.learn(1, reset_num_timesteps=False, log_interval=None)
        model.workers.close()
        weights.append([p.detach().clone() for p in model.policy.parameters()])
    assert all(torch.equal(a, b) for a, b in zip(*weights))


def test_the_value_head_can_be_trained_alone() -> None:
    model = trainer()
    model.value_only = True
    before = {name: p.detach().clone() for name, p in model.policy.named_parameters()}
    model.learn(1, reset_num_timesteps=False, log_interval=None)
    moved = {name for name, p in model.policy.named_parameters() if not torch.equal(p, before[name])}
    assert moved and all(name.startswith("value_net") for name in moved)


def test_scattered_games_stand_at_all_stages_and_none_of_it_is_learned_from() -> None:
    shard = trainer(games=128, max_turns=100).shards[0]
    shard.desynchronise(make_agent("greedy", shard.ruleset))
    turns = np.sort(shard.batch.games["turns"])
    n = len(turns)
    assert turns[n // 10] < 8 and turns[9 * n // 10] > 20, "openings and endings"
    assert (np.diff(np.quantile(turns, [0.1, 0.3, 0.5, 0.7, 0.9])) > 2).all()
    assert shard.buffer.pos == 0 and not shard.results and (shard.last_row == -1).all()


def test_the_learning_rate_follows_how_far_the_policy_moves() -> None:
    model = trainer()
    model.divergence, model.rate = 0.01, 1e-3
    for moved, expected in ((0.03, 1e-3 / 1.5), (0.019, 1e-3 / 1.5), (0.006, 1e-3 / 1.5), (0.004, 1e-3)):
        model._adapt_rate(moved)
        assert model.rate == pytest.approx(expected)
    for _ in range(60):
        model._adapt_rate(1.0)
    assert model.rate == 1e-6
    model.limit_rate(1e-3)
    assert model.rate == 1e-6
    model.rate = 0.5
    model.limit_rate(1e-3)
    assert {group["lr"] for group in model.policy.optimizer.param_groups} == {1e-3}


def test_a_rollout_that_trains_the_value_alone_leaves_the_policy_as_it_is() -> None:
    model = trainer()
    model.shards[0].collect(model.policy)
    before = {name: weights.clone() for name, weights in model.policy.state_dict().items()}
    model.value_only = True
    model.train()
    changed = {name for name, weights in model.policy.state_dict().items() if not torch.equal(weights, before[name])}
    assert changed and all(name.startswith("value_net") for name in changed)
