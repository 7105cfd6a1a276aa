"""The server: a socket on this machine only, all routes behind the access check, and an orderly end on a
signal."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount
from starlette.routing import Route as ServedRoute
from starlette.staticfiles import StaticFiles

from bordeaux.formats.source import decode, parse_json
from bordeaux.protocols import loopback
from bordeaux.protocols.loopback import ADDRESS
from bordeaux.protocols.request_guard import LARGEST_BODY, POLICY, Json, RequestGuard
from bordeaux.studies.study import Refused
from bordeaux.web.engine_routes import analyses_of
from bordeaux.web.events import Event, Hub, encoded
from bordeaux.web.rooms import ROUTES
from bordeaux.web.routing import EventStream, PageRoute, RouteReply, RouteRequest, ServerState, answered

__all__ = ["ADDRESS", "POLICY", "PORT", "application", "listening", "routes", "serve"]


def folder() -> Path:
    """The folder with the files of the page."""
    with as_file(files("bordeaux.web").joinpath("static")) as path:
        return path


def routes() -> list[BaseRoute]:
    """All routes, the page itself last."""
    static = Mount("/static", StaticFiles(directory=folder()))
    return [*map(served, ROUTES), ServedRoute("/", page), static]


def served(route: PageRoute) -> ServedRoute:
    """A route of the server; its work is done in a thread."""

    async def endpoint(request: Request) -> Response:
        server_state: ServerState = request.app.state.server_state
        try:
            body = await body_of(request)
        except ClientDisconnect:
            # That a client went away while it was heard is no fault.
            return Json({"error": "the request is not whole"}, 400)
        except Exception as error:
            return failed(server_state, error)
        ask = RouteRequest(request.path_params, request.query_params, body)
        work = partial(route.work, server_state, ask)
        return response(server_state, await run_in_threadpool(answered, server_state, work))

    name = f"{route.method} {route.path}"
    return ServedRoute(route.path, endpoint, methods=[route.method], name=name)


def failed(server_state: ServerState, error: Exception) -> Response:
    """The answer where no route could give one."""

    def work() -> None:
        raise error

    return response(server_state, answered(server_state, work))


def response(server_state: ServerState, answer: RouteReply | EventStream) -> Response:
    """An answer in the form of the server."""
    if isinstance(answer, EventStream):
        return StreamingResponse(told(server_state.hub, *answer), media_type="text/event-stream")
    return Response(answer.content, answer.status, dict(answer.headers), answer.media_type)


async def body_of(request: Request) -> Any:
    """The JSON of a request. Raises Refused if it is too large, FormatError if it is invalid."""
    if request.method in ("GET", "HEAD"):
        return None
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > LARGEST_BODY:
            large = f"the request is larger than {LARGEST_BODY >> 20} MB"
            raise Refused(413, f"{large}; send one game or position")
        parts.append(part)
    data = b"".join(parts)
    return await run_in_threadpool(lambda: parse_json(decode(data))) if data.strip() else None


PING = 15.0
"""Seconds of silence after which a stream sends a ping."""
MOST_WAITING = 1000
"""Events that may wait for a listener; with more its stream ends, and the page opens another."""
AGAIN = 1000
"""Milliseconds after which a page reopens a stream that has ended."""


async def told(hub: Hub, topic: str, first: Callable[[], Iterable[Event]] = tuple) -> AsyncIterator[str]:
    """The events of a topic in the format of server-sent events."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[tuple[str, str] | None] = asyncio.Queue()

    def keep(event: tuple[str, str] | None) -> None:
        if queue.qsize() <= MOST_WAITING:
            queue.put_nowait(event if queue.qsize() < MOST_WAITING else None)

    def put(event: tuple[str, str] | None) -> None:
        # From any thread. A loop that is closed says so: then nobody listens any more.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(keep, event)

    if not hub.listen(topic, put):
        return
    try:
        yield f"retry: {AGAIN}\n\n" + "".join(line(name, encoded(data)) for name, data in first())
        while True:
            try:
                event = await asyncio.wait_for(queue.get(), PING)
            except TimeoutError:
                event = "ping", "{}"
            if event is None:
                return
            yield line(*event)
    finally:
        hub.leave(topic, put)


def line(name: str, data: str) -> str:
    """An event in the format of the stream."""
    return f"event: {name}\ndata: {data}\n\n"


async def page(request: Request) -> Response:
    """The page."""
    return FileResponse(folder() / "index.html", media_type="text/html; charset=utf-8")


def application(server_state: ServerState, token: str, port: int, *, verbose: bool = False) -> RequestGuard:
    """The application for a server at a port of this machine; with `verbose`, every answer is logged."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        server_state.close()

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        reasons = {
            404: f"there is nothing at {request.url.path}",
            405: f"{request.url.path} takes no {request.method}",
        }
        return Json({"error": reasons.get(error.status_code, error.detail)[:300]}, error.status_code)

    async def broken(request: Request, error: Exception) -> Response:
        return failed(server_state, error)

    app = Starlette(
        routes=routes(), lifespan=lifespan, exception_handlers={HTTPException: refused, Exception: broken}
    )
    app.state.server_state = server_state
    advice = "open the address that bordeaux analyse has printed; after it this one opens too"
    return RequestGuard(app, token, port, server_state.log if verbose else None, page=True, advice=advice)


PORT = 16714
"""The port that is tried first by default, so that open pages find a restarted server."""


def listening(port: int | None) -> socket.socket:
    """A socket that listens on this machine: at a given port, at any free one for 0, and by default at PORT
    if that is free. Raises BordeauxError if that is impossible."""
    return loopback.listening(*([PORT, 0] if port is None else [port]))


def serve(
    server_state: ServerState,
    token: str,
    sock: socket.socket,
    ready: Callable[[], None],
    *,
    verbose: bool = False,
) -> int:
    """Answer requests until a signal comes, whose number and 128 is returned; `ready` is called at first."""

    def began() -> None:
        ready()
        # The engine's process is started before it is needed.
        analyses_of(server_state).warm_up()

    app = application(server_state, token, sock.getsockname()[1], verbose=verbose)
    return loopback.served(app, sock, began, server_state.stop)
