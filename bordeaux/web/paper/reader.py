"""The page that opens links with a study: one file for all studies of a map, on any site or as a local file.

It contains a picture of the map, and a script that draws the contents of a study on it. It requests nothing
from any server, since a link has its data after the ``#``.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from importlib import resources
from typing import Any
from urllib.parse import quote

from bordeaux.board.cleaning import html_text as escape
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.view.board.geometry import geometry_of
from bordeaux.view.board.paint import kind_of_power
from bordeaux.view.board.units import draw_unit
from bordeaux.view.review.boards import Boards, board_css
from bordeaux.view.svg import Picture
from bordeaux.web.paper.page import policy

__all__ = ["carried", "reader_page"]

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


def reader_page(board: Map) -> str:
    """The page for studies on a map, as text."""
    boards = Boards(board)
    empty = boards.draw(Position(board, board.start_phase, (), {}), {})
    embedded = json.dumps(_told(board, boards), separators=(",", ":")).replace("<", "\\u003c")
    room = resources.files("bordeaux.web.paper")
    style = (room / "paper.css").read_text("utf-8") + board_css()
    modules = ((room / name).read_text("utf-8") for name in ("reader-board.js", "reader.js"))
    script = JOINTS.sub("", "".join(modules))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy(style, script))}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Bordeaux</title>\n<style>{style}</style>\n</head>\n<body>\n{boards.shapes()}{_pieces(board)}\n"
        f'<template id="empty">{empty}</template>\n<template id="told">{escape(embedded)}</template>\n'
        '<header><h1>A study of Bordeaux</h1><p class="faint" id="about" role="status">'
        "This page opens links with a study in them. The link has no study in it; copy it whole.</p>"
        '<p class="faint keys">Arrow keys: left and right along the line, up and down between positions.</p>'
        '</header>\n<div class="study"><nav aria-label="Lines"></nav>\n<main></main></div>\n'
        "<noscript><p>This page needs JavaScript, which is all in the page itself.</p></noscript>\n"
        f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )


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
    powers = {power: kind_of_power(board, power)[1] for power in board.powers}
    return {"map": board.name, "powers": powers, "marks": marks, "regions": regions}


def _pieces(board: Map) -> str:
    """An army and a fleet of every power, for use on boards: ``piece-A0`` and so on."""
    symbols = []
    for number, power in enumerate(board.powers):
        for kind in "AF":
            picture = Picture(0, "", "")
            draw_unit(picture, kind, (0.0, 0.0), kind_of_power(board, power), "")
            symbols.append(f'<g id="piece-{kind}{number}">{picture.inside()}</g>')
    return (
        '<svg class="shapes bordeaux-bare" width="0" height="0" aria-hidden="true">'
        f"<defs>{''.join(symbols)}</defs></svg>"
    )


def carried(page: str) -> str:
    """An address that contains a packed page; a browser opens it from its address bar."""
    packed = base64.b64encode(zlib.compress(page.encode(), 9)).decode()
    return f"data:text/html,{quote(UNPACK.format(packed), safe=SAFE)}"
