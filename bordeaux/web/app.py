"""The application: all routes, the files of the page, and the access check."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import as_file, files
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from bordeaux.web import exports, mind, nodes, pictures, play, played, reviews, setup, studies, tries
from bordeaux.web.house import House, Json, failed
from bordeaux.web.security import RequestGuard

__all__ = ["application", "routes"]

ROOMS = (studies, nodes, pictures, setup, exports, mind, play, played, reviews, tries)
"""The modules with routes; each has ROUTES."""


def folder() -> Path:
    """The folder with the files of the page."""
    with as_file(files("bordeaux.web").joinpath("static")) as path:
        return path


def routes() -> list[BaseRoute]:
    """All routes, the page itself last."""
    routes_of_rooms = [route for room in ROOMS for route in room.ROUTES]
    return [*routes_of_rooms, Route("/", page), Mount("/static", StaticFiles(directory=folder()))]


async def page(request: Request) -> Response:
    """The page."""
    return FileResponse(folder() / "index.html", media_type="text/html; charset=utf-8")


def application(house: House, token: str, port: int, *, verbose: bool = False) -> RequestGuard:
    """The whole application for a server at a port of this machine; the token gives access. With `verbose`,
    every answer is logged."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        mind.open_up(house)
        play.open_up(house)
        reviews.open_up(house)
        tries.open_up(house)
        yield
        house.close()

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        reasons = {
            404: f"there is nothing at {request.url.path}",
            405: f"{request.url.path} takes no {request.method}",
        }
        return Json({"error": reasons.get(error.status_code, error.detail)[:300]}, error.status_code)

    async def broken(request: Request, error: Exception) -> Response:
        return failed(house, error)

    app = Starlette(
        routes=routes(), lifespan=lifespan, exception_handlers={HTTPException: refused, Exception: broken}
    )
    app.state.house = house
    return RequestGuard(app, token, port, house.log if verbose else None)
