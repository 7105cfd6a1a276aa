"""Access control for servers of HTTP on this machine: every request checked, every response with headers."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 8 << 20
"""Bytes of the largest request."""


class Json(Response):
    """A value as JSON, with special characters escaped."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The bytes of a value."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


# Other pages in the same browser, and names that others point at this machine, are detected by the headers
# ``Host`` and ``Origin``. Other users of the machine do not have the token.

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; frame-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
)
"""The permissions of a page (Content-Security-Policy); a response that has its own keeps it."""
SAFE = ("GET", "HEAD")
NAMES = ("127.0.0.1", "localhost")
NO_PORT = 80
"""The default port, which browsers omit."""


class RequestGuard:
    """An application with access control: every request is checked, and every response gets security headers.

    A page, ``/``, is opened by ``?token=``, which sets a cookie. All else needs the cookie, or
    ``Authorization: Bearer TOKEN``. Without a `page` only the bearer token counts. `advice` says where the
    token is found. Requests that change something need an ``Origin`` of ours, or a bearer token and no
    origin. `log` takes a line for every answer, without the token.
    """

    def __init__(
        self,
        app: ASGIApp,
        token: str,
        port: int,
        log: Callable[[str], None] | None = None,
        *,
        page: bool,
        advice: str,
    ) -> None:
        self.app = app
        self.log = log
        self.page = page
        self.advice = advice
        self.token = token
        self.cookie = f"bordeaux-{port}"
        hosts = [f"{name}:{port}" for name in NAMES] + (list(NAMES) if port == NO_PORT else [])
        self.hosts = frozenset(hosts)
        self.origins = frozenset(f"http://{host}" for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let the application do it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            # There are no web sockets here.
            await send({"type": "websocket.close", "code": 1008})
            return
        asked = HTTPConnection(scope)
        enters = False

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._finish(MutableHeaders(scope=message), scope["path"], enters)
                if self.log is not None:
                    self.log(f"{scope['method']} {scope['path'][:200]} {message['status']}")
            await send(message)

        refusal = self._refusal(asked)
        if refusal is None and not self._known(asked):
            enters = self.page and scope["path"] == "/" and self._same(asked.query_params.get("token", ""))
            if not enters:
                refusal = self._stranger(scope)
        await (refusal or self.app)(scope, receive, guarded)

    def _refusal(self, asked: HTTPConnection) -> Response | None:
        """The reason to refuse a request from any client, if any."""
        scope, headers = asked.scope, asked.headers
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            return Json(
                {"error": "this server answers to 127.0.0.1 and localhost alone; use the address it printed"},
                403,
            )
        origins = headers.getlist("origin")
        foreign = any(origin not in self.origins for origin in origins)
        safe = scope["method"] in SAFE
        unproven = not safe and not origins and not self._bearer(asked)
        if unproven and not self._known(asked):
            return self._stranger(scope)  # A program, most likely: it knows no page.
        if foreign or unproven:
            return Json({"error": "this request comes from another page, and is refused"}, 403)
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or len(length) > 15 or int(length) > LARGEST_BODY:
            return Json(
                {"error": f"the request is larger than {LARGEST_BODY >> 20} MB; send one game or position"},
                413,
            )
        return None

    def _stranger(self, scope: Scope) -> Response:
        """The answer to a request without the token."""
        reason = f"the token is missing or wrong: {self.advice}"
        # What a browser shows as a page is text.
        if self.page and not scope["path"].startswith("/api/"):
            return PlainTextResponse(f"Bordeaux: {reason}\n", 403)
        return Json({"error": reason}, 403)

    def _known(self, asked: HTTPConnection) -> bool:
        """Whether a request has the token, as a cookie or a bearer token. Other servers of this machine set
        cookies too, of any form."""
        return self._bearer(asked) or (self.page and self._same(asked.cookies.get(self.cookie, "")))

    def _bearer(self, asked: HTTPConnection) -> bool:
        kind, _, value = asked.headers.get("authorization", "").partition(" ")
        return kind.lower() == "bearer" and self._same(value.strip())

    def _same(self, given: str) -> bool:
        """Whether this is the token, compared in constant time."""
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def _finish(self, headers: MutableHeaders, path: str, enters: bool) -> None:
        headers.setdefault("Content-Security-Policy", POLICY)
        headers["X-Content-Type-Options"] = "nosniff"
        headers["Referrer-Policy"] = "no-referrer"
        headers["Cross-Origin-Resource-Policy"] = "same-origin"
        headers["Cross-Origin-Opener-Policy"] = "same-origin"
        headers["Cache-Control"] = "no-cache" if path.startswith("/static/") else "no-store"
        if enters:
            headers.append("Set-Cookie", f"{self.cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/")
