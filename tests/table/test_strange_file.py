"""A file of games that somebody made by hand: it stops nothing, fills no memory, and has no key to be guessed."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hansa_env import Ruleset
from hansa_env.table import store
from hansa_env.table.errors import Unreadable
from hansa_env.table.games import Games
from hansa_env.table.seats import AgentMenu, Seat
from hansa_env.table.store import LARGEST, Store, StoreError
from tests.table.chance import Chance

RULES, HERE = Ruleset(2, "second"), Seat(kind="here")
ENDLESS = "WITH RECURSIVE one(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM one)"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of no games yet."""
    Store(tmp_path / "games.sqlite").close()
    return tmp_path / "games.sqlite"


def told(file: Path, script: str) -> None:
    with closing(sqlite3.connect(file)) as sql:
        sql.executescript(script)


@pytest.mark.parametrize(("name", "script"), [
    ("games", f"DROP TABLE games; CREATE VIEW games AS {ENDLESS} SELECT x AS id FROM one;"),
    ("games", "DROP TABLE games; CREATE TABLE games (id TEXT, made REAL);"),
    ("events", "DROP TABLE events;"),
    ("settings", "DROP TABLE settings; CREATE VIEW settings AS SELECT 'host key' AS name, 'known' AS value;"),
    ("puzzles", "DROP TABLE puzzles; CREATE TABLE puzzles (a, b, c, d);"),
    ("wipe", "CREATE TRIGGER wipe AFTER INSERT ON games BEGIN DELETE FROM games; END;"),
    ("estimates", "CREATE TRIGGER estimates AFTER INSERT ON games BEGIN DELETE FROM games; END;"),
    ("more", "CREATE TABLE more (x);"),
])  # fmt: skip
def test_what_the_table_would_not_make_is_refused(file: Path, name: str, script: str) -> None:
    told(file, script)
    with pytest.raises(StoreError, match=f"'{name}' in it is not by hansa table; expected settings, games, events, puzzles"):
        Store(file)


def test_files_of_earlier_versions_are_taken(file: Path) -> None:
    told(file, "DROP TABLE puzzles; CREATE TABLE estimates (agent TEXT, position TEXT, found TEXT);")
    with closing(Store(file)) as again:
        assert again.puzzle_answers() == {}


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_another_programs_database_is_left_as_it_is(tmp_path: Path, journal: str) -> None:
    other = tmp_path / "other.sqlite"
    told(other, f"PRAGMA journal_mode = {journal}; CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine');")
    _refused_untouched(other, "another program's database")


def test_a_text_is_left_as_it_is(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("buy milk\n" * 100)
    _refused_untouched(notes, "expected a file of games by hansa table")


def _refused_untouched(file: Path, why: str) -> None:
    file.chmod(0o644)
    before = file.read_bytes(), file.stat().st_mode, sorted(file.parent.iterdir())
    with pytest.raises(StoreError, match=why):
        Store(file)
    assert (file.read_bytes(), file.stat().st_mode, sorted(file.parent.iterdir())) == before


@pytest.mark.parametrize("kept", ["''", "'guessed'", "x'00ff'", "'" + "a b;c\r\n" * 4 + "'"])
def test_a_key_that_the_table_would_not_make_is_none(file: Path, kept: str) -> None:
    told(file, f"INSERT INTO settings VALUES ('host key', {kept})")
    with closing(Store(file)) as again:
        key = again.setting("host key")
        assert len(key) == 24 and again.setting("host key") == key


@pytest.mark.skipif(os.name != "posix", reason="files have no modes here")
def test_nobody_else_at_the_machine_reads_the_file(tmp_path: Path) -> None:
    known, new = tmp_path / "known.sqlite", tmp_path / "new.sqlite"
    Store(known).close()
    known.chmod(0o644)
    for file in (known, new):
        with closing(Store(file)) as kept:
            kept.setting("host key")
            assert {path.stat().st_mode & 0o777 for path in tmp_path.glob(f"{file.name}*")} == {0o600}


def test_a_value_of_more_bytes_than_any_game_has_is_not_read(tmp_path: Path) -> None:
    async def look() -> None:
        games = Games(Store(tmp_path / "games.sqlite"), Chance(), AgentMenu())  # type: ignore[arg-type]
        good, large, talks = (games.deal(RULES, [HERE, HERE], 1, None) for _ in range(3))
        games.store.close()
        with closing(sqlite3.connect(tmp_path / "games.sqlite")) as sql, sql:
            sql.execute("UPDATE games SET start = ? WHERE id = ?", ("1" * (LARGEST + 1), large))
            sql.execute("INSERT INTO events VALUES (?, 1, 'decided', 0, ?, 0.0)", (talks, "1" * (LARGEST + 1)))
        games.store = Store(tmp_path / "games.sqlite")
        rows = {row["id"]: row for row in games.listed()}
        assert "problem" not in rows[good] and "too big" in rows[large]["problem"]
        for name in (large, talks):
            with pytest.raises(Unreadable):
                await games.open(name)

    asyncio.run(look())


@pytest.mark.parametrize(("column", "text", "again"), [
    ("start", '"players"', '"players": 2, "players"'), ("seats", '"kind"', '"kind": "here", "kind"'),
])  # fmt: skip
def test_a_field_given_twice_is_refused(tmp_path: Path, column: str, text: str, again: str) -> None:
    async def look() -> None:
        games = Games(Store(tmp_path / "games.sqlite"), Chance(), AgentMenu())  # type: ignore[arg-type]
        name = games.deal(RULES, [HERE, HERE], 1, None)
        games.store._sql.execute(f"UPDATE games SET {column} = replace({column}, ?, ?)", (text, again))
        assert "is given twice" in games.listed()[0]["problem"]
        with pytest.raises(Unreadable):
            await games.open(name)

    asyncio.run(look())


def test_no_more_events_of_a_game_are_read_than_it_can_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_EVENTS", 3)

    async def look() -> None:
        games = Games(Store(tmp_path / "games.sqlite"), Chance(), AgentMenu())  # type: ignore[arg-type]
        name = games.deal(RULES, [HERE, HERE], 1, None)
        again = [(name, seq, "undone", None, "0", 0.0) for seq in range(1, 5)]
        games.store._sql.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", again)
        with pytest.raises(Unreadable):
            await games.open(name)
        games.store._sql.execute("DELETE FROM events WHERE seq = 4")
        assert (await games.open(name)).seq == 3

    asyncio.run(look())
