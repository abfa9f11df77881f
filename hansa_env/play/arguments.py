"""What callers give, checked: seeds, turn limits, actions, records, buffers."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from hansa_env.engine.state import GAME, MOST_TURNS
from hansa_env.play.errors import ActionTypeError

MAX_TURNS = 100  # turns per seat before a game that begins is cut off, by default, wherever it is played
SEEDS = 2**64


def whole(given: Any) -> int | None:
    """A whole number, of NumPy too, as Python's; None for anything else, True and 1.0 included."""
    if type(given) is int:
        return given
    try:
        return None if isinstance(given, (bool, np.bool_)) else operator.index(given)
    except TypeError:
        return None


def checked_seed(seed: Any, name: str = "seed") -> int:
    """A seed as a Python int. Raises ValueError naming what was given."""
    number = whole(seed)
    if number is None or not 0 <= number < SEEDS:
        raise ValueError(f"{name} is {seed!r:.60}; expected a whole number from 0 to 2**64 - 1")
    return number


def checked_seeds(seeds: object, count: int) -> np.ndarray:
    """Seeds (count,) uint64. Raises ValueError naming the first that is none."""
    one_each = several(seeds)
    if one_each is None:
        raise ValueError(f"seeds is {seeds!r:.60}; expected a list of whole numbers, one for each game, {count} in all")
    check_seed_count(one_each, count)
    return np.array([checked_seed(seed, f"seeds[{i}]") for i, seed in enumerate(one_each)], np.uint64)


def seeds_from(first: object, count: int) -> list[int]:
    """The seeds of `count` rows, counted up from the first one. Raises ValueError where that, or the last, is none."""
    number = checked_seed(first)
    if number + count > SEEDS:
        raise ValueError(f"seed is {number}; expected at most 2**64 - {count}, since the {count} rows count up from it")
    return [number + row for row in range(count)]


def check_seed_count(seeds: Sequence[object], count: int) -> None:
    """Raises ValueError unless there are `count` seeds, one for each row."""
    if len(seeds) != count:
        raise ValueError(f"{len(seeds)} seeds were given; expected {count}")


def several(given: Any) -> list | None:
    """What was given one by one, in a sequence, an array or an iterator, as a list; None where it is anything else, such as one
    thing for all, a text, a dict, or a set, which has no order."""
    if isinstance(given, (str, bytes, bytearray)):
        return None
    ordered = isinstance(given, (Sequence, Iterator)) or (hasattr(given, "__array__") and getattr(given, "ndim", 0) > 0)
    return list(given) if ordered else None


def checked_max_turns(max_turns: Any) -> int | None:
    """Turns per seat, None = no limit. Raises ValueError naming what was given."""
    return None if max_turns is None else checked_limit(max_turns, "None or ")


def checked_limit(max_turns: Any, also: str = "") -> int:
    """Turns per seat. Raises ValueError naming what was given, and before the numbers what is `also` expected."""
    number = whole(max_turns)
    if number is None or not 1 <= number <= MOST_TURNS:
        raise ValueError(f"max_turns is {max_turns!r:.60}; expected {also}a whole number from 1 to {MOST_TURNS}")
    return number


def checked_learner_seat(given: Any, players: int) -> int:
    """The learner's seat, -1 for "random". Raises ValueError naming what was given."""
    if isinstance(given, str) and given == "random":
        return -1
    number = whole(given)
    if number is None or not 0 <= number < players:
        raise ValueError(f"seat is {given!r:.60}; expected 'random' or a number from 0 to {players - 1}")
    return number


def checked_count(name: str, given: Any) -> int:
    """How many there are to be, at least 1. Raises ValueError naming what was given."""
    number = whole(given)
    if number is None or number < 1:
        raise ValueError(f"{name} is {given!r:.60}; expected a whole number of at least 1")
    return number


def checked_flag(name: str, given: Any) -> bool:
    """True or False, of NumPy too. Raises ValueError naming what was given."""
    if not isinstance(given, (bool, np.bool_)):
        raise ValueError(f"{name} is {given!r:.60}; expected True or False")
    return bool(given)


def checked_options(options: object, *known: str) -> Mapping[str, Any]:
    """The options of a `reset`, None = none. Raises ValueError where they are no dict, or naming one that is not known."""
    expected = f"a dict with {' or '.join(map(repr, known))}, or None" if known else "None: this environment has no options"
    if options is not None and not isinstance(options, Mapping):
        raise ValueError(f"options is {options!r:.60}; expected {expected}")
    for name in options or ():
        if name not in known:
            raise ValueError(f"options has {name!r:.60}; expected {expected}")
    return options or {}


