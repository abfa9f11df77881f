"""The Stable-Baselines3 front end: its checker, MaskablePPO, masks, episodes, seeds."""

import warnings

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.error import ResetNeeded
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor

from hansa_env import AgentError, IllegalAction, Ruleset
from hansa_env.engine.results import scores_of
from hansa_env.sb3 import HansaVecEnv
from tests.helpers import choose


@pytest.mark.parametrize("game", [{"players": 3}, *({"players": players, "board": "east"} for players in (3, 4, 5))], ids=str)
def test_sb3s_env_checker_on_the_single_environment(game: dict) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Your observation .* has an unconventional shape")
        check_env(gymnasium.make("hansa/HansaTeutonica-v0", **game, illegal_action="terminate").unwrapped)


def test_maskable_ppo_learns_on_it() -> None:
    env = HansaVecEnv(8, Ruleset(3), "random", seed=1, max_turns=5)
    assert is_masking_supported(env)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, seed=1, device="cpu")
    before = [p.clone() for p in model.policy.parameters()]
    model.learn(512)
    assert any((a != b).any() for a, b in zip(before, model.policy.parameters()))
    assert len(model.ep_info_buffer) > 0, "episodes reach SB3's own statistics"
    masks = get_action_masks(env)
    action, _ = model.predict(env.core.observation, action_masks=masks)
    assert masks[np.arange(8), action].all()


def test_an_episode_ends_in_the_step_that_ends_it() -> None:
    """The observation handed out is the next game's; the last of the old one is in the info."""
    env = HansaVecEnv(6, Ruleset(3), "random", seed=2, max_turns=2)
    seen = env.reset()
    rng = np.random.default_rng(2)
    ends, lengths = 0, np.zeros(6, int)
    for _ in range(120):
        masks = env.action_masks()
        assert masks.shape == (6, env.action_space.n) and masks.any(1).all()
        seen, rewards, done, infos = env.step(choose(masks, rng))
        lengths += 1
        assert seen.dtype == np.int8 and rewards.dtype == np.float32 and done.dtype == np.bool_
        for i in range(6):
            if not done[i]:
                assert infos[i] == {} and rewards[i] == 0
                continue
            ends += 1
            info = infos[i]
            assert info["episode"]["l"] == lengths[i] and info["episode"]["r"] == pytest.approx(rewards[i])
            assert (info["terminal_observation"] != seen[i]).any() and env.observation_space.contains(seen[i])
            assert info["scores"].shape == (3, 7) and info["seat"] in (0, 1, 2)
            assert info["winners"].shape == (3,) and info["winners"][info["seat"]] == (info["rank"] == 0)
            lengths[i] = 0
    assert ends > 12


def test_what_is_evaluated_are_the_games_own_rewards_without_a_warning(recwarn: pytest.WarningsRecorder) -> None:
    """As of environments in SB3's `Monitor`: the potential is not part of what an evaluation reports."""
    env = HansaVecEnv(4, Ruleset(2), seed=3, max_turns=4, potential=lambda _, games, seats: games["seed"] % 7 + seats + 1.5)
    model = MaskablePPO("MlpPolicy", env, n_steps=4, batch_size=16, seed=1, device="cpu")
    rewards, lengths = evaluate_policy(model, env, n_eval_episodes=8, return_episode_rewards=True)
    assert set(rewards) <= {-1.0, 0.0, 1.0} and len(rewards) == len(lengths) == 8
    assert not [one for one in recwarn if "Monitor" in str(one.message)]
    assert env.env_is_wrapped(Monitor) == [True] * 4 and env.env_is_wrapped(gymnasium.Wrapper, [0]) == [False]


def test_a_game_that_was_cut_off_is_paid_once() -> None:
    """The learner adds the value of the last position to the reward of a truncated episode, but this one was scored."""
    env = HansaVecEnv(8, Ruleset(3), "random", seed=1, max_turns=1)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, gamma=0.9, seed=1, device="cpu")
    with torch.no_grad():
        model.policy.value_net.bias += 100  # a value that would not be overlooked
    infos: list[dict] = []
    model.learn(256, callback=lambda found, _: infos.extend(found["infos"]) or True)
    cut_off = [info["cut_off"] for info in infos if info]
    assert len(cut_off) > 16 and all(cut_off)
    assert set(np.unique(model.rollout_buffer.rewards)) <= {np.float32(reward) for reward in (-0.5, 0, 0.25, 1)}
    assert not any(info["TimeLimit.truncated"] for info in infos if info)


def test_the_same_seed_plays_the_same_games() -> None:
    def play(seed: int) -> list[bytes]:
        env = HansaVecEnv(4, Ruleset(4), "greedy", max_turns=4)
        env.seed(seed)
        rng = np.random.default_rng(0)
        trace = [env.reset().tobytes()]
        return trace + [env.step(choose(env.action_masks(), rng))[0].tobytes() for _ in range(60)]

    assert play(5) == play(5) != play(6)


