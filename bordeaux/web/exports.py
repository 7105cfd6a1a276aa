"""Routes that export: boards as SVG and PNG, the shapes for overlays, saved games, states, links."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bordeaux.board.cleaning import json_line
from bordeaux.board.errors import FormatError, nearest, quote
from bordeaux.formats.game_text import to_text
from bordeaux.rules.replay import FORMS, exported, played_phases
from bordeaux.studies.details import outcome_of
from bordeaux.studies.orders import given_orders
from bordeaux.studies.saved import fragment_of, game_of, shared_fragment
from bordeaux.studies.study import Orders, Refused, Study, StudyNode
from bordeaux.view.board import gif, svg
from bordeaux.view.board.geometry import geometry_of
from bordeaux.view.board.heat import HEATS, heat_of, leaders_of
from bordeaux.view.board.paint import page_css
from bordeaux.view.svg import png
from bordeaux.web.routing import NODE, PageRoute, RouteReply, RouteRequest, ServerState
from bordeaux.web.standalone import carried, reader_page, study_page

WIDTH = 1600
"""Pixels of the width of a PNG."""
SVG, JSON, TEXT = "image/svg+xml", "application/json", "text/plain; charset=utf-8"


def picture(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """A board as the page shows it."""
    study, position, given = server_state.study(ask), server_state.position(ask), ask.table()
    orders: Orders | None = None
    results: Mapping[str, list[str]] | None = None
    if given.get("child") is not None:
        orders, results = drawn_child(study, ask.path["node"], ask.text("child"))
    elif given.get("orders") is not None:
        orders = given_orders(position, given["orders"])
    warmth, leaders = None, None
    if given.get("heat") is not None:
        kind = ask.text("heat")
        if kind not in HEATS:
            raise FormatError(f"no heat {quote(kind)}{nearest(kind, HEATS)} ({', '.join(HEATS)})")
        power = None if given.get("power") is None else ask.text("power")
        warmth, leaders = heat_of(position, kind, power), leaders_of(position, kind, power)
    better = None if given.get("better") is None else given_orders(position, given["better"])
    drawn = svg(position, orders, results, warmth, style="bare", better=better, leaders=leaders)
    return RouteReply(drawn, SVG)


def drawn_child(study: Study, node: str, child: str) -> tuple[Orders, dict[str, list[str]]]:
    """The orders that led from a node to one of its children, and their results. Raises Refused."""
    if child not in study.node(node).children:
        raise Refused(404, f"node {node} has no child {quote(child)}; load the study again")
    reached = study.node(child)
    return reached.orders, outcome_of(study, reached).results


def saved(
    server_state: ServerState, ask: RouteRequest, content: str | bytes, kind: str, suffix: str
) -> RouteReply:
    """A reply that a browser saves as a file under the name of its study and phase."""
    study = server_state.study(ask)
    name = study.name[:60] + (f"-{study.node(ask.path['node']).phase}" if "node" in ask.path else "")
    name = re.sub(r"[^A-Za-z0-9-]+", "_", name).strip("_-") or "study"
    headers = {"Content-Disposition": f'attachment; filename="{name}.{suffix}"'}
    return RouteReply(content.encode() if isinstance(content, str) else content, kind, headers)


def board_svg(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """A board as a file."""
    return saved(server_state, ask, _board(server_state, ask, style="auto"), SVG, "svg")


def board_png(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """A board as PNG; needs the extra `png`."""
    data = png(_board(server_state, ask, style="light", size=WIDTH))
    return saved(server_state, ask, data, "image/png", "png")


def _board(server_state: ServerState, ask: RouteRequest, **how: Any) -> str:
    """A board with the orders that lead to a ``child``, or with the draft."""
    study, node = server_state.study(ask), ask.path["node"]
    orders, results = study.node(node).draft or None, None
    if "child" in ask.query:
        orders, results = drawn_child(study, node, ask.query["child"])
    return svg(study.position(node), orders, results, **how, **looks(ask))


def looks(ask: RouteRequest) -> Mapping[str, Any]:
    """How the boards of a file look."""
    return {"theme": ask.query.get("theme", "calm"), "patterns": "patterns" in ask.query}


def style(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """The style sheet of the page's boards, light and dark, in all themes."""
    return RouteReply(page_css(), "text/css")


