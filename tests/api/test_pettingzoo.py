"""The PettingZoo environment: the library's own tests, and that it says what the engine says."""

import copy
import pickle
import warnings

import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, render_test, seed_test

from hansa_agents import make_agent
from hansa_env import Game, HansaBatch, IllegalAction, Ruleset, RulesetError, hansa_teutonica_v0
from hansa_env.engine import kernels
from hansa_env.engine.action_space import segments
from hansa_env.engine.rules.scoring import score_columns
from hansa_env.engine.view.observation import observation_fields
from hansa_env.extras import EXTRAS
from tests.helpers import choose

GAMES = (
    {"players": 2, "edition": "first"},
    {"players": 2, "edition": "second"},
    {"players": 3},
    {"players": 4, "edition": "second"},
    {"players": 5},
    *({"players": players, "board": "east"} for players in (3, 4, 5)),
)
by_game = pytest.mark.parametrize("game", GAMES, ids=lambda g: "-".join(map(str, g.values())))


def raw(seed: int = 1, **kwargs) -> hansa_teutonica_v0.raw_env:
    env = hansa_teutonica_v0.raw_env(**kwargs)
    env.reset(seed=seed)
    return env


def play(env, steps: int, seed: int = 0) -> list:
    """Random play; what `last` said at each step, actions included."""
    rng = np.random.default_rng(seed)
    seen = []
    for agent in env.agent_iter(steps):
        last = env.last()
        action = None if last[2] or last[3] else int(choose(last[0]["action_mask"][None], rng)[0])
        seen.append((agent, action, *last))
        env.step(action)
    return seen


def verb(ruleset: Ruleset, name: str) -> int:
    segment = next(s for s in segments(ruleset) if s.name == "verb")
    return segment.start + segment.things.index(name)


