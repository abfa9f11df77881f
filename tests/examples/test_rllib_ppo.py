"""The example of RLlib: its environment, and that every process begins with the model that it is given."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("ray.rllib", reason="needs RLlib, which has a job of its own")

import ray

from hansa_agents.arena import play_match
from hansa_env import Ruleset
from hansa_training.model_file import load_policy

EXAMPLES = str(Path(__file__).parents[2] / "examples")
SHORT = {"players": 3, "max_turns": 4}


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch):
    """The module, which processes of Ray find as well."""
    monkeypatch.syspath_prepend(EXAMPLES)
    monkeypatch.setenv("PYTHONPATH", EXAMPLES)
    yield import_module("rllib_ppo")
    ray.shutdown()
    sys.modules.pop("rllib_ppo")


def played(example, config: dict, seed: int) -> tuple[list, dict, list[str]]:
    """A game in which every decision is the first legal one but one: what was seen, rewards, who learned."""
    env, seen = example.HansaMultiAgentEnv(config), []
    found, _ = env.reset(seed=seed)
    while True:
        ((agent, observation),) = found.items()
        assert env.get_observation_space(agent).contains(observation) and agent in env.agents
        seen.append((agent, observation["observations"].tobytes()))
        action = int(np.flatnonzero(observation["action_mask"])[len(seen) % 2])
        found, rewards, terminated, truncated, _ = env.step({agent: action})
        if terminated["__all__"]:
            assert set(found) == set(rewards) == set(env.agents) and not truncated["__all__"]
            return seen, rewards, env.agents
        assert not any(rewards.values())


def test_every_seat_learns_and_is_rewarded_at_the_end(example) -> None:
    seen, rewards, learned = played(example, SHORT, 3)
    assert learned == ["player_0", "player_1", "player_2"] and {agent for agent, _ in seen} == set(learned)
    assert sum(rewards.values()) == pytest.approx(0, abs=1e-6)
    assert played(example, SHORT, 3)[0] == seen != played(example, SHORT, 4)[0]


def test_an_agent_holds_the_other_seats_where_one_learns(example) -> None:
    alone = [played(example, SHORT | {"opponents": "greedy", "all_learners": 0.0}, seed) for seed in range(12)]
    assert all(len(learned) == 1 and {agent for agent, _ in seen} == set(learned) for seen, _, learned in alone)
    assert {learned[0] for _, _, learned in alone} == {"player_0", "player_1", "player_2"}
    assert len(played(example, SHORT | {"opponents": "greedy", "all_learners": 1.0}, 1)[2]) == 3


def test_a_model_is_trained_written_and_begun_with_in_every_process(example, tmp_path: Path) -> None:
    words = ["--iterations", "1", "--runners", "1", "--games", "2", "--batch", "64", "--network", "board-small"]
    example.main([*words, "--max-turns", "3", "--folder", str(tmp_path)])
    model = tmp_path / "model.safetensors"
    assert play_match([f"ppo:{model}", "random", "random"], Ruleset(3), 3, max_turns=3).games == 3
    wanted = {name: one.numpy() for name, one in load_policy(model, Ruleset(3)).state_dict().items()}
    ray.init(num_cpus=3, log_to_driver=False, include_dashboard=False)
    algorithm = example.configuration({"players": 3}, "random", 2, 2, 64, "board-small", 3, str(model)).build_algo()
    try:
        weights = lambda process: process.module[example.LEARNER].get_state()  # noqa: E731
        found = algorithm.env_runner_group.foreach_env_runner(weights)
        found += [algorithm.learner_group.get_weights()[example.LEARNER]]
        assert len(found) >= 3  # two runners and the learner
        for one in found:
            for name, array in wanted.items():
                np.testing.assert_array_equal(np.asarray(one[f"policy.{name}"]), array, err_msg=name)
    finally:
        algorithm.stop()
