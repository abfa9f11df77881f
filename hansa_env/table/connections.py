"""The connections of the server: how long a request may take to come, and how many there may be.

Who opens a connection and says nothing, or a byte now and then, keeps one of the process's descriptors, of which there are
few. So a request has to be there within REQUEST_WITHIN seconds, and where there are too many connections, the one that has
kept us waiting longest gives way to the next: for a request, for the first word of a socket, or to take an answer. A request
that is there is answered however long that takes.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

#: Seconds from the opening of a connection, or the last answer on it, until the next request is there, body and all; and
#: until an answer has been taken.
REQUEST_WITHIN = 30.0
#: Connections at most, and how many descriptors of the process there are for each: agents, games and files need some too.
MOST_CONNECTIONS, DESCRIPTORS_EACH = 1000, 3
#: Connections that may wait for being taken up, as the system counts.
QUEUE = 128
_TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


def most_connections() -> int:
    """How many connections the process can have and still work."""
    try:
        from resource import RLIMIT_NOFILE, getrlimit
    except ImportError:  # not on Windows, which has no such limit
        return MOST_CONNECTIONS
    return max(8, min(MOST_CONNECTIONS, getrlimit(RLIMIT_NOFILE)[0] // DESCRIPTORS_EACH))


def at_once() -> int:
    """How many connections are taken up in one go, before one of too many is closed."""
    return min(QUEUE, most_connections() // 2)


def most_of_one_link() -> int:
    """How many sockets may use one link to a game, so that whoever has it cannot take all connections."""
    return max(4, most_connections() // 10)


class Connection(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """A connection by HTTP, as uvicorn serves it."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.waits_since = 0.0
        self._deadline: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether the next request is not there yet."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self._wait()
        still_open = [other for other in self.connections if not other.transport.is_closing()]
        if len(still_open) > most_connections():
            waiting = [other for other in still_open if other.is_waiting or other.transport.get_write_buffer_size()]
            min(waiting, key=lambda other: other.waits_since).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        self._wait()
        super().on_response_complete()

    def handle_websocket_upgrade(self, *args: Any) -> None:
        """From here on it is a `Socket`."""
        self._stop()
        super().handle_websocket_upgrade(*args)

    def _wait(self) -> None:
        """For the next request, from now on."""
        self._stop()
        self.waits_since = self.loop.time()
        self._deadline = self.loop.call_later(REQUEST_WITHIN, self._look)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()

    def _look(self) -> None:
        """The time is up: unless the request is there and is being answered, the connection ends."""
        closing = self.transport.is_closing()
        answering = self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete
        if not closing and not self.is_waiting:
            return
        if answering or self.transport.get_write_buffer_size():
            self.transport.abort()  # also where it was closed, but the last answer is not taken
        elif not closing:
            self.transport.write(_TOO_SLOW)
            self.transport.close()


class Socket(WebSocketsSansIOProtocol):
    """A socket, as uvicorn serves it. Until it has spoken, and once it was told to go, it only waits."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.waits_since, self.has_spoken = self.loop.time(), False

    @property
    def is_waiting(self) -> bool:
        """Whether nobody is at a game by it."""
        return not self.has_spoken or self.close_sent

    def send_receive_event_to_app(self) -> None:
        self.has_spoken = True
        super().send_receive_event_to_app()
