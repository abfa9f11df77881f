"""What a browser asks for: the page, the games, positions, files."""

from __future__ import annotations

import asyncio
import json
from importlib import resources
from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from hansa_env.boards import printed_boards
from hansa_env.formats.fields import DecisionText, Seed, Strictly
from hansa_env.formats.missions import NOBODY
from hansa_env.formats.ruleset_fields import ruleset_in, ruleset_model
from hansa_env.play.arguments import checked_seed
from hansa_env.play.rivals import rivals_for
from hansa_env.render.svg.themes import page_stylesheet
from hansa_env.ruleset import BASE_BOARDS, PLAYERS, Ruleset, RulesetError, players_on
from hansa_env.ruleset_options import OPTIONS
from hansa_env.table.access import covered_at, viewer_of
from hansa_env.table.answers import Answer, Answers, body_of, number_of
from hansa_env.table.errors import NotThere, Refused
from hansa_env.table.games import PACE
from hansa_env.table.guard import LARGEST_BODY, cookie_name, is_by_tls, is_same
from hansa_env.table.levels import levels_for
from hansa_env.table.messages import LONGEST_PACE, MOST_TEXTS, At
from hansa_env.table.rules import rules, rules_of_markers
from hansa_env.table.seats import Seat, seats_of_record
from hansa_env.table.view import view_of

_FOLDERS = (resources.files("hansa_env.pages").joinpath("common"), resources.files("hansa_env.table").joinpath("page"))
_ASSETS = {file.name: file for folder in _FOLDERS for file in folder.iterdir()}
KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".woff2": "font/woff2",
         ".txt": "text/plain"}  # fmt: skip

Clock = Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)]


#: A field for each option of a ruleset.
_Options: Any = ruleset_model("_Options", Strictly, players=...)


class Wanted(_Options):
    """The ruleset of a game that is wanted."""

    def ruleset(self) -> Ruleset:
        """Raises RulesetError."""
        return ruleset_in(self)


def _seed(given: object) -> int:
    """A seed, which may be text: the numbers of a page have 53 bits."""
    text = given if isinstance(given, str) else ""
    try:
        return checked_seed(int(text) if text.isascii() and text.isdigit() and len(text) <= 20 else given)
    except ValueError:
        raise PydanticCustomError("seed", "expected a whole number from 0 to 2^64−1") from None


class NewGame(Wanted):
    """A game that is wanted; `clock` is seconds for an agent's decision, null = as long as it likes. The seed may be text."""

    seats: Annotated[list[Seat], Field(max_length=5)]
    seed: Annotated[Seed, BeforeValidator(_seed)] | None = None
    clock: Clock | None = None
    pace: Annotated[float, Field(ge=0, le=LONGEST_PACE, allow_inf_nan=False)] = PACE


class NewBranch(Strictly):
    """Go on from a game after `at` decisions: with `texts` decided, by `seats`, or to study it without."""

    at: At
    texts: Annotated[list[DecisionText], Field(max_length=MOST_TEXTS, default_factory=list)]
    seats: Annotated[list[Seat], Field(max_length=5)] | None = None
    clock: Clock | None = None