def run_api_test(env, cycles: int) -> None:
    """Every warning is an error, but those that any environment with a mask in its observation gets."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", "Action mask numpy array is all zeros")  # once the game is over
        api_test(env, num_cycles=cycles)


@by_game
def test_pettingzoos_api_test(game: dict) -> None:
    run_api_test(hansa_teutonica_v0.env(**game), 1000 // game["players"])
    run_api_test(hansa_teutonica_v0.env(**game, max_turns=2), 1000)  # with ends


def test_pettingzoos_api_test_at_length() -> None:
    run_api_test(hansa_teutonica_v0.env(), 1000)


def test_pettingzoos_seed_test() -> None:
    seed_test(lambda: hansa_teutonica_v0.env(players=3), num_cycles=200)


def test_pettingzoos_render_test() -> None:
    def make(render_mode: str):  # the test begins by making one for "human", only to read its metadata
        return hansa_teutonica_v0.env(render_mode="ansi" if render_mode == "human" else render_mode)

    for module in EXTRAS["picture"]:
        pytest.importorskip(module, reason="needs the extra 'picture'")
    render_test(make, custom_tests={"ansi": lambda text: "asked" in text, "rgb_array": lambda pixels: pixels.shape[2] == 3})


@by_game
@pytest.mark.parametrize("ends_by", ("its rules", "the turn limit"))
def test_it_says_what_the_engine_says_to_the_end(game: dict, ends_by: str) -> None:
    """Every step to the end against a batch of one that is given the same actions; rewards reach every seat once."""
    max_turns = 100 if ends_by == "its rules" else 6
    env = hansa_teutonica_v0.env(**game, max_turns=max_turns)
    batch = HansaBatch(1, Ruleset(**game), max_turns=max_turns, seeds=[7])
    env.reset(seed=7)
    greedy, rng, displace = make_agent("greedy", batch.ruleset, 7), np.random.default_rng(7), verb(batch.ruleset, "displace")
    ends: dict[str, tuple] = {}
    out_of_turn = 0
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        if terminated or truncated:
            ends[agent] = (reward, terminated, truncated, info)
            assert not observation["action_mask"].any()
            env.step(None)
            continue
        seat = int(batch.seat[0])
        assert agent == f"player_{seat}" and reward == 0 and info == {}
        assert (observation["observation"] == batch.observe()[0]).all()
        assert (observation["action_mask"] == batch.action_mask[0]).all()
        other = f"player_{(seat + 1) % game['players']}"
        assert not env.observe(other)["action_mask"].any()
        out_of_turn += batch.games["turn"][0] != seat
        actions = greedy.act(batch.games, batch.action_mask, batch.seat)
        if batch.action_mask[0, displace] and rng.random() < 0.1:  # so that others have to decide, whatever greedy likes
            actions[0] = displace
        env.step(int(actions[0]))
        batch.step(actions)
    assert list(ends) == env.possible_agents and env.agents == []
    rewards = [reward for reward, *_ in ends.values()]
    winners = [f"player_{seat}" for seat in np.flatnonzero(batch.winners()[0])]
    assert rewards == batch.rewards[0].tolist() and sum(rewards) == pytest.approx(0, abs=1e-6)
    assert any(rewards) or winners == env.possible_agents
    for seat, (_, terminated, truncated, info) in enumerate(ends.values()):
        assert terminated is True and truncated is False, "scored as it stands, it is over"
        assert info["cut_off"] is (ends_by == "the turn limit")
        assert info["scores"] == dict(zip(score_columns(batch.ruleset), batch.final_scores[0, seat].tolist()))
        assert info["winners"] == winners and (info["rank"] == 0) == (f"player_{seat}" in winners)
    assert out_of_turn > 0, "somebody decides in another's turn"


def test_each_agent_has_its_own_view() -> None:
    env = raw(players=4)
    field = next(f for f in observation_fields(env.ruleset) if f.name == "decider")
    for seat, agent in enumerate(env.possible_agents):
        view = env.observe(agent)["observation"][field.slice]
        assert view.tolist() == [int(place == -seat % 4) for place in range(4)]
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)


def test_observations_are_not_overwritten() -> None:
    env = raw(players=3)
    first = env.observe("player_0")
    kept = copy.deepcopy(first)
    play(env, 20)
    assert data_equivalence(first, kept)


def test_illegal_action_through_the_wrappers_loses_at_once() -> None:
    env = hansa_teutonica_v0.env(players=3)
    env.reset(seed=1)
    play(env, 25)
    agent = env.agent_selection
    wrong = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    env.step(wrong)
    ends = {}
    for other in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        ends[other] = reward
        assert terminated and truncated and not observation["action_mask"].any()
        env.step(None)
    assert ends == {other: -1 if other == agent else 0 for other in env.possible_agents}
    with pytest.raises(AssertionError, match="not in action space"):
        env.reset(seed=1)
        env.step(10_000)
    env.reset(seed=1)
    assert len(play(env, 100)) == 100


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    (
        (-1, IllegalAction, "outside"),
        (100_000, IllegalAction, "outside"),
        (None, IllegalAction, "seat 0 was asked 'act' and gave .*; legal: done, "),
        (1.5, TypeError, r"action is 1\.5; expected a whole number from 0 to 155"),
    ),
)
def test_illegal_action_in_the_raw_env_changes_nothing(wrong, error, text) -> None:
    env = raw(players=3, render_mode="ansi")
    if wrong is None:
        wrong = int(np.flatnonzero(env.observe("player_0")["action_mask"] == 0)[0])
    before, shown = env._batch.games.tobytes(), env.render()
    with pytest.raises(error, match=text):
        env.step(wrong)
    assert env._batch.games.tobytes() == before and env.agent_selection == "player_0" and env.render() == shown
    assert not any(env.terminations.values())


@pytest.mark.parametrize("make", (hansa_teutonica_v0.raw_env, hansa_teutonica_v0.env))
@pytest.mark.parametrize("action", (None, 0))
def test_a_step_after_the_last_agent_has_gone_is_answered_in_pettingzoos_words(make, action, caplog) -> None:
    env = make(players=3, max_turns=1)
    env.reset(seed=1)
    play(env, 1000)
    assert not env.agents
    env.step(action)
    assert "step() called after all agents are terminated or truncated. Should reset() first." in caplog.text
    env.reset()
    assert len(play(env, 5)) == 5


@pytest.mark.parametrize("make", (hansa_teutonica_v0.raw_env, hansa_teutonica_v0.env))
@pytest.mark.parametrize("duplicate", (copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))))
def test_copies_and_pickles_play_on_alike_and_apart(make, duplicate) -> None:
    env = make(players=4, max_turns=8, render_mode="ansi")
    env.reset(seed=3)
    play(env, 60)
    compiled = len(kernels.step_games.signatures), len(kernels.observe_games.signatures)
    twin, third = duplicate(env), duplicate(env)
    position = env.unwrapped._batch.games.tobytes()
    first = play(twin, 10_000, seed=5)
    assert twin.agents == [] and first[-1][4] != first[-1][5], "played to the end"
    assert env.unwrapped._batch.games.tobytes() == third.unwrapped._batch.games.tobytes() == position
    assert data_equivalence(first, play(env, 10_000, seed=5))
    assert env.render() == twin.render() != third.render()
    assert (len(kernels.step_games.signatures), len(kernels.observe_games.signatures)) == compiled, "not compiled anew"


def test_seeds() -> None:
    env = raw(seed=5)
    batch = HansaBatch(1, Ruleset(), seeds=[5])
    assert (env._batch.games == batch.games).all()
    play(env, 10)
    env.reset()
    batch.reset()
    assert (env._batch.games == batch.games).all(), "the game that follows"
    fresh = [hansa_teutonica_v0.raw_env() for _ in range(2)]
    for one in fresh:
        one.reset()
    assert fresh[0]._batch.games["seed"] != fresh[1]._batch.games["seed"]


def test_rendering_shows_the_last_decisions_of_this_game() -> None:
    env = raw(players=3, render_mode="ansi")
    assert "Last:" not in env.render()
    game = Game(env.ruleset, seed=1)
    for _ in range(3):
        env.step(game.parse("place trader stade/hamburg"))
        assert env.render().splitlines()[2].endswith(f"{game.seat}: place trader stade/hamburg")
        game.play("place trader stade/hamburg")
    env.reset()
    assert "Last:" not in env.render()


def test_registry() -> None:
    assert pettingzoo.spec("aec", "hansa/hansa_teutonica-v0").version == 0
    env = pettingzoo.make("aec", "hansa/hansa_teutonica-v0", players=3)
    assert env.possible_agents == ["player_0", "player_1", "player_2"] and str(env) == "hansa_teutonica_v0"
    assert env.metadata["render_modes"] == ["ansi", "rgb_array"] and env.metadata["is_parallelizable"] is False


@pytest.mark.parametrize("flat", (False, True))
def test_what_needs_a_game_says_so_before_the_first(flat: bool) -> None:
    """In PettingZoo's words, which come from its wrapper else."""
    env = hansa_teutonica_v0.raw_env(players=3, mask_in_observation=not flat)
    with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before step"):
        env.step(0)
    with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before observe"):
        env.observe("player_0")
    for said in (env.last, lambda: env.agent_selection, lambda: env.infos, lambda: copy.deepcopy(env).rewards):
        with pytest.raises(AttributeError, match="cannot be accessed before reset"):
            said()
    with pytest.raises(AttributeError, match="'HansaTeutonicaAEC' object has no attribute 'nothing'"):
        env.nothing  # noqa: B018
    env.reset(seed=1)
    assert env.last()[1] == 0


