"""The games of a server: those that are open, and how new ones come about."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from weakref import WeakValueDictionary

from hansa_env.formats.errors import FormatError
from hansa_env.play.errors import IllegalAction
from hansa_env.play.game import Game
from hansa_env.render.words import decision_told_alone
from hansa_env.ruleset import Ruleset
from hansa_env.table.agent_pool import AgentPool
from hansa_env.table.errors import NotThere, Refused, TooLong, Unreadable
from hansa_env.table.game_history import Line, not_legal, seats_after, standing_decisions
from hansa_env.table.live_game import LiveGame
from hansa_env.table.opinions import Opinions
from hansa_env.table.playouts import PlayOuts
from hansa_env.table.seats import STUDY, AgentMenu, Seat, new_token, only_seat, seated
from hansa_env.table.start import Start
from hansa_env.table.store import KeptGame, Store, check_length

#: Seconds that an agent's decision takes at least where people play or watch, unless they want it otherwise.
PACE = 0.6
#: Games that stay open although nobody is at them and nothing goes on in them: the last that were asked for.
MOST_AT_REST = 8
#: Games that the first page lists at a time.
LISTED = 200
#: What a file that somebody else has changed may raise on the way to a game.
UNREADABLE = (ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError)
_NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")
_REMOVED = "there is no such game; it may have been removed"


class Games:
    """All games of a store, opened as they are asked for.

    Args:
        store: where they are kept.
        pool: who asks the agents.
        menu: the agents that may be asked for.

    Attributes:
        opinions: what agents have said of positions.
        playouts: the games that agents play out from positions of them.
    """

    def __init__(self, store: Store, pool: AgentPool, menu: AgentMenu) -> None:
        self.store, self.pool, self.menu = store, pool, menu
        self.opinions, self.playouts = Opinions(), PlayOuts(pool)
        self._open: dict[str, LiveGame] = {}
        self._words: dict[str, tuple[list[str], str]] = {}  # by branch: decisions up to its own first, and that in words
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # as long as somebody opens it

    async def open(self, name: str) -> LiveGame:
        """A game; its agents go on where they are to move. Raises NotThere, Unreadable."""
        if name in self._open:
            self._open[name] = self._open.pop(name)  # the last one asked for stands last
            return self._open[name]
        if not _NAME.fullmatch(name):
            raise NotThere(_REMOVED)
        async with self._opening.setdefault(name, asyncio.Lock()):
            if name not in self._open:
                kept = self._read(name)
                await self._close_some_at_rest()
                try:
                    game = await asyncio.to_thread(LiveGame, kept, self.store, self.pool)
                except UNREADABLE as error:
                    self._must_be_there(name)  # it may have been removed meanwhile
                    raise Unreadable(name, error) from error
                self._must_be_there(name)
                self._open[name] = game
                game.seated_agents.start()
        return self._open[name]

    async def _close_some_at_rest(self) -> None:
        """Games that are over, or nobody plays, are opened again when they are asked for."""
        at_rest = [name for name, game in self._open.items() if game.is_open and not game.is_watched]
        for game in [self._open.pop(name) for name in at_rest[:-MOST_AT_REST]]:
            await game.close()

    def deal(self, ruleset: Ruleset, plans: Sequence[Seat], seed: int | None, clock: float | None, pace: float = PACE) -> str:
        """A new game; its name. Raises Refused."""
        seats = seated(plans, ruleset.players, self.menu)
        return self._keep(Start.dealt(ruleset, seed), [], False, seats, clock, pace)

    def read(self, text: str) -> str:
        """A study of a record or a position, JSON text; the name of its game. Raises Refused."""
        try:
            data = json.loads(text)
            kind = data.get("format") if isinstance(data, dict) else None
            if kind is None:
                raise Refused("the file cannot be read: it is neither a record nor a position; both name their format, "
                              "such as hansa-record/1")  # fmt: skip
            if str(kind).startswith("hansa-position/"):
                game = Game.from_position(text)
                start, decisions = Start.of_position(game.position()), []
            else:
                given = data.get("decisions") if isinstance(data, dict) else None
                check_length(len(given) if isinstance(given, list) else 0)  # before they are played
                game = Game.from_record(text)
                start, decisions = Start.of_record(game), game.decisions
        except (FormatError, TooLong) as error:
            raise Refused(f"the file cannot be read: {error}") from None
        except Refused:  # a ValueError too
            raise
        except (ValueError, RecursionError):
            raise Refused("the file cannot be read: it is no JSON; expected a record or a position") from None
        return self._keep(start, decisions, game.over, _study(game.ruleset, game.agents), None, PACE)

    def branch(
        self, game: LiveGame, number: int, plans: Sequence[Seat] | None, texts: Sequence[str], clock: float | None,
        held: Collection[int] = (),
    ) -> str:  # fmt: skip
        """A game that goes on from another after so many decisions, played by `plans` or studied; its name.

        From a game that is still hidden from its players, what is hidden from who holds the seats `held` is dealt anew. Raises
        Refused.
        """
        line = game.line
        line.check_number(number)
        ruleset = line.ruleset
        seats = _study(ruleset, game.game.agents) if plans is None else seated(plans, ruleset.players, self.menu)
        start, before = line.start, line.decisions[:number]
        if game.is_study:
            start = start.without_end()
        if not game.is_open:
            start, before = start.reshuffled(before, only_seat(held))
        again = Line(start, before)
        try:
            for text in texts:
                again.play(text)
        except IllegalAction:
            raise not_legal(again.game, text) from None
        decisions = [(move.seat, move.text) for move in again.moves]
        return self._keep(start, decisions, again.game.over, seats, clock, PACE, game.id, number)

    def _keep(
        self, start: Start, decisions: Sequence, over: bool, seats: list[Seat], clock: float | None, pace: float,
        parent: str | None = None, parent_at: int | None = None,
    ) -> str:  # fmt: skip
        name = secrets.token_urlsafe(9)
        kept = KeptGame(name, time.time(), start.data, seats, clock, pace, new_token(), parent, parent_at, over)
        self.store.add_game(kept, [(seat, text) for seat, text in decisions])
        return name

    async def remove(self, name: str) -> None:
        """A game is forgotten, readable or not. Raises NotThere, NotKept; it stays as it was then."""
        self._must_be_there(name)
        self.store.remove_game(name)
        self._words.pop(name, None)
        game = self._open.pop(name, None)
        if game is not None:
            await game.close()
        await self.playouts.forget(name)

    def listed(self, since: int = 0) -> list[dict]:
        """Games as the first page lists them, at most LISTED after so many: those under way before others, the newest first. Of
        one that cannot be read, its name and what is wrong."""
        return [self._listed(name) for name in self._names()[since : since + LISTED]]

    def count(self) -> int:
        """How many games could be listed."""
        return len(self._names())

    def _names(self) -> list[str]:
        """What has a name that no game has cannot be asked for."""
        return [name for name in self.store.names() if _NAME.fullmatch(name)]

    def _listed(self, name: str) -> dict:
        try:
            return self._summary(self._read(name))
        except Unreadable as unreadable:
            return {"id": name, "problem": f"{unreadable}: {unreadable.detail}"}

    def _read(self, name: str) -> KeptGame:
        """A game of the store. Raises NotThere, Unreadable."""
        kept = self.store.game(name)
        if kept is None:
            raise NotThere(_REMOVED)
        return kept

    def _must_be_there(self, name: str) -> None:
        """Raises NotThere; Damaged where it cannot be looked up."""
        if not self.store.has(name):
            raise NotThere(_REMOVED)

    def branches(self, name: str) -> list[dict]:
        """The branches of a game that can be read, with the first decision of each."""
        found, parent = [], self._read(name)
        for branch in self.store.branches(name):
            with suppress(Refused):
                found.append(self._branch(self._read(branch), parent))
        return found

    def _branch(self, kept: KeptGame, parent: KeptGame) -> dict:
        words = ""
        try:
            start, decisions = Start(kept.start), standing_decisions(self.store.events(kept.id))
            taken_over = 0 if start.begins_elsewhere(Start(parent.start)) else kept.parent_at or 0
            if len(decisions) > taken_over:
                words = self._told(kept.id, start, decisions[: taken_over + 1])
        except UNREADABLE as error:
            raise Unreadable(kept.id, error) from error
        return self._summary(kept) | {"words": words}

    def _told(self, name: str, start: Start, decisions: list[str]) -> str:
        """The last of these decisions of a branch in words; they are played only where they are others than when it was asked
        last."""
        told, words = self._words.get(name, (None, ""))
        if told != decisions:
            line = Line(start, decisions)
            words = decision_told_alone(line.ruleset, line.moves, len(line) - 1)
            self._words[name] = decisions, words
        return words

    def _summary(self, kept: KeptGame) -> dict:
        """Raises Unreadable."""
        try:
            ruleset, decisions = str(Start(kept.start).ruleset), self.store.count_decisions(kept.id)
            names = _names(seats_after(kept.seats, self.store.seated(kept.id)))
            played = self.store.last_played(kept.id)
        except UNREADABLE as error:
            raise Unreadable(kept.id, error) from error
        return {
            "id": kept.id,
            "made": kept.made,
            "played": kept.made if played is None else played,
            "ruleset": ruleset,
            "names": names,
            "study": kept.seats[0].kind == STUDY,
            "over": kept.over,
            "decisions": decisions,
            "parent": kept.parent,
            "parent_at": kept.parent_at,
        }

    async def close(self) -> None:
        """Agents stop; every decision is kept already."""
        await self.playouts.close()
        for game in list(self._open.values()):
            await game.close()
        self.pool.close()
        self.store.close()


def _names(seats: Sequence[Seat]) -> list[str]:
    """What the seats are called to the host, whose seat is "You" where it has no name, as on the page of the game."""
    here = [number for number, seat in enumerate(seats) if seat.kind == "here"]
    return ["You" if here == [number] and not seat.name else seat.called(number) for number, seat in enumerate(seats)]


def _study(ruleset: Ruleset, names: Sequence[str] | None) -> list[Seat]:
    """Seats at which nobody sits, called after those who played."""
    return [Seat(kind="study", name=name) for name in names or [""] * ruleset.players]
