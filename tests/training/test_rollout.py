"""What self-play writes down: every decision of the seats that learn, what it was worth, and to whom."""

from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBufferSamples
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.utils import set_random_seed

from hansa_env import Ruleset, make_agent
from hansa_env.sb3 import HansaVecEnv
from hansa_training.end_worth import Worth
from hansa_training.league import LEARNER, Company, League
from hansa_training.midgame_starts import MidgameStarts
from hansa_training.networks import evaluate, policy_arguments
from hansa_training.networks.trained import OwnNetwork
from hansa_training.plan import Plan
from hansa_training.plan_checks import MOST_KEPT
from hansa_training.ppo import FIGURES, SelfPlayPPO, Settings, ppo_loss
from hansa_training.rollout import SeatBuffer
from hansa_training.shard import Shard
from hansa_training.sizes import NETWORKS
from hansa_training.state import pack, unpack
from hansa_training.workers import Workers

RULESET = Ruleset(3)
GAMMA, GAE_LAMBDA = 0.97, 0.9


@pytest.fixture(autouse=True)
def one_thread_an_operation() -> Iterator[None]:
    """As in a run: shards are what shares the cores."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def trainer(
    shards: int = 1, games: int = 16, ticks: int = 96, max_turns: int = 3, learning_rate: float = 3e-4, threads: int = 1,
    network: str = "board-small", **settings,
) -> SelfPlayPPO:  # fmt: skip
    """A trainer at its beginning, whose games are cut off early so that many end."""
    set_random_seed(1)
    trained = OwnNetwork(RULESET, NETWORKS[network])
    company = Plan(all_learners=0.3, two_learners=0.3).part(Company)
    league = League(RULESET, ["greedy"], [], 2, company, partial(trained.empty, RULESET))
    return SelfPlayPPO(
        trained,
        {
            i: Shard(RULESET, SeatBuffer(RULESET, games // shards, ticks, GAMMA, GAE_LAMBDA), league, 5 + i, max_turns,
                     Worth(0.5, 0.25, 20.0))
            for i in range(shards)
        },
        [league],
        Workers(threads),
        Plan(**{"batch_size": 256, "n_epochs": 1} | settings).part(Settings),
        learning_rate,
    )  # fmt: skip


def policy_of(model: SelfPlayPPO) -> MaskableActorCriticPolicy:
    return model.trained.policy(RULESET)


def test_a_game_that_is_cut_off_costs_every_seat_what_the_plan_says() -> None:
    without, cost = trainer(max_turns=2), trainer(max_turns=2)
    cost.shards[0].turn_limit_cost = 0.7
    rewards = []
    for model in (without, cost):
        model.shards[0].collect(policy_of(model))
        buffer = model.shards[0].buffer
        rewards.append(buffer.rewards[: buffer.size].copy())
    ended = without.shards[0].buffer.ended[: len(rewards[0])]
    assert ended.any() and rewards[1] == pytest.approx(rewards[0] - 0.7 * ended)


def test_a_turn_costs_the_seat_that_had_it_when_its_next_begins() -> None:
    """Counted by hand from who decided, at which turn of whom."""
    model = trainer(games=8, ticks=80, max_turns=6)
    shard = model.shards[0]
    shard.turn_cost = 0.01
    seen: list[tuple[int, int, int, bool]] = []
    look = shard._look

    def spy(own: np.ndarray) -> slice:
        games = shard.batch.games.take(own)
        seats = shard.batch.seat[own]
        seen.extend(zip(own.tolist(), seats.tolist(), games["turns"].tolist(), (games["turn"] == seats).tolist()))
        return look(own)

    shard._look = spy
    shard.collect(policy_of(model))
    buffer = shard.buffer
    assert len(seen) == buffer.size
    expected, ended = np.zeros(buffer.size), buffer.ended[: buffer.size]
    for first, (game, seat, *_) in enumerate(seen):
        later = [row for row in range(first + 1, buffer.size) if seen[row][:2] == (game, seat)]
        if not ended[first] and later and seen[later[0]][3]:
            had = [row for row in range(first + 1) if seen[row][:2] == (game, seat) and seen[row][3]]
            since = [row for row in range(first) if ended[row] and seen[row][:2] == (game, seat)]
            had = [row for row in had if not since or row > since[-1]]
            if had and seen[had[-1]][2] != seen[later[0]][2]:
                expected[first] = -0.01
    running = ~ended
    assert (expected < 0).sum() > 20
    assert buffer.rewards[: buffer.size][running] == pytest.approx(expected[running])


def test_a_new_game_knows_no_turn_of_the_one_before() -> None:
    """Seats that have not had their first turn yet may have been asked already."""
    model = trainer(games=32, ticks=80, max_turns=2)
    shard = model.shards[0]
    shard.turn_cost = 0.01
    shard.collect(policy_of(model))
    to_come = np.arange(3) > shard.batch.games["turns"][:, None]
    assert len(shard.results) > 32 and to_come.any() and (shard.last_turn[~to_come] >= 0).any()
    assert (shard.last_turn[to_come] == -1).all()


def test_who_has_as_many_points_is_half_ahead() -> None:
    """Nobody has any after a single round, and each of those games was cut off."""
    model = trainer(max_turns=1)
    model.collect()
    results = model.shards[0].results
    assert {one["scores"][-1] for one in results} == {0}
    assert [share for one in results for share in one["ahead"].values()] == [0.5] * sum(len(one["ahead"]) for one in results)
    assert sum(len(one["ahead"]) for one in results) > 16 and model.figures["games/truncated"] == 1.0


def test_a_game_of_which_players_were_replaced_after_a_stop_says_nothing_about_the_learner() -> None:
    before, after = trainer().shards[0], trainer().shards[0]
    league = after.league = League(RULESET, ["random"], [], 2, before.league.company, before.league._empty)
    league.set_state(unpack(*pack(before.league.state())))
    gone = (before.who != LEARNER).any(1)
    after.set_state(unpack(*pack(before.state())))
    assert gone.any() and not gone.all() and before.whole.all()
    assert (after.whole == ~gone).all() and set(np.unique(after.who)) == {LEARNER, *league.opponents}


def test_advantages_are_those_of_each_seat_by_itself() -> None:
    """Against the definition, seat by seat: the sum over t of (gamma · lambda)^t times what was better than expected."""
    model = trainer()
    shard = model.shards[0]
    shard.collect(policy_of(model))
    buffer = shard.buffer
    n = buffer.size
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
                    later = 0.0 if after is None else GAMMA * float(buffer.values[after])
                    errors.append(float(buffer.rewards[at]) + later - float(buffer.values[at]))
                assert buffer.known[row] == bool(errors)
                if errors:
                    expected = sum((GAMMA * GAE_LAMBDA) ** t * error for t, error in enumerate(errors))
                    assert buffer.advantages[row] == pytest.approx(expected, abs=1e-4)
                    assert buffer.returns[row] == pytest.approx(expected + buffer.values[row], abs=1e-4)
                    checked += 1
    assert checked > 500 and buffer.ended[:n].sum() > 20 and (~buffer.known[:n]).sum() > 5


def learned_rows(ticks: int, rollouts: int) -> list[tuple]:
    """All that rollouts of one policy would be learned from, by game and seat in the order of play."""
    model = trainer(ticks=ticks)
    shard = model.shards[0]
    shard.buffer.gae_lambda = 0.0  # so that an advantage needs no more than the next decision
    found: dict[tuple[int, int], list[tuple]] = {}
    waited = 0
    for _ in range(rollouts):
        before = shard.buffer.size - len(shard.buffer.learnable())
        model.collect()
        buffer = shard.buffer
        assert buffer.waiting == before
        for row in buffer.learnable():
            seen = buffer.observations[row].tobytes(), buffer.action_masks[row].tobytes(), int(buffer.actions[row])
            numbers = [float(one[row]) for one in (buffer.log_probs, buffer.rewards, buffer.advantages, buffer.returns)]
            found.setdefault((buffer.games[row], buffer.seats[row]), []).append((*seen, *numbers))
        waited += buffer.waiting
    taken = sum(map(len, found.values())) + (~buffer.known[: buffer.size]).sum()
    assert (waited > 30) == (rollouts > 1) and model.decisions == taken
    return sorted((*place, number, *row) for place, rows in found.items() for number, row in enumerate(rows))


def test_short_rollouts_teach_what_a_long_one_does() -> None:
    """No decision is lost between two rollouts, and no end of a game."""
    long, short = learned_rows(ticks=96, rollouts=1), learned_rows(ticks=8, rollouts=12)
    assert len(long) > 500 and sum(row[7] != 0 for row in long) > 20
    assert [row[:6] for row in short] == [row[:6] for row in long]
    assert np.array([row[6:] for row in short]) == pytest.approx(np.array([row[6:] for row in long]), abs=1e-5)


def test_what_waited_is_learned_from_as_if_the_policy_of_now_had_drawn_it() -> None:
    """By the definition: its advantage counts by the ratio of the two policies' probabilities, where that is below 1."""
    model = trainer(ticks=16, learning_rate=3e-3)
    shard = model.shards[0]
    for _ in range(3):
        model.collect()
        buffer = shard.buffer
        waits = ~buffer.known[: buffer.size]
        drawn, weights = buffer.log_probs[: buffer.size][waits].copy(), buffer.weights[: buffer.size][waits].copy()
        model.learn()
    model.collect()
    first = slice(0, buffer.waiting)
    with torch.no_grad():
        logits, values = evaluate(
            policy_of(model), torch.from_numpy(buffer.observations[first]), torch.from_numpy(buffer.action_masks[first])
        )
    now = logits.log_softmax(1).numpy()[np.arange(buffer.waiting), buffer.actions[first]]
    assert buffer.waiting == len(drawn) > 20 and np.abs(now - drawn).max() > 0.01
    assert buffer.log_probs[first] == pytest.approx(now, abs=1e-5)
    assert buffer.values[first] == pytest.approx(values.numpy(), abs=1e-5)
    assert buffer.weights[first] == pytest.approx(weights * np.exp(now - drawn), rel=1e-4)
    assert (weights != 1).any(), "some wait for a second time"
    whole, known = buffer.returns - buffer.values, buffer.known[first]
    counted = whole[first] * np.minimum(1, buffer.weights[first])
    assert known.any() and buffer.advantages[first][known] == pytest.approx(counted[known], abs=1e-5)
    rest = slice(buffer.waiting, buffer.size)
    assert (buffer.weights[rest] == 1).all() and buffer.advantages[rest] == pytest.approx(whole[rest], abs=1e-5)


