"""What pages are given while something happens at the game, and before anybody has asked for anything."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from starlette.requests import Request

from hansa_env import Ruleset
from hansa_env.formats.explain import in_one_line
from hansa_env.render.svg.places import places_of
from hansa_env.table import pages
from hansa_env.table.games import Games
from hansa_env.table.live_game import LiveGame
from hansa_env.table.seats import Seat
from hansa_env.table.server import application, show_every_board
from hansa_env.table.view import show_once

HERE, AGENT = Seat(kind="here"), Seat(kind="agent", agent="greedy")
KEY = "key"


def asked(game: LiveGame, **path: Any) -> Request:
    """A request by the host."""
    headers = [(b"host", b"127.0.0.1:80"), (b"cookie", f"hansa_table_80={KEY}".encode())]
    return Request({"type": "http", "scheme": "http", "path": "/", "server": ("127.0.0.1", 80), "query_string": b"",
                    "headers": headers, "path_params": {"game": game.id, **path}})  # fmt: skip


def test_a_seed_is_taken_to_the_last_digit() -> None:
    """From the page as text, since its numbers have 53 bits."""
    wanted = {"players": 3, "seats": []}
    for seed in (13812931231239129381, "13812931231239129381", 0, "007", None):
        found = pages.NewGame.model_validate(wanted | {"seed": seed}).seed
        assert found == (None if seed is None else int(seed))
    for wrong in ("", "-1", "1.5", "1e3", "٣", "18446744073709551616", "9" * 5000, True):
        with pytest.raises(ValidationError) as refused:
            pages.NewGame.model_validate(wanted | {"seed": wrong})
        assert in_one_line(refused.value) == "seed: expected a whole number from 0 to 2^64−1"


def test_an_agent_that_is_replaced_while_a_view_is_made_is_not_shown_afterwards(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look() -> None:
        game = await games.open(games.deal(Ruleset(2, "second"), [HERE, AGENT], 1, None, pace=0))
        loop, answers, replaced = asyncio.get_running_loop(), pages.Pages(games, KEY), threading.Event()

        def replace() -> None:
            game.replace_agent(1, "random")
            replaced.set()

        def view(line: Any, number: int, names: Any, viewer: int) -> dict:
            if not replaced.is_set():
                loop.call_soon_threadsafe(replace)
                assert replaced.wait(10)
            return {"names": list(names)}

        monkeypatch.setattr(pages, "view_of", view)
        await answers.position(asked(game, number="0"))
        again = await answers.position(asked(game, number="0"))
        assert json.loads(bytes(again.body)) == {"names": ["Seat 0", "random"]}
        assert game.shown == {0: bytes(again.body).decode()}
        await games.close()

    asyncio.run(look())


def test_a_record_is_made_where_everything_happens(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the server's loop: elsewhere, half of it could be of another moment."""
    made_by = []

    async def look() -> None:
        game = await games.open(games.deal(Ruleset(2, "second"), [HERE, HERE], 1, None, pace=0))
        record = game.record
        monkeypatch.setattr(game, "record", lambda held: made_by.append(threading.current_thread()) or record(held))
        answer = await pages.Pages(games, KEY).record(asked(game))
        assert json.loads(bytes(answer.body))["decisions"] == []

    asyncio.run(look())
    assert made_by == [threading.main_thread()]


def test_boards_are_drawn_before_the_first_page(tmp_path: Path) -> None:
    """Everything on a board finds its place once, which takes most of a second."""

    async def start() -> None:
        app: Any = application(tmp_path / "games.sqlite", prepare=False).app
        async with app.app.router.lifespan_context(app.app):
            ready = places_of.cache_info().misses
            assert ready == 1
            show_once(Ruleset(3))
            assert places_of.cache_info().misses == ready

    places_of.cache_clear()
    asyncio.run(start())


def test_the_other_boards_are_drawn_soon_after() -> None:
    asyncio.run(show_every_board())
    ready = places_of.cache_info().misses
    for board in pages.printed_boards():
        for players in pages.players_on(board):
            show_once(Ruleset(players, board=board))
    assert places_of.cache_info().misses == ready
