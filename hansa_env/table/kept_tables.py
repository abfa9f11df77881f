"""The tables of the file in which games are kept (SQLite), and how a file that is none of games is told, and left alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

VERSION = 1

_SCHEMA = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE games (
    id TEXT PRIMARY KEY, made REAL NOT NULL, start TEXT NOT NULL, seats TEXT NOT NULL, clock REAL, pace REAL NOT NULL,
    watch TEXT NOT NULL, parent TEXT, parent_at INTEGER, over INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE events (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE, seq INTEGER NOT NULL, kind TEXT NOT NULL,
    seat INTEGER, text TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (game, seq)
) WITHOUT ROWID;
"""
#: Added to files of this version that have it not; those who do not know it leave it alone.
PUZZLES = (
    "CREATE TABLE IF NOT EXISTS puzzles (name TEXT PRIMARY KEY, was_right INTEGER NOT NULL, at REAL NOT NULL) WITHOUT ROWID"
)


class StoreError(ValueError):
    """The file cannot be used; says which and why."""


def check_before_it_is_changed(path: Path, most: int) -> None:
    """Raises StoreError, sqlite3.Error: there is a file that is none of games. It stays as it is, with its mode and format.

    Args:
        most: bytes of a value in it.
    """
    if not path.exists() or not path.stat().st_size:
        return
    place = path.resolve()
    how = "mode=ro" if place.with_name(f"{place.name}-wal").exists() else "immutable=1"  # the former may leave files beside it
    with closing(sqlite3.connect(f"{place.as_uri()}?{how}", uri=True, timeout=1)) as sql:
        sql.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, most)
        are_begun(sql, path)


def are_begun(sql: sqlite3.Connection, path: Path) -> bool:
    """Whether a file has our tables; else it has none.

    Raises StoreError where it has anything but our tables: a view may take for ever, a trigger writes too.
    """
    version, found = sql.execute("PRAGMA user_version").fetchone()[0], _made_in(sql)
    if version != VERSION:
        if version or found:
            what = f"version {version}" if version else "another program's database"
            raise StoreError(f"{path}: is {what}; expected games by hansa table, version {VERSION}")
        return False
    with closing(sqlite3.connect(":memory:")) as own:
        begin_tables(own)
        expected = _made_in(own)
    if found.get("estimates", "").startswith("CREATE TABLE"):
        del found["estimates"]  # of earlier versions
    strange = sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))
    strange = [name for name in strange if name != "puzzles" or name in found]  # which they did not have
    if strange:
        names = ", ".join(expected)
        raise StoreError(f"{path}: {strange[0]!r:.60} in it is not by hansa table; expected {names}, as it makes them")
    return True


def begin_tables(sql: sqlite3.Connection) -> None:
    sql.executescript(f"BEGIN; {_SCHEMA} {PUZZLES}; PRAGMA user_version = {VERSION}; COMMIT;")


def _made_in(sql: sqlite3.Connection) -> dict[str, str]:
    """What a file has been told to make, by name; without what SQLite makes by itself."""
    return dict(sql.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
