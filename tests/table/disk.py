"""A disk that is full, as a file of games meets it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hansa_env.table.store import Store

WRITES = ("INSERT ON games", "UPDATE ON games", "DELETE ON games", "INSERT ON events", "INSERT ON puzzles")


@contextmanager
def full_disk(store: Store) -> Iterator[None]:
    """While this lasts, whatever is written raises the error of SQLite that a full disk raises."""
    for number, write in enumerate(WRITES):
        said = "SELECT raise(ABORT, 'database or disk is full')"
        store._sql.execute(f"CREATE TEMP TRIGGER full_{number} BEFORE {write} BEGIN {said}; END")
    try:
        yield
    finally:
        for number in range(len(WRITES)):
            store._sql.execute(f"DROP TRIGGER full_{number}")
