"""The Gymnasium environments, and the learner batch under them."""

import pickle
import warnings
from copy import deepcopy

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from hansa_agents import Agent, make_agent
from hansa_env import AgentFault, HansaBatch, IllegalAction, Ruleset
from hansa_env.api.gymnasium import HansaTeutonicaEnv
from hansa_env.api.vector import HansaTeutonicaVectorEnv
from hansa_env.engine import kernels
from hansa_env.extras import EXTRAS
from hansa_env.play import registry
from hansa_env.play.learner_batch import LearnerBatch
from tests.helpers import choose

ID = "hansa/HansaTeutonica-v0"


class Fixed(Agent):
    """Decides by what it sees alone, so that rows do not depend on each other; notes whom it was asked for."""

    sees = "observations"

    def __init__(self, name: str = "", salt: int = 0) -> None:
        self.name, self.salt, self.asked = name, salt, []

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        assert inputs.dtype == np.int8 and masks.dtype == np.bool_ and len(inputs) == len(masks) == len(seats) > 0
        self.asked.append(seats.tolist())
        weights = (np.arange(inputs.shape[1]) * 37 + self.salt) % 101
        wanted = inputs.astype(np.int64) @ weights % masks.sum(1)
        return (masks.cumsum(1) == wanted[:, None] + 1).argmax(1)


def test_gymnasiums_check_env() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(ID, players=3, illegal_action="terminate", render_mode="ansi")
        check_env(env.unwrapped)
        check_env(gymnasium.make(ID, opponents=Fixed(), illegal_action="terminate").unwrapped)
        for players in (3, 4, 5):
            check_env(gymnasium.make(ID, players=players, board="east", illegal_action="terminate").unwrapped)
        _, info = env.reset(seed=1)
        for _ in range(30):
            *_, info = env.step(int(choose(info["action_mask"][None], np.random.default_rng(0))[0]))
        assert "is asked" in env.render()


def test_pixels_in_the_single_and_the_vector_env() -> None:
    """Every frame of an episode has one shape; the checker passes; each environment of a vector shows its own game."""
    for module in EXTRAS["picture"]:
        pytest.importorskip(module, reason="needs the extra 'picture'")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(ID, players=3, illegal_action="terminate", render_mode="rgb_array")
        check_env(env.unwrapped)
    _, info = env.reset(seed=1)
    first = env.render()
    assert first.dtype == np.uint8 and first.shape[1:] == (1200, 3) and first.shape[0] % 2 == 0
    for _ in range(4):
        *_, info = env.step(int(choose(info["action_mask"][None], np.random.default_rng(0))[0]))
        frame = env.render()
        assert frame.shape == first.shape and (frame != first).any()
    vector = gymnasium.make_vec(ID, num_envs=2, players=3, seat=0, render_mode="rgb_array")
    vector.reset(seed=[1, 4])
    one, other = vector.render()
    assert one.shape == other.shape == first.shape and (one != other).any()


