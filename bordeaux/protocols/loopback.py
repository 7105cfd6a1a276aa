"""Servers of HTTP for this machine alone: a socket, a check of every request, an orderly end on a signal."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import resource
import signal
import socket
import sys
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from typing import Any, ClassVar
from urllib.parse import parse_qs

import uvicorn
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from bordeaux.board.errors import BordeauxError

__all__ = ["ADDRESS", "LARGEST_BODY", "POLICY", "SIGNALS", "Json", "RequestGuard", "listening", "served"]

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
        headers = Headers(scope=scope)
        enters = False

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._finish(MutableHeaders(scope=message), scope["path"], enters)
                if self.log is not None:
                    self.log(f"{scope['method']} {scope['path'][:200]} {message['status']}")
            await send(message)

        refusal = self._refusal(scope, headers)
        if refusal is None and not self._known(headers):
            enters = self.page and scope["path"] == "/" and self._same(self._asked_token(scope))
            if not enters:
                refusal = self._stranger(scope)
        await (refusal or self.app)(scope, receive, guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """The reason to refuse a request from any client, if any."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            return Json(
                {"error": "this server answers to 127.0.0.1 and localhost alone; use the address it printed"},
                403,
            )
        origins = headers.getlist("origin")
        foreign = any(origin not in self.origins for origin in origins)
        safe = scope["method"] in SAFE
        if foreign or (not safe and not origins and not self._bearer(headers)):
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
        if scope["path"] == "/":
            return PlainTextResponse(f"Bordeaux: {reason}\n", 403)
        return Json({"error": reason}, 403)

    def _known(self, headers: Headers) -> bool:
        """Whether a request has the token, as a cookie or a bearer token."""
        if self._bearer(headers):
            return True
        for header in headers.getlist("cookie") if self.page else ():
            try:
                cookie = SimpleCookie(header).get(self.cookie)
            except CookieError:
                continue
            if cookie is not None and self._same(cookie.value):
                return True
        return False

    def _bearer(self, headers: Headers) -> bool:
        kind, _, value = headers.get("authorization", "").partition(" ")
        return kind.lower() == "bearer" and self._same(value.strip())

    def _asked_token(self, scope: Scope) -> str:
        tokens = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=20).get("token", [""])
        return tokens[0]

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


ADDRESS = "127.0.0.1"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PATIENCE = 1
"""Seconds that requests have to finish when the server stops."""
BACKLOG = 128
"""Connections that wait to be accepted, and that are accepted at once."""


def listening(*ports: int, option: str = "--port") -> socket.socket:
    """A socket that listens on this machine, at the first of some ports that is free; 0 is any free one.
    Raises BordeauxError if that is impossible; `option` is the one that names the port."""
    for number in ports:
        # With the protocol named asyncio turns Nagle's delays off: 40 ms a request.
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((ADDRESS, number))
            made.listen(BACKLOG)
            made.setblocking(False)
            return made
        except OSError as error:
            made.close()
            why = error.strerror or str(error)
    raise BordeauxError(
        f"cannot listen on {ADDRESS}:{ports[-1]}: {why}; name another {option}, or 0 for any free one"
    )


IDLE = 10.0
"""Seconds that a connection may take for the head of a request."""


def most_connections() -> int:
    """Connections that are held at most: half of the descriptors are kept for files and processes."""
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 400 if soft == resource.RLIM_INFINITY else max(16, min(400, (soft - BACKLOG) // 2))


class HttpConnection(H11Protocol):
    """A connection that has to ask for something. One without a request is closed after IDLE seconds. Where
    there are too many, the oldest of them makes room for a new one."""

    waiting: ClassVar[dict[HttpConnection, None]] = {}
    """Connections without a request, the oldest first."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Hold the connection, and make room if there are too many."""
        super().connection_made(transport)
        self._late: asyncio.TimerHandle | None = None
        self._look()
        if len(self.connections) > most_connections() and self.waiting:
            next(iter(self.waiting)).drop()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._wait(False)
        super().connection_lost(exc)

    def drop(self) -> None:
        """Close the connection at once."""
        self._wait(False)
        self.transport.abort()

    def _look(self) -> None:
        self._wait((self.cycle is None or self.cycle.response_complete) and not self.transport.is_closing())

    def _wait(self, waits: bool) -> None:
        if waits and self._late is None:
            self.waiting[self] = None
            self._late = self.loop.call_later(IDLE, self.drop)
        elif not waits and self._late is not None:
            self._late.cancel()
            self._late = None
            self.waiting.pop(self, None)


class Server(uvicorn.Server):
    """A server that leaves signals to its caller."""

    def capture_signals(self) -> contextlib.AbstractContextManager[None]:  # type: ignore[override]
        """Do not handle signals."""
        return contextlib.nullcontext()


def served(
    app: ASGIApp,
    sock: socket.socket,
    ready: Callable[[], None],
    stopping: Callable[[], None] = lambda: None,
) -> int:
    """Answer requests until a signal comes; returns 128 and its number, or 0. `ready` is called once it
    answers, `stopping` at a signal."""
    return asyncio.run(_served(app, sock, ready, stopping))


async def _served(
    app: ASGIApp, sock: socket.socket, ready: Callable[[], None], stopping: Callable[[], None]
) -> int:
    code = 0
    server = Server(
        uvicorn.Config(
            app,
            http=HttpConnection,
            backlog=BACKLOG,
            # The server reports faults itself. The access log would contain the token.
            log_level="critical",
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=PATIENCE,
        )
    )

    def stop(number: int) -> None:
        nonlocal code
        if code:
            server.force_exit = True
        code = code or 128 + number
        server.should_exit = True
        stopping()

    loop = asyncio.get_running_loop()
    told = False

    def fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal told
        if not isinstance(context.get("exception"), OSError):
            loop.default_exception_handler(context)
        elif not told:
            told = True
            print(f"connections cannot be accepted: {context['exception']}", file=sys.stderr)

    loop.set_exception_handler(fault)
    for number in SIGNALS:
        loop.add_signal_handler(number, stop, number)
    try:
        # The socket listens already: who comes now waits for a moment.
        ready()
        await server.serve(sockets=[sock])
    finally:
        for number in SIGNALS:
            loop.remove_signal_handler(number)
    return code
