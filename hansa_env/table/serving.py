"""The application behind a socket: where it listens, and uvicorn with our connections."""

from __future__ import annotations

import ipaddress
import socket
import threading
from types import FrameType

import uvicorn

from hansa_env.table.agent_pool import AgentPool
from hansa_env.table.connections import QUEUE, Connection, Socket, at_once
from hansa_env.table.guard import is_address
from hansa_env.table.server import Application

LARGEST_MESSAGE = 64 * 1024


def serve(made: Application, listening: socket.socket) -> None:
    """Serve the application on a socket until somebody ends the process."""
    config = uvicorn.Config(
        made.app, log_level="warning", ws=Socket, ws_max_size=LARGEST_MESSAGE, server_header=False,
        timeout_graceful_shutdown=2, lifespan="on", http=Connection, backlog=at_once(),
        proxy_headers=False,  # see the guard
    )  # fmt: skip
    _Server(config, made.pool).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Lets agents go before it waits for what is under way, which may wait for them; more connections may queue than are taken
    up in one go."""

    def __init__(self, config: uvicorn.Config, pool: AgentPool) -> None:
        super().__init__(config)
        self._pool = pool

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(QUEUE)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        threading.Thread(target=self._pool.close).start()
        super().handle_exit(sig, frame)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises ValueError: it cannot, and why."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(QUEUE)
    except OSError as error:
        hint = "; is a table open already? --port 0 takes any that is free" if "in use" in str(error) else ""
        raise ValueError(f"cannot listen at {host} port {port}: {error.strerror or error}{hint}") from error
    return listening


def address_of(listening: socket.socket) -> str:
    """Host and port for a link to it."""
    host, port = listening.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"{shown}:{port}"


def address_in_network(listening: socket.socket) -> str | None:
    """Host and port under which other machines find it, where it listens at all addresses; None: at one, or there is no
    network."""
    host, port = listening.getsockname()[:2]
    if not ipaddress.ip_address(host).is_unspecified:
        return None
    far = "192.0.2.1" if listening.family == socket.AF_INET else "2001:db8::1"  # of nobody (RFC 5737, RFC 3849)
    with socket.socket(listening.family, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect((far, port))  # sends nothing; only the way there is looked up
        except OSError:
            return None
        own = asked.getsockname()[0]
    return f"[{own}]:{port}" if ":" in own else f"{own}:{port}"


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches it."""
    return host == "localhost" or (is_address(host) and ipaddress.ip_address(host).is_loopback)
