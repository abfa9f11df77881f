"""The Gymnasium environments."""

import pickle
import warnings
from copy import deepcopy
from functools import partial

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from hansa_agents import make_agent
from hansa_env import HansaBatch, IllegalAction, Ruleset, RulesetError
from hansa_env.api.gymnasium import HansaTeutonicaEnv
from hansa_env.api.vector import HansaTeutonicaVectorEnv
from hansa_env.engine import kernels
from hansa_env.extras import EXTRAS
from tests.api.opponents import Fixed
from tests.helpers import choose

ID = "hansa/HansaTeutonica-v0"


def test_the_vector_says_which_limit_it_has() -> None:
    with pytest.raises(
        ValueError, match="max_episode_steps is 3; it is for a single environment; expected None, and as a limit max_turns"
    ):
        gymnasium.make_vec("hansa/HansaTeutonica-v0", num_envs=2, players=3, max_episode_steps=3)


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


@pytest.mark.slow
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
    for wrong in (int(info["action_mask"].argmin()), -1, 100_000, 2**70, -(2**63) - 1):
        with pytest.raises(IllegalAction, match="was asked 'act' and gave"):
            env.step(wrong)
        assert env.core.batch.games.tobytes() == before and not env.core.ended[0] and env.core.rewards[0] == 0
    env = HansaTeutonicaEnv(players=3, illegal_action="terminate")
    for wrong in (int(info["action_mask"].argmin()), -1, 100_000, 2**70, -(2**63) - 1):
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
            said = {name: rows for name, rows in theirs[1].items() if name.startswith("_")}
            assert data_equivalence({name: ours[1][name] for name in ours[1] if name.startswith("_")}, said, exact=True)
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


def test_an_option_that_there_is_not_is_named_and_deals_nothing_anew() -> None:
    """Misspelt, the mask of some rows would be one of all."""
    vector, single = HansaTeutonicaVectorEnv(2, players=3), HansaTeutonicaEnv(players=3)
    for env in (vector, single):
        env.reset(seed=7)
        before = env.core.batch.games.tobytes()
        with pytest.raises(ValueError, match="options has 'mask'; expected"):
            env.reset(options={"mask": np.array([True, False])})
        with pytest.raises(ValueError, match="options is 5; expected"):
            env.reset(options=5)
        assert env.core.batch.games.tobytes() == before
        env.reset(options={})


def test_no_row_is_left_out_of_the_first_reset() -> None:
    """It would begin with a game that no seed of the caller's names."""
    env, some = HansaTeutonicaVectorEnv(2, players=3), np.array([True, False])
    with pytest.raises(ResetNeeded, match="leaves rows out, but none has been dealt yet"):
        env.reset(seed=7, options={"reset_mask": some})
    with pytest.raises(ResetNeeded):
        env.step(np.zeros(2, np.int64))
    env.reset(seed=7, options={"reset_mask": np.ones(2, np.bool_)})
    env.reset(seed=9, options={"reset_mask": some})
    assert env.core.batch.games["seed"].tolist() == [9, 8]


@pytest.mark.parametrize("mask_in_observation", (False, True))
def test_rows_are_asked_as_in_gymnasiums_own_vectors(mask_in_observation: bool) -> None:
    settings = {"num_envs": 3, "players": 3, "seat": 1, "render_mode": "ansi", "mask_in_observation": mask_in_observation}
    vector = gymnasium.make_vec(ID, **settings)
    singles = gymnasium.make_vec(ID, vectorization_mode="sync", **settings)
    for env in (vector, singles):
        env.reset(seed=2)
    for name in (
        "action_masks", "render", "current_player", "action_space", "observation_space", "ruleset", "max_turns", "reward",
        "render_mode", "mask_in_observation",
    ):  # fmt: skip
        ours, theirs = vector.call(name), singles.call(name)
        assert isinstance(ours, tuple) and len(ours) == 3
        assert all(np.array_equal(one, other) for one, other in zip(ours, theirs)), name
        assert all(np.array_equal(one, other) for one, other in zip(vector.get_attr(name), theirs)), name
    with pytest.raises(AttributeError, match="a row has no 'fly'; expected one of action_masks, "):
        vector.get_attr("fly")
    with pytest.raises(AttributeError, match="'max_turns' cannot be set: rows are games of one batch"):
        vector.set_attr("max_turns", 5)
    assert HansaTeutonicaVectorEnv(2).call("render") == (None, None)


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
        assert (env.core.final_scores == twin.core.final_scores).all()
    assert (len(kernels.step_games.signatures), len(kernels.mask_games.signatures)) == compiled, "not compiled anew"


def test_wrong_arguments_of_the_env() -> None:
    with pytest.raises(ValueError, match="2 opponents were given; expected one for all seats, or one for each of the 3 others"):
        HansaTeutonicaEnv(players=4, opponents=["random", "greedy"])
    with pytest.raises(ValueError, match="render_mode is 'human'"):
        HansaTeutonicaVectorEnv(2, render_mode="human")
    with pytest.raises(ValueError, match="autoreset_mode is 'next'; expected one of NextStep, SameStep, Disabled"):
        HansaTeutonicaVectorEnv(2, autoreset_mode="next")


def test_a_spec_with_a_ruleset_comes_back_from_json() -> None:
    ruleset = Ruleset(4, edition="bigbox", pile="promos")
    written = gymnasium.make(ID, ruleset=ruleset).spec.to_json()
    again = gymnasium.make(EnvSpec.from_json(written))
    assert again.unwrapped.core.ruleset == ruleset
    with pytest.raises(RulesetError, match="unexpected keyword argument 'colour'"):
        gymnasium.make(ID, ruleset={"players": 3, "colour": "red"})


@pytest.mark.parametrize("make", [gymnasium.make, partial(gymnasium.make_vec, num_envs=2)])
def test_an_unknown_keyword_is_a_type_error_that_names_those_there_are(make) -> None:
    """TorchRL tries `frameskip`, and goes on without it where this is what it is told."""
    expected = r"unexpected keyword argument 'frameskip'; expected opponents, mix, .*, and of the ruleset players, edition"
    with pytest.raises(TypeError, match=expected):
        make(ID, players=3, frameskip=1)


@pytest.mark.parametrize("name", ["mix", "mask_in_observation"])
def test_flags_are_true_or_false(name: str) -> None:
    for environment in (HansaTeutonicaEnv, HansaTeutonicaVectorEnv):
        with pytest.raises(ValueError, match=f"{name} is 'no'; expected True or False"):
            environment(players=3, **{name: "no"})


def test_the_vector_has_the_metadata_of_the_single_environment() -> None:
    single, vector = HansaTeutonicaEnv.metadata, HansaTeutonicaVectorEnv.metadata
    assert {name: vector[name] for name in single} == single


def test_its_game_is_a_copy_that_can_be_asked_about_and_kept() -> None:
    env = gymnasium.make(ID, players=3)
    env.reset(seed=4)
    game = env.unwrapped.game
    assert game.legal_actions() == np.flatnonzero(env.unwrapped.action_masks()).tolist()
    game.play(game.legal()[0])
    assert env.unwrapped.game.position() != game.position()
