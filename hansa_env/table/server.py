"""The application, put together."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp

from hansa_env.boards import printed_boards
from hansa_env.play.rivals import rivals_for
from hansa_env.ruleset import Ruleset, players_on
from hansa_env.table.agent_pool import AgentPool
from hansa_env.table.analysis_pages import AnalysisPages
from hansa_env.table.games import Games
from hansa_env.table.guard import LARGEST_BODY, Guard
from hansa_env.table.opening_pages import OpeningPages
from hansa_env.table.openings import OpeningBooks
from hansa_env.table.pages import REFUSALS, Pages, told
from hansa_env.table.playout_pages import PlayOutPages
from hansa_env.table.puzzle_pages import PuzzlePages
from hansa_env.table.seats import AgentMenu
from hansa_env.table.sockets import Sockets
from hansa_env.table.store import Store
from hansa_env.table.view import show_once

HOST_KEY = "host key"
_log = logging.getLogger("hansa_env.table")


class Application(NamedTuple):
    """Attributes: app: the application; key: the host's; pool: who asks the agents."""

    app: ASGIApp
    key: str
    pool: AgentPool


def application(
    file: Path, agents: Sequence[str] = (), names: Sequence[str] = (), prepare: bool = True, openings: Sequence[Path] = (),
    proxied: Sequence[str] = (),
) -> Application:  # fmt: skip
    """The application for the games of a file.

    Args:
        file: of the games.
        agents: specs that pages may ask for beside the known names.
        names: of this machine, beside its addresses, under which it is asked.
        prepare: load the agents that the first page offers at once, and draw every board, so that nobody waits for them.
        openings: files of openings.
        proxied: names by which people reach it through a proxy with TLS.

    Raises:
        StoreError: the file cannot be used. OpeningsError, OSError: one of openings cannot.
    """
    books = OpeningBooks(openings)
    store = Store(file)
    key = store.setting(HOST_KEY)
    games = Games(store, AgentPool(agents), AgentMenu(agents))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        at_once = Ruleset(players=3)
        for spec in await asyncio.to_thread(rivals_for, at_once) if prepare else ():
            games.pool.prepare(spec, at_once)
        await asyncio.to_thread(show_once, at_once)
        others = asyncio.create_task(show_every_board()) if prepare else None
        yield
        if others is not None:
            others.cancel()
        await games.close()

    kinds = Pages, AnalysisPages, PuzzlePages, PlayOutPages
    some = (*(kind(games, key) for kind in kinds), OpeningPages(games, key, books))
    routes = [route for pages in some for route in pages.routes()]
    socket = WebSocketRoute("/api/games/{game}/socket", Sockets(games, key).visit)
    handlers = {**dict.fromkeys(REFUSALS, told), HTTPException: _not_there,
                ClientDisconnect: _gone, sqlite3.Error: _file_failed, Exception: _failed}  # fmt: skip
    limit = Middleware(RequestBodyLimitMiddleware, max_body_size=LARGEST_BODY)
    app = Starlette(routes=[*routes, socket], lifespan=lifespan, exception_handlers=handlers, middleware=[limit])
    app.router.redirect_slashes = False  # what is not there is not there
    return Application(Guard(app, names, proxied), key, games.pool)


async def show_every_board() -> None:
    """Make a view on every board that a table offers, one after the other, away from the loop."""
    for board in printed_boards():
        for players in players_on(board):
            await asyncio.to_thread(show_once, Ruleset(players, board=board))


def _not_there(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, headers=error.headers)


def _gone(_: Request, __: Exception) -> Response:
    """Who asked went away, or took too long, before the request was whole; nobody reads this."""
    return JSONResponse({"error": "the request was not sent to its end"}, 400)


def _file_failed(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": f"the file of games cannot be read ({error})"}, 503)


def _failed(request: Request, error: Exception) -> Response:
    """A mistake of ours: the log has it whole, the browser is told that there is one."""
    _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return JSONResponse({"error": "the server failed at this; what happened is in its log"}, 500)
