"""Randomness that belongs to a decision rather than to a row of a batch.

A stream is drawn from an agent's seed, the game's seed and what marks the moment of the game. No moment of a game comes
twice, since every decision uses up a turn, an action, a marker or a step of the action in progress; so the streams of a
game are independent draws, and they do not depend on how games are put into batches.
"""

from __future__ import annotations

import numpy as np

from hansa_env.engine.compile import inner, kernel
from hansa_env.engine.record import OWNERS, WORDS
from hansa_env.engine.rng import GAMMA, mix


@inner
def stream(g, seed):
    """A random uint64 for the question a game asks now."""
    state = mix(seed + GAMMA) ^ g["seed"]
    moment = np.int64(g["turns"])
    for part in (g["actions_left"], g["asked"], g["remaining"], g["drawn"], g["hand"][0], g["hand"][1]):
        moment = moment * 64 + part
    state = mix(state + np.uint64(moment) * GAMMA)
    for i in range(WORDS):
        state = mix(state ^ np.uint64(g["legal"][i]))
    for owner in range(OWNERS):
        state ^= np.uint64(g["held"][owner, 0] * 3 + g["held"][owner, 1] * 5)
    return mix(state)


@kernel
def fill_streams(games, seed, out):
    """The streams of games (N,) for an agent's seed into out (N,) uint64."""
    for i in range(out.size):
        out[i] = stream(games[i], seed)