def _array_of(name: str, given: object, expected: str, wrong: type[ValueError] = ValueError) -> np.ndarray:
    """What was given as an array. Raises what is `wrong` where it is ragged."""
    try:
        return np.asarray(given)
    except ValueError as error:
        raise wrong(f"{name} are {given!r:.60}, which is no array; expected {expected}") from error


def checked_actions(actions: object, count: int) -> np.ndarray:
    """Actions (count,) as an integer array. Raises ActionTypeError for another shape or for numbers that are not whole."""
    given = _array_of("actions", actions, f"whole numbers ({count},)", ActionTypeError)
    if given.shape != (count,) or given.dtype.kind not in "iu":
        raise ActionTypeError(f"actions have shape {given.shape}, {given.dtype}; expected whole numbers ({count},)")
    return given


def checked_action(action: object, count: int) -> int:
    """A single action as an index; which are legal, others say. Raises ActionTypeError for what is no whole number."""
    number = whole(action)
    if number is None:
        raise ActionTypeError(f"action is {action!r:.60}; expected a whole number from 0 to {count - 1}")
    return number


def checked_rows(rows: object, count: int) -> np.ndarray:
    """Numbers (M,) of some of the rows, given as such or as bool (count,). Raises ValueError naming one that there is not, or
    that is named twice."""
    given = _array_of("rows", rows, f"whole numbers (M,), or bool ({count},)")
    if given.dtype == np.bool_ and given.shape == (count,):
        return np.flatnonzero(given)
    given = given.astype(np.int64) if given.size == 0 else given.reshape(-1)
    if given.dtype.kind not in "iu":
        raise ValueError(f"rows have shape {given.shape}, {given.dtype}; expected whole numbers (M,), or bool ({count},)")
    if given.size and not (given.min() >= 0 and given.max() < count):
        bad = given[(given < 0) | (given >= count)][0]
        raise ValueError(f"row {bad} does not exist; expected 0 to {count - 1}")
    if given.size > 1:
        numbers, times = np.unique(given, return_counts=True)
        if len(numbers) < given.size:
            raise ValueError(f"row {numbers[times > 1][0]} is named twice; expected each row once")
    return given


def checked_where(where: object, count: int, name: str = "where") -> np.ndarray:
    """Rows (count,) bool, None = all. Raises ValueError for another shape or kind."""
    if where is None:
        return np.ones(count, np.bool_)
    if not isinstance(where, np.ndarray) or where.shape != (count,) or where.dtype != np.bool_:
        given = f"shape {where.shape}, {where.dtype}" if isinstance(where, np.ndarray) else f"type {type(where).__name__}"
        raise ValueError(f"{name} has {given}; expected a bool array of shape ({count},)")
    return where


def checked_seats(seats: object, players: int, count: int) -> np.ndarray | int:
    """Seats as one number, or (count,) int8. Raises ValueError naming one that is none."""
    if type(seats) is int and 0 <= seats < players:
        return seats
    given = _array_of("seats", seats, f"whole numbers, one or ({count},)")
    if given.dtype.kind not in "iu" or given.shape not in ((), (count,)):
        raise ValueError(f"seats have shape {given.shape}, {given.dtype}; expected whole numbers, one or ({count},)")
    bad = (given < 0) | (given >= players)
    if bad.any():
        raise ValueError(f"seat {int(given[bad].flat[0])} does not exist; expected 0 to {players - 1}")
    return np.broadcast_to(given, count).astype(np.int8)


def checked_records(games: object, count: int) -> np.ndarray:
    """Game records (count,), or a single one (). Raises ValueError for another shape or kind."""
    given = np.asarray(games)
    if given.dtype != GAME or given.shape not in ((), (count,)):
        found = f"{'records' if given.dtype == GAME else str(given.dtype)[:40]} of shape {given.shape}"
        raise ValueError(f"games are {found}; expected game records of shape ({count},), one a row, or a single one")
    return given


def check_buffer(out: np.ndarray, shape: tuple[int, int], dtype: type) -> None:
    """Raises ValueError for a buffer that cannot be written into: of another shape or kind, or not contiguous."""
    wanted = f"expected a C-contiguous {np.dtype(dtype)} {shape} to write into"
    if not isinstance(out, np.ndarray):
        raise ValueError(f"out is a {type(out).__name__}; {wanted}")
    if out.shape != shape or out.dtype != dtype or not (out.flags.c_contiguous and out.flags.writeable):
        raise ValueError(f"out is {out.dtype} {out.shape}; {wanted}")