class Pages(Answers):
    """The page, and games as they are played and kept."""

    def routes(self) -> list[Route]:
        wanted: list[tuple[str, str, Answer]] = [
            ("GET", "/", self.page),
            ("GET", "/game/{game}", self.page),
            ("GET", "/puzzles", self.page),
            ("GET", "/openings", self.page),
            ("GET", "/page/drawing.css", self.style),
            ("GET", "/page/{file}", self.asset),
            ("GET", "/api/choices", self.choices),
            ("GET", "/api/rules", self.rules),
            ("POST", "/api/rivals", self.rivals),
            ("GET", "/api/games", self.list_games),
            ("POST", "/api/games", self.new_game),
            ("POST", "/api/records", self.read_record),
            ("GET", "/api/games/{game}/links", self.links),
            ("GET", "/api/games/{game}/positions/{number}", self.position),
            ("GET", "/api/games/{game}/record", self.record),
            ("GET", "/api/games/{game}/branches", self.branches),
            ("POST", "/api/games/{game}/branches", self.new_branch),
            ("DELETE", "/api/games/{game}", self.remove),
        ]
        return [Route(path, answer, methods=[method]) for method, path, answer in wanted]

    async def page(self, request: Request) -> Response:
        key = request.query_params.get("key")
        if key is None:
            return _asset("index.html")
        answer = RedirectResponse(request.url.path, 303)
        if is_same(key, self.key):
            answer.set_cookie(
                cookie_name(request), key, max_age=10 * 365 * 86400, secure=is_by_tls(request), httponly=True, samesite="strict"
            )
        return answer

    async def asset(self, request: Request) -> Response:
        return _asset(request.path_params["file"])

    async def style(self, request: Request) -> Response:
        return Response(page_stylesheet(), media_type="text/css", headers={"Cache-Control": "no-cache"})

    async def choices(self, request: Request) -> Response:
        """What a new game may be made of."""
        self.host_only(request)
        boards = [
            {"name": name, "players": list(players_on(name)), "missions": name in BASE_BOARDS} for name in printed_boards()
        ]  # fmt: skip
        whom = await asyncio.to_thread(_whom_to_play)
        of_ruleset = [option.in_form() for option in OPTIONS.values()]
        menu = self.games.menu
        judges = await asyncio.to_thread(menu.judges)
        choices = {"agents": menu.offered(), "judges": judges, "options": of_ruleset, "boards": boards}
        return JSONResponse(choices | whom | {"largest_file": LARGEST_BODY})

    async def rules(self, request: Request) -> Response:
        return JSONResponse({"sections": rules(), "markers": rules_of_markers()})

    async def rivals(self, request: Request) -> Response:
        """Whom to play against in a game that is wanted."""
        self.host_only(request)
        wanted = await body_of(request, Wanted)
        return JSONResponse({"rivals": await asyncio.to_thread(rivals_for, wanted.ruleset())})

    async def list_games(self, request: Request) -> Response:
        self.host_only(request)
        since = number_of(request.query_params.get("since", "0"), "since")
        return JSONResponse({"games": self.games.listed(since), "of": self.games.count()})

    async def new_game(self, request: Request) -> Response:
        self.host_only(request)
        wanted = await body_of(request, NewGame)
        ruleset = wanted.ruleset()
        name = await asyncio.to_thread(self.games.deal, ruleset, wanted.seats, wanted.seed, wanted.clock, wanted.pace)
        return JSONResponse({"id": name}, 201)

    async def read_record(self, request: Request) -> Response:
        self.host_only(request)
        try:
            text = (await request.body()).decode()
        except UnicodeDecodeError:
            raise Refused("the file cannot be read: it is no text") from None
        return JSONResponse({"id": await asyncio.to_thread(self.games.read, text)}, 201)

    async def links(self, request: Request) -> Response:
        """Of guests' seats, and for watching; and who could go on with the game."""
        game = await self.game_of(request, host=True)
        guests = {str(number): seat.token for number, seat in enumerate(game.seats) if seat.token}
        ruleset = game.line.ruleset
        proposal = seats_of_record(game.game.agents, ruleset.players, self.games.menu)
        rivals = await asyncio.to_thread(rivals_for, ruleset)
        answer = {"guests": guests, "watch": game.kept.watch, "proposal": proposal, "rivals": rivals}
        return JSONResponse(answer)

    async def position(self, request: Request) -> Response:
        game = await self.game_of(request)
        number = number_of(request.path_params["number"], "number of a position")
        if number > len(game.line):
            raise NotThere(f"position {number}: the game has {len(game.line)} decisions")
        held = self.access(request, game).held
        viewer = viewer_of(game, number, held)
        covered = covered_at(game, viewer, held, request.query_params.get("uncovered"))
        viewer = viewer if covered is None else NOBODY
        shown = game.shown  # what is made from here on is kept in this one: another begins where names or decisions change
        is_for_all = viewer == NOBODY and covered is None
        text = shown.get(number) if is_for_all else None
        if text is None:
            data = await asyncio.to_thread(view_of, game.line, number, game.names, viewer)
            if covered is not None:
                data["covered"] = covered
            text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
            if is_for_all:
                shown.keep(number, text)
        return Response(text, media_type="application/json")

    async def record(self, request: Request) -> Response:
        game = await self.game_of(request)
        data = game.record(self.access(request, game).held)
        kind = "position" if game.line.start.is_position else "record"
        headers = {"Content-Disposition": f'attachment; filename="hansa-{kind}-{game.id}.json"'}
        return Response(json.dumps(data), media_type="application/json", headers=headers)

    async def branches(self, request: Request) -> Response:
        game = await self.game_of(request, host=True)
        return JSONResponse({"branches": await asyncio.to_thread(self.games.branches, game.id)})

    async def new_branch(self, request: Request) -> Response:
        game = await self.game_of(request, host=True)
        self.analysis_allowed(game)
        wanted = await body_of(request, NewBranch)
        given = game, wanted.at, wanted.seats, wanted.texts, wanted.clock, self.access(request, game).held
        return JSONResponse({"id": await asyncio.to_thread(self.games.branch, *given)}, 201)

    async def remove(self, request: Request) -> Response:
        self.host_only(request)
        name = request.path_params["game"]
        await self.games.remove(name)
        return JSONResponse({"removed": name})


def _whom_to_play() -> dict[str, dict]:
    """Whom the page offers in the base game, by number of players: as rivals, and by level."""
    usual = {players: Ruleset(players) for players in PLAYERS}
    return {
        "rivals": {players: rivals_for(ruleset) for players, ruleset in usual.items()},
        "levels": {players: levels_for(ruleset) for players, ruleset in usual.items()},
    }


def _asset(name: str) -> Response:
    file = _ASSETS.get(name)  # a file system is asked for nothing that somebody else names
    if file is None:
        raise NotThere("there is no such page")
    with resources.as_file(file) as path:
        return FileResponse(path, media_type=KINDS[path.suffix], headers={"Cache-Control": "no-cache"})


def told(_: Request, error: Any) -> Response:
    """A request that was refused, as JSON."""
    status, more = (error.status, error.more) if isinstance(error, Refused) else (400, {})
    return JSONResponse({"error": str(error), **more}, status)


REFUSALS = (Refused, RulesetError)
