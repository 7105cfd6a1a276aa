"""Routes that export: boards as SVG and PNG, the shapes for overlays, saved games, states, links."""

from __future__ import annotations

import functools
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bordeaux.board import pieces
from bordeaux.board.cleaning import json_line
from bordeaux.board.errors import FormatError, nearest, quote
from bordeaux.board.map import Map
from bordeaux.board.mapfile import known_maps
from bordeaux.board.position import Position
from bordeaux.formats.game_text import to_text
from bordeaux.rules import adjudicate
from bordeaux.rules.replay import FORMS, exported, played_phases
from bordeaux.rules.rulesets import rules_named
from bordeaux.studies.details import outcome_of
from bordeaux.studies.orders import given_orders
from bordeaux.studies.saved import fragment_of, game_of, shared_fragment
from bordeaux.studies.study import Orders, Refused, Study, StudyNode
from bordeaux.view.board import gif, svg
from bordeaux.view.board.geometry import geometry_of
from bordeaux.view.board.heat import HEATS, heat_of, leaders_of
from bordeaux.view.board.paint import page_css
from bordeaux.view.svg import png
from bordeaux.web.nodes import NODE
from bordeaux.web.routing import PageRoute, RouteReply, RouteRequest, ServerState, route
from bordeaux.web.standalone import carried, reader_page, study_page

WIDTH = 1600
"""Pixels of the width of a PNG."""
SVG = "image/svg+xml"
KEPT = 200


