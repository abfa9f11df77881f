"""The game on RLlib; needs the extra `rllib`."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("ray", reason="needs the extra `rllib`")

import ray

from hansa_agents.arena import play_match
from hansa_env import Ruleset
from hansa_training.rllib.__main__ import configuration, main
from hansa_training.rllib.environment import HansaMultiAgentEnv
from hansa_training.rllib.league import LEARNER, SNAPSHOT, League, who_plays

SHORT = {"players": 3, "max_turns": 4}


def played(config: dict, seed: int) -> tuple[list, dict, list[str]]:
    """A game in which every decision is the first legal one but one: what was seen, rewards, who learned."""
    env, seen = HansaMultiAgentEnv(config), []
    found, _ = env.reset(seed=seed)
    while True:
        ((agent, observation),) = found.items()
        assert env.get_observation_space(agent).contains(observation) and agent in env.agents
        seen.append((agent, observation["observations"].tobytes()))
        action = int(np.flatnonzero(observation["action_mask"])[len(seen) % 2])
        found, rewards, terminated, truncated, _ = env.step({agent: action})
        if terminated["__all__"] or truncated["__all__"]:
            assert set(found) == set(rewards) == set(env.agents)
            return seen, rewards, env.agents
        assert not any(rewards.values())


def test_every_seat_learns_and_is_rewarded_at_the_end() -> None:
    seen, rewards, learned = played(SHORT, 3)
    assert learned == ["player_0", "player_1", "player_2"] and {agent for agent, _ in seen} == set(learned)
    assert sum(rewards.values()) == pytest.approx(0, abs=1e-6)
    assert played(SHORT, 3)[0] == seen != played(SHORT, 4)[0]


def test_an_agent_holds_the_other_seats_where_one_learns() -> None:
    alone = [played(SHORT | {"opponents": "greedy", "all_learners": 0.0}, seed) for seed in range(12)]
    assert all(len(learned) == 1 and {agent for agent, _ in seen} == set(learned) for seen, _, learned in alone)
    assert {learned[0] for _, _, learned in alone} == {"player_0", "player_1", "player_2"}
    assert len(played(SHORT | {"opponents": "greedy", "all_learners": 1.0}, 1)[2]) == 3


def test_the_snapshot_has_the_other_seats_in_half_of_the_episodes() -> None:
    tables = [
        [who_plays(f"player_{seat}", SimpleNamespace(id_=f"episode {number}"), players=3) for seat in range(3)]
        for number in range(3000)
    ]
    assert np.mean([table.count(LEARNER) == 3 for table in tables]) == pytest.approx(0.5, abs=0.03)
    assert {table.count(LEARNER) for table in tables} == {1, 3}


def test_two_runners_train_the_learner_and_leave_the_snapshot_until_its_time(monkeypatch) -> None:
    monkeypatch.setattr(League, "every", 2)
    ray.init(num_cpus=3, log_to_driver=False, include_dashboard=False)
    try:
        algorithm = configuration(runners=2, games=2, batch=256, network="board-small", max_turns=4).build_algo()
        weights = lambda name: algorithm.get_module(name).get_state()  # noqa: E731
        first = weights(SNAPSHOT)
        algorithm.train()
        learned, kept = weights(LEARNER), weights(SNAPSHOT)
        assert any((learned[name] != first[name]).any() for name in learned)
        assert all((kept[name] == first[name]).all() for name in kept)
        algorithm.train()
        learned, kept = weights(LEARNER), weights(SNAPSHOT)
        assert all((kept[name] == learned[name]).all() for name in kept)
        algorithm.stop()
    finally:
        ray.shutdown()


def test_what_is_trained_plays_in_the_arena(tmp_path) -> None:
    main(tmp_path, iterations=1, runners=2, games=2, batch=128, network="board-small", max_turns=4, opponents="greedy",
         players=3, start=None, address=None)  # fmt: skip
    match = play_match([f"ppo:{tmp_path / 'model.safetensors'}", "random", "random"], Ruleset(3), 3, max_turns=4)
    assert match.games == 3
