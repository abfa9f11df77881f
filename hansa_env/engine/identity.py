"""When two games stand in the same position: equality and a 64-bit hash, over all that everybody at the table sees.

Records are canonical (see `state`), so both look at bytes: those before the hidden pile, the seed and the number of turns.
"""

from __future__ import annotations

import numpy as np

from hansa_env.engine.compile import inner, kernel
from hansa_env.engine.rng import mix
from hansa_env.engine.state import GAME, POSITION_BYTES

assert GAME.itemsize % 64 == 0 and POSITION_BYTES % 8 == 0
POSITION_WORDS = POSITION_BYTES // 8
_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5], np.uint64)


def words_of(games: np.ndarray) -> np.ndarray:
    """Games (N,) as (N, 8-byte words) uint64; a view of a contiguous array."""
    return np.ascontiguousarray(games).view(np.uint64).reshape(len(games), -1)


@inner
def hash_words(words, i):
    """The hash of row i: four streams of multiply and add, so that they run beside one another."""
    a, b, c, d = _FACTORS[3], _FACTORS[2], _FACTORS[1], _FACTORS[0]
    whole = POSITION_WORDS - POSITION_WORDS % 4
    for k in range(0, whole, 4):
        a = (a ^ words[i, k]) * _FACTORS[0]
        b = (b ^ words[i, k + 1]) * _FACTORS[1]
        c = (c ^ words[i, k + 2]) * _FACTORS[2]
        d = (d ^ words[i, k + 3]) * _FACTORS[3]
        a ^= a >> np.uint64(29)
        b ^= b >> np.uint64(29)
        c ^= c >> np.uint64(29)
        d ^= d >> np.uint64(29)
    for k in range(whole, POSITION_WORDS):
        a = mix(a ^ words[i, k])
    return mix(a + mix(b + mix(c + mix(d))))


@kernel
def hash_rows(words, out):
    """Hashes of the rows of words (N, W) into out (N,) uint64."""
    for i in range(out.size):
        out[i] = hash_words(words, i)


def hash_games(games: np.ndarray) -> np.ndarray:
    """(N,) uint64: equal for equal positions; the same on any machine for one version of the record."""
    out = np.empty(len(games), np.uint64)
    hash_rows(words_of(games), out)
    return out


def same_position(games: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(N,) bool: whether two games stand in the same position."""
    return (words_of(games)[:, :POSITION_WORDS] == words_of(others)[:, :POSITION_WORDS]).all(axis=1)
