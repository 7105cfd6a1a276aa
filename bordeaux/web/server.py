"""The server: a socket on this machine only, all routes behind the access check, and an orderly end on a
signal."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.resources import as_file, files
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from bordeaux.protocols import loopback
from bordeaux.protocols.loopback import ADDRESS
from bordeaux.protocols.request_guard import POLICY, Json, RequestGuard
from bordeaux.web import (
    attempts,
    engine_routes,
    exports,
    nodes,
    play_routes,
    recorded_routes,
    reviews,
    studies,
)
from bordeaux.web.routing import ServerState, failed

__all__ = ["ADDRESS", "POLICY", "PORT", "application", "listening", "routes", "serve"]

ROUTED = (studies, nodes, exports, engine_routes, play_routes, recorded_routes, reviews, attempts)
"""The modules with routes; each has ROUTES."""


def folder() -> Path:
    """The folder with the files of the page."""
    with as_file(files("bordeaux.web").joinpath("static")) as path:
        return path


def routes() -> list[BaseRoute]:
    """All routes, the page itself last."""
    routes_of_modules = [route for module in ROUTED for route in module.ROUTES]
    return [*routes_of_modules, Route("/", page), Mount("/static", StaticFiles(directory=folder()))]


async def page(request: Request) -> Response:
    """The page."""
    return FileResponse(folder() / "index.html", media_type="text/html; charset=utf-8")


def application(server_state: ServerState, token: str, port: int, *, verbose: bool = False) -> RequestGuard:
    """The whole application for a server at a port of this machine; the token gives access. With `verbose`,
    every answer is logged."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        engine_routes.open_up(server_state)
        play_routes.open_up(server_state)
        reviews.open_up(server_state)
        attempts.open_up(server_state)
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
    return RequestGuard(
        app,
        token,
        port,
        server_state.log if verbose else None,
        page=True,
        advice="open the address that bordeaux analyse has printed; after it this one opens too",
    )


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
    """Answer requests until a signal comes; returns 128 and its number, or 0. `ready` is called once it
    answers."""

    def began() -> None:
        ready()
        engine_routes.warm_up(server_state)

    app = application(server_state, token, sock.getsockname()[1], verbose=verbose)
    return loopback.served(app, sock, began, server_state.stop)
