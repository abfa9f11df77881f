"""Connections that say nothing, or a byte at a time, end; and they keep nobody else out."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.table.serving import HERE, Server

ConnectionClosed = pytest.importorskip("websockets.exceptions", reason="needs the extra 'table'").ConnectionClosed
uvicorn = pytest.importorskip("uvicorn", reason="needs the extra 'table'")

from uvicorn.server import ServerState  # noqa: E402

from hansa_env.table import connections  # noqa: E402
from hansa_env.table.connections import REQUEST_WITHIN, Connection  # noqa: E402

GUEST = {"kind": "guest"}
REQUEST = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


class Clock:
    """A loop in which time passes when it is told to, and nothing is answered."""

    def __init__(self) -> None:
        self.now, self.due = 0.0, []  # type: ignore[var-annotated]

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, call: Any, *given: Any) -> Clock.Timer:
        timer = Clock.Timer(self.now + seconds, call, given)
        self.due.append(timer)
        return timer

    def pass_to(self, moment: float) -> None:
        for timer in sorted((timer for timer in self.due if timer.at <= moment), key=lambda timer: timer.at):
            self.now = timer.at
            self.due.remove(timer)
            if not timer.gone:
                timer.call(*timer.given)
        self.now = moment

    def create_task(self, work: Any, **_: Any) -> Any:
        work.close()
        return type("Task", (), {"add_done_callback": lambda *_: None})()

    class Timer:
        def __init__(self, at: float, call: Any, given: tuple) -> None:
            self.at, self.call, self.given, self.gone = at, call, given, False

        def cancel(self) -> None:
            self.gone = True


class Transport:
    """What a connection is written to; `taken`: whether the other side reads."""

    def __init__(self, taken: bool = True) -> None:
        self.said, self.end, self.taken = b"", "", taken

    def write(self, data: bytes) -> None:
        self.said += data

    def get_write_buffer_size(self) -> int:
        return 0 if self.taken else len(self.said)

    def is_closing(self) -> bool:
        return bool(self.end)

    def close(self) -> None:
        self.end = self.end or "closed"

    def abort(self) -> None:
        self.end = "aborted"

    def get_extra_info(self, _: str) -> None:
        return None

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


def opened(clock: Clock, state: ServerState, taken: bool = True) -> tuple[Connection, Transport]:
    async def app(scope: Any, receive: Any, send: Any) -> None: ...

    config = uvicorn.Config(app, log_level="critical", http=Connection, lifespan="off", ws="none")
    transport, connection = Transport(taken), Connection(config, state, {}, _loop=clock)
    connection.connection_made(transport)  # type: ignore[arg-type]
    return connection, transport


def answer(connection: Connection) -> None:
    """Answer the request that is there."""

    async def say() -> None:
        await connection.cycle.send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await connection.cycle.send({"type": "http.response.body", "body": b"ok"})

    asyncio.run(say())


@pytest.mark.parametrize("request_", [
    REQUEST, b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 200\r\n\r\n" + b"x" * 200,
], ids=["its head", "its body"])  # fmt: skip
def test_a_request_that_comes_a_byte_at_a_time_ends(request_: bytes) -> None:
    clock = Clock()
    connection, transport = opened(clock, ServerState())
    for second, byte in enumerate(request_):
        if transport.end:
            break
        clock.pass_to(float(second))
        connection.data_received(bytes([byte]))
    assert clock.now <= REQUEST_WITHIN + 1 and transport.end == "closed" and b" 408 " in transport.said


def test_a_request_that_is_there_is_answered_however_long_that_takes() -> None:
    clock = Clock()
    connection, transport = opened(clock, ServerState())
    connection.data_received(REQUEST)
    clock.pass_to(10 * REQUEST_WITHIN)
    assert not transport.end
    answer(connection)
    connection.data_received(REQUEST[:5])
    clock.pass_to(10.9 * REQUEST_WITHIN)
    assert not transport.end and b" 200 " in transport.said
    clock.pass_to(11.1 * REQUEST_WITHIN)
    assert transport.end == "closed" and b" 408 " in transport.said, "the next one has its time too"


def test_an_answer_that_nobody_takes_ends_as_well() -> None:
    clock = Clock()
    connection, transport = opened(clock, ServerState(), taken=False)
    connection.data_received(REQUEST)
    answer(connection)
    clock.pass_to(2 * REQUEST_WITHIN)
    assert transport.end == "aborted"


def test_of_too_many_connections_the_one_that_waits_longest_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "most_connections", lambda: 3)
    clock, state = Clock(), ServerState()
    made = []
    for second in range(3):
        clock.pass_to(float(second))
        made.append(opened(clock, state))
    made[0][0].data_received(REQUEST)
    for second in (3, 4):
        clock.pass_to(float(second))
        made.append(opened(clock, state))
    assert [transport.end for _, transport in made] == ["", "aborted", "aborted", "", ""]


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the limit is set as on Linux")
UPGRADE = (b"GET /api/games/abcdef/socket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")  # fmt: skip
#: A frame of a socket, masked by zeros: a first word that lets nobody in.
WORD = b"\x81\x82\0\0\0\0{}"


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Server]:
    """A server that has 96 descriptors, so 32 connections."""
    server = Server(tmp_path / "games.sqlite", descriptors=96)
    yield server
    server.stop()
    assert "Traceback" not in server.errors()


@LINUX
@pytest.mark.parametrize("said", [b"GET / HT", UPGRADE, UPGRADE + WORD], ids=["half a request", "a socket", "a refused socket"])
def test_connections_that_say_nothing_keep_nobody_out(small: Server, said: bytes) -> None:
    """120 of them; nor do they cost whoever is at a game the connection."""
    held = []
    try:
        with small.sit(small.deal(HERE, GUEST)) as sitting:
            sitting.hear("status")
            for _ in range(120):
                held.append(socket.create_connection(("127.0.0.1", small.port), timeout=60))
                held[-1].sendall(said)
                if said.startswith(UPGRADE):  # they are sockets before the next one comes
                    assert held[-1].recv(12) == b"HTTP/1.1 101"
            assert len(small.ask("/api/games").json()["games"]) == 1
            sitting.say(type="pause", paused=True)
            sitting.hear("done")
    finally:
        for one in held:
            one.close()


@LINUX
def test_one_link_does_not_take_all_connections(small: Server) -> None:
    game = small.deal(HERE, GUEST)
    links = small.ask(f"/api/games/{game}/links").json()
    with ExitStack() as pages:
        for _ in range(4):
            sitting = pages.enter_context(small.sit(game, links["watch"]))
            sitting.hear("welcome")
        more = pages.enter_context(small.sit(game, links["watch"]))
        with pytest.raises(ConnectionClosed, match="this link is open in 4 pages already"):
            more.hear("welcome")
        with small.sit(game, links["guests"]["1"]) as guest:
            guest.hear("welcome")
    with small.sit(game, links["watch"]) as again:
        again.hear("welcome")
