"""What all answers to browsers have in common: who may ask, which game is meant, what a body or a number may be."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from hansa_env.formats.explain import in_one_line
from hansa_env.table.access import Access, access_of
from hansa_env.table.errors import NotAllowed, Refused
from hansa_env.table.games import Games
from hansa_env.table.guard import is_host
from hansa_env.table.live_game import LiveGame

Model = TypeVar("Model", bound=BaseModel)
Answer = Callable[[Request], Coroutine[Any, Any, Response]]


class Answers:
    """Some of the answers.

    Args:
        games: whose.
        key: the host's.
    """

    def __init__(self, games: Games, key: str) -> None:
        self.games, self.key = games, key

    def host_only(self, request: Request) -> None:
        """Raises NotAllowed."""
        if not is_host(request, self.key):
            raise NotAllowed("this is for the host: open the link that hansa table printed when it was started")

    async def game_of(self, request: Request, host: bool = False) -> LiveGame:
        """The game that is asked about. Raises Refused."""
        if host:
            self.host_only(request)
        game = await self.games.open(request.path_params["game"])
        self.access(request, game)
        return game

    def access(self, request: Request, game: LiveGame) -> Access:
        """What whoever asks may do at a game. Raises NotAllowed."""
        access = access_of(game, is_host(request, self.key), request.query_params.get("token"))
        if access is None:
            raise NotAllowed("this link is not one of the game's")
        return access

    def analysis_allowed(self, game: LiveGame) -> None:
        """Raises NotAllowed."""
        if not game.may_be_analysed:
            raise NotAllowed("people play against each other here; it can be analysed when the game is over")


def number_of(text: str | None, name: str) -> int:
    """A whole number. Raises Refused."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 9:
        raise Refused(f"{name}: expected a whole number of at most 9 digits")
    return int(text)


async def body_of(request: Request, model: type[Model]) -> Model:
    """What was sent. Raises Refused."""
    try:
        return model.model_validate_json(await request.body())
    except ValidationError as error:
        raise Refused(in_one_line(error)) from None


def while_waited_for(answer: Answer) -> Answer:
    """An answer that is given up when who asked goes away, so that agents are asked about no further position for it."""

    async def waited(request: Request) -> Response:
        await request.body()  # what comes after it is that the connection is lost
        answering, leaving = asyncio.ensure_future(answer(request)), asyncio.ensure_future(request.receive())
        try:
            await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not answering.done():
                raise ClientDisconnect
            return answering.result()
        finally:
            answering.cancel()
            leaving.cancel()
            await asyncio.gather(answering, leaving, return_exceptions=True)

    return waited
