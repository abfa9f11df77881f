"""Who may ask: the checks that every request passes before anything else.

A server on the loopback address is open to every page in the user's browser, and to names that are made to point there. So
requests must name this machine, or any address (`Host`), and may not come from another site (`Origin`). The host is known by a
key, which the link that the server prints leaves in a cookie of its site alone.

Names by which people reach the server through a proxy with TLS are named when it starts. Whoever asks by such a name came by
https, or has no business here: requests from an http page of that name are refused, and its cookie goes over https alone.
`X-Forwarded-Proto` and the like count for nothing, as anybody who reaches the server can send them.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hansa_env.table.store import LARGEST

#: Bytes of a request: what is sent can be kept. A proxy is told the same (docs/table.md).
LARGEST_BODY = LARGEST
#: Where the guard notes in a scope that the request came by TLS.
_BY_TLS = "hansa_env.by_tls"
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")
#: Nothing is loaded from elsewhere, run inline, framed, or told where it was linked from.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
        "frame-ancestors 'none'; form-action 'self'; base-uri 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """The checks, around an application.

    Args:
        app: what is guarded.
        names: further names of this machine.
        proxied: names by which people reach it through a proxy with TLS.
    """

    def __init__(self, app: ASGIApp, names: Sequence[str] = (), proxied: Sequence[str] = ()) -> None:
        self.app = app
        self.names = own_names() | {name.lower() for name in names}
        self.proxied = {name.lower() for name in proxied}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        problem = self._problem(scope)
        if problem is not None:
            status, text = problem
            await JSONResponse({"error": text}, status)(scope, receive, send)  # a socket is refused before it opens
        else:
            scope[_BY_TLS] = name_in(Headers(scope=scope)["host"]) in self.proxied
            await self.app(scope, receive, _with_headers(send))

    def _problem(self, scope: Scope) -> tuple[int, str] | None:
        """What is wrong with a request, as a status and a text."""
        headers = Headers(scope=scope)
        hosts, origins, lengths = (headers.getlist(name) for name in ("host", "origin", "content-length"))
        if len(hosts) != 1 or not self._is_here(hosts[0]):
            return 421, "Host names another machine; open the address that hansa table printed"
        if origins and (len(origins) != 1 or not self._is_own(origins[0], hosts[0])):
            return 403, "the request comes from another site"
        if headers.get("sec-fetch-site", "same-origin") == "cross-site" and scope["type"] == "websocket":
            return 403, "the request comes from another site"
        if any(length.isdecimal() and int(length[:20]) > LARGEST_BODY for length in lengths):
            return 413, f"the request is larger than {LARGEST_BODY // 2**20} MiB"
        return None

    def _is_here(self, host: str) -> bool:
        """An address, or a name of this machine: another site cannot make its name one of these."""
        name = name_in(host)
        if name in self.names or name in self.proxied:
            return True
        return is_address(name)

    def _is_own(self, origin: str, host: str) -> bool:
        """Whether a page of that origin came from here: from the host that it asks, and by TLS where that stands before it."""
        try:
            parts = urlsplit(origin)
        except ValueError:  # of a bracket
            return False
        return parts.netloc.lower() == host.lower() and (parts.scheme == "https" or name_in(host) not in self.proxied)


def name_in(host: str) -> str:
    """The name or address in a `Host`, in lower case; "" where it has none, or a port that is no number."""
    try:
        parts = urlsplit(f"//{host}")
        name, _ = (parts.hostname or "").lower(), parts.port
    except ValueError:  # of a bracket, or of the port
        return ""
    return name


def own_names() -> set[str]:
    """The names that this machine has by itself, in lower case."""
    own = socket.gethostname().lower()
    return {"localhost", own, f"{own.partition('.')[0]}.local"}


def checked_name(name: str, listening: str) -> str:
    """A name for `proxied`, of a table that listens at an address or name.

    The machine's own name may be one where it has a domain: the proxy may run here.

    Raises:
        ValueError: it is no name, or one by which people come here without a proxy, whom it would lock out.
    """
    if len(name) > 253 or not _NAME.fullmatch(name) or is_address(name):
        raise ValueError(f"--name is {name!r}; expected the name alone of the host that people see, such as play.example.org")
    in_network = {own for own in own_names() if "." not in own or own.endswith(".local")}
    if name.lower() in in_network | {listening.lower()}:
        raise ValueError(
            f"--name is {name!r}, by which people come here without a proxy; expected the proxy's, such as play.example.org"
        )
    return name


def is_address(name: str) -> bool:
    """Whether this is an IP address, not a name."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _with_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return with_headers


def is_host(connection: HTTPConnection, key: str) -> bool:
    """Whether the request carries the host's key."""
    return is_same(connection.cookies.get(cookie_name(connection), ""), key)


def is_by_tls(connection: HTTPConnection) -> bool:
    """Whether the request came by a name that a proxy with TLS answers for."""
    return bool(connection.scope.get(_BY_TLS))


def cookie_name(connection: HTTPConnection) -> str:
    """What the cookie with the key is called: browsers share cookies among all ports, so each table has a name of its own."""
    return f"hansa_table_{connection.url.port or 80}"


def is_same(given: str, secret: str) -> bool:
    """Whether a word is the secret one; how long that takes tells nothing of it."""
    return hmac.compare_digest(given.encode(), secret.encode())