@pytest.mark.parametrize("seat", (0, 2, "random"))
def test_a_game_to_the_end_in_the_single_env(seat) -> None:
    """The learner's decisions and its opponents' are those of one game, told from the learner's seat."""
    env = HansaTeutonicaEnv(players=3, opponents=[Fixed("next", 1), Fixed("last", 2)], seat=seat, max_turns=12)
    agent = make_agent("greedy", env.core.ruleset, 1)
    observation, info = env.reset(seed=4)
    learner = info["seat"]
    assert seat in ("random", learner)
    shadow = HansaBatch(1, env.core.ruleset, max_turns=12, seeds=[4])
    ended = False
    while not ended:
        while shadow.seat[0] != learner:
            opponent = Fixed("", (shadow.seat[0] - learner) % 3)
            shadow.step(opponent.act(shadow.observe(), shadow.action_mask, shadow.seat))
        assert (shadow.observe()[0] == observation).all() and observation.dtype == np.int8
        assert (shadow.action_mask[0] == info["action_mask"]).all() and (env.action_masks() == info["action_mask"]).all()
        action = agent.act(shadow.games, shadow.action_mask, shadow.seat)
        shadow.step(action)
        observation, reward, terminated, truncated, info = env.step(action[0])
        assert set(info) == {"action_mask", "seat"} or terminated or truncated
        ended = terminated or truncated
    while not shadow.ended[0]:
        shadow.step(Fixed("", (shadow.seat[0] - learner) % 3).act(shadow.observe(), shadow.action_mask, shadow.seat))
    assert (terminated, truncated, info["cut_off"]) == (True, False, shadow.cut_off[0])
    assert reward == shadow.rewards[0, learner] and (reward != 0 or info["winners"].all())
    assert not info["action_mask"].any() and info["seat"] == learner
    assert (observation == shadow.observe(seats=np.array([learner], np.int8))[0]).all(), "its own view of the end"
    assert (info["scores"] == shadow.final_scores[0]).all() and (info["winners"] == shadow.winners()[0]).all()
    assert info["rank"] == (shadow.final_scores[0, :, -1] > shadow.final_scores[0, learner, -1]).sum()
    with pytest.raises(ResetNeeded):
        env.step(0)
    assert env.reset()[1]["action_mask"].any()


def test_illegal_actions_in_the_single_env() -> None:
    env = HansaTeutonicaEnv(players=3)
    with pytest.raises(ResetNeeded):
        env.step(0)
    _, info = env.reset(seed=1)
    before = env.core.batch.games.tobytes()
    for wrong in (int(info["action_mask"].argmin()), -1, 100_000):
        with pytest.raises(IllegalAction, match="was asked 'act' and gave"):
            env.step(wrong)
        assert env.core.batch.games.tobytes() == before and not env.core.ended[0] and env.core.rewards[0] == 0
    env = HansaTeutonicaEnv(players=3, illegal_action="terminate")
    for wrong in (int(info["action_mask"].argmin()), -1, 100_000):
        env.reset(seed=1)
        _, reward, terminated, truncated, info_end = env.step(wrong)
        assert (reward, terminated, truncated) == (-1, True, False)
        assert not info_end["action_mask"].any() and "scores" not in info_end
        with pytest.raises(ResetNeeded):
            env.step(0)


@pytest.mark.parametrize("opponents", ("fixed", "random"))
@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("num_envs", (1, 5))
def test_the_vector_env_equals_single_envs(num_envs: int, mode: AutoresetMode, opponents: str) -> None:
    """Step by step, on the same seeds and actions, legal and sometimes not, over many ends."""
    settings = {"players": 3, "max_turns": 3, "illegal_action": "terminate"}
    settings["opponents"] = [Fixed("", 1), Fixed("", 2)] if opponents == "fixed" else "random"
    singles = SyncVectorEnv([lambda: HansaTeutonicaEnv(**settings)] * num_envs, autoreset_mode=mode)
    vector = HansaTeutonicaVectorEnv(num_envs, **settings, autoreset_mode=mode)
    assert vector.observation_space == singles.observation_space and vector.action_space == singles.action_space
    rng = np.random.default_rng(1)
    ours, theirs = vector.reset(seed=11), singles.reset(seed=11)
    assert data_equivalence(ours, theirs, exact=True)
    ends = illegal = 0
    masks = ours[1]["action_mask"].astype(bool)
    for _ in range(250):
        actions = np.where(masks.any(1), choose(masks, rng), 0)
        wrong = rng.random(num_envs) < 0.01
        actions[wrong] = masks[wrong].argmin(1)
        illegal += wrong.sum()
        ours, theirs = vector.step(actions), singles.step(actions)
        assert data_equivalence(ours, theirs, exact=True)
        ended = ours[2] | ours[3]
        ends += ended.sum()
        masks = ours[4]["action_mask"].astype(bool)
        assert (vector.action_masks() == masks).all()
        assert (masks.any(1) | (ended & (mode != AutoresetMode.SAME_STEP))).all()
        if mode == AutoresetMode.DISABLED and ended.any():
            with pytest.raises(ResetNeeded):
                vector.step(actions)
            ours = vector.reset(options={"reset_mask": ended})
            theirs = singles.reset(options={"reset_mask": ended})
            assert (ours[0] == theirs[0]).all()
            masks = ours[1]["action_mask"].astype(bool)
            assert (masks[ended] == theirs[1]["action_mask"][ended]).all() and masks.any(1).all()
    assert ends > 4 * num_envs and illegal > 0


