"""Bit sets in int64 words."""

from __future__ import annotations

import numpy as np

from hansa_env.engine.compile import inner

_EVERY_2ND = np.uint64(0x5555555555555555)
_PAIRS = np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x0101010101010101)
_MOST_OF_BYTES = np.int64(0x7F7F7F7F7F7F7F7F)


@inner
def size(word):
    """Number of members; LLVM knows this pattern and emits one instruction."""
    x = np.uint64(word)
    x = x - ((x >> np.uint64(1)) & _EVERY_2ND)
    x = (x & _PAIRS) + ((x >> np.uint64(2)) & _PAIRS)
    x = (x + (x >> np.uint64(4))) & _NIBBLES
    return np.int64((x * _BYTES) >> np.uint64(56))


@inner
def sum_of_bytes(word):
    """The sum of a word's bytes, 255 at most."""
    return np.int64((np.uint64(word) * _BYTES) >> np.uint64(56))


@inner
def different_bytes(word, other):
    """How many bytes of two words differ, of bytes below 128."""
    return size(((word ^ other) + _MOST_OF_BYTES) & ~_MOST_OF_BYTES)


@inner
def lowest(word):
    """Smallest member of a set that is not empty."""
    return size((word & -word) - 1)


@inner
def nth_member(words, n):
    """The n-th smallest member of a set of several words of 64; there must be more than n."""
    word = 0
    members = size(words[0])
    while n >= members:
        n -= members
        word += 1
        members = size(words[word])
    rest = words[word]
    for _ in range(n):
        rest &= rest - 1
    return 64 * word + lowest(rest)


@inner
def bit(index):
    """The set with one member."""
    return np.int64(1) << np.int64(index)


@inner
def first_below(count):
    """The set 0 .. count - 1; `count` is 62 at most, for with 63 its next power of two no longer fits an int64."""
    return (np.int64(1) << np.int64(count)) - 1
