"""A file of games that somebody has changed, or that has been damaged: what can be read is there all the same."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from hansa_env import Ruleset
from hansa_env.table.errors import Damaged, NotThere, Refused, Unreadable
from hansa_env.table.games import Games
from hansa_env.table.seats import Seat
from hansa_env.table.store import Event, Store, StoreError

RULES = Ruleset(2, "second")
HERE = Seat(kind="here")


def damaged(games: Games, column: str, value: Any) -> tuple[str, str]:
    """The names of a game that can be read, and of one whose row has another value in a column."""
    good, bad = (games.deal(RULES, [HERE, HERE], 1, None) for _ in range(2))
    games.store._sql.execute(f"UPDATE games SET {column} = ? WHERE id = ?", (value, bad))
    return good, bad


@pytest.mark.parametrize(("column", "value"), [
    ("seats", "no json"), ("seats", "[]"), ("seats", "7"), ("seats", '[{"kind": "king"}]'), ("seats", "[" * 3000),
    ("start", "{"), ("start", "[]"), ("start", '{"players": 9}'), ("start", '{"position": 1, "seed": 2}'),
    ("start", b"\xff\xfe"), ("made", "yesterday"), ("made", float("inf")), ("pace", b"x"), ("clock", "soon"), ("watch", b"w"),
    ("parent", b"p"), ("parent_at", "here"), ("over", "maybe"),
])  # fmt: skip
def test_a_game_that_cannot_be_read_hides_no_other_and_can_be_removed(games: Games, column: str, value: Any) -> None:
    async def look() -> None:
        good, bad = damaged(games, column, value)
        rows = {row["id"]: row for row in games.listed()}
        assert set(rows) == {good, bad} and "problem" not in rows[good]
        assert "cannot be read" in rows[bad]["problem"] and "\n" not in rows[bad]["problem"]
        json.dumps(games.listed(), allow_nan=False)
        with pytest.raises(Unreadable):
            await games.open(bad)
        await games.open(good)
        await games.remove(bad)
        assert [row["id"] for row in games.listed()] == [good]

    asyncio.run(look())


@pytest.mark.parametrize(("kind", "seat", "text"), [
    ("decided", 0, "fly to the moon"), ("undone", None, "some"), ("seated", 0, "{}"), ("seated", 9, HERE.model_dump_json()),
    ("seated", None, HERE.model_dump_json()),
])  # fmt: skip
def test_what_happened_in_a_game_cannot_be_read(games: Games, kind: str, seat: int | None, text: str) -> None:
    async def look() -> None:
        good, bad = damaged(games, "over", 0)
        games.store._sql.execute("INSERT INTO events VALUES (?, 1, ?, ?, ?, 0.0)", (bad, kind, seat, text))
        games.store._sql.execute("UPDATE games SET parent = ?, parent_at = 0 WHERE id = ?", (good, bad))
        with pytest.raises(Unreadable):
            await games.open(bad)
        assert len(games.listed()) == 2
        assert kind != "decided" or games.branches(good) == []
        await games.remove(bad)
        with pytest.raises(NotThere):
            await games.remove(bad)

    asyncio.run(look())


def test_a_game_is_listed_with_when_it_was_last_played(games: Games) -> None:
    games.deal(RULES, [HERE, HERE], 1, None)
    ((name, made),) = games.store._sql.execute("SELECT id, made FROM games").fetchall()
    assert games.listed()[0]["played"] == made
    for seq, at in ((1, made + 60), (2, made + 90)):
        games.store.add_events(name, [Event(seq, "decided", 0, "income 0", at)], False)
    assert games.listed()[0]["played"] == made + 90
    games.store._sql.execute("UPDATE events SET at = 'late' WHERE seq = 2")
    assert "cannot be read" in games.listed()[0]["problem"]


@pytest.mark.parametrize("text", ['{"x": 1}', "[]", "7"])
def test_a_file_that_is_neither_a_record_nor_a_position_is_told_so(games: Games, text: str) -> None:
    with pytest.raises(Refused, match="neither a record nor a position"):
        games.read(text)


@pytest.mark.parametrize("seq", [b"\0", float("inf"), "last"])
def test_events_whose_numbers_are_none_hide_no_other_game(games: Games, seq: Any) -> None:
    good, bad = damaged(games, "over", 0)
    games.store._sql.execute("INSERT INTO events VALUES (?, ?, 'decided', 0, 'pass', 0.0)", (bad, seq))
    rows = {row["id"]: row for row in games.listed()}
    assert "problem" not in rows[good] and "cannot be read" in rows[bad]["problem"]
    json.dumps(games.listed(), allow_nan=False)


@pytest.mark.parametrize("name", ["ff41", "eda080", "4100", "2f"])
def test_a_game_with_a_name_that_no_game_has_hides_no_other(games: Games, name: str) -> None:
    good, bad = damaged(games, "over", 0)
    games.store._sql.execute(f"UPDATE games SET id = CAST(x'{name}' AS TEXT) WHERE id = ?", (bad,))
    assert [row["id"] for row in games.listed()] == [good]


def test_a_branch_from_before_the_beginning_is_left_out(games: Games) -> None:
    good, bad = damaged(games, "parent_at", -1)
    games.store._sql.execute("UPDATE games SET parent = ? WHERE id = ?", (good, bad))
    assert games.branches(good) == []


@pytest.mark.parametrize(("column", "value"), [("seats", json.dumps([HERE.model_dump()])), ("start", "{}")])
def test_a_game_that_lacks_something_is_not_opened(games: Games, column: str, value: str) -> None:
    async def look() -> None:
        _, bad = damaged(games, column, value)
        with pytest.raises(Unreadable):
            await games.open(bad)

    asyncio.run(look())


def test_a_page_of_the_file_that_is_damaged_is_told_as_what_it_is(games: Games) -> None:
    """Bytes of the disk are lost: SQLite finds that out only when it looks there."""
    name = games.deal(RULES, [HERE, HERE], 1, None)
    path = games.store.path
    games.store.close()
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    whole = bytes(data)
    for page in range(1, len(data) // size):
        data[page * size : page * size + 100] = b"\xff" * 100
    path.write_bytes(data)
    store = Store(path)
    for ask in (lambda: store.names(), lambda: store.has(name), lambda: store.branches(name), store.puzzle_answers):
        with pytest.raises(Damaged, match=r"the file of games is damaged \(database disk image is malformed\)"):
            ask()
    for ask in (lambda: store.game(name), lambda: store.events(name)):
        with pytest.raises(Unreadable):
            ask()
    store.close()
    path.write_bytes(whole)
    again = Store(path)
    assert again.names() == [name]
    again.close()


def test_a_file_that_was_refused_is_let_go(games: Games) -> None:
    path = games.store.path
    games.store._sql.execute("CREATE TABLE strange (x)")
    games.store.close()
    refused = []
    for _ in range(2):
        with pytest.raises(StoreError, match="'strange' in it is not by hansa table") as error:
            Store(path)
        refused.append(error)  # whoever keeps the error keeps no connection by it
    with closing(sqlite3.connect(path, timeout=0)) as sql, sql:
        sql.execute("DROP TABLE strange")
    Store(path).close()
