"""SuperSuit's wrappers take flat observations; it is no dependency, and comes with the job of its name."""

from __future__ import annotations

import numpy as np
import pytest

from hansa_env import hansa_teutonica_v0

supersuit = pytest.importorskip("supersuit", reason="needs SuperSuit: pip install supersuit")


def test_frames_are_stacked_and_types_changed() -> None:
    options = {"players": 3, "max_turns": 5, "mask_in_observation": False}
    plain = hansa_teutonica_v0.env(**options)
    env = supersuit.frame_stack_v1(supersuit.dtype_v0(hansa_teutonica_v0.env(**options), np.dtype(np.float32)), 3)
    plain.reset(seed=2)
    env.reset(seed=2)
    rng, seen = np.random.default_rng(0), {agent: [] for agent in env.possible_agents}
    (size,) = plain.observation_space("player_0").shape
    for agent in env.agent_iter():
        observation, reward, over, _, info = env.last()
        assert observation.dtype == np.float32 and env.observation_space(agent).shape == observation.shape
        if over:
            assert reward == plain.rewards[agent]
            env.step(None)
            continue
        seen[agent].append(plain.observe(agent))
        stacked = observation.reshape(size, 3) if observation.ndim == 2 else observation.reshape(3, size).T
        np.testing.assert_array_equal(stacked[:, -1], seen[agent][-1])
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        env.step(action)
        plain.step(action)
    assert min(map(len, seen.values())) > 10
