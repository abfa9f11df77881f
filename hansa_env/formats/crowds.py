"""Far more values than a record or position can have: refused before each of them is looked at, which would take minutes."""

from __future__ import annotations

from collections.abc import Collection

from hansa_env.formats.errors import FormatError

#: Values, one in another counted too, of a position, of a record but for its lists by decision, and of each entry of those. The
#: fullest position has a tenth of it.
MOST_VALUES = 20_000


def refuse_crowds(data: dict, by_decision: Collection[str] = ()) -> None:
    """Raises FormatError: there are more values than `MOST_VALUES`, also in one entry of a list by decision."""
    if more_than(MOST_VALUES, {name: value for name, value in data.items() if name not in by_decision}):
        raise FormatError(f"data: more than {MOST_VALUES:,} values; expected no more than one game has")
    for name in by_decision:
        entries = data.get(name)
        for number, entry in enumerate(entries if isinstance(entries, list) else [entries]):
            if more_than(MOST_VALUES, entry):
                raise FormatError(f"{name}: more than {MOST_VALUES:,} values in entry {number}; expected what one decision has")


def more_than(most: int, data: object) -> bool:
    """Whether there are more values in something, it and all that is in it counted; no more of it is looked at than that."""
    waiting, left = [data], most
    while waiting:
        one = waiting.pop()
        left -= 1
        if isinstance(one, dict | list):
            if len(one) + len(waiting) > left:
                return True
            waiting.extend(one.values() if isinstance(one, dict) else one)
    return left < 0
