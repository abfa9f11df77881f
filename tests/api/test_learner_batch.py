"""The learner batch under the Gymnasium environments: its opponents, seeds and rewards."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from hansa_agents import Agent, make_agent
from hansa_env import AgentFault, Ruleset, hansa_teutonica_v0
from hansa_env.api.gymnasium import HansaTeutonicaEnv
from hansa_env.api.vector import HansaTeutonicaVectorEnv
from hansa_env.play import registry
from hansa_env.play.learner_batch import LearnerBatch
from hansa_env.sb3 import HansaVecEnv
from tests.api.opponents import Fixed
from tests.helpers import choose


def test_agents_are_mixed_by_game_and_asked_in_batches() -> None:
    agents = [Fixed(f"agent {k}", k) for k in range(3)]
    batch = LearnerBatch(64, Ruleset(4), agents, seed=1, max_turns=2, mix=True)
    away = batch.opponent_of[np.arange(64), batch.seats]
    assert (away == -1).all() and (batch.opponent_of >= 0).sum() == 64 * 3
    assert set(batch.seats.tolist()) == {0, 1, 2, 3}
    counts = np.bincount(batch.opponent_of[batch.opponent_of >= 0])
    assert len(counts) == 3 and counts.min() > 40
    for k, agent in enumerate(agents):
        first = {seat for asked in agent.asked for seat in asked}
        assert first == {s for row, seat in zip(batch.opponent_of, batch.seats) for s in range(seat) if row[s] == k}
        assert max(map(len, agent.asked)) > 5
    company = batch.opponent_of.copy()
    rng = np.random.default_rng(0)
    ends = 0
    while ends < 64:
        batch.step(choose(batch.action_mask, rng))
        assert (batch.opponent_of == company).all()
        ended = batch.ended
        ends += ended.sum()
        batch.reset(where=ended)
        assert (batch.opponent_of[~ended] == company[~ended]).all()
        company = batch.opponent_of.copy()


def test_one_agent_at_its_seats_only() -> None:
    mine, other = Fixed(), Fixed()
    batch = LearnerBatch(1, Ruleset(3), [mine, other], seed=1, seat=1)
    rng = np.random.default_rng(0)
    for _ in range(60):
        batch.step(choose(batch.action_mask, rng))
    assert {s for asked in mine.asked for s in asked} == {2} and {s for asked in other.asked for s in asked} == {0}


@pytest.mark.parametrize("make", [HansaTeutonicaEnv, partial(HansaTeutonicaVectorEnv, 3), partial(LearnerBatch, 3),
                                  partial(HansaVecEnv, 3)])  # fmt: skip
def test_opponents_sit_in_order_in_every_interface_unless_they_are_mixed(make) -> None:
    first, second = Fixed("first"), Fixed("second")
    env = make(ruleset=Ruleset(3), opponents=[first, second], seat=2)
    batch = getattr(env, "core", env)
    if batch is not env:
        env.reset()
    assert batch.opponent_of.tolist() == [[0, 1, -1]] * batch.num_envs
    with pytest.raises(ValueError, match=r"3 opponents were given; .*; mix=True draws among any number"):
        make(ruleset=Ruleset(3), opponents=[first] * 3, seat=2)
    make(ruleset=Ruleset(3), opponents=[first] * 3, seat=2, mix=True)


def test_replaced_agents_take_over() -> None:
    old, new = Fixed(), Fixed()
    batch = LearnerBatch(4, Ruleset(3), [old, old], seed=1)
    rng = np.random.default_rng(0)
    batch.set_opponents([new])
    assert batch.opponent_of.max() == 0
    asked = len(old.asked)
    for _ in range(20):
        batch.step(choose(batch.action_mask, rng))
    assert len(old.asked) == asked and new.asked


def test_seeds_of_some_rows_leave_the_others_and_the_agents_alone() -> None:
    batch = LearnerBatch(3, Ruleset(3), ["random"], seed=1)
    agents, games = batch.opponents, batch.batch.games.copy()
    batch.reset([7, 8, 9], where=np.array([False, True, False]))
    assert batch.opponents is agents
    assert batch.batch.games.take([0, 2]).tobytes() == games.take([0, 2]).tobytes()
    middle = batch.batch.games["seed"][1]
    batch.reset([None, 8, None])
    assert batch.opponents is agents, "not all of the games begin anew"
    assert batch.batch.games["seed"][1] == middle
    assert (batch.batch.games["seed"] != games["seed"]).all(), "rows without a seed went on to the game that follows"


class Counting(Agent):
    """Decides by how often it was asked before, as one that draws from a generator of its own does."""

    sees = "observations"
    made: list[int] = []  # noqa: RUF012 (of all of them)

    def __init__(self, ruleset: Ruleset, seed: int = 0) -> None:
        self.asked = seed % 5
        Counting.made.append(seed)

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        self.asked += 1
        return (masks.cumsum(1) == (self.asked % masks.sum(1))[:, None] + 1).argmax(1)


class Unique(Counting):
    """One that cannot be copied."""

    def __deepcopy__(self, memo: dict) -> None:
        raise TypeError("holds a process")


@pytest.mark.parametrize(("kind", "times"), [(Counting, 1), (Unique, 4)])
def test_agents_of_specs_are_made_once_and_begin_anew_with_each_seed(kind, times: int, monkeypatch) -> None:
    monkeypatch.setattr(Counting, "made", [])
    monkeypatch.setitem(registry._factories, "counting", kind)
    env = HansaTeutonicaEnv(players=3, opponents="counting", max_turns=3)

    def episode(seed: int) -> bytes:
        observation, info = env.reset(seed=seed)
        seen, over = [observation.tobytes()], False
        while not over:
            observation, _, over, _, info = env.step(int(info["action_mask"].argmax()))
            seen.append(observation.tobytes())
        return b"".join(seen)

    first = episode(3)
    assert episode(4) != first == episode(3)
    agent = env.unwrapped.core.opponents[0]
    asked = agent.asked
    env.reset()
    assert env.unwrapped.core.opponents[0] is agent and agent.asked >= asked, "without a seed they go on"
    assert len(Counting.made) == times and len(set(Counting.made)) == 1


def test_another_seed_of_the_agents_makes_others(monkeypatch) -> None:
    monkeypatch.setattr(Counting, "made", [])
    monkeypatch.setitem(registry._factories, "counting", Counting)
    batch = LearnerBatch(2, Ruleset(3), ["counting", "counting"], seed=1)
    batch.reset(2)
    batch.reset()
    assert len(set(Counting.made)) == len(Counting.made) == 4


def test_opponents_have_the_seed_of_the_constructor_until_a_reset_brings_another(monkeypatch) -> None:
    monkeypatch.setattr(Counting, "made", [])
    monkeypatch.setitem(registry._factories, "counting", Counting)

    def made(act: Callable[[], object]) -> list[int]:
        Counting.made.clear()
        act()
        return Counting.made[:]

    seeds = [made(partial(LearnerBatch, 2, Ruleset(3), "counting", seed)) for seed in (5, 6)]
    assert seeds[0] != seeds[1]
    batch, env = LearnerBatch(2, Ruleset(3), Fixed(), seed=5), HansaVecEnv(2, Ruleset(3), Fixed(), seed=5)
    assert made(lambda: batch.set_opponents(["counting"])) == made(lambda: env.set_opponents("counting")) == seeds[0]
    assert made(lambda: batch.reset([7, 8])) == [], "they begin anew as they were made"
    assert made(lambda: batch.reset(6)) == seeds[1] and made(lambda: batch.set_opponents(["counting"])) == seeds[1]
    env.seed(6)
    assert made(env.reset) == seeds[1] and made(lambda: env.set_opponents("counting")) == seeds[1]
    assert made(lambda: batch.reset([7, 8], opponents_seed=5)) == seeds[0]
    with pytest.raises(ValueError, match="opponents_seed is -1; expected a whole number"):
        batch.reset([7, 8], opponents_seed=-1)


@pytest.mark.parametrize("seeds", ([1, 2], [1, 2, 3, 4], [1, -1, 2], [1, None, "x"]), ids=str)
def test_seeds_that_are_refused_change_neither_games_nor_agents(seeds: list) -> None:
    batch = LearnerBatch(3, Ruleset(3), ["random"], seed=1)
    agents, before = batch.opponents, batch.batch.games.tobytes()
    vector = HansaTeutonicaVectorEnv(3, players=3)
    for reset in (batch.reset, lambda seeds: vector.reset(seed=seeds)):
        with pytest.raises(ValueError, match=r"\d seeds were given; expected 3|seeds\[\d\] is .*; expected a whole number"):
            reset(seeds)
    assert batch.opponents is agents and batch.batch.games.tobytes() == before


@pytest.mark.parametrize("seed", (-1, 1.5, True, 2**64), ids=str)
def test_a_seed_that_is_none_is_named_wherever_a_game_is_dealt(seed: object) -> None:
    vector, turns = HansaTeutonicaVectorEnv(2, players=3), hansa_teutonica_v0.raw_env(players=3)
    single, batch = HansaTeutonicaEnv(players=3), LearnerBatch(2, Ruleset(3))
    for reset in (single.reset, vector.reset, batch.reset, turns.reset):
        with pytest.raises(ValueError, match=f"^seed is {seed}; expected a whole number from 0 to"):
            reset(seed=seed)


def test_the_last_seed_of_a_vector_is_one_too() -> None:
    vector = HansaTeutonicaVectorEnv(np.int64(2), players=3)
    assert type(vector.num_envs) is int
    with pytest.raises(
        ValueError, match=rf"^seed is {2**64 - 1}; expected at most 2\*\*64 - 2, since the 2 rows count up from it"
    ):
        vector.reset(seed=2**64 - 1)
    vector.reset(seed=2**64 - 2)
    assert vector.core.batch.games["seed"].tolist() == [2**64 - 2, 2**64 - 1]


def test_seeds_of_numpy_deal_what_those_of_python_deal() -> None:
    vector = HansaTeutonicaVectorEnv(3, players=3)
    wanted = vector.reset(seed=3)[0]
    for kind in (np.int64, np.uint8, np.int32, np.array):
        assert (vector.reset(seed=kind(3))[0] == wanted).all()
    assert (vector.reset(seed=np.array([3, 4, 5]))[0] == wanted).all()


@pytest.mark.parametrize("reward", ("win", "rank", "margin"))
def test_rewards_follow_from_the_outcome(reward: str) -> None:
    batch = LearnerBatch(32, Ruleset(3), Fixed(), seed=1, max_turns=12, reward=reward)
    greedy = make_agent("greedy", batch.ruleset, 0)
    while not batch.ended.all():
        over = batch.ended
        frozen = batch.observation[over].copy(), batch.final_ranks[over].copy(), batch.seats[over].copy()
        batch.step(greedy.act(batch.batch.games, batch.action_mask, batch.batch.seat))
        assert all((a == b[over]).all() for a, b in zip(frozen, (batch.observation, batch.final_ranks, batch.seats)))
        assert (batch.rewards[over] == 0).all(), "a row that has ended earns nothing more"
        for i in np.flatnonzero(batch.ended & ~over):
            ranks, seat, totals = batch.final_ranks[i], batch.seats[i], batch.final_scores[i, :, -1].astype(float)
            assert ranks.tolist() == [int((totals > t).sum()) for t in totals]
            share = (ranks[seat] == 0) / (ranks == 0).sum()
            level = (ranks == ranks[seat]).sum()
            expected = {
                "win": (3 * share - 1) / 2,
                "rank": 1 - (ranks[seat] + (level - 1) / 2),
                "margin": (totals[seat] - totals.mean()) / 50,
            }[reward]
            assert batch.rewards[i] == pytest.approx(expected, abs=1e-6)
        assert not batch.action_mask[batch.ended].any() and batch.action_mask[~batch.ended].any(1).all()


def test_a_new_game_begins_without_the_reward_of_the_last() -> None:
    batch = LearnerBatch(4, Ruleset(3), Fixed(), seed=1, max_turns=1)
    rng = np.random.default_rng(0)
    while not batch.ended.all():
        batch.step(choose(batch.action_mask, rng))
    batch.rewards[:] = [1, -0.5, 0.25, -0.5]
    batch.reset(where=np.array([True, True, False, False]))
    assert batch.rewards.tolist() == [0, 0, 0.25, -0.5]


def test_what_is_played_instead_of_an_illegal_action_differs_between_games_in_one_position() -> None:
    """It is drawn from the game's own numbers; the position does not have them."""
    batch = LearnerBatch(16, Ruleset(3), Fixed(), seed=1, seat=0, illegal_action="substitute")
    batch.batch.games[:] = batch.batch.games[0]
    batch.batch.games["noise"] = np.arange(16)
    assert len(set(batch.batch.hashes())) == 1
    batch.step(np.full(16, -1))
    assert batch.substituted.all() and len(set(batch.batch.hashes())) > 1