def test_how_much_of_the_ends_is_foreseen_is_counted_by_hand() -> None:
    model = trainer(ticks=64)
    model.collect()
    model.learn()
    buffer = model.shards[0].buffer
    outcomes, values = [], []
    for row in range(buffer.size):
        same = (buffer.games[row : buffer.size] == buffer.games[row]) & (buffer.seats[row : buffer.size] == buffer.seats[row])
        path = row + np.flatnonzero(same)
        ends = np.flatnonzero(buffer.ended[path])
        if len(ends):
            outcomes.append(sum(GAMMA**t * buffer.rewards[one] for t, one in enumerate(path[: ends[0] + 1])))
            values.append(buffer.values[row])
    assert 100 < len(outcomes) < buffer.size
    expected = 1 - np.var(np.array(outcomes) - values) / np.var(outcomes)
    assert model.figures["train/explained_variance_of_ends"] == pytest.approx(expected, abs=1e-4)


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
    shard.collect(policy_of(model))
    rewards = shard.buffer.rewards[: shard.buffer.size]
    assert sorted(booked) == np.flatnonzero(shard.buffer.ended[: shard.buffer.size]).tolist()
    assert set(np.flatnonzero(rewards)) <= set(booked) and len(booked) > 20 and {1, 2, 3} == set(who_ended)


