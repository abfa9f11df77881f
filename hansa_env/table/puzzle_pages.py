"""What a browser asks for of puzzles."""

from __future__ import annotations

import asyncio
import json

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hansa_env.formats.fields import DecisionText, Strictly
from hansa_env.table.answers import Answers, body_of, number_of
from hansa_env.table.games import Games
from hansa_env.table.puzzles import Puzzles


class Given(Strictly):
    """An answer to a puzzle; null gives up."""

    text: DecisionText | None


class PuzzlePages(Answers):
    """The answers; all are for the host, whose counts they are."""

    def __init__(self, games: Games, key: str) -> None:
        super().__init__(games, key)
        self.puzzles = Puzzles(games.store)

    def routes(self) -> list[Route]:
        return [
            Route("/api/puzzles", self.counts, methods=["GET"]),
            Route("/api/puzzles/next", self.next, methods=["GET"]),
            Route("/api/puzzles/{name}", self.put, methods=["GET"]),
            Route("/api/puzzles/{name}/answers", self.answer, methods=["POST"]),
            Route("/api/puzzles/{name}/studies", self.study, methods=["POST"]),
        ]

    async def counts(self, request: Request) -> Response:
        self.host_only(request)
        return JSONResponse({"counts": await asyncio.to_thread(self.puzzles.counts)})

    async def next(self, request: Request) -> Response:
        self.host_only(request)
        asked = request.query_params
        players = number_of(asked["players"], "players") if asked.get("players") else None
        kind, but = asked.get("kind") or None, asked.get("but")
        return JSONResponse(await asyncio.to_thread(self.puzzles.next, kind, players, but))

    async def put(self, request: Request) -> Response:
        self.host_only(request)
        return JSONResponse(await asyncio.to_thread(self.puzzles.put, request.path_params["name"]))

    async def answer(self, request: Request) -> Response:
        self.host_only(request)
        given = await body_of(request, Given)
        return JSONResponse(await asyncio.to_thread(self.puzzles.answer, request.path_params["name"], given.text))

    async def study(self, request: Request) -> Response:
        """A study of the position, to try things out in and to ask agents about."""
        self.host_only(request)
        position = await asyncio.to_thread(self.puzzles.position, request.path_params["name"])
        return JSONResponse({"id": await asyncio.to_thread(self.games.read, json.dumps(position))}, 201)