def test_vector_env_by_the_registry() -> None:
    env = gymnasium.make_vec(ID, num_envs=4, players=2, autoreset_mode="SameStep", opponents="greedy")
    assert isinstance(env, HansaTeutonicaVectorEnv) and env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert HansaTeutonicaVectorEnv.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP, "the class keeps its own"
    assert gymnasium.make_vec(ID, num_envs=4).metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    observation, info = env.reset(seed=3)
    assert observation in env.observation_space and info["action_mask"].shape == (4, env.single_action_space.n)
    rng = np.random.default_rng(0)
    finals = []
    for _ in range(300):
        kept = observation.copy(), observation
        observation, _, terminated, truncated, info = env.step(choose(info["action_mask"], rng))
        assert (kept[0] == kept[1]).all(), "what was returned is not overwritten"
        assert ("final_obs" in info) == (terminated | truncated).any()
        finals += [i for i in info.get("final_info", {}).get("winners", ())]
    assert finals
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": np.zeros(4, bool)})
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": [True] * 4})


def trace(env: HansaTeutonicaVectorEnv, seed: int | None, steps: int = 60) -> list:
    seen = [env.reset(seed=seed)]
    rng = np.random.default_rng(0)
    for _ in range(steps):
        seen.append(env.step(choose(seen[-1][-1]["action_mask"], rng)))
    return seen


def test_the_seed_decides_everything() -> None:
    settings = {"num_envs": 6, "opponents": "random", "max_turns": 4}
    env = HansaTeutonicaVectorEnv(**settings)
    first = trace(env, 5)
    assert data_equivalence(first, trace(HansaTeutonicaVectorEnv(**settings), 5), exact=True)
    assert data_equivalence(first, trace(env, 5), exact=True)
    assert not data_equivalence(first, trace(env, 6), exact=True)
    assert not data_equivalence(trace(HansaTeutonicaVectorEnv(**settings), None), first, exact=True)


@pytest.mark.parametrize("duplicate", (deepcopy, lambda env: pickle.loads(pickle.dumps(env))))
def test_copies_and_pickles(duplicate) -> None:
    env = HansaTeutonicaVectorEnv(3, max_turns=5, autoreset_mode="SameStep")
    trace(env, 1)
    compiled = len(kernels.step_games.signatures), len(kernels.mask_games.signatures)
    twin = duplicate(env)
    rng = np.random.default_rng(0)
    for _ in range(80):
        actions = choose(env.action_masks(), rng)
        assert data_equivalence(env.step(actions), twin.step(actions), exact=True)
        assert (env.core.scores == twin.core.scores).all()
    assert (len(kernels.step_games.signatures), len(kernels.mask_games.signatures)) == compiled, "not compiled anew"


# The learner batch.


def test_agents_are_mixed_by_game_and_asked_in_batches() -> None:
    agents = [Fixed(f"agent {k}", k) for k in range(3)]
    batch = LearnerBatch(64, Ruleset(4), agents, seed=1, max_turns=2)
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
    batch = LearnerBatch(1, Ruleset(3), [mine, other], seed=1, seat=1, mix=False)
    rng = np.random.default_rng(0)
    for _ in range(60):
        batch.step(choose(batch.action_mask, rng))
    assert {s for asked in mine.asked for s in asked} == {2} and {s for asked in other.asked for s in asked} == {0}


def test_replaced_agents_take_over() -> None:
    old, new = Fixed(), Fixed()
    batch = LearnerBatch(4, Ruleset(3), [old, old], seed=1)
    rng = np.random.default_rng(0)
    batch.set_agents([new])
    assert batch.opponent_of.max() == 0
    asked = len(old.asked)
    for _ in range(20):
        batch.step(choose(batch.action_mask, rng))
    assert len(old.asked) == asked and new.asked