def test_only_the_learners_decisions_are_kept_as_they_were_seen() -> None:
    """Played again from the same seed, every row is what the seat saw, could do, and did."""
    first, second = trainer(), trainer()
    shard, witness = first.shards[0], second.shards[0]
    shard.collect(policy_of(first))
    seen = []

    def look(own: np.ndarray) -> slice:
        observations, masks = witness.batch.observe(), witness.batch.action_mask
        seen.extend((observations[g].copy(), masks[g].copy(), g, int(witness.batch.seat[g])) for g in own)
        return type(witness)._look(witness, own)

    witness._look = look
    witness.collect(policy_of(second))
    buffer = shard.buffer
    assert len(seen) == buffer.size > 500
    for row, (observation, mask, game, seat) in enumerate(seen):
        assert (buffer.observations[row] == observation).all() and (buffer.action_masks[row] == mask).all()
        assert (buffer.games[row], buffer.seats[row]) == (game, seat) and mask[buffer.actions[row]]


def test_what_is_learned_from_a_rollout_is_what_stable_baselines_learns() -> None:
    """One minibatch with all rows: the weights after it equal those after MaskablePPO's own `train`."""
    settings = {"vf_coef": 0.7, "ent_coef": 0.01, "learning_rate": 1e-3}
    ours = trainer(batch_size=100_000, **settings)
    policy, arguments = policy_arguments(RULESET, NETWORKS["board-small"])
    env = HansaVecEnv(1, RULESET)
    theirs = MaskablePPO(
        policy, env, n_steps=2, batch_size=10_000, n_epochs=1, policy_kwargs=arguments, device="cpu", **settings
    )
    theirs.policy.load_state_dict(policy_of(ours).state_dict())
    theirs._setup_learn(1)
    ours.collect()
    buffer = ours.shards[0].buffer
    rows = buffer.learnable()
    data = buffer.take(rows)
    values = torch.from_numpy(buffer.values[rows])
    samples = MaskableRolloutBufferSamples(
        data.observations, data.actions, values, data.old_log_prob, data.advantages, data.returns,
        data.action_masks,
    )  # fmt: skip
    theirs.rollout_buffer = SimpleNamespace(
        get=lambda batch_size: iter([samples]), values=buffer.values[rows], returns=buffer.returns[rows]
    )
    before = [p.detach().clone() for p in policy_of(ours).parameters()]
    ours.learn()
    MaskablePPO.train(theirs)
    moved = 0
    for start, one, other in zip(before, policy_of(ours).parameters(), theirs.policy.parameters()):
        torch.testing.assert_close(one, other, rtol=0, atol=2e-5)
        moved += int(((one - start).abs() > 5e-4).sum())
    assert moved > 1000


