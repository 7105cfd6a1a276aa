"""The page of a study: its tree of lines, and for each node the board with the orders, the comment and the
engine's lines.

The page is self-contained. Its script shows one node at a time and follows the arrow keys. Without scripts
all nodes are shown in sequence.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from typing import Any
from urllib.parse import quote

from bordeaux.board.cleaning import html_text as escape
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.search.analysis import Line
from bordeaux.studies.details import OrderOutcomes, outcome_of
from bordeaux.studies.study import Study, StudyNode
from bordeaux.view.board.geometry import geometry_of
from bordeaux.view.board.units import draw_unit, heading
from bordeaux.view.palette import number_of
from bordeaux.view.review.boards import Boards, board_css
from bordeaux.view.svg import Picture

Lines = Mapping[str, Mapping[str, Sequence[Line]]]
"""The engine's best lines by the id of a node and by power, best first."""

SHOWN = 3
"""Lines of the engine that are shown for a power."""


def study_page(study: Study, lines: Lines | None = None, engine: str = "") -> str:
    """The page as text. `engine` describes the search for its `lines`."""
    boards = Boards(study.map)
    order = _in_order(study)
    sections = "\n".join(_section(study, node, boards, (lines or {}).get(node.id, {})) for node in order)
    style = (resources.files("bordeaux.web.standalone") / "paper.css").read_text("utf-8") + board_css()
    script = (resources.files("bordeaux.web.standalone") / "paper.js").read_text("utf-8")
    first, last = study.root, study.main_line()[-1]
    parts = [f"Map {study.map.name}, {first.phase} to {last.phase}, {len(study.nodes)} positions"]
    parts += [engine] if engine else []
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy(style, script))}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(study.name)}</title>\n<style>{style}</style>\n</head>\n<body>\n{boards.shapes()}\n"
        f'<header><h1>{escape(study.name)}</h1><p class="faint">{escape("; ".join(parts))}.</p>'
        '<p class="faint keys">Arrow keys: left and right along the line, up and down between lines.</p>'
        "</header>\n"
        f'<div class="study"><nav aria-label="Lines"><h2>Lines</h2>{_tree(study)}</nav>\n'
        f"<main>\n{sections}\n</main></div>\n<script>{script}</script>\n</body>\n</html>\n"
    )


def policy(style: str, script: str) -> str:
    """The permissions of a page (Content-Security-Policy): this style and this script, and no requests."""
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    return (
        f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}';"
        " base-uri 'none'; form-action 'none'"
    )


def _in_order(study: Study) -> list[StudyNode]:
    """The main line, with the side lines after the node at which they branch, in reading order."""
    nodes: list[StudyNode] = []
    waiting = [study.root.id]
    while waiting:
        node = study.nodes[waiting.pop()]
        nodes.append(node)
        waiting += [*node.children[:1], *reversed(node.children[1:])]
    return nodes


def _tree(study: Study) -> str:
    """The lines as nested lists: a main line is flat, and side lines are indented below the node at which
    they branch."""
    parts = ["<ol>"]
    # The nodes to write, the next one last: with True where one begins a side line. None ends a side line.
    waiting: list[tuple[str, bool] | None] = [(study.root.id, False)]
    while waiting:
        coming = waiting.pop()
        if coming is None:
            parts.append("</ol></li>")
            continue
        name, side = coming
        node = study.nodes[name]
        if side:
            parts.append(f'<li class="side"><span class="faint">{escape(_differs(study, name))}</span><ol>')
        mark = ' <span class="said" title="has a comment">&#9998;</span>' if node.comment else ""
        parts.append(f'<li><a href="#n{escape(name)}">{escape(node.phase)}</a>{mark}</li>')
        waiting += [(child, False) for child in node.children[:1]]
        for child in reversed(node.children[1:]):
            waiting += [None, (child, True)]
    return "".join([*parts, "</ol>"])


def _differs(study: Study, name: str) -> str:
    """The orders that distinguish a side line from the line beside it."""
    node = study.nodes[name]
    assert node.parent is not None
    first = study.nodes[study.nodes[node.parent].children[0]].orders
    changed = [
        text for power, texts in node.orders.items() for text in texts if text not in first.get(power, ())
    ]
    return "; ".join(changed[:3]) + (" ..." if len(changed) > 3 else "") if changed else "fewer orders"


