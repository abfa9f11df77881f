"""What a browser asks for of games that are played out from a position on."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Annotated

from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hansa_env.engine.state import OVER
from hansa_env.formats.fields import AgentSpec, Strictly
from hansa_env.formats.missions import EVERYBODY
from hansa_env.table.analysis import known_to
from hansa_env.table.answers import Answers, body_of
from hansa_env.table.errors import Refused
from hansa_env.table.knowledge import dealt_as_known
from hansa_env.table.live_game import LiveGame
from hansa_env.table.messages import At
from hansa_env.table.playouts import MOST_GAMES
from hansa_env.table.start import new_seed


class Wanted(Strictly):
    """So many games after `at` decisions, by these agents, seat by seat."""

    at: At
    agents: Annotated[list[AgentSpec], Field(min_length=2, max_length=5)]
    games: Annotated[int, Field(ge=1, le=MOST_GAMES)]


def card_kept(game: LiveGame, at: int, held: Collection[int]) -> int:
    """The seat whose mission card is not dealt anew after `at` decisions: of who holds these seats; where nobody plays, of who
    decides; else NOBODY."""
    viewer = known_to(game, held)
    nobody_plays = viewer == EVERYBODY or not game.is_played_by_people
    return int(game.line.records[at]["seat"]) if nobody_plays else viewer


class PlayOutPages(Answers):
    """The answers; all are for the host, where the game may be analysed."""

    def routes(self) -> list[Route]:
        return [
            Route("/api/games/{game}/playouts", self.begin, methods=["POST"]),
            Route("/api/games/{game}/playouts", self.of_game, methods=["GET"]),
            Route("/api/playouts/{name}", self.look, methods=["GET"]),
            Route("/api/playouts/{name}", self.stop, methods=["DELETE"]),
        ]

    async def begin(self, request: Request) -> Response:
        game = await self.game_of(request, host=True)
        self.analysis_allowed(game)
        wanted = await body_of(request, Wanted)
        line, players = game.line, game.line.ruleset.players
        line.check_number(wanted.at)
        if len(wanted.agents) != players:
            raise Refused(f"agents are {len(wanted.agents)}; expected {players}, one for each seat")
        specs = [self.games.menu.checked(spec) for spec in wanted.agents]
        position = line.records[wanted.at]
        if position["asked"] == OVER:
            raise Refused("the game is over there; go back to a position at which somebody decides")
        viewer = card_kept(game, wanted.at, self.access(request, game).held)
        given = line.ruleset, position, viewer, wanted.games, new_seed()
        records = await asyncio.to_thread(dealt_as_known, *given)
        await self.game_of(request)  # it may have been removed meanwhile
        made = self.games.playouts.begin(game.id, wanted.at, line.ruleset, records, specs)
        return JSONResponse(made.as_data(), 201)

    async def of_game(self, request: Request) -> Response:
        """Those that are still known, the last one first."""
        game = await self.game_of(request, host=True)
        self.analysis_allowed(game)
        return JSONResponse({"playouts": [one.as_data() for one in self.games.playouts.of_game(game.id)], "most": MOST_GAMES})

    async def look(self, request: Request) -> Response:
        self.host_only(request)
        return JSONResponse(self.games.playouts.one(request.path_params["name"]).as_data())

    async def stop(self, request: Request) -> Response:
        self.host_only(request)
        one = self.games.playouts.one(request.path_params["name"])
        await one.stop()
        return JSONResponse(one.as_data())
