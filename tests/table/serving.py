"""A table in a process of its own, as `hansa table` starts it, for the tests to ask, to kill and to start again."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

httpx = pytest.importorskip("httpx", reason="needs the extra 'test'")
pytest.importorskip("starlette", reason="needs the extra 'table'")
pytest.importorskip("uvicorn", reason="needs the extra 'table'")
client = pytest.importorskip("websockets.sync.client", reason="needs the extra 'table'")

#: People at the host's screen, and agents that answer at once.
HERE = {"kind": "here", "name": "Ann"}
GREEDY = {"kind": "agent", "agent": "greedy"}
#: An agent that the server is started with.
OPINION = "tests.table.opinion:Opinion"


class Server:
    """A server that runs.

    Args:
        file: of its games; the log lies beside it.
        port: 0 = any.
        options: further words of the command.
        prepare: whether it loads agents at once, as it does for people.
        descriptors: how many the process may have, None = as many as we.

    Attributes:
        said: what it printed; address: "127.0.0.1:8642"; link: as it printed it; key: the host's.
    """

    def __init__(
        self, file: Path, port: int = 0, options: tuple[str, ...] = (), prepare: bool = False, descriptors: int | None = None
    ) -> None:
        self.file, self.options, self.prepare, self.descriptors = file, options, prepare, descriptors
        self.start(port)

    def start(self, port: int) -> None:
        command = [sys.executable, "-m", "hansa_env", "table", "--port", str(port), "--no-browser",
                   *(() if self.prepare else ("--no-prepare",)), "--games", str(self.file), *self.options]  # fmt: skip
        if self.descriptors is not None:
            command = ["sh", "-c", f'ulimit -n {self.descriptors}; exec "$@"', "sh", *command]
        with open(self.file.with_suffix(".log"), "a") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True)
        assert self.process.stdout is not None
        self.said = ""
        for line in self.process.stdout:
            self.said += line
            found = re.search(r"http://([^/\s]+)/\?key=(\S+)", line)
            if found:
                self.link, self.address, self.key = found[0], found[1], found[2]
                return
        raise AssertionError(f"the server did not start: {self.said} {self.errors()}")

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    @property
    def cookies(self) -> dict[str, str]:
        """What the host's browser sends along."""
        return {f"hansa_table_{self.port}": self.key}

    @property
    def headers(self) -> dict[str, str]:
        """The same, for a socket."""
        return {"Cookie": "; ".join(f"{name}={key}" for name, key in self.cookies.items())}

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._close()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._close()

    def _close(self) -> None:
        if self.process.stdout is not None:
            self.process.stdout.close()

    def errors(self) -> str:
        """What it wrote about its own mistakes."""
        return self.file.with_suffix(".log").read_text()

    def ask(self, path: str, body: Any = None, method: str | None = None, host: bool = True, **more: Any) -> Any:
        """A request, by default the host's."""
        cookies = self.cookies if host else {}
        method = method or ("GET" if body is None else "POST")
        # Certificates, which nobody asks for here, take longer to read than most answers to come.
        with httpx.Client(base_url=f"http://{self.address}", cookies=cookies, timeout=60, verify=False) as browser:
            return browser.request(method, path, json=body, **more)

    def deal(self, *seats: dict, **more: Any) -> str:
        """A new game; its name."""
        answer = self.ask("/api/games", {"players": len(seats), "seats": list(seats), "pace": 0, **more})
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    @contextmanager
    def sit(self, game: str, token: str | None = None, since: int | None = None) -> Iterator[Sitting]:
        """A socket to a game, by default the host's."""
        headers = {} if token else self.headers
        address = f"ws://{self.address}/api/games/{game}/socket"
        with client.connect(address, additional_headers=headers, max_size=None) as socket:
            socket.send(json.dumps({"type": "hello", "token": token, "since": since}))
            yield Sitting(socket)


class Sitting:
    """A socket that has said hello, and what it heard."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.heard: list[dict] = []

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def hear(self, kind: str, seconds: float = 20) -> dict:
        """The next message of a kind; those before it are passed over."""
        end = time.monotonic() + seconds
        while True:
            message = json.loads(self.socket.recv(timeout=max(0.01, end - time.monotonic())))
            self.heard.append(message)
            if message["type"] == kind:
                return message

    def until(self, wanted: Any, seconds: float = 60) -> dict:
        """The next message for which `wanted(message)` holds."""
        end = time.monotonic() + seconds
        while True:
            message = json.loads(self.socket.recv(timeout=max(0.01, end - time.monotonic())))
            self.heard.append(message)
            if wanted(message):
                return message
