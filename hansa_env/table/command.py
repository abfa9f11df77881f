"""The command `hansa table`."""

from __future__ import annotations

import ipaddress
import os
import socket
import threading
import webbrowser
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer
import uvicorn
from rich.console import Console

from hansa_env.commands.output import one_line_errors
from hansa_env.play.agents import name_of
from hansa_env.play.registry import make_agent
from hansa_env.ruleset import Ruleset
from hansa_env.table.agent_pool import AgentPool
from hansa_env.table.connections import QUEUE, Connection, at_once
from hansa_env.table.server import application
from hansa_env.warmup import warmup

HERE = "127.0.0.1"
PORT = 8642
LARGEST_MESSAGE = 64 * 1024


def table(
    host: Annotated[str, typer.Option(help="address to listen at; another than this opens it to the network")] = HERE,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free")] = PORT,
    games: Annotated[Path | None, typer.Option(help="file that games are kept in; by default in your data folder")] = None,
    agent: Annotated[
        list[str] | None, typer.Option(help="an agent of your own, such as mybot:MyBot; may be given several times")
    ] = None,
    openings: Annotated[
        list[Path] | None, typer.Option(help="a file of openings, by `hansa openings`; may be given several times")
    ] = None,
    prepare: Annotated[
        bool, typer.Option("--prepare/--no-prepare", help="load the strongest agents and draw all boards ahead of time")
    ] = True,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="open the page in your browser")] = True,
) -> None:
    """Play, watch and analyse games in a browser."""
    console = Console()
    with one_line_errors():
        for spec in agent or ():
            name_of(make_agent(spec, Ruleset(players=3)))  # one that cannot be made is told at once
        file = games or default_file()
        listening = _listen(host, port)
        warmup()
        made = application(file, agent or (), () if _is_address(host) else (host,), prepare, openings or ())
    address = _address(listening)
    link = f"http://{address}/?key={made.key}"
    if not _is_loopback(host):
        console.print(f"[bold red]open to the network:[/bold red] listening at {address}, without encryption; whoever has the "
                      "link below is the host", highlight=False, soft_wrap=True)  # fmt: skip
    console.print(f"games are kept in {file}", highlight=False, soft_wrap=True, markup=False)
    console.print(f"the table is open at {link}", highlight=False, soft_wrap=True, markup=False)
    console.print("Ctrl+C closes it", highlight=False)
    if browser:
        threading.Timer(0.5, webbrowser.open, [link]).start()
    config = uvicorn.Config(
        made.app, log_level="warning", ws="websockets-sansio", ws_max_size=LARGEST_MESSAGE, server_header=False,
        timeout_graceful_shutdown=2, lifespan="on", http=Connection, backlog=at_once(),
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


def default_file() -> Path:
    """Where games are kept unless somebody says otherwise."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "hansa_env" / "games.sqlite"


def _listen(host: str, port: int) -> socket.socket:
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


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    shown = {"0.0.0.0": HERE, "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"{shown}:{port}"


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)
