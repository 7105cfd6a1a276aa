"""Routes that export a study: saved games, states, links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.responses import Response
from starlette.routing import BaseRoute

from bordeaux.board.cleaning import json_line
from bordeaux.board.errors import FormatError
from bordeaux.web.house import House, RouteRequest, route
from bordeaux.web.links import fragment_of, shared_fragment
from bordeaux.web.nodes import NODE
from bordeaux.web.paper import carried, reader_page, study_page
from bordeaux.web.pictures import attached
from bordeaux.web.saved import game_of

__all__ = ["ROUTES"]

JSON = "application/json"


def game(house: House, ask: RouteRequest) -> Response:
    """The main line as a saved game, or the line to a node."""
    study = house.store.get(ask.path["study"])
    line = study.line(ask.query["node"]) if "node" in ask.query else study.main_line()
    text = json_line(game_of(study, line).to_json()) + "\n"
    return Response(text.encode(), media_type=JSON, headers=attached(house, ask, "json"))


def page(house: House, ask: RouteRequest) -> Response:
    """The study as one file that needs no server, without lines of the engine."""
    text = study_page(house.store.get(ask.path["study"]))
    return Response(
        text.encode(), media_type="text/html; charset=utf-8", headers=attached(house, ask, "html")
    )


def state(house: House, ask: RouteRequest) -> Response:
    """The position of a node, as JSON."""
    study = house.store.get(ask.path["study"])
    name = ask.path["node"]
    if "child" in ask.query:
        name = ask.query["child"]
    text = json_line(study.position(name).to_json()) + "\n"
    return Response(text.encode(), media_type=JSON, headers=attached(house, ask, "json"))


def permalink(house: House, ask: RouteRequest) -> dict[str, Any]:
    """The fragment of an address that contains a node's position."""
    study = house.store.get(ask.path["study"])
    if study.map_text:
        raise FormatError("a link has no room for a map of your own; share the game and the map file")
    return {"fragment": fragment_of(study.position(ask.path["node"]).to_json())}


def link(house: House, ask: RouteRequest) -> dict[str, Any]:
    """An address with the study in it, and with the page that opens it; the end of it alone as well. It opens
    at a `node` if one is named. Without lines of the engine."""
    study = house.store.get(ask.path["study"])
    fragment = shared_fragment(study)
    if "node" in ask.query:
        fragment += f"&node={study.node(ask.query['node']).id}"
    return {"fragment": fragment, "link": f"{carried(reader_page(study.map))}#{fragment}"}


ROUTES: Sequence[BaseRoute] = (
    route("/api/studies/{study}/game.json", game),
    route("/api/studies/{study}/study.html", page),
    route("/api/studies/{study}/link", link),
    route(f"{NODE}/state.json", state),
    route(f"{NODE}/permalink", permalink),
)
