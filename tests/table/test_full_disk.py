"""What a browser hears where the disk is full: that nothing can be kept, and the table goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

httpx = pytest.importorskip("httpx", reason="needs the extra 'test'")
pytest.importorskip("starlette", reason="needs the extra 'table'")

from hansa_env.table import server  # noqa: E402
from hansa_env.table.store import Store  # noqa: E402
from tests.table.disk import full_disk  # noqa: E402

AT_REST = {"players": 2, "pace": 0, "seed": 3, "seats": [{"kind": "here", "name": "Ann"}, {"kind": "guest", "name": "Bob"}]}


class Table(NamedTuple):
    """The application in this process. Attributes: app: it; cookie: the host's; store: its file of games."""

    app: Any
    cookie: str
    store: Store

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, dict]:
        """A request of the host: the status and what is answered."""
        way = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=way, base_url="http://localhost", headers={"Cookie": self.cookie}) as browser:
            answer = await browser.request(method, path, json=body)
            return answer.status_code, answer.json()

    async def deal(self) -> str:
        status, answer = await self.ask("POST", "/api/games", AT_REST)
        assert status == 201, answer
        return answer["id"]

    async def at_socket(self, game: str, talk: Callable[[Socket], Awaitable[None]]) -> None:
        """Say hello to a game as its host, then `talk`."""
        socket = Socket()
        scope = {"type": "websocket", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "ws", "query_string": b"",
                 "path": f"/api/games/{game}/socket", "root_path": "", "subprotocols": [], "server": ("localhost", 80),
                 "headers": [(b"host", b"localhost"), (b"cookie", self.cookie.encode())]}  # fmt: skip
        visit = asyncio.create_task(self.app(scope, socket.said.get, socket.heard.put))
        visit.add_done_callback(lambda _: socket.heard.put_nowait({"type": "websocket.close"}))  # also where it fails
        try:
            await socket.said.put({"type": "websocket.connect"})
            await socket.say(type="hello")
            await talk(socket)
        finally:
            await socket.said.put({"type": "websocket.disconnect", "code": 1000})
            await visit


class Socket:
    """A browser's end of a socket."""

    def __init__(self) -> None:
        self.said: asyncio.Queue[dict] = asyncio.Queue()
        self.heard: asyncio.Queue[dict] = asyncio.Queue()

    async def say(self, **message: Any) -> None:
        await self.said.put({"type": "websocket.receive", "text": json.dumps(message)})

    async def hear(self, *kinds: str) -> dict:
        """The next message of one of these kinds. A socket that ends before one comes fails the test."""
        async with asyncio.timeout(60):  # else a test that fails would hang
            while True:
                message = await self.heard.get()
                assert message["type"] != "websocket.close", message
                said = json.loads(message.get("text", "{}"))
                if said.get("type") in kinds:
                    return said


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    store = Store(tmp_path / "games.sqlite")
    monkeypatch.setattr(server, "Store", lambda _: store)
    made = server.application(store.path, prepare=False)
    return Table(made.app, f"hansa_table_80={made.key}", store)


def test_a_game_is_neither_made_nor_removed_where_the_disk_is_full(table: Table) -> None:
    async def ask() -> None:
        game = await table.deal()
        _, record = await table.ask("GET", f"/api/games/{game}/record")
        for method, path, body in (
            ("POST", "/api/games", AT_REST),
            ("POST", "/api/records", record),
            ("DELETE", f"/api/games/{game}", None),
        ):
            with full_disk(table.store):
                status, answer = await table.ask(method, path, body)
            assert status == 503 and "disk is full); nothing has been changed" in answer["error"], (path, answer)
            _, listed = await table.ask("GET", "/api/games")
            assert [row["id"] for row in listed["games"]] == [game]
        assert (await table.ask("DELETE", f"/api/games/{game}"))[0] == 200

    asyncio.run(ask())


@pytest.mark.parametrize("message", [{"type": "pace", "seconds": 2}, {"type": "decide", "seq": 0, "texts": ["income 0"]}])
def test_a_socket_outlives_what_cannot_be_kept(table: Table, message: dict) -> None:
    async def talk(socket: Socket) -> None:
        welcome, status = await socket.hear("welcome"), await socket.hear("status")
        assert welcome["host"] and status["pace"] == 0
        with full_disk(table.store):
            await socket.say(**message, id=1)
            refused = await socket.hear("refused", "done")
        assert (refused["type"], refused["id"], refused["status"], refused["seq"]) == ("refused", 1, 503, 0)
        assert "disk is full" in refused["why"]
        await socket.say(**message, id=2)
        assert await socket.hear("refused", "done") == {"type": "done", "id": 2}

    async def visit() -> None:
        await table.at_socket(await table.deal(), talk)

    asyncio.run(visit())