def test_options_are_for_one_reset() -> None:
    """As Stable-Baselines3 says of `set_options`."""
    env = HansaVecEnv(2, Ruleset(3), max_turns=2)
    env.set_options({"of": "this reset"})
    env.reset()
    assert env._options == [{}, {}]


def test_a_step_does_not_change_what_was_handed_out() -> None:
    env = HansaVecEnv(4, Ruleset(3), "random", seed=3)
    first = env.reset()
    kept, masks = first.copy(), env.action_masks()
    kept_masks = masks.copy()
    env.step(choose(masks, np.random.default_rng(3)))
    assert (first == kept).all() and (masks == kept_masks).all()


def test_illegal_actions_and_unknown_methods_are_refused() -> None:
    env = HansaVecEnv(2, Ruleset(3), "random", seed=4)
    before = env.core.batch.games.tobytes()
    wrong = np.array([np.flatnonzero(~row)[0] for row in env.action_masks()])
    with pytest.raises(IllegalAction, match=r"was asked .*; the action mask says .* MaskablePPO .*=.substitute.$"):
        env.step(wrong)
    assert env.core.batch.games.tobytes() == before
    with pytest.raises(ValueError, match=r"^seat is 3; expected 'random' or a number from 0 to 2"):
        HansaVecEnv(2, Ruleset(3), seat=3)
    with pytest.raises(AttributeError, match="no method 'fly', only 'action_masks'"):
        env.env_method("fly")
    with pytest.raises(AttributeError, match="'discount' cannot be set, only 'opponents'"):
        env.set_attr("discount", 0.5)
    with pytest.raises(ValueError, match="opponents are those of all environments; expected no indices"):
        env.set_attr("opponents", ["greedy"], indices=[0])
    with pytest.raises(AgentError, match="nobody"):
        env.set_opponents(["greedy", "nobody"])
    assert [one.name for one in env.opponents] == ["random"]
    assert len(env.env_method("action_masks", indices=[1])) == 1 and env.get_attr("discount") == [1.0, 1.0]


def test_other_opponents_play_from_now_on_by_method_or_as_an_attribute() -> None:
    env = HansaVecEnv(3, Ruleset(3), seed=4)
    env.set_opponents(["greedy", "scripted:blocker"])
    assert [one.name for one in env.get_attr("opponents")[2]] == ["greedy", "scripted:blocker"]
    env.reset()
    assert [one.name for one in env.opponents] == ["greedy", "scripted:blocker"]
    env.set_attr("opponents", "random")
    assert [one.name for one in env.opponents] == ["random"]


def test_rows_tell_their_settings_and_each_its_own_seat() -> None:
    env = HansaVecEnv(3, Ruleset(3), seed=4, max_turns=7, reward="rank")
    for name, value in ("ruleset", Ruleset(3)), ("max_turns", 7), ("reward", "rank"), ("mix", False):
        assert env.get_attr(name) == [value] * 3
    env.reset()
    assert env.get_attr("current_player", [2, 0]) == env.core.seats[[2, 0]].tolist()
    assert (env.current_player == env.core.current_player).all()


def test_a_row_tells_its_own_mask_and_no_seed_is_seed_0() -> None:
    env, same = HansaVecEnv(3, Ruleset(3), seed=None), HansaVecEnv(3, Ruleset(3), seed=0)
    assert (env.reset() == same.reset()).all()
    masks = [masks() for masks in env.get_attr("action_masks", indices=[2, 0])]
    assert (np.array(masks) == env.action_masks()[[2, 0]]).all()


def test_a_seed_that_is_none_is_refused_at_once_and_not_kept() -> None:
    env, other = HansaVecEnv(np.int64(2), Ruleset(3)), HansaVecEnv(2, Ruleset(3))
    assert type(env.num_envs) is int and env.seed(7) == other.seed(np.int64(7)) == [7, 8]
    for seed in (-1, True, 2**64 - 1):
        with pytest.raises(ValueError, match=f"^seed is {seed}; expected"):
            env.seed(seed)
    assert (env.reset() == other.reset()).all()
    assert env.seed(2**64 - 2) == [2**64 - 2, 2**64 - 1] and env.core.batch.games["seed"].tolist() == [7, 8]
    env.reset()
    assert env.core.batch.games["seed"].tolist() == [2**64 - 2, 2**64 - 1]
    assert [type(seed) for seed in env.seed()] == [int, int]


# Rewards of one's own.


