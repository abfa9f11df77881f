"""Requests that are wrong get 4xx and a clear line, never a traceback, and change nothing."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hansa_env.table.guard import LARGEST_BODY
from tests.table.serving import GREEDY, HERE, Server, client

ROOT = Path(__file__).parents[2]
GUEST = {"kind": "guest", "name": "Bob"}
FUZZED = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def game(server: Server) -> str:
    return server.deal(HERE, GUEST, seed=4)


def standing(server: Server, game: str) -> tuple:
    """All that a request could have changed."""
    with server.sit(game) as sitting:
        welcome = sitting.hear("welcome")
        status = sitting.hear("status")
    games = [row["id"] for row in server.ask("/api/games").json()["games"]]
    return welcome, status, games


def check_refused(answer: Any, *statuses: int) -> str:
    assert answer.status_code in (statuses or range(400, 500)), (answer.status_code, answer.text[:200])
    text = answer.json()["error"]
    assert text and "\n" not in text and "Traceback" not in text and len(text) < 600
    return text


def raw_answer(server: Server, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(request)
        return connection.recv(4000)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=30),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=12), inside, max_size=4),
    max_leaves=12,
)
KEYS = st.sampled_from(["kind", "name", "agent", "token", "x"])
SEATS = st.lists(st.dictionaries(KEYS, VALUES | st.sampled_from(["here", "agent"])))


@FUZZED
@given(body=st.fixed_dictionaries({}, optional={"players": VALUES, "seats": SEATS | VALUES, "edition": VALUES, "seed": VALUES,
                                                "clock": VALUES, "pace": VALUES, "board": VALUES, "more": VALUES}))  # fmt: skip
def test_bad_games_are_refused(server: Server, game: str, body: dict) -> None:
    check_refused(server.ask("/api/games", content=json.dumps(body).encode("utf-8", "replace"), method="POST"), 400)


@FUZZED
@given(data=st.binary(max_size=300) | VALUES.map(lambda value: json.dumps(value).encode("utf-8", "replace")))
def test_bad_files_are_refused(server: Server, game: str, data: bytes) -> None:
    check_refused(server.ask("/api/records", content=data, method="POST"), 400)


@FUZZED
@given(
    name=st.text(alphabet="abAB09_-%./\\ é", min_size=1, max_size=40),
    rest=st.sampled_from(
        ["", "/positions/0", "/record", "/links", "/branches", "/estimates?agent=greedy&first=0&last=1", "/curve?agent=greedy"]
    ),
)
def test_games_that_are_not_there(server: Server, name: str, rest: str) -> None:
    from urllib.parse import quote

    check_refused(server.ask(f"/api/games/{quote(name, safe='')}{rest}", method="DELETE" if not rest else "GET"), 404, 405)


@FUZZED
@given(message=st.one_of(
    VALUES.map(json.dumps), st.text(max_size=60), st.binary(max_size=60),
    st.fixed_dictionaries({"type": st.sampled_from(["decide", "undo", "pause", "pace", "replace", "hello", "x"])}, optional={
        "seq": st.integers(-3, 9) | VALUES, "texts": st.lists(st.text(max_size=90), max_size=6) | VALUES, "id": VALUES,
        "seconds": VALUES, "seat": VALUES, "agent": VALUES, "held": VALUES}).map(json.dumps)))  # fmt: skip
def test_bad_messages_of_a_guest_are_refused_and_the_socket_stays(server: Server, game: str, message: str | bytes) -> None:
    token = server.ask(f"/api/games/{game}/links").json()["guests"]["1"]
    with server.sit(game, token) as sitting:
        sitting.hear("welcome")
        sitting.socket.send(message)
        refused = sitting.hear("refused")
        assert refused["why"] and 400 <= refused["status"] < 500
        assert refused["seq"] == 0, "nothing has happened"


def test_after_all_that_the_game_stands_as_it_did(server: Server) -> None:
    """The same, one of each kind, with a look at everything before and after."""
    game = server.deal(HERE, GUEST, GREEDY, seed=9)
    before = standing(server, game)
    links = server.ask(f"/api/games/{game}/links").json()
    bob = links["guests"]["1"]
    answers = [
        server.ask("/api/games", host=False), server.ask("/api/games", {"players": 2, "seats": []}, host=False),
        server.ask(f"/api/games/{game}/links", host=False), server.ask(f"/api/games/{game}/links?token={bob}", host=False),
        server.ask(f"/api/games/{game}", method="DELETE", host=False),
        server.ask(f"/api/games/{game}/branches?token={bob}", {"at": 0}, host=False),
        server.ask(f"/api/games/{game}/record?token=wrong", host=False), server.ask(f"/api/games/{game}/record", host=False),
        server.ask(f"/api/games/{game}/positions/99"), server.ask(f"/api/games/{game}/positions/{10**30}"),
        server.ask(f"/api/games/{game}/branches", {"at": 5}), server.ask(f"/api/games/{game}/nothing"),
        server.ask(f"/api/games/{game}/estimates?agent=greedy&first=0&last=1"),
        server.ask("/page/../store.py"), server.ask("/page/%2e%2e%2fstore.py"), server.ask("/page/nothing.js"),
        server.ask(f"/page/{'a' * 5000}", host=False), server.ask(f"/page/{'a' * 5000}.js", host=False),
        server.ask("/page/nul%00.js", host=False), server.ask(f"/api/games/{'a' * 5000}", method="DELETE"),
        server.ask(f"/api/games/{game}/positions/{'9' * 5000}", host=False), server.ask(f"/api/games/{game}/positions/-1"),
        server.ask("/api/games", content=b"x" * 5_000_000, method="POST"),
        server.ask("/api/records", content=iter([b"y" * 1_000_000] * 5), method="POST"),
        server.ask("/api/choices", host=False, headers={"Cookie": f"hansa_table_{server.port}=wrong"}),
    ]  # fmt: skip
    for answer in answers:
        check_refused(answer)
    assert [answer.status_code for answer in answers[:8]] == [403] * 8
    assert [answer.status_code for answer in answers[-3:]] == [413, 413, 403]
    assert answers[10].json()["error"].startswith("people play against each other here;")
    after = standing(server, game)
    assert after[:2] == before[:2] and game in after[2]


@pytest.mark.parametrize(("headers", "status"), [
    ({"Host": "evil.example"}, 421), ({"Host": "evil.example:8642"}, 421), ({"Origin": "http://evil.example"}, 403),
    ({"Origin": "null"}, 403), ({"Origin": "http://127.0.0.1:1"}, 403), ({"Host": "[::"}, 421),
    ({"Host": "localhost:http"}, 421), ({"Host": "localhost:99999"}, 421),
])  # fmt: skip
def test_other_sites_are_kept_out(server: Server, game: str, headers: dict, status: int) -> None:
    check_refused(server.ask("/api/games", headers=headers), status)
    asked = {"Host": server.address, "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
             "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", **headers}  # fmt: skip
    lines = [f"GET /api/games/{game}/socket HTTP/1.1", *(f"{name}: {value}" for name, value in asked.items()), "", ""]
    assert raw_answer(server, "\r\n".join(lines).encode()).startswith(f"HTTP/1.1 {status}".encode())


def test_the_own_page_is_let_in(server: Server, game: str) -> None:
    own = socket.gethostname().partition(".")[0]
    names = ("localhost", own, f"{own}.local", "192.0.2.7")  # no other site can make an address its name
    for host in (server.address, *(f"{name}:{server.port}" for name in names)):
        assert server.ask("/api/games", headers={"Host": host, "Origin": f"http://{host}"}).status_code == 200


def test_sockets_without_a_link_hear_nothing(server: Server, game: str) -> None:
    hellos = '{"type":"hello"}', '{"type":"hello","token":"wrong"}', "nonsense", '{"type":"hello","since":5}', b"\xff\xfe"
    for hello in hellos:
        with client.connect(f"ws://{server.address}/api/games/{game}/socket") as connection:
            connection.send(hello)
            heard = []
            with pytest.raises(Exception, match=r"440[03]"):
                while True:
                    heard.append(connection.recv(timeout=10))
            assert heard == []


def test_a_socket_says_whether_there_is_no_game_or_no_seat(server: Server, game: str) -> None:
    for name, token, code in (("not-there", None, 4404), (game, "wrong", 4403)):
        with server.sit(name, token) as sitting, pytest.raises(Exception, match=str(code)):
            sitting.hear("welcome")


def test_a_page_that_has_heard_more_than_happened_is_told_everything(server: Server, game: str) -> None:
    """As where an older file of games has been put back."""
    with server.sit(game, since=5) as sitting:
        assert sitting.hear("welcome")["seq"] == 0


def test_a_message_that_is_too_long_ends_the_socket_only(server: Server, game: str) -> None:
    with server.sit(game) as sitting:
        sitting.hear("welcome")
        sitting.socket.send("x" * 200_000)
        with pytest.raises(Exception, match="1009"):
            while True:
                sitting.socket.recv(timeout=10)
    assert standing(server, game)[0]["seq"] == 0


@pytest.mark.parametrize("raw", [
    b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"NONSENSE\r\n\r\n",
    b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -5\r\n\r\n",
    b"GET /api/games/" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
])  # fmt: skip
def test_requests_that_are_no_http_are_refused(server: Server, raw: bytes) -> None:
    said = raw_answer(server, raw)
    assert said.startswith(b"HTTP/1.1 4") and b"Traceback" not in said


def test_the_page_and_a_proxy_let_through_as_much_as_the_table(server: Server) -> None:
    assert server.ask("/api/choices").json()["largest_file"] == LARGEST_BODY
    assert f"client_max_body_size {LARGEST_BODY // 2**20}m;" in (ROOT / "docs/table.md").read_text("utf-8")
