"""Load: tables of bots, and sockets that watch them; every socket must hear every event, once and in order.

    python -m tests.table.load --tables 50 --sockets 100 --seconds 60

One server, in a process of its own as `hansa table` starts it; one process watches. Prints events, messages, delays.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from websockets.asyncio.client import connect

from tests.table.serving import GREEDY, Server


class Load(NamedTuple):
    """What came of it: per socket the numbers of the events that it heard, and the delays of decisions in seconds."""

    events: int
    messages: int
    wrong: int
    seconds: float
    delays: np.ndarray
    cpu: float
    memory: float


async def watch(server: Server, game: str, until: float) -> tuple[list[int], int]:
    """Watch a game; the numbers of its events as they came, after the one that the welcome stood at, and that one."""
    heard: list[int] = []
    address, headers = f"ws://{server.address}/api/games/{game}/socket", server.headers
    async with connect(address, additional_headers=headers, max_size=None, open_timeout=60) as socket:
        await socket.send(json.dumps({"type": "hello", "since": None}))
        first = json.loads(await socket.recv())["seq"]
        while (left := until - time.monotonic()) > 0:
            try:
                message = json.loads(await asyncio.wait_for(socket.recv(), left))
            except TimeoutError:
                break
            if message["type"] == "event":
                heard.append(message["seq"])
    return heard, first


async def answer_times(server: Server, until: float) -> list[float]:
    """How long the server takes to show a position of a game, asked for every half second."""
    import httpx

    delays = []
    async with httpx.AsyncClient(base_url=f"http://{server.address}", cookies=server.cookies, timeout=60) as browser:
        games = [row["id"] for row in (await browser.get("/api/games")).json()["games"]]
        while time.monotonic() < until:
            game = games[len(delays) % len(games)]
            began = time.monotonic()
            (await browser.get(f"/api/games/{game}/positions/0")).raise_for_status()
            delays.append(time.monotonic() - began)
            await asyncio.sleep(0.5)
    return delays


def run(server: Server, tables: int, sockets: int, seconds: float, pace: float) -> Load:
    """Let so many tables of bots play, and watch them."""
    games = [server.deal(GREEDY, GREEDY, GREEDY, pace=pace) for _ in range(tables)]
    cpu = processor_seconds(server)

    async def all_of_them() -> tuple[list, list[float]]:
        until = time.monotonic() + seconds
        watching = [watch(server, games[n % tables], until) for n in range(sockets)]
        *found, delays = await asyncio.gather(*watching, answer_times(server, until))
        return found, delays

    began = time.monotonic()
    found, delays = asyncio.run(all_of_them())
    took = time.monotonic() - began
    wrong = sum(heard != list(range(first + 1, first + 1 + len(heard))) for heard, first in found)
    events = sum(max((len(heard) for heard, _ in found[n::tables]), default=0) for n in range(tables))
    messages = sum(len(heard) for heard, _ in found)
    used = (processor_seconds(server) - cpu) / took
    return Load(events, messages, wrong, took, np.array(delays), used, memory(server))


def processor_seconds(server: Server) -> float:
    """Of the server itself, without its agents."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(server: Server) -> float:
    """MiB that the server itself holds."""
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--sockets", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pace", type=float, default=0.2)
    given = parser.parse_args()
    server = Server(Path(tempfile.mkdtemp()) / "games.sqlite")
    try:
        load = run(server, given.tables, given.sockets, given.seconds, given.pace)
    finally:
        server.stop()
    shown = np.percentile(1000 * load.delays, [50, 95, 100])
    print(f"{given.tables} tables, {given.sockets} sockets, {load.seconds:.0f} s, a decision every {given.pace:g} s at most")
    print(f"{load.events / load.seconds:.0f} decisions a second; {load.messages:,} events heard, "
          f"{load.messages / load.seconds:.0f} a second; sockets with a gap or a wrong order: {load.wrong}")  # fmt: skip
    print(f"a position is shown in {shown[0]:.0f} ms (median), {shown[1]:.0f} ms (95 %), {shown[2]:.0f} ms (longest)")
    print(f"server: {100 * load.cpu:.0f} % of a core, {load.memory:.0f} MiB")


if __name__ == "__main__":
    main()
