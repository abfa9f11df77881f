"""How the socket of a browser ends, and what it says then."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hansa_env.table import sockets
from hansa_env.table.access import Access, held_by_host
from hansa_env.table.games import Games
from hansa_env.table.live_game import LiveGame
from tests.table.chance import GUEST, HERE, dealt, play_on, until


class Browser:
    """A browser's end of a socket, which says nothing and hears as long as it `reads`."""

    def __init__(self) -> None:
        self.reads = asyncio.Event()
        self.heard: list[str] = []
        self.ended: tuple[int, bytes | str] | None = None

    async def send_text(self, text: str) -> None:
        self.heard.append(text)
        await self.reads.wait()

    async def receive(self) -> dict:
        await asyncio.Event().wait()
        return {}

    async def close(self, code: int, reason: str) -> None:
        self.ended = code, reason


def visiting(browser: Any, game: LiveGame, games: Games) -> asyncio.Task:
    access = Access(True, held_by_host(game))
    return asyncio.create_task(sockets._Visit(browser, game, access, games).run(None))


def test_who_watches_a_game_that_is_removed_is_told_that_it_was_closed(games: Games) -> None:
    async def go() -> None:
        game, browser = await dealt(games, HERE, GUEST), Browser()
        browser.reads.set()
        visit = visiting(browser, game, games)
        await until(lambda: bool(browser.heard))
        await games.remove(game.id)
        await asyncio.wait_for(visit, 60)
        assert browser.ended == (1001, "the game has been closed")

    asyncio.run(go())


def test_who_does_not_read_is_told_that_it_is_behind(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MOST_WAITING", 3)

    async def go() -> None:
        game, browser = await dealt(games, HERE, GUEST), Browser()
        visit = visiting(browser, game, games)
        await until(lambda: bool(browser.heard))
        play_on(game, 4)
        assert not game.is_watched and browser.ended is None
        browser.reads.set()
        await asyncio.wait_for(visit, 60)
        assert browser.ended == (sockets.BEHIND, "too far behind") and len(browser.heard) == 4

    asyncio.run(go())
