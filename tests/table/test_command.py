"""What `hansa table` cannot do ends in one clear line; what it does it says."""

from __future__ import annotations

import os
import signal
import socket
import sys
from pathlib import Path
from threading import Thread

import pytest
from typer.testing import CliRunner

from hansa_env.commands.cli import app
from hansa_env.table.serving import listen
from tests.table.serving import HERE, Server, httpx


def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: pytest.fail("a table was opened"))
    text = tmp_path / "text.txt"
    text.write_text("these are no games, and it is long enough to be looked at\n" * 20)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        wrong = {
            f"port {port}: Address already in use": ("--port", port, "--games", str(tmp_path / "a.sqlite")),
            "text.txt": ("--port", "0", "--games", str(text)),
            f"--games is {tmp_path}, which is a folder; expected a file": ("--port", "0", "--games", str(tmp_path)),
            "unknown agent 'nobody'": ("--port", "0", "--games", str(tmp_path / "b.sqlite"), "--agent", "nobody"),
            "cannot listen at no.such.host.invalid": ("--host", "no.such.host.invalid", "--games", str(tmp_path / "c.sqlite")),
        }
        for said, options in wrong.items():
            done = CliRunner().invoke(app, ["table", "--no-browser", "--no-prepare", *options])
            assert done.exit_code == 2 and said in done.stderr, (said, done.stderr)
            assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder in which nobody can make a file")
def test_where_no_games_can_be_kept_the_cause_is_told() -> None:
    done = CliRunner().invoke(app, ["table", "--no-browser", "--no-prepare", "--port", "0", "--games", "/proc/games.sqlite"])
    assert done.exit_code == 2 and done.stderr == "error: /proc/games.sqlite: No such file or directory\n"


def test_the_link_lets_the_host_in_and_nobody_else(server: Server) -> None:
    assert server.address.startswith("127.0.0.1:")
    answer = server.ask(f"/?key={server.key}", host=False)
    assert answer.status_code == 303 and answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie
    assert "set-cookie" not in server.ask("/?key=wrong", host=False).headers
    page = server.ask("/", host=False)
    assert page.status_code == 200 and "default-src 'self'" in page.headers["content-security-policy"]


def test_one_browser_is_the_host_of_two_tables(server: Server, tmp_path: Path) -> None:
    """Browsers send a cookie to every port of its machine, and have one of a name."""
    other = Server(tmp_path / "games.sqlite")
    try:
        with httpx.Client(follow_redirects=True) as browser:
            for table in (server, other):
                assert browser.get(table.link).status_code == 200
            for table in (server, other):
                assert browser.get(f"http://{table.address}/api/games").status_code == 200
    finally:
        other.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes as on Linux")
def test_ctrl_c_while_agents_are_loaded_prints_no_traceback(tmp_path: Path) -> None:
    """A terminal tells every process of the command, also those that agents are being loaded in."""
    server = Server(tmp_path / "games.sqlite", prepare=True)
    children = Path(f"/proc/{server.process.pid}/task")
    while not any((task / "children").read_text().strip() for task in children.iterdir()):
        assert server.process.poll() is None
    os.killpg(server.process.pid, signal.SIGINT)
    server.process.wait(60)
    server.stop()
    assert "Traceback" not in server.errors() and "KeyboardInterrupt" not in server.errors()


class Looked:
    """A socket that knows a way to the network."""

    def __init__(self, *_: object) -> None: ...

    def __enter__(self) -> Looked:
        return self

    def __exit__(self, *_: object) -> None: ...

    def connect(self, _: tuple) -> None: ...

    def getsockname(self) -> tuple[str, int]:
        return ("192.168.1.5", 40000)


def test_a_table_that_is_open_to_the_network_says_where_others_find_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a link to 127.0.0.1 nobody else comes in, nor by invitations from a page that was opened so."""
    opened: list[str] = []
    monkeypatch.setattr("hansa_env.table.serving.serve", lambda made, listening: (made.pool.close(), listening.close()))
    monkeypatch.setattr("hansa_env.table.command.threading.Timer", lambda _, __, given: opened.extend(given) or Thread())
    monkeypatch.setattr("hansa_env.table.command.warmup", lambda: None)
    said = {}
    for host in ("127.0.0.1", "0.0.0.0"):
        with listen(host, 0) as listening, monkeypatch.context() as meanwhile:
            meanwhile.setattr("hansa_env.table.serving.listen", lambda *_, given=listening: given)
            meanwhile.setattr("hansa_env.table.serving.socket.socket", Looked)
            port = listening.getsockname()[1]
            options = ["--no-prepare", "--host", host, "--port", "0", "--games", str(tmp_path / f"{host}.sqlite")]
            said[host] = CliRunner().invoke(app, ["table", *options]).output
            assert f"the table is open at http://127.0.0.1:{port}/?key=" in said[host], said[host]
    assert "192.168" not in said["127.0.0.1"] and "127.0.0.1" in opened[0]
    assert f"to invite people at other machines: http://192.168.1.5:{port}/?key=" in said["0.0.0.0"]
    assert opened[1].startswith(f"http://192.168.1.5:{port}/?key="), "so that invitations made there lead here"


@pytest.mark.skipif(sys.platform != "linux", reason="0.0.0.0 is tried on Linux")
def test_another_address_than_the_loopback_one_is_said_loudly(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.sqlite", options=("--host", "0.0.0.0"))
    try:
        assert "open to the network" in server.said
        game = server.deal(HERE, {"kind": "guest"})
        assert server.ask(f"/api/games/{game}/record", host=False).status_code == 403
    finally:
        server.stop()
