"""Files of games of the table made wrong: in their bytes, and in single values of their rows."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import tempfile
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

from hansa_env.table.errors import Refused
from hansa_env.table.game_history import Line
from hansa_env.table.games import Games
from hansa_env.table.seats import AgentMenu
from hansa_env.table.start import Start
from hansa_env.table.store import DECIDED, KeptGame, Store, StoreError
from tests.formats import mutate
from tests.formats.mutants import Kind, TakenWrongly, bytes_changed
from tests.table.chance import HERE, RULES, Chance

NAME = "the-game"


@cache
def _whole() -> bytes:
    line, choose, decisions = Line(Start.dealt(RULES, 3)), random.Random(3), []
    for _ in range(60):
        seat, text = line.game.current_player, choose.choice(line.game.legal())
        decisions.append((seat, text))
        line.play(text)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        store = Store(path)
        for name, parent, at in ((NAME, None, None), ("branch", NAME, 5)):
            kept = KeptGame(name, 1.0, line.start.data, [HERE, HERE], None, 0.0, "watch", parent, at, False)
            store.add_game(kept, decisions)
        store.setting("host")
        store.count_answer("a puzzle", True)
        store.close()
        return path.read_bytes()


def _value(choose: random.Random) -> object:
    value = choose.choice(mutate.STRANGE)
    if isinstance(value, dict | list):
        return repr(value)
    if isinstance(value, int) and abs(value) >= 2**63:
        return float("inf")
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) and choose.random() < 0.5 else value


def _row_changed(path: Path, choose: random.Random) -> str:
    """Change values of rows, as any program can."""
    with closing(sqlite3.connect(path)) as sql, sql:
        sql.execute("PRAGMA ignore_check_constraints = ON")
        table = choose.choice(("games", "games", "events"))
        columns = [name for _, name, *_ in sql.execute(f"PRAGMA table_info({table})")]
        column, value = choose.choice(columns), _value(choose)
        where = "WHERE seq = ?" if table == "events" else "WHERE ? < 99"
        with suppress(sqlite3.Error, UnicodeEncodeError):  # what may not stand there
            sql.execute(f"UPDATE {table} SET {column} = ? {where}", (value, choose.randrange(1, 61)))
    return f"{table}.{column} = {value!r:.40}"


def _make(choose: random.Random) -> tuple[str, bytes, None]:
    if choose.random() < 0.4:
        data, what = _whole(), []
        for _ in range(choose.choice((1, 5, 50))):
            how, data = bytes_changed(data, choose) if data else ("nothing left", b"")
            what.append(how)
        return what[0], data, None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        path.write_bytes(_whole())
        return _row_changed(path, choose), path.read_bytes(), None


async def _open(games: Games) -> list[str]:
    """The decisions of the game, as the table shows them."""
    games.listed()
    games.branches(NAME)
    live = await games.open(NAME)
    return live.line.decisions


def _read(path: Path, _: None) -> None:
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    store = Store(path)
    try:
        store.setting("host")
        store.puzzle_answers()
        shown = asyncio.run(_open(Games(store, Chance(), AgentMenu())))  # type: ignore[arg-type]
    finally:
        store.close()
    with closing(sqlite3.connect(path)) as sql, suppress(sqlite3.DatabaseError):  # where it is damaged, as was told
        events = sql.execute("SELECT kind, text FROM events WHERE game = ? ORDER BY seq", (NAME,)).fetchall()
        if all(kind == DECIDED for kind, _ in events) and shown != [text for _, text in events]:
            raise TakenWrongly("other decisions are shown than stand there")


GAMES = Kind("games of the table", ".sqlite", (StoreError, Refused), _make, _read, lambda: (_whole(), None))
