"""Randomness that belongs to a decision rather than to a row of a batch.

A stream is drawn from an agent's seed, the game's noise and what marks the moment of the game. No moment of a game comes
twice, since every decision uses up a turn, an action, a marker or a step of the action in progress; so the streams of a
game are independent draws, and they do not depend on how games are put into batches.
"""

from __future__ import annotations

import numpy as np

from hansa_env.engine.compile import inner, kernel
from hansa_env.engine.rng import GAMMA, mix
from hansa_env.engine.state import OWNERS, WORDS


@inner
def stream(game, seed):
    """A random uint64 for the question a game asks now."""
    state = mix(seed + GAMMA) ^ game["noise"]
    moment = np.int64(game["turns"])
    for part in (game["actions_left"], game["asked"], game["remaining"], game["drawn"], game["hand"][0], game["hand"][1]):
        moment = moment * 64 + part
    state = mix(state + np.uint64(moment) * GAMMA)
    for i in range(WORDS):
        state = mix(state ^ np.uint64(game["legal"][i]))
    for owner in range(OWNERS):
        state ^= np.uint64(game["held"][owner, 0] * 3 + game["held"][owner, 1] * 5)
    return mix(state)


@kernel
def fill_streams(games, seed, out):
    """The streams of games (N,) for a word (see `seed_word`) into out (N,) uint64."""
    for i in range(out.size):
        out[i] = stream(games[i], seed)


@kernel
def advance(words, steps):
    """Turn words (N,) uint64 into what comes `steps` (N,) int64 further on in their streams, in place."""
    for i in range(words.size):
        words[i] = mix(words[i] + np.uint64(steps[i]) * GAMMA)


def seed_word(seed: int) -> np.uint64:
    """An agent's seed, any whole number, as `stream` takes it."""
    return np.uint64(seed % 2**64)


def streams_of(games: np.ndarray, seed: int) -> np.ndarray:
    """The streams (N,) uint64 of game records (N,), writeable, for an agent's seed."""
    streams = np.empty(len(games), np.uint64)
    fill_streams(games, seed_word(seed), streams)
    return streams
