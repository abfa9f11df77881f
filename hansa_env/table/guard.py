"""Who may ask: the checks that every request passes before anything else.

A server on the loopback address is open to every page in the user's browser, and to names that are made to point there. So
requests must name this machine (`Host`) and may not come from another site (`Origin`). The host is known by a key, which the
link that the server prints leaves in a cookie of its site alone.
"""

from __future__ import annotations

import hmac
import ipaddress
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Bytes of a request.
LARGEST_BODY = 4 * 2**20
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
    """

    def __init__(self, app: ASGIApp, names: Sequence[str] = ()) -> None:
        self.app = app
        own = socket.gethostname().lower()
        self.names = {"localhost", own, f"{own.partition('.')[0]}.local", *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        problem = self._problem(scope)
        if problem is not None:
            status, text = problem
            await JSONResponse({"error": text}, status)(scope, receive, send)  # a socket is refused before it opens
        else:
            await self.app(scope, receive, _with_headers(send))

    def _problem(self, scope: Scope) -> tuple[int, str] | None:
        """What is wrong with a request, as a status and a text."""
        headers = Headers(scope=scope)
        hosts, origins, lengths = (headers.getlist(name) for name in ("host", "origin", "content-length"))
        if len(hosts) != 1 or not self._is_here(hosts[0]):
            return 421, "Host names another machine; open the address that hansa table printed"
        if origins and (len(origins) != 1 or urlsplit(origins[0]).netloc.lower() != hosts[0].lower()):
            return 403, "the request comes from another site"
        if headers.get("sec-fetch-site", "same-origin") == "cross-site" and scope["type"] == "websocket":
            return 403, "the request comes from another site"
        if any(length.isdecimal() and int(length[:20]) > LARGEST_BODY for length in lengths):
            return 413, f"the request is larger than {LARGEST_BODY // 2**20} MiB"
        return None

    def _is_here(self, host: str) -> bool:
        """An address, or a name of this machine: another site cannot make its name one of these."""
        try:
            parts = urlsplit(f"//{host}")
            name, _ = (parts.hostname or "").lower(), parts.port
        except ValueError:  # of a bracket, or a port that is no number
            return False
        if name in self.names:
            return True
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


def cookie_name(connection: HTTPConnection) -> str:
    """What the cookie with the key is called: browsers share cookies among all ports, so each table has a name of its own."""
    return f"hansa_table_{connection.url.port or 80}"


def is_same(given: str, secret: str) -> bool:
    """Whether a word is the secret one; how long that takes tells nothing of it."""
    return hmac.compare_digest(given.encode(), secret.encode())
