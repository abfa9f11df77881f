"""Randomness that belongs to a decision rather than to a row of a batch.

A stream is drawn from an agent's seed, the game's noise and what marks the moment of the game. No moment of a game comes
twice, since every decision uses up a turn, an action, a marker, a lifted piece or a step of the action in progress; so the
streams of a game are independent draws, and they do not depend on how games are put into batches.

This has a folder of its own because compiled code is kept under a hash of the sources in its folder: a change of the arena
or of a command beside it would have every agent that draws from a stream compiled anew.
"""

from __future__ import annotations

import numpy as np

from hansa_env.engine.compile import inner, kernel
from hansa_env.engine.rng import GAMMA, below, mix
from hansa_env.engine.state import LIFTED, OWNERS, WORDS

_SALT = np.uint64(0x57A1E5)  # of who plays a seat


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
    for i in range(LIFTED):
        if game["lifted"][i] != 0:
            state = mix(state ^ np.uint64(game["lifted"][i]))
    return mix(state)


@kernel
def fill_streams(games, seed, out):
    """The streams of games (N,) for a word (see `seed_word`) into out (N,) uint64."""
    for i in range(out.size):
        out[i] = stream(games[i], seed)


@inner
def later(word, steps):
    """The random uint64 that comes so many steps further on in the stream of a word."""
    return mix(word + np.uint64(steps) * GAMMA)


@kernel
def advance(words, steps):
    """Turn words (N,) uint64 into what comes `steps` (N,) int64 further on in their streams, in place."""
    for i in range(words.size):
        words[i] = later(words[i], steps[i])


@kernel
def fill_numbers(words, out):
    """The first numbers of streams (N,) uint64 into out (N, M) float64, 53 bits each."""
    for i in range(words.size):
        for k in range(out.shape[1]):
            out[i, k] = np.float64(later(words[i], k + 1) >> np.uint64(11)) * 2.0**-53


@kernel
def draw_seats(games, seed, count, which):
    """Which of `count` players has the deciding seat of games (N,), into which (N,) int64: by seed, game and seat.

    Games are told apart by their noise: what agents are given are copies, whose seeds are blank.
    """
    for i in range(which.size):
        seat = np.uint64(games[i]["seat"]) + np.uint64(1)
        which[i] = below(mix(mix(seed ^ _SALT ^ games[i]["noise"]) + seat * GAMMA), count)


def seed_word(seed: int) -> np.uint64:
    """An agent's seed, any whole number, as `stream` takes it."""
    return np.uint64(int(seed) % 2**64)


def streams_of(games: np.ndarray, seed: int) -> np.ndarray:
    """The streams (N,) uint64 of game records (N,), writeable, for an agent's seed."""
    streams = np.empty(len(games), np.uint64)
    fill_streams(games, seed_word(seed), streams)
    return streams


def uniform_numbers(games: np.ndarray, seed: int, count: int) -> np.ndarray:
    """Random numbers (N, count) float64 in [0, 1) for the decisions that game records (N,) ask for, and an agent's seed.

    The same decision is given the same numbers, alone or in any batch, and independent ones of every other: with these a match
    comes out the same however its games are shared out.
    """
    words, numbers = streams_of(np.require(games, requirements=["C", "W"]), seed), np.empty((len(games), count))
    fill_numbers(words, numbers)
    return numbers
