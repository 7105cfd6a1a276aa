"""A study without a server: one page shows it, from a link or from within.

The page has a picture of the map, and a script that draws a study on it, a node at a time. It requests
nothing from any server: a link has its data after the ``#``, and a file has it in the page.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any
from urllib.parse import quote

from bordeaux.board.cleaning import html_text as escape
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.search.analysis import Line
from bordeaux.studies.saved import Listed, shared_study
from bordeaux.studies.study import Study
from bordeaux.view import hashed, sheet
from bordeaux.view.board.geometry import geometry_of
from bordeaux.view.board.units import draw_unit
from bordeaux.view.palette import number_of
from bordeaux.view.review.boards import Boards, board_css
from bordeaux.view.svg import Picture

Lines = Mapping[str, Mapping[str, Sequence[Line]]]
"""The engine's best lines by the id of a node and by power, best first."""

SAFE = "/+=;,:()!$&'*@?"
"""Characters that need no escape in an address."""
JOINTS = re.compile(r"^(?:import .*;\n|export )", re.MULTILINE)
"""Imports and the word `export`, which are removed when modules are joined."""
UNPACK = (
    "<!doctype html><meta charset=utf-8><title>Bordeaux</title><script>"
    "new Response(new Blob([Uint8Array.from(atob('{}'),c=>c.charCodeAt(0))]).stream()"
    ".pipeThrough(new DecompressionStream('deflate'))).text()"
    ".then(t=>{{document.open();document.write(t);document.close()}})</script>"
)
"""A page that unpacks another one and replaces itself with it."""


def study_page(study: Study, lines: Lines | None = None, engine: str = "") -> str:
    """The page with a study in it, as text. `engine` describes the search for its `lines`."""
    return _page(study.map, study.name, shared_study(study, listed(lines or {}), engine))


def reader_page(board: Map) -> str:
    """The page for links to studies on a map, as text."""
    return _page(board, "A study of Bordeaux", None)


def carried(page: str) -> str:
    """An address that contains a packed page; a browser opens it from its address bar."""
    packed = base64.b64encode(zlib.compress(page.encode(), 9)).decode()
    return f"data:text/html,{quote(UNPACK.format(packed), safe=SAFE)}"


def listed(lines: Lines) -> Mapping[str, Listed]:
    """Lines of the engine as a link has them."""
    return {
        node: {
            power: [
                [list(line.orders), round(line.value, 3), round(line.solo, 3), round(line.error, 3)]
                for line in of_power
            ]
            for power, of_power in by_power.items()
        }
        for node, by_power in lines.items()
    }


def _page(board: Map, title: str, study: Any) -> str:
    boards = Boards(board)
    empty = boards.draw(Position(board, board.start_phase, (), {}), {})
    room = resources.files("bordeaux.web.standalone")
    style = sheet("base.css") + (room / "paper.css").read_text("utf-8") + board_css()
    modules = ((room / name).read_text("utf-8") for name in ("reader-board.js", "reader.js"))
    script = JOINTS.sub("", "".join(modules))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_policy(style, script))}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"{boards.shapes()}{_pieces(board)}\n"
        f'<template id="empty">{empty}</template>\n'
        f'<template id="told">{_embedded(_told(board, boards))}</template>\n'
        f'<template id="study">{_embedded(study)}</template>\n'
        f'<header><h1>{escape(title)}</h1><p class="faint-text" id="about" role="status">'
        "This page opens links with a study in them. The link has no study in it; copy it whole.</p>"
        '<p class="faint-text keys">Arrow keys: left and right along the line, up and down between positions.'
        '</p></header>\n<div class="study"><nav aria-label="Lines"></nav>\n<main></main></div>\n'
        "<noscript><p>This page needs JavaScript, which is all in the page itself.</p></noscript>\n"
        f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def _policy(style: str, script: str) -> str:
    """The permissions of a page (Content-Security-Policy): this style and this script, and no requests."""
    return (
        f"default-src 'none'; style-src {hashed(style)}; script-src {hashed(script)};"
        " base-uri 'none'; form-action 'none'"
    )


def _embedded(data: Any) -> str:
    """JSON within the page, as text."""
    return escape(json.dumps(data, separators=(",", ":")))


def _told(board: Map, boards: Boards) -> dict[str, Any]:
    """The script's data on the map: its powers, the places of marks, and the shape of each centre."""
    shape = geometry_of(board)
    regions: dict[str, list[str]] = {}
    for region in shape.regions:
        if region.tag and board.province(region.tag).centre and (name := boards.name_of(region.path)):
            regions.setdefault(region.tag, []).append(name)
    marks = {
        place: {mark: [round(x, 1), round(y, 1)] for mark, (x, y) in marks.items() if mark != "name"}
        for place, marks in shape.marks.items()
    }
    powers = {power: number_of(board, power) for power in board.powers}
    return {"map": board.name, "powers": powers, "marks": marks, "regions": regions}


def _pieces(board: Map) -> str:
    """An army and a fleet of every power, for use on boards: ``piece-A0`` and so on."""
    symbols = []
    for number, power in enumerate(board.powers):
        for kind in "AF":
            picture = Picture(0, "", "")
            draw_unit(picture, kind, (0.0, 0.0), number_of(board, power), "")
            # What is used elsewhere has the style of what it lies in here, up to this element.
            symbols.append(f'<g id="piece-{kind}{number}" class="bordeaux-bare">{picture.inside()}</g>')
    return (
        '<svg class="shapes bordeaux-bare" width="0" height="0" aria-hidden="true">'
        f"<defs>{''.join(symbols)}</defs></svg>"
    )