def geometry(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The outline of every province of a study's map and the places of units, in pixels of the picture."""
    board = server_state.study(ask).map
    shape = geometry_of(board)
    outlines: dict[str, str] = {}
    for region in shape.regions:
        outlines[region.tag] = outlines.get(region.tag, "") + region.path
    places = dict.fromkeys([*(p.name for p in board.provinces), *(place.name for place in board.locations)])
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


def short_link(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """To a study at a `node`, or at its beginning. Who has no token is refused as everywhere."""
    study = server_state.study(ask)
    node = study.node(ask.query.get("node", study.root.id)).id
    return RouteReply("", "text/plain", {"Location": f"/#study={study.id}&node={node}"}, 303)


def line_of(study: Study, ask: RouteRequest) -> list[StudyNode]:
    """The main line, or the line to the node of the query."""
    return study.line(ask.query["node"]) if "node" in ask.query else study.main_line()


def game(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """The main line or the line to a node as a saved game, or in the ``form`` of another program."""
    study, form = server_state.study(ask), ask.query.get("form", "json")
    text = exported(game_of(study, line_of(study, ask)), form, study.map)
    suffix = f"jdip.{FORMS[form]}" if form == "judge" else FORMS[form]
    return saved(server_state, ask, text, JSON if FORMS[form] == "json" else TEXT, suffix)


_drawing = threading.Lock()
"""One GIF at a time: each takes a core for some seconds."""


def moving_picture(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """The main line, or the line to a node, as a GIF; needs the extra `png`."""
    study = server_state.study(ask)
    phases = played_phases(game_of(study, line_of(study, ask)), study.map)
    if not _drawing.acquire(blocking=False):
        raise Refused(503, "another moving picture is being drawn; try again in a moment")
    try:
        return saved(server_state, ask, gif(phases, **looks(ask)), "image/gif", "gif")
    finally:
        _drawing.release()


def orders_text(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """The orders that led from a node to a ``child``, with their results, as text; or the draft's."""
    study, node = server_state.study(ask), ask.path["node"]
    shown = study.node(node)
    if "child" in ask.query:
        drawn_child(study, node, ask.query["child"])
        line = game_of(study, [shown, study.node(ask.query["child"])])
    else:
        line = game_of(study, [shown])
        line = replace(line, phases=(replace(line.phases[0], orders=shown.draft),))
    return saved(server_state, ask, to_text(played_phases(line, study.map)[:1]) + "\n", TEXT, "txt")


def page(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """The study as one file that needs no server, without lines of the engine."""
    text = study_page(server_state.study(ask))
    return saved(server_state, ask, text, "text/html; charset=utf-8", "html")


def state(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """The position of a node as JSON."""
    return saved(server_state, ask, json_line(server_state.position(ask).to_json()) + "\n", JSON, "json")


def permalink(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The fragment of an address that contains a node's position."""
    if server_state.study(ask).map_text:
        raise FormatError("a link has no room for a map of your own; share the game and the map file")
    return {"fragment": fragment_of(server_state.position(ask).to_json())}


def link(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """An address with the study in it, and with the page that opens it; the end of it alone as well. It opens
    at a `node` if one is named. Without lines of the engine."""
    study = server_state.study(ask)
    fragment = shared_fragment(study)
    if "node" in ask.query:
        fragment += f"&node={study.node(ask.query['node']).id}"
    return {"fragment": fragment, "link": f"{carried(reader_page(study.map))}#{fragment}"}


ROUTES: Sequence[PageRoute] = (
    PageRoute(f"{NODE}/picture", picture, "POST"),
    PageRoute(f"{NODE}/board.svg", board_svg),
    PageRoute(f"{NODE}/board.png", board_png),
    PageRoute("/static/board.css", style),
    PageRoute("/api/studies/{study}/geometry", geometry),
    PageRoute("/s/{study}", short_link),
    PageRoute("/api/studies/{study}/game.json", game),
    PageRoute("/api/studies/{study}/game.gif", moving_picture),
    PageRoute(f"{NODE}/orders.txt", orders_text),
    PageRoute("/api/studies/{study}/study.html", page),
    PageRoute("/api/studies/{study}/link", link),
    PageRoute(f"{NODE}/state.json", state),
    PageRoute(f"{NODE}/permalink", permalink),
)
