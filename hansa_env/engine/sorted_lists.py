"""Lists of a record that stay sorted, so that equal positions have equal bytes."""

from __future__ import annotations

from hansa_env.engine.compile import inner


@inner
def insert_sorted(keys, values, key, value):
    """Insert a key (N,), behind its equals, and its value (N,) into a list that has room; keys below 0 lie behind its end."""
    place = 0
    while keys[place] >= 0 and keys[place] <= key:
        place += 1
    for i in range(keys.size - 1, place, -1):
        keys[i] = keys[i - 1]
        values[i] = values[i - 1]
    keys[place] = key
    values[place] = value
