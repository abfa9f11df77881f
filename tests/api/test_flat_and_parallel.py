"""PettingZoo for those who know no dictionaries, or the parallel API alone: the same games."""

from __future__ import annotations

import copy
import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test

from hansa_agents import make_agent
from hansa_env import IllegalAction, hansa_teutonica_v0
from hansa_env.api.spaces import observation_space

SHORT = {"players": 3, "max_turns": 4}


def test_flat_observations_are_the_others_without_the_mask_which_infos_have() -> None:
    usual, flat = hansa_teutonica_v0.env(**SHORT), hansa_teutonica_v0.env(**SHORT, mask_in_observation=False)
    usual.reset(seed=3)
    flat.reset(seed=3)
    rng, masks = np.random.default_rng(0), 0
    while usual.agents:
        assert flat.agent_selection == usual.agent_selection
        for agent in usual.agents:
            seen = usual.observe(agent)
            assert flat.observation_space(agent) == observation_space(usual.unwrapped.ruleset)
            assert flat.observation_space(agent).contains(flat.observe(agent))
            np.testing.assert_array_equal(flat.observe(agent), seen["observation"])
            np.testing.assert_array_equal(flat.infos[agent]["action_mask"], seen["action_mask"])
        _, _, over, _, info = flat.last()
        masks += info["action_mask"].any()
        action = None if over else int(rng.choice(np.flatnonzero(info["action_mask"])))
        usual.step(action)
        flat.step(action)
    assert masks > 20 and not flat.agents


def test_the_flat_form_passes_the_api_test_and_punishes_what_is_illegal() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Action mask numpy array is all zeros")  # once the game is over
        api_test(hansa_teutonica_v0.env(**SHORT, mask_in_observation=False), num_cycles=500)
    env = hansa_teutonica_v0.env(**SHORT, mask_in_observation=False)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(int(env.infos[agent]["action_mask"].argmin()))
    assert env.terminations[agent] and env.rewards[agent] == hansa_teutonica_v0.ILLEGAL_REWARD


def test_the_parallel_view_plays_the_game_of_the_agent_that_decides() -> None:
    options = {"players": 3, "max_turns": 8, "reward": "margin"}
    view, turns = hansa_teutonica_v0.parallel_env(**options), hansa_teutonica_v0.raw_env(**options)
    observations, _ = view.reset(seed=5)
    turns.reset(seed=5)
    greedy, returns = make_agent("greedy", turns.ruleset), dict.fromkeys(view.possible_agents, 0.0)
    while view.agents:
        deciding = [agent for agent, seen in observations.items() if seen["action_mask"].any()]
        assert deciding == [turns.agent_selection]
        batch = turns._batch
        action = int(greedy.act(batch.games, batch.action_mask, batch.seat)[0])
        turns.step(action)
        others = dict.fromkeys(set(view.agents) - set(deciding))
        observations, rewards, terminations, _, infos = view.step({deciding[0]: action, **others})
        assert terminations == turns.terminations
        for agent, reward in rewards.items():
            returns[agent] += reward
            assert infos[agent].get("active_agent", turns.agent_selection) == turns.agent_selection
    assert returns == turns.rewards and sum(returns.values()) == pytest.approx(0, abs=1e-6)
    assert sum(map(abs, returns.values())) > 0


def test_every_form_has_the_same_state_an_array_of_its_space() -> None:
    forms = [make(**SHORT) for make in (hansa_teutonica_v0.raw_env, hansa_teutonica_v0.env, hansa_teutonica_v0.parallel_env)]
    for one in forms:
        one.reset(seed=5)
        assert isinstance(one.state(), np.ndarray) and one.state_space.contains(one.state())
        np.testing.assert_array_equal(one.state(), forms[0].observe("player_0")["observation"])


def test_the_parallel_view_refuses_what_is_illegal() -> None:
    view = hansa_teutonica_v0.parallel_env(**SHORT)
    observations, _ = view.reset(seed=5)
    with pytest.raises(IllegalAction):
        view.step({agent: int(seen["action_mask"].argmin()) for agent, seen in observations.items()})


@pytest.mark.parametrize("flat", [False, True])
def test_infos_that_were_handed_out_stay_as_they_were(flat: bool) -> None:
    """By the parallel view, which writes into them, and by turns."""
    env = hansa_teutonica_v0.parallel_env(**SHORT, mask_in_observation=not flat)
    observations, infos = env.reset(seed=1)
    kept, copies = [], []
    while env.agents:
        kept.append(infos)
        copies.append(copy.deepcopy(infos))
        masks = {a: (infos[a] if flat else observations[a])["action_mask"] for a in env.agents}
        observations, *_, infos = env.step({a: int(masks[a].argmax()) for a in env.agents})
    assert len(kept) > 10 and all(map(data_equivalence, kept, copies))
    turns = hansa_teutonica_v0.env(**SHORT, mask_in_observation=False)
    turns.reset(seed=1)
    for _ in range(10):
        info = turns.last()[4]
        before = info["action_mask"].copy()
        turns.step(int(before.argmax()))
        assert (info["action_mask"] == before).all()


def test_nobody_has_a_legal_action_after_an_illegal_one() -> None:
    env = hansa_teutonica_v0.env(**SHORT, mask_in_observation=False)
    env.reset(seed=1)
    env.step(int(env.last()[4]["action_mask"].argmin()))
    assert all(env.terminations.values()) and not any(info["action_mask"].any() for info in env.infos.values())
