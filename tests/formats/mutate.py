"""Changes to JSON data: every leaf made something else, and the moves and doublings that a careless writer makes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy

#: What may stand where something else should: of every type, sign and size, and words from elsewhere in the format.
STRANGE = (
    None, True, False, -1, -100, 0, 1, 2, 3, 4, 5, 7, 19, 20, 50, 99, 127, 128, 300, 2**31, 2**63, 10**5000, 0.5, 2.0, 2.7,
    float("nan"), float("inf"), "", "2", "act", "over", "0t", "nt", "4m", "t", "+3", "stade", "stade/hamburg", "atlantis",
    "\n", "\ud800", "x" * 100_000, [], [0], ["0t"], [[]], {}, {"a": 1}, {"x" * 100_000: []},
)  # fmt: skip


def places(data: object, path: tuple = ()) -> Iterator[tuple]:
    """The path of every value within the data."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


def at(data: object, path: tuple) -> object:
    for key in path:
        data = data[key]
    return data


def put(data: object, path: tuple, value: object) -> None:
    at(data, path[:-1])[path[-1]] = value


def same(a: object, b: object) -> bool:
    """Equal, and of the same type: 1 is not true."""
    return type(a) is type(b) and a == b


def mutations(data: dict) -> Iterator[tuple[tuple, object]]:
    """Change the data in place at every path to every strange value, and back; yields path and value."""
    for path in list(places(data)):
        old = at(data, path)
        for value in STRANGE:
            if not same(old, value):
                put(data, path, value)
                yield path, value
        put(data, path, old)


def swap(data: dict, choose: random.Random) -> None:
    """Two values change places: a piece goes elsewhere, a row is another's."""
    one, other = choose.sample(list(places(data)), 2)
    shorter = min(len(one), len(other))
    if one[:shorter] != other[:shorter]:  # else one holds the other
        first, second = at(data, one), at(data, other)
        put(data, one, second)
        put(data, other, first)


def copy_over(data: dict, choose: random.Random) -> None:
    """A value is doubled onto another."""
    one, other = choose.sample(list(places(data)), 2)
    shorter = min(len(one), len(other))
    if one[:shorter] != other[:shorter]:
        put(data, other, deepcopy(at(data, one)))  # one value at two places could later come to hold itself


def step(data: dict, choose: random.Random) -> None:
    """A number is one more or less."""
    numbers = [path for path in places(data) if type(at(data, path)) is int]
    path = choose.choice(numbers)
    put(data, path, at(data, path) + choose.choice((-1, 1)))


def drop(data: dict, choose: random.Random) -> None:
    """A value is missing."""
    path = choose.choice(list(places(data)))
    del at(data, path[:-1])[path[-1]]


def double(data: dict, choose: random.Random) -> None:
    """A list says one of its values twice."""
    lists = [path for path in places(data) if isinstance(at(data, path), list) and at(data, path)]
    row = at(data, choose.choice(lists))
    row.append(deepcopy(choose.choice(row)))


def rename(data: dict, choose: random.Random) -> None:
    """A field has another name."""
    path = choose.choice([path for path in places(data) if isinstance(path[-1], str)])
    owner = at(data, path[:-1])
    owner[choose.choice(("atlantis", "", "stade", "7", *owner))] = owner.pop(path[-1])


def move_piece(data: dict, choose: random.Random) -> None:
    """A piece goes from one post or office to a free one, as if by a rule."""
    spots = [path for path in places(data) if path[0] in ("posts", "offices") and len(path) == 3]
    filled = [path for path in spots if at(data, path) is not None]
    free = [path for path in spots if at(data, path) is None]
    if filled and free:
        one, other = choose.choice(filled), choose.choice(free)
        put(data, other, at(data, one))
        put(data, one, None)


CHANGES = (swap, copy_over, step, drop, double, rename, move_piece, move_piece, step)
