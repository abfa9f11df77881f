"""Refuses data with far more values than a record or position can have, before it looks at each of them for minutes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from hansa_env.formats.errors import FormatError

#: The most values, nested ones included, in a position, in a record without its lists by decision, or in one entry of such a
#: list. The fullest position that we found has 421.
MOST_VALUES = 20_000


def refuse_crowds(data: dict, by_decision: Collection[str] = ()) -> None:
    """Raises FormatError: there are more values than `MOST_VALUES`, also in one entry of a list by decision."""
    lists = {name: data[name] for name in by_decision if isinstance(data.get(name), list | tuple)}
    if more_than(MOST_VALUES, {name: value for name, value in data.items() if name not in lists}):
        raise FormatError(f"data: more than {MOST_VALUES:,} values; expected no more than one game has")
    for name, entries in lists.items():
        crowded = enumerate(entries) if more_than(MOST_VALUES, entries) else ()  # of few entries in all none can have many
        for number, entry in crowded:
            if more_than(MOST_VALUES, entry):
                raise FormatError(f"{name}: more than {MOST_VALUES:,} values in entry {number}; expected what one decision has")


def more_than(most: int, data: object) -> bool:
    """Whether something has more values, nested ones and itself included; it looks at no more of them than that."""
    count, level = 1, _containers([data])
    while level and count <= most:
        count += sum(map(len, level))
        if count <= most:
            level = _containers(part for one in level for part in (one.values() if isinstance(one, dict) else one))
    return count > most


def _containers(values: Iterable[object]) -> list[Any]:
    return [value for value in values if isinstance(value, (dict, list, tuple))]