def test_threads_do_not_change_what_is_learned() -> None:
    weights = []
    for threads in (1, 2):
        model = trainer(shards=2, threads=threads)
        for _ in range(3):
            model.collect()
            model.learn()
        model.workers.close()
        weights.append([p.detach().clone() for p in policy_of(model).parameters()])
    assert all(torch.equal(a, b) for a, b in zip(*weights))


def test_scattered_games_stand_at_all_stages_and_none_of_it_is_learned_from() -> None:
    shard = trainer(games=128, max_turns=100).shards[0]
    shard.desynchronise(make_agent("greedy", shard.ruleset))
    turns = np.sort(shard.batch.games["turns"])
    n = len(turns)
    assert turns[n // 10] < 8 and turns[9 * n // 10] > 20, "openings and endings"
    assert (np.diff(np.quantile(turns, [0.1, 0.3, 0.5, 0.7, 0.9])) > 2).all()
    assert shard.buffer.size == 0 and not shard.results and (shard.last_row == -1).all()


def test_games_that_another_agent_began_say_nothing_about_the_learner() -> None:
    """They are learned from, but no result is theirs; the games after them have results."""
    model = trainer(max_turns=3)
    shard = model.shards[0]
    shard.desynchronise(make_agent("scripted:link", shard.ruleset))
    begun = shard.batch.games["seed"].copy()
    ended: list[tuple[bool, int]] = []
    end = shard._end

    def spy(rows: np.ndarray) -> None:
        for game in rows:
            ended.append((bool(shard.whole[game]), int((shard.who[game] == LEARNER).sum())))
        end(rows)

    shard._end = spy
    model.collect()
    first = len([one for one, _ in ended if not one])
    assert 0 < first <= len(begun) and shard.buffer.ended.any()
    assert len(shard.results) == sum(learners for whole, learners in ended if whole)
    assert shard.whole.sum() == first and len(shard.results) > 0


@pytest.mark.parametrize(
    ("ruleset", "gigabytes"), [(Ruleset(3), 6), (Ruleset(5, board="britannia-4-5", favours="any-board", pile="promos"), 16.5)]
)
def test_the_largest_rollout_that_a_plan_allows_takes_so_much_memory(ruleset: Ruleset, gigabytes: float) -> None:
    """As the page on training says; counted of a thousandth, in all arrays of the buffer."""
    buffer = SeatBuffer(ruleset, 1, MOST_KEPT // 1024)
    taken = sum(one.nbytes for one in vars(buffer).values() if isinstance(one, np.ndarray))
    assert 0.9 * gigabytes < taken * 1024 / 1e9 < gigabytes


def test_the_learning_rate_follows_how_far_the_policy_moves() -> None:
    model = trainer(target_kl=0.01)
    model.rate = 1e-3
    for moved, expected in ((0.03, 1e-3 / 1.5), (0.019, 1e-3 / 1.5), (0.006, 1e-3 / 1.5), (0.004, 1e-3)):
        model._adapt_rate(moved)
        assert model.rate == pytest.approx(expected)
    model.rate = 0.9
    model._adapt_rate(0.0)
    assert model.rate == 1.0
    for _ in range(60):
        model._adapt_rate(1.0)
    assert model.rate == 1e-6
    model.limit_rate(1e-3)
    assert model.rate == 1e-6
    model.rate = 0.5
    model.limit_rate(1e-3)
    assert {group["lr"] for group in model.optimizer.param_groups} == {1e-3}


def test_where_the_policy_does_not_learn_the_rate_stays() -> None:
    model = trainer(games=4, ticks=48, max_turns=1, learning_rate=3e-4)
    model.value_only = True
    model.collect()
    model.learn()
    assert model.figures["train/approx_kl"] == pytest.approx(0, abs=1e-5) and model.rate == 3e-4


def test_decisions_are_clipped_that_became_much_likelier_or_less_likely() -> None:
    """By more than a fifth, as the plan says."""
    model = trainer(games=4, ticks=48, max_turns=1, clip_range=0.2)
    model.collect()
    buffer, policy = model.shards[0].buffer, policy_of(model)
    data = buffer.take(buffer.learnable()[:5])
    with torch.no_grad():
        logits, _ = evaluate(policy, data.observations, data.action_masks)
        now = logits.log_softmax(1).gather(1, data.actions[:, None])[:, 0]
        data = data._replace(old_log_prob=now - torch.tensor([0.5, 0.75, 0.9, 1.1, 1.5]).log())
    _, figures = ppo_loss(policy, data, 0.0, 1.0, model.settings, False)
    assert figures[FIGURES.index("clip_fraction")] == 3


@pytest.mark.parametrize("network", NETWORKS)
def test_a_rollout_that_trains_the_value_alone_trains_all_that_the_policy_does_not_need(network: str) -> None:
    model = trainer(games=4, ticks=48, max_turns=1, network=network)
    model.collect()
    policy = policy_of(model)
    weights = dict(policy.named_parameters())
    before = {name: one.detach().clone() for name, one in weights.items()}
    logits, _ = evaluate(policy, torch.zeros(1, *policy.observation_space.shape, dtype=torch.int8))
    gradients = torch.autograd.grad(logits.sum(), list(weights.values()), allow_unused=True)
    of_the_value = {name for name, gradient in zip(weights, gradients) if gradient is None}
    model.value_only = True
    model.learn()
    assert {name for name, one in weights.items() if not torch.equal(one, before[name])} == of_the_value


def test_games_that_begin_in_the_middle_of_others_say_nothing_about_the_learner() -> None:
    model = trainer(max_turns=3)
    shard = model.shards[0]
    shard.midgame_starts = MidgameStarts(1.0)
    shard.midgame_starts.games[:] = shard.batch.games.take(np.zeros(len(shard.midgame_starts.games), np.int64))
    shard.midgame_starts.count[0] = len(shard.midgame_starts.games)
    learners = (shard.who == LEARNER).sum()
    model.collect()
    assert not shard.whole.any() and len(shard.results) == learners, "each of the first games has ended, none after it counts"
