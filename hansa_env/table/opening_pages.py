"""What a browser asks for of openings."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated

from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hansa_env.formats.fields import DecisionText, Strictly
from hansa_env.table.answers import Answers, body_of
from hansa_env.table.games import Games
from hansa_env.table.openings import LONGEST_WAY, OpeningBooks


class Way(Strictly):
    """A position: a file by its number, a beginning in it, and what was decided since."""

    book: Annotated[int, Field(ge=0, le=1000)]
    beginning: Annotated[int, Field(ge=0, le=1000)]
    texts: Annotated[list[DecisionText], Field(max_length=LONGEST_WAY)]


class OpeningPages(Answers):
    """The answers; all are for the host.

    Args:
        games, key: as of `Answers`.
        books: what there is.
    """

    def __init__(self, games: Games, key: str, books: OpeningBooks) -> None:
        super().__init__(games, key)
        self.books = books

    def routes(self) -> list[Route]:
        return [
            Route("/api/openings", self.listed, methods=["GET"]),
            Route("/api/openings/positions", self.position, methods=["POST"]),
            Route("/api/openings/studies", self.study, methods=["POST"]),
        ]

    async def listed(self, request: Request) -> Response:
        self.host_only(request)
        return JSONResponse({"books": self.books.listed()})

    async def position(self, request: Request) -> Response:
        self.host_only(request)
        way = await body_of(request, Way)
        return JSONResponse(await asyncio.to_thread(self.books.position, way.book, way.beginning, way.texts))

    async def study(self, request: Request) -> Response:
        """A study of the decisions so far."""
        self.host_only(request)
        way = await body_of(request, Way)
        line = await asyncio.to_thread(self.books.line, way.book, way.beginning, way.texts)
        record = json.dumps(line.game.record())
        return JSONResponse({"id": await asyncio.to_thread(self.games.read, record)}, 201)
