"""What a browser asks for of what an agent thinks of a game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hansa_env.table.analysis import curve_of, estimates_of, luck_after, mistakes_of
from hansa_env.table.answers import Answer, Answers, number_of, while_waited_for
from hansa_env.table.live_game import LiveGame
from hansa_env.table.plans import MOST_PLANS, Adviser, better_of, expected_of, plan_of
from hansa_env.table.weighed import weighed_of


class AnalysisPages(Answers):
    """Estimates, mistakes, luck and advice."""

    def routes(self) -> list[Route]:
        wanted: list[tuple[str, Answer]] = [
            ("estimates", while_waited_for(self.estimates)),
            ("weighed", while_waited_for(self.weighed)),
            ("curve", self.curve),
            ("mistakes", self.mistakes),
            ("luck", while_waited_for(self.luck)),
            ("plan", while_waited_for(self.plan)),
            ("expected", while_waited_for(self.expected)),
            ("better", while_waited_for(self.better)),
        ]
        return [Route(f"/api/games/{{game}}/{what}", answer, methods=["GET"]) for what, answer in wanted]

    async def estimates(self, request: Request) -> Response:
        games, asked = self.games, request.query_params
        game, spec, held = await self._analysed(request)
        first, last = number_of(asked.get("first"), "first"), number_of(asked.get("last"), "last")
        found = await estimates_of(game, games.pool, games.opinions, spec, first, last, held)
        return JSONResponse({"positions": found})

    async def weighed(self, request: Request) -> Response:
        at, first = (number_of(request.query_params.get(name), name) for name in ("at", "first"))
        return JSONResponse(await weighed_of(await self._adviser(request), at, first))

    async def curve(self, request: Request) -> Response:
        return await self._told(request, curve_of)

    async def mistakes(self, request: Request) -> Response:
        return await self._told(request, mistakes_of)

    async def luck(self, request: Request) -> Response:
        game, spec, held = await self._analysed(request)
        after = number_of(request.query_params.get("after"), "after")
        return JSONResponse(await luck_after(game, self.games.pool, self.games.opinions, spec, after, held))

    async def plan(self, request: Request) -> Response:
        return JSONResponse({"plan": await plan_of(*await self._whole_action(request)), "of": MOST_PLANS})

    async def expected(self, request: Request) -> Response:
        return JSONResponse(await expected_of(*await self._whole_action(request)))

    async def better(self, request: Request) -> Response:
        adviser = await self._adviser(request)
        first, at = (number_of(request.query_params.get(name), name) for name in ("first", "at"))
        return JSONResponse({"words": await better_of(adviser, first, at, request.query_params.get("best", ""))})

    async def _adviser(self, request: Request) -> Adviser:
        game, spec, held = await self._analysed(request)
        return Adviser(game, self.games.pool, self.games.opinions, spec, held)

    async def _whole_action(self, request: Request) -> tuple[Adviser, int, int]:
        """The agent, the position, and which of its actions there."""
        asked = request.query_params
        return await self._adviser(request), number_of(asked.get("at"), "at"), number_of(asked.get("rank", "0"), "rank")

    async def _told(self, request: Request, tell: Callable[..., dict]) -> Response:
        """What follows from the answers that an agent has given about a game."""
        game, spec, held = await self._analysed(request)
        return JSONResponse(await asyncio.to_thread(tell, game, self.games.opinions, spec, held))

    async def _analysed(self, request: Request) -> tuple[LiveGame, str, Collection[int]]:
        """A game that the host may analyse, the agent that is asked, and the seats that whoever asks holds."""
        game = await self.game_of(request, host=True)
        self.analysis_allowed(game)
        spec = self.games.menu.checked(request.query_params.get("agent", "")[:300])
        return game, spec, self.access(request, game).held