def _section(study: Study, node: StudyNode, boards: Boards, lines: Mapping[str, Sequence[Line]]) -> str:
    """A node: the board with the orders along its line, the comment and other information."""
    position = study.position(node.id)
    following = study.nodes[node.children[0]] if node.children else None
    outcome = outcome_of(study, following) if following is not None else None
    drawn = boards.draw(position, following.orders if following else {}, outcome.results if outcome else None)
    title = heading(position.phase)
    owned = ", ".join(
        f"{power.title()} {len(centres)}" for power, centres in position.centres.items() if centres
    )
    parts = [
        f'<section id="n{escape(node.id)}" aria-labelledby="h{escape(node.id)}">',
        f'<h2 id="h{escape(node.id)}">{escape(title)}</h2>',
        _ways(study, node),
        f'<figure><div class="board">{drawn}</div><figcaption>Centres: {escape(owned)}</figcaption></figure>',
    ]
    if node.comment:
        paragraphs = "".join(f"<p>{escape(text)}</p>" for text in node.comment.splitlines() if text.strip())
        parts.append(f'<div class="comment">{paragraphs}</div>')
    if following is not None and outcome is not None:
        parts.append(_orders(study, following, outcome))
    if lines:
        parts.append(_engine(study, lines))
    return "".join([*parts, "</section>"])


def _ways(study: Study, node: StudyNode) -> str:
    """Links to the previous and next position, and the lines that branch here."""
    links = []
    if node.parent is not None:
        links.append(
            f'<a class="back" href="#n{escape(node.parent)}">&larr;'
            f" {escape(study.nodes[node.parent].phase)}</a>"
        )
    for number, child in enumerate(node.children):
        name = study.nodes[child].phase if not number else _differs(study, child)
        kind = "on" if not number else "side"
        links.append(f'<a class="{kind}" href="#n{escape(child)}">{escape(name)} &rarr;</a>')
    return f'<p class="ways">{" ".join(links)}</p>'


def _orders(study: Study, node: StudyNode, outcome: OrderOutcomes) -> str:
    """The orders that were given, by power, with their results."""
    rows = []
    for power in study.map.powers:
        texts = node.orders.get(power)
        if texts:
            items = "".join(_order(power, text, outcome) for text in texts)
            rows.append(
                f'<tr><th scope="row">{_swatch(study, power)}{escape(power.title())}</th>'
                f"<td>{items}</td></tr>"
            )
    note = f'<p class="faint">{escape(outcome.note)}</p>' if outcome.note else ""
    if not rows:
        return note
    return f"<h3>Orders</h3><table><tbody>{''.join(rows)}</tbody></table>{note}"


def _order(power: str, text: str, outcome: OrderOutcomes) -> str:
    words = [word for word in outcome.of(power, " ".join(text.split()[:2])) if word]
    came = f' <em class="came">{escape(", ".join(words))}</em>' if words else ""
    return f'<span class="order{" failed" if words else ""}">{escape(text)}{came}</span>'


def _engine(study: Study, lines: Mapping[str, Sequence[Line]]) -> str:
    """The engine's best lines by power."""
    rows = []
    for power in study.map.powers:
        listed = list(lines.get(power, ()))[:SHOWN]
        for number, line in enumerate(listed):
            name = f"{_swatch(study, power)}{escape(power.title())}"
            head = f'<th scope="rowgroup" rowspan="{len(listed)}">{name}</th>'
            orders = "".join(f'<span class="order">{escape(text)}</span>' for text in line.orders)
            score = f"{100 * line.value:.0f} ± {100 * line.error:.1f} %"
            solo = "forced" if line.forced else f"{100 * line.solo:.0f} %"
            cells = "".join(f'<td class="number">{text}</td>' for text in (score, solo))
            rows.append(f"<tr>{head if not number else ''}{cells}<td>{orders}</td></tr>")
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{name}</th>' for name in ("Power", "Score", "Solo", "Orders"))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<h3>The engine</h3><div class="wide" tabindex="0" role="group" aria-label="Lines">{table}</div>'


def _swatch(study: Study, power: str) -> str:
    """A square in the colour of a power."""
    return (
        f'<svg class="swatch power-{number_of(study.map, power)}" width="13" height="13" aria-hidden="true">'
        '<rect width="13" height="13" rx="3" class="own"/></svg> '
    )


def positions_to_search(study: Study) -> Iterable[str]:
    """The ids of the nodes with orders of movement, in the order of the page."""
    return [node.id for node in _in_order(study) if node.phase.endswith("M")]


# It contains a picture of the map, and a script that draws the contents of a study on it. It requests
# nothing from any server, since a link has its data after the ``#``.

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
    room = resources.files("bordeaux.web.standalone")
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


def carried(page: str) -> str:
    """An address that contains a packed page; a browser opens it from its address bar."""
    packed = base64.b64encode(zlib.compress(page.encode(), 9)).decode()
    return f"data:text/html,{quote(UNPACK.format(packed), safe=SAFE)}"