def picture(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """A board as the page shows it."""
    study, node, given = server_state.store.get(ask.path["study"]), ask.path["node"], ask.table()
    position = study.position(node)
    orders: Orders | None = None
    results: Mapping[str, list[str]] | None = None
    if given.get("child") is not None:
        orders, results = drawn_child(study, node, ask.text("child"))
    elif given.get("orders") is not None:
        orders = given_orders(position, given["orders"])
        if given.get("results"):
            results = adjudicate(position, orders, rules_named(study.rules)).results
    warmth, leaders = None, None
    if given.get("heat") is not None:
        kind = ask.text("heat")
        if kind not in HEATS:
            raise FormatError(f"no heat {quote(kind)}{nearest(kind, HEATS)} ({', '.join(HEATS)})")
        power = None if given.get("power") is None else ask.text("power")
        warmth, leaders = heat(position, kind, power), leaders_of(position, kind, power)
    framed = pieces.string_list(given.get("highlight") or [], "highlight")
    better = None if given.get("better") is None else given_orders(position, given["better"])
    drawn = svg(position, orders, results, warmth, framed, style="bare", better=better, leaders=leaders)
    return RouteReply(drawn, media_type=SVG)


@functools.lru_cache(maxsize=KEPT)
def heat(position: Position, kind: str, power: str | None) -> Mapping[str, float]:
    """The heat map of a kind, computed for each picture of a position. Raises MapError."""
    return heat_of(position, kind, power)


def drawn_child(study: Study, node: str, child: str) -> tuple[Orders, dict[str, list[str]]]:
    """The orders that led from a node to one of its children, and their results. Raises Refused."""
    if child not in study.node(node).children:
        raise Refused(404, f"node {node} has no child {quote(child)}; load the study again")
    reached = study.node(child)
    return reached.orders, outcome_of(study, reached).results


def board_svg(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """A board as a file."""
    return RouteReply(
        _file(server_state, ask, "auto"), media_type=SVG, headers=attached(server_state, ask, "svg")
    )


def board_png(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """A board as PNG; needs the extra `png`."""
    data = png(_file(server_state, ask, "light"))
    return RouteReply(data, media_type="image/png", headers=attached(server_state, ask, "png"))


def _file(server_state: ServerState, ask: RouteRequest, style: str) -> str:
    study, node = server_state.store.get(ask.path["study"]), ask.path["node"]
    orders, results = drawn_child(study, node, ask.query["child"]) if "child" in ask.query else (None, None)
    position = study.position(node)
    if orders is None and study.node(node).draft:
        orders = study.node(node).draft
    return svg(
        position,
        orders,
        results,
        style=style,
        size=WIDTH if style == "light" else None,
        **looks(ask),
    )


def looks(ask: RouteRequest) -> Mapping[str, Any]:
    """How the boards of a file look."""
    return {"theme": ask.query.get("theme", "calm"), "patterns": "patterns" in ask.query}


def attached(server_state: ServerState, ask: RouteRequest, suffix: str) -> dict[str, str]:
    """Headers by which a browser saves a file under the name of its study and phase."""
    study = server_state.store.get(ask.path["study"])
    parts = [study.name[:60], study.node(ask.path["node"]).phase if "node" in ask.path else ""]
    name = "-".join(
        "".join(c if c.isascii() and c.isalnum() else " " for c in part) for part in parts if part
    )
    return {"Content-Disposition": f'attachment; filename="{"_".join(name.split()) or "study"}.{suffix}"'}


def style(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """The style sheet of the page's boards, light and dark, in all themes."""
    return RouteReply(page_css(), media_type="text/css")


def map_geometry(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The shapes of a bundled map."""
    name = ask.path["map"]
    if name not in known_maps():
        raise Refused(404, f"no map {quote(name)}{nearest(name, known_maps())} ({', '.join(known_maps())})")
    return shapes(Map.load(name))


def study_geometry(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The shapes of the map of a study."""
    return shapes(server_state.store.get(ask.path["study"]).map)


def shapes(board: Map) -> dict[str, Any]:
    """The outline of every province and the places of units, in pixels of the picture."""
    shape = geometry_of(board)
    outlines: dict[str, str] = {}
    for region in shape.regions:
        if region.tag:
            outlines[region.tag] = outlines.get(region.tag, "") + region.path
    places = dict.fromkeys(
        [*(p.name for p in board.provinces), *(location.name for location in board.locations)]
    )
    return {
        "size": list(shape.size),
        "regions": [
            {"tag": p.name, "name": p.full, "kind": p.kind, "path": outlines[p.name], "centre": p.centre}
            for p in board.provinces
            if p.name in outlines
        ],
        "places": {
            place: {"unit": list(shape.at(place)), "dislodged": list(shape.at(place, "dislodged"))}
            for place in places
        },
    }


PICTURE_ROUTES: Sequence[PageRoute] = (
    route(f"{NODE}/picture", picture, ["POST"]),
    route(f"{NODE}/board.svg", board_svg),
    route(f"{NODE}/board.png", board_png),
    route("/static/board.css", style),
    route("/api/maps/{map}/geometry", map_geometry),
    route("/api/studies/{study}/geometry", study_geometry),
)

JSON = "application/json"
TEXT = "text/plain; charset=utf-8"


def short_link(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """To a study at a `node`, or at its beginning. Who has no token is refused as everywhere."""
    study = server_state.store.get(ask.path["study"])
    node = study.node(ask.query.get("node", study.root.id)).id
    return RouteReply("", "text/plain", {"Location": f"/#study={study.id}&node={node}"}, 303)


def line_of(study: Study, ask: RouteRequest) -> list[StudyNode]:
    """The main line, or the line to the node of the query."""
    return study.line(ask.query["node"]) if "node" in ask.query else study.main_line()


def game(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """The main line as a saved game, or the line to a node; in the ``form`` of another program if one is
    named."""
    study = server_state.store.get(ask.path["study"])
    line = line_of(study, ask)
    form = ask.query.get("form", "json")
    text = exported(game_of(study, line), form, study.map)
    kind = JSON if FORMS[form] == "json" else TEXT
    return RouteReply(text.encode(), media_type=kind, headers=attached(server_state, ask, FORMS[form]))


_drawing = threading.Lock()
"""One GIF at a time: each takes a core for some seconds."""


def moving_picture(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """The main line, or the line to a node, as a GIF; needs the extra `png`."""
    study = server_state.store.get(ask.path["study"])
    phases = played_phases(game_of(study, line_of(study, ask)), study.map)
    if not _drawing.acquire(blocking=False):
        raise Refused(503, "another moving picture is being drawn; try again in a moment")
    try:
        data = gif(phases, **looks(ask))
    finally:
        _drawing.release()
    return RouteReply(data, media_type="image/gif", headers=attached(server_state, ask, "gif"))


def orders_text(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """The orders that led from a node to a ``child``, with their results, as text; or the draft's."""
    study, node = server_state.store.get(ask.path["study"]), ask.path["node"]
    shown = study.node(node)
    if "child" in ask.query:
        drawn_child(study, node, ask.query["child"])
        saved = game_of(study, [shown, study.node(ask.query["child"])])
    else:
        saved = game_of(study, [shown])
        saved = replace(saved, phases=(replace(saved.phases[0], orders=shown.draft),))
    text = to_text(played_phases(saved, study.map)[:1]) + "\n"
    return RouteReply(text.encode(), media_type=TEXT, headers=attached(server_state, ask, "txt"))


def page(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """The study as one file that needs no server, without lines of the engine."""
    text = study_page(server_state.store.get(ask.path["study"]))
    return RouteReply(
        text.encode(), media_type="text/html; charset=utf-8", headers=attached(server_state, ask, "html")
    )


def state(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """The position of a node, as JSON."""
    study = server_state.store.get(ask.path["study"])
    name = ask.path["node"]
    if "child" in ask.query:
        name = ask.query["child"]
    text = json_line(study.position(name).to_json()) + "\n"
    return RouteReply(text.encode(), media_type=JSON, headers=attached(server_state, ask, "json"))


def permalink(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The fragment of an address that contains a node's position."""
    study = server_state.store.get(ask.path["study"])
    if study.map_text:
        raise FormatError("a link has no room for a map of your own; share the game and the map file")
    return {"fragment": fragment_of(study.position(ask.path["node"]).to_json())}


def link(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """An address with the study in it, and with the page that opens it; the end of it alone as well. It opens
    at a `node` if one is named. Without lines of the engine."""
    study = server_state.store.get(ask.path["study"])
    fragment = shared_fragment(study)
    if "node" in ask.query:
        fragment += f"&node={study.node(ask.query['node']).id}"
    return {"fragment": fragment, "link": f"{carried(reader_page(study.map))}#{fragment}"}


ROUTES: Sequence[PageRoute] = (
    *PICTURE_ROUTES,
    route("/s/{study}", short_link),
    route("/api/studies/{study}/game.json", game),
    route("/api/studies/{study}/game.gif", moving_picture),
    route(f"{NODE}/orders.txt", orders_text),
    route("/api/studies/{study}/study.html", page),
    route("/api/studies/{study}/link", link),
    route(f"{NODE}/state.json", state),
    route(f"{NODE}/permalink", permalink),
)
