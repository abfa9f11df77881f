"""SplitMix64 (Steele, Lea, Flood 2014): the only generator of the engine, its state an explicit uint64."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.compile import inner

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@inner
def mix(state):
    """The output that belongs to a state; advance the state by GAMMA for the next one."""
    z = (state ^ (state >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    return z ^ (z >> np.uint64(31))


@inner
def below(word, count):
    """A number 0 .. count - 1 from 32 high bits of a random word (bias under 2**-24 for counts under 256)."""
    return np.int64(((word >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@inner
def shuffle(values, count, state):
    """Shuffle values[0 .. count - 1] in place (Fisher-Yates); returns the advanced state."""
    for i in range(count - 1, 0, -1):
        state += GAMMA
        k = below(mix(state), i + 1)
        values[i], values[k] = values[k], values[i]
    return state


@inner
def seed_of(seed, index):
    """The seed of game `index` of a batch: independent of the size of the batch; below 2**63, so that JSON keeps it."""
    return mix(mix(seed + GAMMA) + np.uint64(index) * GAMMA) >> np.uint64(1)


@inner
def seed_after(seed):
    """The seed of the game that follows a game; below 2**63 as well."""
    return mix(seed + GAMMA) >> np.uint64(1)
