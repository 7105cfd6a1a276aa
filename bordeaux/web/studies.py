"""Routes of studies: list, create, rename, delete, and the server's capabilities."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

import bordeaux
from bordeaux.board.errors import FormatError, quote
from bordeaux.board.mapfile import bundled_maps
from bordeaux.board.pieces import named_map, table
from bordeaux.board.position import Position
from bordeaux.jobs.pool import available_cores
from bordeaux.rules.rulesets import RULE_SETS, rules_named
from bordeaux.view.board.heat import HEATS
from bordeaux.web.details import study_details
from bordeaux.web.house import House, RouteRequest, failed, route
from bordeaux.web.intake import Read, read_any, study_of_fragment, study_of_position
from bordeaux.web.store import named
from bordeaux.web.study import Study

__all__ = ["ROUTES", "answer"]

WAYS = ("text", "state", "permalink", "start")


def answer(house: House, study: Study) -> dict[str, Any]:
    """A study in the form that every route returns."""
    return study_details(study, house.book_of(study), house.play_of(study))


def about(house: House, ask: RouteRequest) -> dict[str, Any]:
    """The capabilities of this server."""
    return {
        "version": bordeaux.__version__,
        "maps": list(bundled_maps()),
        "heats": list(HEATS),
        "players": house.players(),
        "rules": list(RULE_SETS),
        "png": importlib.util.find_spec("resvg_py") is not None,
        "cores": available_cores(),
        "games": None if house.games is None else house.games.name,
    }


def listed(house: House, ask: RouteRequest) -> list[dict[str, Any]]:
    """All studies, the newest first."""
    return house.store.listed()


def created(house: House, ask: RouteRequest) -> dict[str, Any]:
    """A new study from the body."""
    given = ask.table()
    ways = [way for way in WAYS if given.get(way)]
    if len(ways) != 1:
        raise FormatError(
            f"a new study is made of one of {', '.join(WAYS)}; this request has {len(ways)} of them"
        )
    name = named(ask.text("name", ""))
    read = _read(ask, ways[0], name)
    study = house.store.add(read.study)
    return {**answer(house, study), **({"games": read.games} if read.games else {})}


def _read(ask: RouteRequest, way: str, name: str) -> Read:
    given = ask.table()
    board = named_map(given["map"]) if given.get("map") is not None else None
    if way == "text":
        index = given.get("index", 0)
        if not isinstance(index, int) or isinstance(index, bool) or index < 0:
            raise FormatError(f"'index' is the number of a game, from 0 on, not {quote(index)}")
        return read_any(ask.text("text").encode("utf-8", "replace"), board, index, name)
    if way == "state":
        position = Position.from_json(table(given["state"], "a position"), board)
    elif way == "permalink":
        return Read(study_of_fragment(ask.text("permalink"), name), 0)
    else:
        position = Position.start(board)
    return Read(study_of_position(position, name), 0)


def shown(house: House, ask: RouteRequest) -> dict[str, Any]:
    """A study."""
    return answer(house, house.store.get(ask.path["study"]))


def renamed(house: House, ask: RouteRequest) -> dict[str, Any]:
    """Change the name of a study, or the rules for future orders."""
    given = ask.table()
    if not {"name", "rules"} & set(given):
        raise FormatError("give a 'name' or 'rules'")
    changes: dict[str, Any] = {}
    if "name" in given:
        changes["name"] = named(ask.text("name"))
        if not changes["name"]:
            raise FormatError("the name of a study must not be empty")
    if "rules" in given:
        changes["rules"] = rules_named(ask.text("rules")).name
    study = house.change(ask.path["study"], lambda old: replace(old, **changes), ask.version)
    return answer(house, study)


def deleted(house: House, ask: RouteRequest) -> dict[str, Any]:
    """Delete a study and inform its listeners."""
    identity = ask.path["study"]
    house.store.delete(identity)
    for leave in house.leaving:
        leave(identity)
    house.hub.publish(identity, "deleted", {})
    house.hub.end(identity)
    return {"deleted": identity}


async def events(request: Request) -> Response:
    """The stream of a study's events."""
    house: House = request.app.state.house
    identity = request.path_params["study"]
    try:
        await run_in_threadpool(house.store.get, identity)
    except Exception as error:
        return failed(house, error)
    return house.hub.stream(identity, lambda: [("changed", {"version": house.store.get(identity).version})])


ROUTES: Sequence[BaseRoute] = (
    route("/api/about", about),
    route("/api/studies", listed),
    route("/api/studies", created, ["POST"]),
    route("/api/studies/{study}", shown),
    route("/api/studies/{study}", renamed, ["PATCH"]),
    route("/api/studies/{study}", deleted, ["DELETE"]),
    Route("/api/studies/{study}/events", events, methods=["GET"]),
)
