"""Functions that only compiled functions call: what they compute, how often they are compiled, and who may call them."""

from __future__ import annotations

import pickle

import numba
import numpy as np
import pytest

from hansa_env import compiled
from hansa_env.engine import inlining
from hansa_env.engine.compile import inlined, inner
from hansa_env.engine.inlining import Part


@inner
def twice(number):
    return number + number


@inner
def twice_and_one(number):
    return twice(number) + 1


@inlined
def twice_and_two(number):
    return twice(number) + 2


@numba.njit
def all_ways(small, large):
    """One part by two others and by itself, with numbers of three types."""
    return twice_and_one(small), twice_and_two(large), twice(3)


def test_a_part_computes_the_same_for_every_width_and_is_compiled_once() -> None:
    assert all_ways(np.int8(100), np.int64(2**40)) == (201, 2**41 + 2, 6), "and nothing overflows"
    assert all_ways(np.int16(-7), np.int32(5)) == (-13, 12, 6)
    for part in (twice, twice_and_one, twice_and_two):
        assert part.signatures == [(numba.int64,)]


def test_numbers_of_another_kind_keep_it() -> None:
    @numba.njit
    def call(number):
        return twice(number)

    assert call(np.uint64(2**63 - 1)) == 2**64 - 2
    assert call(0.25) == 0.5


def test_a_part_called_from_python_says_who_may_call_it() -> None:
    assert all_ways(1, 1) == (3, 4, 6), "it is compiled"
    for part, arguments in ((twice, (1,)), (compiled.step, (1, 2, 3))):
        with pytest.raises(TypeError, match=f"{part.__name__} can only be called from compiled code"):
            part(*arguments)


def test_a_part_that_is_pickled_comes_back_as_one() -> None:
    found = pickle.loads(pickle.dumps(twice))
    assert isinstance(found, Part) and found.py_func(4) == 8


def test_with_another_version_of_numba_parts_are_compiled_as_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inlining, "TRIED", (0, 1))

    @inlining.part()
    def thrice(number):
        return 3 * number

    assert not isinstance(thrice, Part) and thrice(np.int8(100)) == 300