class Lead:
    """A potential: points ahead of the best other seat, in tens, and more in some games than in others, so that it is not 0 at
    the beginning; hands out the same array each time."""

    def __init__(self) -> None:
        self.found = np.zeros(0)

    def __call__(self, ruleset: Ruleset, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
        totals = scores_of(ruleset, games)[:, :, -1] / 10
        rows = np.arange(len(games))
        own = totals[rows, seats]
        totals[rows, seats] = -np.inf
        self.found.resize(len(games), refcheck=False)
        self.found[:] = own - totals.max(1) + games["seed"] % 7 + 1
        return self.found


@pytest.mark.parametrize("discount", [1.0, 0.9])
def test_a_potential_adds_over_a_game_what_no_play_can_change(discount: float) -> None:
    """Discounted, −Φ at the first decision: Φ at the end is 0, however far ahead the seat is."""
    settings = {"seed": 1, "max_turns": 25, "seat": 2}
    plain = HansaVecEnv(6, Ruleset(3), "greedy", **settings)
    shaped = HansaVecEnv(6, Ruleset(3), "greedy", **settings, potential=Lead(), discount=discount)
    weight, added, ends, rng = np.ones(6), np.zeros(6), 0, np.random.default_rng(1)
    assert (plain.reset() == shaped.reset()).all()

    def potential() -> np.ndarray:
        return Lead()(shaped.ruleset, shaped.core.batch.games, shaped.core.seats)

    first, stepped = potential(), 0.0
    while ends < 12:
        actions = choose(plain.action_masks(), rng)
        _, rewards, done, infos = plain.step(actions)
        _, more, _, _ = shaped.step(actions)
        added += weight * (more - rewards)
        stepped = max(stepped, np.abs(more - rewards)[~done].max(initial=0))
        weight *= discount
        for i in np.flatnonzero(done):
            ahead = infos[i]["scores"][:, -1] / 10
            assert added[i] == pytest.approx(-first[i], abs=1e-4)
            assert np.ptp(ahead) > 0, "so that a potential at the end would show"
        ends += done.sum()
        added[done], weight[done], first[done] = 0, 1, potential()[done]
    assert stepped > 0.05


@pytest.mark.parametrize(
    ("given", "said"),
    [(lambda *_: 1.0, r"potential gave shape \(\); expected finite numbers \(2,\)"),
     (lambda ruleset, games, seats: np.zeros((2, 3)), r"potential gave shape \(2, 3\)"),
     (lambda ruleset, games, seats: np.array([0, np.nan]), "potential gave nan")],
)  # fmt: skip
def test_a_potential_of_another_shape_is_refused(given, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        HansaVecEnv(2, Ruleset(3), "random", potential=given)


def test_where_a_potential_fails_once_nobody_steps_on_without_the_rewards_of_that_step() -> None:
    found = [0.0]
    env = HansaVecEnv(2, Ruleset(3), "random", seed=1, potential=lambda ruleset, games, seats: np.full(len(games), found[0]))
    env.reset()
    found[0] = np.nan
    with pytest.raises(ValueError, match="potential gave nan"):
        env.step(env.action_masks().argmax(1))
    found[0], before = 0.0, env.core.batch.games.tobytes()
    with pytest.raises(ResetNeeded, match=r"raised ValueError: potential gave nan.*are lost, so call reset\(\)"):
        env.step(env.action_masks().argmax(1))
    assert env.core.batch.games.tobytes() == before
    env.reset()
    env.step(env.action_masks().argmax(1))


def test_after_a_reset_an_episode_counts_from_there() -> None:
    """Also where a step came to nothing in which a game ended: its reward is lost, and not the next game's."""
    fails: list[HansaVecEnv] = []

    def potential(ruleset: Ruleset, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return np.full(len(games), np.nan if fails and fails[0].core.rewards.any() else 0.0)

    env = HansaVecEnv(2, Ruleset(3), "random", seed=1, max_turns=2, potential=potential)
    env.reset()
    fails.append(env)
    with pytest.raises(ValueError, match="potential gave nan"):
        while True:
            env.step(env.action_masks().argmax(1))
    fails.clear()
    env.reset()
    steps, over = 0, np.zeros(2, bool)
    while not over.all():
        _, rewards, done, infos = env.step(env.action_masks().argmax(1))
        steps += 1
        for i in np.flatnonzero(done & ~over):
            assert (infos[i]["episode"]["r"], infos[i]["episode"]["l"]) == (rewards[i], steps)
        over |= done


def test_a_potential_is_a_function() -> None:
    with pytest.raises(ValueError, match="potential is 3; expected a function of ruleset, game records and seats, or None"):
        HansaVecEnv(2, Ruleset(3), "random", potential=3)


@pytest.mark.parametrize("discount", [-0.1, 1.5, float("nan"), None, "1"])
def test_a_discount_is_from_0_to_1(discount: float) -> None:
    with pytest.raises(ValueError, match="expected a number from 0 to 1"):
        HansaVecEnv(2, Ruleset(3), "random", potential=Lead(), discount=discount)


def test_it_is_drawn_where_that_is_asked_for() -> None:
    env = HansaVecEnv(2, Ruleset(3), "random", render_mode="rgb_array")
    first, second = env.get_images()
    picture = env.render()
    assert first.dtype == np.uint8 and first.shape == second.shape and picture is not None and picture.shape[2] == 3
    assert picture.size >= first.size + second.size
    with pytest.raises(ValueError, match="render_mode is 'human'; expected None or 'rgb_array'"):
        HansaVecEnv(2, Ruleset(3), render_mode="human")