def test_a_reset_of_no_row_changes_nothing() -> None:
    """As in a loop that deals anew whatever has ended: often nothing has."""
    batch = LearnerBatch(2, Ruleset(3), "random", seed=1)
    for one, games in (batch, batch.batch.games), (batch.batch, batch.batch.games):
        before = games.tobytes()
        one.reset(where=np.zeros(2, np.bool_))
        assert games.tobytes() == before


def test_an_agent_that_errs_is_named() -> None:
    class Broken(Fixed):
        def act(self, inputs, masks, seats):
            return np.full(len(masks), -1)

    with pytest.raises(AgentFault, match=r"agent .* answered -1"):
        LearnerBatch(2, Ruleset(3), Broken(), seat=1)


@pytest.mark.parametrize(
    ("settings", "text"),
    (
        ({"seat": 3}, "seat is 3"),
        ({"opponents": []}, "0 opponents"),
        (
            {"opponents": ["random"] * 3},
            "3 opponents were given; expected one for all seats, or one for each of the 2 others; mix=True draws among any",
        ),
        ({"opponents": abs}, "opponents is <built-in function abs>; expected an agent or the spec of one, or a list of such"),
        ({"opponents": "nobody"}, "nobody"),
        ({"illegal_action": "ignore"}, "illegal_action is 'ignore'"),
    ),
)
def test_wrong_arguments(settings: dict, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        LearnerBatch(2, Ruleset(3), **settings)
