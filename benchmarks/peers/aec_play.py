"""Random legal play through PettingZoo's AEC interface, ours or another's."""

import random

import numpy as np


def player(env, turns=200):
    """A function that plays `turns` turns (last, a random legal action, step), game after game."""
    rng = random.Random(0)
    env.reset(seed=0)

    def play():
        for _ in range(turns):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[int(rng.random() * len(legal))]))
        return turns

    return play