def test_seeds_of_some_rows_leave_the_others_and_the_agents_alone() -> None:
    batch = LearnerBatch(3, Ruleset(3), ["random"], seed=1)
    agents, games = batch.agents, batch.batch.games.copy()
    batch.reset([7, 8, 9], where=np.array([False, True, False]))
    assert batch.agents is agents
    assert batch.batch.games.take([0, 2]).tobytes() == games.take([0, 2]).tobytes()
    middle = batch.batch.games["seed"][1]
    batch.reset([None, 8, None])
    assert batch.agents is not agents and batch.batch.games["seed"][1] == middle
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
    assert len(Counting.made) == times and len(set(Counting.made)) == 1


def test_another_seed_of_the_agents_makes_others(monkeypatch) -> None:
    monkeypatch.setattr(Counting, "made", [])
    monkeypatch.setitem(registry._factories, "counting", Counting)
    batch = LearnerBatch(2, Ruleset(3), ["counting", "counting"], seed=1, mix=False)
    batch.reset(2)
    batch.reset()
    assert len(set(Counting.made)) == len(Counting.made) == 4


@pytest.mark.parametrize("seeds", ([1, 2], [1, 2, 3, 4], [1, -1, 2], [1, None, "x"]), ids=str)
def test_seeds_that_are_refused_change_neither_games_nor_agents(seeds: list) -> None:
    batch = LearnerBatch(3, Ruleset(3), ["random"], seed=1)
    agents, before = batch.agents, batch.batch.games.tobytes()
    vector = HansaTeutonicaVectorEnv(3, players=3)
    for reset in (batch.reset, lambda seeds: vector.reset(seed=seeds)):
        with pytest.raises(ValueError, match=r"\d seeds were given; expected 3|seeds\[\d\] is .*; expected a whole number"):
            reset(seeds)
    assert batch.agents is agents and batch.batch.games.tobytes() == before


def test_seeds_of_numpy_deal_what_those_of_python_deal() -> None:
    vector = HansaTeutonicaVectorEnv(3, players=3)
    wanted = vector.reset(seed=3)[0]
    for kind in (np.int64, np.uint8, np.int32):
        assert (vector.reset(seed=kind(3))[0] == wanted).all()
    assert (vector.reset(seed=np.array([3, 4, 5]))[0] == wanted).all()


@pytest.mark.parametrize("reward", ("win", "rank", "margin"))
def test_rewards_follow_from_the_outcome(reward: str) -> None:
    batch = LearnerBatch(32, Ruleset(3), Fixed(), seed=1, max_turns=12, reward=reward)
    greedy = make_agent("greedy", batch.ruleset, 0)
    while not batch.ended.all():
        over = batch.ended
        frozen = batch.observation[over].copy(), batch.ranks[over].copy(), batch.seats[over].copy()
        batch.step(greedy.act(batch.batch.games, batch.action_mask, batch.batch.seat))
        assert all((a == b[over]).all() for a, b in zip(frozen, (batch.observation, batch.ranks, batch.seats)))
        assert (batch.rewards[over] == 0).all(), "a row that has ended earns nothing more"
        for i in np.flatnonzero(batch.ended & ~over):
            ranks, seat, totals = batch.ranks[i], batch.seats[i], batch.scores[i, :, -1].astype(float)
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
        ({"opponents": ["random"] * 3, "mix": False}, "3 opponents were given; expected 1 or 2"),
        ({"opponents": "nobody"}, "nobody"),
        ({"illegal_action": "ignore"}, "illegal_action is 'ignore'"),
    ),
)
def test_wrong_arguments(settings: dict, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        LearnerBatch(2, Ruleset(3), **settings)


def test_wrong_arguments_of_the_env() -> None:
    with pytest.raises(ValueError, match="1 opponents were given"):
        HansaTeutonicaEnv(players=4, opponents=["random"])
    with pytest.raises(ValueError, match="render_mode is 'human'"):
        HansaTeutonicaVectorEnv(2, render_mode="human")
