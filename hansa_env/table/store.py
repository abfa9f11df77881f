"""The file in which games are kept (SQLite): what was decided is written before anybody hears of it.

A game is its beginning, its seats and a list of events, numbered from 1: decisions, decisions taken back, seats that
changed hands. No event is ever overwritten, so that a browser which lost its connection is told what it missed by number.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from math import isfinite
from pathlib import Path
from threading import RLock
from typing import NamedTuple

from hansa_env.formats.json_text import parse_json
from hansa_env.formats.outputs import GROWING, check_outputs
from hansa_env.formats.schema import MOST_DECISIONS
from hansa_env.table.errors import Damaged, NotKept, TooLate, TooLong, Unreadable
from hansa_env.table.kept_tables import PUZZLES, StoreError, are_begun, begin_tables, check_before_it_is_changed
from hansa_env.table.seats import Seat, new_token

#: Bytes of a value in the file, and events of a game, which begins with the decisions of a record.
LARGEST, MOST_EVENTS = 4 * 2**20, MOST_DECISIONS
_SECRET = re.compile(r"[A-Za-z0-9_-]{24}")
DECIDED, UNDONE, SEATED = "decided", "undone", "seated"

#: Of the values of a row of `games`.
_KINDS = (str, float, str, str, float | None, float, str, str | None, int | None, int)


class Event(NamedTuple):
    """Something that happened in a game.

    Attributes:
        seq: its number, from 1.
        kind: DECIDED: `seat` gave the decision `text`; UNDONE: only the first `text` decisions stand; SEATED: `seat` is
            taken as `text` says (a `Seat` as JSON).
        at: when, in seconds since 1970.
    """

    seq: int
    kind: str
    seat: int | None
    text: str
    at: float


class KeptGame(NamedTuple):
    """A row of `games`; seats are those it began with, `clock` None = agents may take as long as they like."""

    id: str
    made: float
    start: dict
    seats: list[Seat]
    clock: float | None
    pace: float
    watch: str
    parent: str | None
    parent_at: int | None
    over: bool


class Store:
    """The games of one file. What cannot be written raises NotKept and changes nothing.

    Args:
        path: of the file, which is made where there is none; its folder too.

    Raises:
        StoreError: it is no such file, or of another version.
        OutputError, OSError: no file can be there, or it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writing = RLock()  # one connection, used by the server's loop and its threads
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            check_outputs({"--games": (GROWING, path)})
            check_before_it_is_changed(path, LARGEST)
            _for_its_owner_alone(path)
            self._sql = sqlite3.connect(path, check_same_thread=False, timeout=1)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._refusal(error) from error
        try:
            self._sql.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST)
            self._sql.text_factory = lambda data: data.decode(errors="replace")  # one damaged row is not to hide the others
            self._sql.execute("PRAGMA locking_mode = EXCLUSIVE")  # two servers would number their events alike
            self._sql.execute("PRAGMA journal_mode = WAL")  # a killed process loses nothing that was committed
            self._sql.execute("PRAGMA synchronous = NORMAL")
            self._sql.execute("PRAGMA foreign_keys = ON")
            self._prepare()
        except BaseException as error:
            self._sql.close()  # else nobody else could open the file
            if isinstance(error, sqlite3.Error | UnicodeDecodeError):  # the latter of what SQLite says of a damaged one
                raise self._refusal(error) from error
            raise

    def _refusal(self, error: Exception) -> StoreError:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            return StoreError(f"{self.path}: another table has it open; close that, or name another file with --games")
        why = "is damaged" if isinstance(error, UnicodeDecodeError) else error
        return StoreError(f"{self.path}: {why}; expected a file of games by hansa table")

    def _prepare(self) -> None:
        if not are_begun(self._sql, self.path):
            begin_tables(self._sql)
            return
        with self._sql:
            self._sql.execute("DROP TABLE IF EXISTS estimates")  # of earlier versions, which emptied it here
            self._sql.execute(PUZZLES)

    def close(self) -> None:
        self._sql.close()

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """What is written within is kept whole or not at all. Raises NotKept."""
        with self._writing:
            try:
                with self._sql:
                    yield
            except sqlite3.Error as error:
                raise NotKept(error) from error

    def _rows(self, query: str, *values: object) -> list[tuple]:
        """What a query finds. Raises Damaged."""
        try:
            return self._sql.execute(query, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise Damaged(error) from error

    def setting(self, name: str) -> str:
        """A secret word of this file, made when it is first asked for, and anew where another stands there: nobody may guess
        it. Raises Damaged, NotKept."""
        ((kept,),) = self._rows("SELECT value FROM settings WHERE name = ?", name) or [("",)]
        if isinstance(kept, str) and _SECRET.fullmatch(kept):
            return kept
        made = new_token()
        with self._kept():
            self._sql.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, made))
        return made

    def add_game(self, game: KeptGame, decisions: Sequence[tuple[int, str]]) -> None:
        """Keep a new game with the decisions that it begins with. Raises TooLong."""
        check_length(len(decisions))
        seats = json.dumps([seat.model_dump() for seat in game.seats])
        row = game._replace(start=json.dumps(game.start), seats=seats, over=int(game.over))  # type: ignore[arg-type]
        events = [(game.id, seq, DECIDED, seat, text, game.made) for seq, (seat, text) in enumerate(decisions, 1)]
        with self._kept():
            self._sql.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(row))})", row)
            self._sql.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", events)

    def game(self, name: str) -> KeptGame | None:
        """A game. Raises Unreadable."""
        try:
            rows = self._rows("SELECT * FROM games WHERE id = ?", name)
        except Damaged as error:  # or a value is larger than LARGEST
            raise Unreadable(name, error) from error
        return self._game(rows[0]) if rows else None

    def has(self, name: str) -> bool:
        """Whether there is a game of that name, readable or not. Raises Damaged."""
        return bool(self._rows("SELECT 1 FROM games WHERE id = ?", name))

    def names(self) -> list[str]:
        """Of all games: those under way, then those that are over and studies; of either the newest first. Where what that
        needs cannot be read of all of them, by time alone. Raises Damaged."""
        query = "SELECT id FROM games WHERE typeof(id) = 'text' ORDER BY "
        try:
            rows = self._rows(f'{query} over != 0 OR seats LIKE \'%"kind": "study"%\', made DESC')
        except Damaged:
            rows = self._rows(f"{query} made DESC")
        return [name for (name,) in rows]

    def branches(self, name: str) -> list[str]:
        """The names of the games that branch off from a game, oldest first. Raises Damaged."""
        return [name for (name,) in self._rows("SELECT id FROM games WHERE parent = ? ORDER BY made", name)]

    @staticmethod
    def _game(row: tuple) -> KeptGame:
        """A row as a game. Raises Unreadable: somebody else has written it, or it has been damaged."""
        game = KeptGame(*row)
        try:
            for name, value, kind in zip(KeptGame._fields, row, _KINDS):
                if not isinstance(value, kind) or (isinstance(value, float) and not isfinite(value)):
                    raise ValueError(f"{name} is {value!r:.60}; expected {kind}")
            seats = [Seat.model_validate(seat) for seat in parse_json(row[3], "seats")]
            start = parse_json(row[2], "beginning")
            if not seats or not isinstance(start, dict):
                raise ValueError("no seats, or no beginning")
        except (ValueError, TypeError, RecursionError) as error:
            raise Unreadable(str(game.id), error) from error
        return game._replace(start=start, seats=seats, over=bool(game.over))

    def remove_game(self, name: str) -> None:
        with self._kept():
            self._sql.execute("DELETE FROM games WHERE id = ?", (name,))

    def events(self, name: str, since: int = 0) -> list[Event]:
        """What happened in a game after the event of that number, in order. Raises Unreadable."""
        query = "SELECT seq, kind, seat, text, at FROM events WHERE game = ? AND seq > ? ORDER BY seq LIMIT ?"
        try:
            rows = self._rows(query, name, since, MOST_EVENTS + 1)
            if len(rows) > MOST_EVENTS:
                raise ValueError(f"it has more than {MOST_EVENTS:,} events")
        except ValueError as error:  # also that the file is damaged there
            raise Unreadable(name, error) from error
        return [Event(*row) for row in rows]

    def count_decisions(self, name: str) -> int:
        """How many decisions stand in a game. Raises ValueError: an event is none, or the file is damaged there."""
        ((last,),) = self._rows("SELECT coalesce(max(seq), 0) FROM events WHERE game = ?", name)
        if not isinstance(last, int):
            raise ValueError(f"the number of an event is {last!r:.60}; expected a whole number")
        if last > MOST_EVENTS:
            raise ValueError(f"it has more than {MOST_EVENTS:,} events")
        undone = self._rows("SELECT seq, text FROM events WHERE game = ? AND kind = ? ORDER BY seq DESC LIMIT 1", name, UNDONE)
        since, stands = undone[0] if undone else (0, "0")
        ((more,),) = self._rows("SELECT count(*) FROM events WHERE game = ? AND kind = ? AND seq > ?", name, DECIDED, since)
        return int(str(stands)) + more

    def last_played(self, name: str) -> float | None:
        """When something happened in a game last, in seconds since 1970; None: nothing has. Raises ValueError, as
        `count_decisions`."""
        rows = self._rows("SELECT at FROM events WHERE game = ? ORDER BY seq DESC LIMIT 1", name)
        if rows and not (isinstance(rows[0][0], float) and isfinite(rows[0][0])):
            raise ValueError(f"an event is of {rows[0][0]!r:.60}; expected seconds")
        return rows[0][0] if rows else None

    def seated(self, name: str) -> list[Event]:
        """When others came to sit somewhere in a game, in order. Raises ValueError, as `count_decisions`."""
        query = "SELECT seq, kind, seat, text, at FROM events WHERE game = ? AND kind = ? ORDER BY seq LIMIT ?"
        return [Event(*row) for row in self._rows(query, name, SEATED, MOST_EVENTS)]

    def add_events(self, name: str, events: Sequence[Event], over: bool) -> None:
        """Keep what happened, whole or not at all.

        Raises NotKept, also for a number that is taken; TooLate: there have been too many events.
        """
        if events and events[-1].seq > MOST_EVENTS:
            raise TooLate(f"this game is full: {MOST_EVENTS:,} times somebody has decided or taken something back; "
                          "save it, open the file, and play on from there")  # fmt: skip
        with self._kept():
            self._sql.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", [(name, *event) for event in events])
            self._sql.execute("UPDATE games SET over = ? WHERE id = ? AND over != ?", (int(over), name, int(over)))

    def set_pace(self, name: str, pace: float) -> None:
        with self._kept():
            self._sql.execute("UPDATE games SET pace = ? WHERE id = ?", (pace, name))

    def count_answer(self, puzzle: str, right: bool) -> None:
        """Whether the last answer to a puzzle was right. Raises NotKept."""
        with self._kept():
            self._sql.execute("INSERT OR REPLACE INTO puzzles VALUES (?, ?, ?)", (puzzle, int(right), time.time()))

    def puzzle_answers(self) -> dict[str, bool]:
        """By puzzle, whether the last answer was right. Raises Damaged."""
        return {str(name): bool(right) for name, right in self._rows("SELECT name, was_right FROM puzzles")}


def _for_its_owner_alone(path: Path) -> None:
    """Make the file where there is none, so that nobody else at the machine reads keys, and what is hidden, in it. Raises
    OSError."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    with suppress(OSError):  # somebody else's file is left as it is
        path.chmod(0o600)


def check_length(decisions: int) -> None:
    """Raises TooLong: no game can begin with so many decisions."""
    if decisions > MOST_EVENTS:
        raise TooLong(f"the game has {decisions:,} decisions; expected at most {MOST_EVENTS:,}")


def new_event(seq: int, kind: str, seat: int | None, text: str) -> Event:
    return Event(seq, kind, seat, text, time.time())
