"""A browser at a game: it hears of everything in order, and says what it wants."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from starlette.websockets import WebSocket, WebSocketDisconnect

from hansa_env.table.access import Access, access_of
from hansa_env.table.connections import most_of_one_link
from hansa_env.table.errors import NotAllowed, Refused
from hansa_env.table.games import Games
from hansa_env.table.guard import is_host
from hansa_env.table.live_game import LiveGame
from hansa_env.table.messages import (
    Agree,
    Decide,
    Hello,
    Pace,
    Pause,
    Replace,
    Step,
    TryAgain,
    Undo,
    missed_messages,
    read_hello,
    read_wish,
    status_message,
    welcome_message,
)

#: Messages that may wait for a browser; one that falls further behind is cut off, and comes back with what it missed.
MOST_WAITING = 2000
#: Seconds to say who one is.
HELLO_WITHIN = 20.0
#: Why a socket ends: of what is refused its status beside this number; after the others browsers come back, and are told how it
#: stands. Where the game has been closed (1001, "going away"), they may hear that it is no longer there.
REFUSED, BEHIND, CLOSED = 4000, 4408, 1001


class _Ending(NamedTuple):
    """Why a socket ends, in the place of a message."""

    code: int
    reason: str


class Sockets:
    """The sockets of a server.

    Args:
        games: whose.
        key: the host's.
    """

    def __init__(self, games: Games, key: str) -> None:
        self.games, self.key = games, key
        self._open: Counter[tuple[str, str | None]] = Counter()  # how many, by game and token

    async def visit(self, socket: WebSocket) -> None:
        """One socket, from its first word to its last."""
        await socket.accept()
        try:
            game, access, hello = await self._greet(socket)
            with self._counted(game.id, hello.token):
                await _Visit(socket, game, access, self.games).run(hello.since)
        except Refused as refused:
            await _close(socket, REFUSED + refused.status, str(refused))
        except sqlite3.Error as error:
            await _close(socket, BEHIND, f"the file of games cannot be read ({error})")
        except (WebSocketDisconnect, TimeoutError):
            await _close(socket, 1000, "")

    async def _greet(self, socket: WebSocket) -> tuple[LiveGame, Access, Hello]:
        hello = read_hello(await asyncio.wait_for(_text(socket), HELLO_WITHIN))
        game = await self.games.open(socket.path_params["game"])
        access = access_of(game, is_host(socket, self.key), hello.token)
        if access is None:
            raise NotAllowed("this link is not one of the game's")
        return game, access, hello

    @contextmanager
    def _counted(self, game: str, token: str | None) -> Iterator[None]:
        """One more by a link, while this lasts. Raises Refused: there are too many already."""
        link, most = (game, token), most_of_one_link()
        if self._open[link] >= most:
            raise Refused(f"this link is open in {most} pages already; close some of them")
        self._open[link] += 1
        try:
            yield
        finally:
            self._open[link] -= 1
            if not self._open[link]:
                del self._open[link]


class _Visit:
    """A browser that is welcome."""

    def __init__(self, socket: WebSocket, game: LiveGame, access: Access, games: Games) -> None:
        self.socket, self.game, self.access, self.games = socket, game, access, games
        self.waiting: asyncio.Queue[str | _Ending] = asyncio.Queue()

    async def run(self, since: int | None) -> None:
        if since is not None and since > self.game.seq:
            since = None  # of another file of games, as one that was put back; what that page knows is wrong
        missed = self.game.listen(self.hear, since)
        self._begin(missed if since is not None else None)
        sending = asyncio.create_task(self._send())
        hearing = asyncio.create_task(self._obey())
        try:
            done, _ = await asyncio.wait({sending, hearing}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self.game.leave(self.hear)
            for task in (sending, hearing):
                task.cancel()
                with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                    await task

    def _begin(self, missed: list | None) -> None:
        """Everything, or only what was missed where that is enough; no event comes between."""
        game = self.game
        messages = None if missed is None else missed_messages(missed, game.line, game.seats)
        if messages is None:
            messages = [welcome_message(game.kept, game.seq, game.line, game.seats, self.access.held, self.access.is_host)]
        for message in [*messages, status_message(game.status)]:
            self.say(message)

    def hear(self, text: str | None) -> None:
        """Something happened at the game; None: it is closed."""
        if text is None:
            self.waiting.put_nowait(_Ending(CLOSED, "the game has been closed"))
        elif self.waiting.qsize() < MOST_WAITING:
            self.waiting.put_nowait(text)
        else:
            self.game.leave(self.hear)
            self.waiting.put_nowait(_Ending(BEHIND, "too far behind"))

    def say(self, message: dict) -> None:
        self.hear(json.dumps(message, separators=(",", ":"), ensure_ascii=False))

    async def _send(self) -> None:
        while not isinstance(said := await self.waiting.get(), _Ending):
            await self.socket.send_text(said)
        await _close(self.socket, *said)

    async def _obey(self) -> None:
        while True:
            text = await _text(self.socket)
            number = 0
            try:
                wish = read_wish(text)
                number = wish.id
                self._carry_out(wish)
                self.say({"type": "done", "id": number})
            except Refused as refused:
                self.say({"type": "refused", "id": number, "why": str(refused), "status": refused.status, "seq": self.game.seq})

    def _carry_out(self, wish: object) -> None:
        """Do what was asked. Raises Refused."""
        game, held = self.game, self.access.held
        match wish:
            case Decide(seq=seq, texts=texts):
                game.decide(held, seq, texts)
            case Undo(seq=seq, to=to):
                game.undo(held, seq, to)
            case Agree(seq=seq, agreed=agreed):
                game.agree(held, seq, agreed, self.access.is_host)
            case _ if not self.access.is_host:
                raise NotAllowed("only the host may do that")
            case Pause(paused=paused):
                game.seated_agents.set_paused(paused)
            case Step():
                game.seated_agents.step()
            case Pace(seconds=seconds):
                game.set_pace(seconds)
            case TryAgain():
                game.seated_agents.try_again()
            case Replace(seat=seat, agent=agent):
                game.replace_agent(seat, self.games.menu.checked(agent))


async def _text(socket: WebSocket) -> str | bytes:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    return text if text is not None else message.get("bytes") or b""


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    with suppress(RuntimeError, WebSocketDisconnect):
        await socket.close(code, reason.encode()[:120].decode(errors="ignore"))
