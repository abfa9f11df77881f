"""The table behind a proxy with TLS: by the names that it was given people come in, by https."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hansa_env.commands.cli import app

starlette = pytest.importorskip("starlette.testclient", reason="needs the extra 'table'")

from starlette.applications import Starlette  # noqa: E402
from starlette.responses import PlainTextResponse  # noqa: E402
from starlette.routing import Route, WebSocketRoute  # noqa: E402

from hansa_env.table.guard import Guard, checked_name  # noqa: E402
from hansa_env.table.server import application  # noqa: E402

NAME = "play.example.org"


def client(*proxied: str) -> Any:
    """Asks an application that answers everything, behind the guard."""

    async def socket(given: Any) -> None:
        await given.accept()
        await given.close()

    made = Starlette(routes=[Route("/", lambda _: PlainTextResponse("in")), WebSocketRoute("/socket", socket)])
    return starlette.TestClient(Guard(made, (), proxied), base_url="http://127.0.0.1:8642")


@pytest.mark.parametrize(("host", "origin", "status"), [
    (NAME, None, 200), (NAME, f"https://{NAME}", 200), (NAME.upper(), f"https://{NAME}", 200),
    (f"{NAME}:8443", f"https://{NAME}:8443", 200), ("127.0.0.1:8642", "http://127.0.0.1:8642", 200),
    (NAME, f"http://{NAME}", 403), (NAME, "https://evil.example.org", 403), (NAME, f"https://{NAME}:8443", 403),
    ("127.0.0.1:8642", f"https://{NAME}", 403), (NAME, "null", 403), (NAME, "https://[", 403),
    ("evil.example.org", "https://evil.example.org", 421), (f"evil.{NAME}", f"https://evil.{NAME}", 421),
])  # fmt: skip
def test_who_comes_through_a_proxy_is_let_in_and_other_sites_are_not(host: str, origin: str | None, status: int) -> None:
    headers = {"Host": host} | ({"Origin": origin} if origin else {})
    asking = client(NAME)
    assert asking.get("/", headers=headers).status_code == status
    if status == 200:
        with asking.websocket_connect("/socket", headers=headers):
            pass
    else:
        with pytest.raises(starlette.WebSocketDenialResponse), asking.websocket_connect("/socket", headers=headers):
            pass


@pytest.mark.parametrize(("more", "status"), [
    ([("Host", "evil.example.org")], 421), ([("Host", "127.0.0.1:8642")], 421),
    ([("Origin", "http://127.0.0.1:8642"), ("Origin", "https://evil.example.org")], 403),
])  # fmt: skip
def test_what_names_two_hosts_or_two_origins_is_refused(more: list[tuple[str, str]], status: int) -> None:
    """Whatever the first of them says: something behind the guard may take the other."""
    headers = [("Host", "127.0.0.1:8642"), *more]
    assert client().get("/", headers=headers).status_code == status


def test_a_socket_that_another_site_opens_is_refused_also_where_the_browser_names_no_origin() -> None:
    """A page may be opened by a link from anywhere."""
    asking, headers = client(), {"Host": "127.0.0.1:8642", "Sec-Fetch-Site": "cross-site"}
    assert asking.get("/", headers=headers).status_code == 200
    with pytest.raises(starlette.WebSocketDenialResponse) as denied, asking.websocket_connect("/socket", headers=headers):
        pass
    assert denied.value.status_code == 403
    for site in ("same-origin", "none"):
        with asking.websocket_connect("/socket", headers=headers | {"Sec-Fetch-Site": site}):
            pass


def test_a_name_that_was_not_given_is_another_machines() -> None:
    assert client().get("/", headers={"Host": NAME}).status_code == 421


def test_the_cookie_of_a_name_behind_a_proxy_goes_over_https_only(tmp_path: Path) -> None:
    """Whatever headers say that anybody can send."""
    made = application(tmp_path / "games.sqlite", prepare=False, proxied=(NAME,))
    asking = starlette.TestClient(made.app, base_url="http://127.0.0.1:8642", follow_redirects=False)
    for host, is_secure in ((NAME, True), ("127.0.0.1:8642", False)):
        for scheme in ("http", "https"):
            headers = {"Host": host, "X-Forwarded-Proto": scheme}
            cookie = asking.get(f"/?key={made.key}", headers=headers).headers["set-cookie"].lower()
            assert ("; secure" in cookie) == is_secure and "samesite=strict" in cookie
    made.pool.close()


@pytest.mark.parametrize("name", [f"https://{NAME}", f"{NAME}:443", f"{NAME}/", "192.168.1.5", "::1", "", "*.org"])
def test_what_is_no_name_is_told(tmp_path: Path, name: str) -> None:
    told = CliRunner().invoke(app, ["table", "--no-browser", "--games", str(tmp_path / "games.sqlite"), "--name", name])
    assert told.exit_code == 2 and f"--name is {name!r}; expected the name alone" in told.stderr


@pytest.mark.parametrize(("own", "host", "name"), [
    ("attic", "0.0.0.0", "localhost"), ("attic", "0.0.0.0", "Attic"), ("attic", "0.0.0.0", "attic.local"),
    ("attic.home.arpa", "0.0.0.0", "attic.local"), ("attic", NAME, NAME.upper()),
])  # fmt: skip
def test_a_name_by_which_people_come_without_a_proxy_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: str, host: str, name: str
) -> None:
    """They come by http, so they would be locked out."""
    monkeypatch.setattr("socket.gethostname", lambda: own)
    words = ["table", "--no-browser", "--games", str(tmp_path / "games.sqlite"), "--host", host, "--name", name]
    told = CliRunner().invoke(app, words)
    assert told.exit_code == 2 and f"--name is {name!r}, by which people come here without a proxy" in told.stderr


def test_the_proxy_may_have_the_name_of_the_machine_that_both_run_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: NAME)
    assert checked_name(NAME, "127.0.0.1") == NAME