def test_wrong_arguments() -> None:
    with pytest.raises(RulesetError, match="players is 6"):
        hansa_teutonica_v0.env(players=6)
    with pytest.raises(ValueError, match="render_mode is 'human'"):
        hansa_teutonica_v0.env(render_mode="human")
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert raw().render() is None


def test_what_the_environment_says_of_itself_is_so() -> None:
    lines = [line.strip("| ") for line in hansa_teutonica_v0.__doc__.splitlines()]
    said = dict(line.split(" | ", 1) for line in lines if " | " in line)
    assert [mode for mode in hansa_teutonica_v0.raw_env.metadata["render_modes"] if f'"{mode}"' not in said["render"]] == []
    base, beyond = (len(score_columns(Ruleset(3, missions=missions))) for missions in (False, True))
    assert f"{base}, beyond the base game {beyond}" in said["infos"]
    assert all(dealt in said["randomness"] for dealt in ("markers", "missions", "favours"))


def test_its_game_is_a_copy_that_can_be_asked_about_and_kept() -> None:
    env = raw(players=3)
    env.reset(seed=4)
    assert env.game.position() == Game(Ruleset(3), seed=4).position()
    env.game.play(env.game.legal()[0])
    assert env.game.position() == Game(Ruleset(3), seed=4).position()
