"""Studies as JSON, as saved games, and as links that hold a position or a whole study after the ``#``."""

from __future__ import annotations

import base64
import binascii
import math
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from typing import Any

from bordeaux.board import pieces
from bordeaux.board.cleaning import json_line
from bordeaux.board.errors import FormatError, of_kind, quote, whole
from bordeaux.board.map import parse_map
from bordeaux.board.phase import Phase
from bordeaux.board.pieces import table
from bordeaux.board.position import Position
from bordeaux.formats.games import Game, GamePhase
from bordeaux.formats.source import parse_json
from bordeaux.rules.rulesets import rules_named
from bordeaux.studies.details import outcome_of, resolution_of
from bordeaux.studies.study import ROOT, Orders, Study, StudyNode

FORM = "bordeaux study 1"


def header_of(study: Study) -> dict[str, Any]:
    """The entry of a study in a list of studies: format, name, present phase, time of change."""
    phase = study.main_line()[-1].phase
    return {"form": FORM, "name": study.name, "phase": phase, "changed": study.changed}


def study_to_json(study: Study) -> dict[str, Any]:
    """A study in the form of its file; the fields for lists come first."""
    return {
        "study": header_of(study),
        "map": study.map.name,
        "map_text": study.map_text,
        "rules": study.rules,
        "version": study.version,
        "made": study.made,
        "game": study.game,
        "play": study.play,
        "nodes": [_node_to_json(node) for node in study.nodes.values()],
    }


def _node_to_json(node: StudyNode) -> dict[str, Any]:
    """A node without empty fields."""
    document: dict[str, Any] = {name: getattr(node, name) for name in ("id", "parent", "state", "rules")}
    for name in ("children", "orders", "results", "recorded", "comment", "messages", "draft"):
        if value := getattr(node, name):
            document[name] = list(value) if isinstance(value, tuple) else value
    return document


def study_from_json(identity: str, data: object) -> Study:
    """The study of a file, with the id from the file's name. Raises BordeauxError for invalid data."""
    given = pieces.table(data, "a study")
    header = pieces.table(pieces.field(given, "study", "a study"), "the head of a study")
    if (form := header.get("form")) != FORM:
        raise FormatError(f"this is no study that this version reads: its form is {quote(form)}")
    map_text = _text(given, "map_text", "")
    map = parse_map(map_text, _text(given, "map", "map")) if map_text else pieces.named_map(given.get("map"))
    listed = pieces.field(given, "nodes", "a study")
    if not isinstance(listed, list):
        raise FormatError("the nodes of a study are a list")
    nodes = {node.id: node for node in map_nodes(listed)}
    _check_tree(nodes)
    rules = rules_named(_text(given, "rules", "datc"))
    play = given.get("play")
    return Study(
        identity,
        _text(header, "name", ""),
        map,
        nodes,
        rules.name,
        map_text,
        _whole(given, "version"),
        max(_whole(given, "made"), 1 + max(int(identity) for identity in nodes)),
        _number(header, "changed"),
        _text(given, "game", ""),
        play if isinstance(play, dict) else None,
    )


def map_nodes(listed: Sequence[object]) -> Iterator[StudyNode]:
    """The nodes of a file. Raises FormatError."""
    for number, data in enumerate(listed, 1):
        what = f"node {number}"
        given = pieces.table(data, what)
        identity, parent = pieces.field(given, "id", what), given.get("parent")
        if not isinstance(identity, str) or not (identity.isascii() and identity.isdigit()):
            raise FormatError(f"{what} has no sound id: {quote(identity)}")
        if parent is not None and not isinstance(parent, str):
            raise FormatError(f"{what} has no sound parent: {quote(parent)}")
        state = pieces.table(pieces.field(given, "state", what), f"state of {what}")
        Phase.parse(pieces.field(state, "name", f"state of {what}"))
        yield StudyNode(
            identity,
            parent,
            state,
            tuple(pieces.string_list(given.get("children", []), f"children of {what}")),
            _lists(given, "orders", what),
            rules_named(_text(given, "rules", "datc")).name,
            _lists(given, "results", what),
            given.get("recorded") is True,
            _text(given, "comment", ""),
            tuple(message for message in given.get("messages") or () if isinstance(message, dict)),
            _lists(given, "draft", what),
        )


def _check_tree(nodes: Mapping[str, StudyNode]) -> None:
    """Raise FormatError unless every node is connected with the root exactly once."""
    if ROOT not in nodes:
        raise FormatError("the first node is missing")
    seen, waiting = set(), [ROOT]
    while waiting:
        name = waiting.pop()
        if name in seen or name not in nodes:
            raise FormatError(f"node {quote(name)} is missing, or hangs on two others")
        seen.add(name)
        if nodes[name].children and Phase.parse(nodes[name].phase) == Phase.COMPLETED:
            raise FormatError(f"the game is over at node {name}, and goes on below it")
        if any(child in nodes and nodes[child].parent != name for child in nodes[name].children):
            raise FormatError(f"the children of node {name} hang on another")
        waiting += nodes[name].children
    if len(seen) < len(nodes):
        raise FormatError("some nodes hang on none")


def _lists(given: Mapping[str, Any], key: str, what: str) -> Orders:
    table = pieces.table(given.get(key) or {}, f"{key} of {what}")
    return {
        name: pieces.string_list(items, f"{key} of {what}, {quote(name)}") for name, items in table.items()
    }


def _text(given: Mapping[str, Any], key: str, default: str) -> str:
    return of_kind(f"{key!r} of a study", given.get(key, default), str, "text")


def _whole(given: Mapping[str, Any], key: str) -> int:
    return whole(f"{key!r} of a study", given.get(key), 1)


def _number(given: Mapping[str, Any], key: str) -> float:
    value = given.get(key)
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise FormatError(f"{key!r} of a study must be a number, not {quote(value)}")
    return float(value)


def game_of(study: Study, line: Sequence[StudyNode]) -> Game:
    """A line of a study as a saved game: phases with the orders that continue the line, and results."""
    phases = []
    for node, after in zip(line, [*line[1:], None], strict=True):
        orders, results = {}, {}
        if after is not None:
            orders = {power: list(after.orders.get(power, ())) for power in study.map.powers}
            results = after.results or resolution_of(study, after).results
        phases.append(GamePhase(node.phase, node.state, orders, results, node.messages))
    return Game(study.game or study.id, study.map.name, (), tuple(phases))


# Browsers send nothing after a ``#`` to a server, so a link reveals its contents to no server.

MOST_STATE = 1 << 20
"""Bytes of a position that a link may hold once it is unpacked."""
MOST_STUDY = 24 << 20
"""Bytes of a study that a link may hold once it is unpacked."""
MOST_LINK = 1_500_000
"""Characters of what stands behind the ``#``; browsers take addresses of some two million."""
PREFIX, SHARED = "position=", "shared="
DATA = re.compile(r"(?:position|shared)=[\w-]++")
EMBEDDED = re.compile(r'<template id="study">(\{[^<]*)</template>')
"""The study in a page."""

Listed = Mapping[str, Sequence[Sequence[Any]]]
"""The engine's lines at a node, by power: orders, expected share of the end, chance of a solo, and the
error of the share."""


def fragment_in(data: bytes) -> str:
    """The data of a link, or of the end of one, if the text contains nothing else; "" if it is not a link."""
    try:
        text = data.strip().decode("ascii")
    except UnicodeDecodeError:
        return ""
    if DATA.fullmatch(text):
        return text
    _, mark, end = text.partition("#")
    if not mark or len(text.split(None, 1)) > 1:
        return ""
    return next((match[0] for part in reversed(end.split("&")) if (match := DATA.match(part))), "")


def fragment_of(state: Mapping[str, Any]) -> str:
    """The end of an address that contains a position."""
    return PREFIX + _packed(dict(state))


def position_of_fragment(text: str) -> Position:
    """The position of such an end, or of a whole address. Raises FormatError or PositionError."""
    return Position.from_json(table(_unpacked(text, PREFIX, MOST_STATE, "position"), "a position"))


def shared_study(study: Study, lines: Mapping[str, Listed] | None = None, engine: str = "") -> dict[str, Any]:
    """A study for others, with the results of its orders and the engine's `lines` by the ids of nodes.
    `engine` describes the search for them. Talks, drafts, and a game in progress are omitted."""
    data = study_to_json(study)
    nodes = []
    for node in data["nodes"]:
        kept = {key: value for key, value in node.items() if key not in ("messages", "draft", "results")}
        listed = (lines or {}).get(node["id"])
        nodes.append(kept | _came(study, study.nodes[node["id"]]) | ({"lines": listed} if listed else {}))
    data.pop("play")
    return {**data, "nodes": nodes, **({"engine": engine} if engine else {})}


def shared_fragment(study: Study, lines: Mapping[str, Listed] | None = None, engine: str = "") -> str:
    """The end of an address that contains such a study. Raises FormatError for one that is too large for a
    link."""
    packed = _packed(shared_study(study, lines, engine))
    if len(packed) > MOST_LINK:
        size = f"{len(packed):,} characters, and one takes {MOST_LINK:,}"
        raise FormatError(f"the study is too large for a link: {size}; write it into a file (--out)")
    return SHARED + packed


def _came(study: Study, node: StudyNode) -> dict[str, Any]:
    """What became of the orders that led to a node."""
    if node.parent is None:
        return {}
    outcome = outcome_of(study, node)
    foreign = {
        power: {unit: result.words for unit, result in named.items()}
        for power, named in outcome.foreign.items()
    }
    told: dict[str, Any] = {"note": outcome.note} if outcome.note else {}
    told["results"] = {unit: words for unit, words in outcome.results.items() if any(words)}
    return told | ({"foreign": foreign} if foreign else {})


def study_of_shared(text: str) -> Study:
    """The study of such an end, of a whole address, or of a page with a study in it, without an id. Raises
    BordeauxError."""
    page = EMBEDDED.search(text)
    given = parse_json(unescape(page[1])) if page else _unpacked(text, SHARED, MOST_STUDY, "study")
    data = table(given, "a study")
    # A link never holds a game in progress, even if somebody has put one in.
    data.pop("play", None)
    nodes = data.get("nodes")
    for node in nodes if isinstance(nodes, list) else ():
        # The rules give the results of orders, unless results were recorded.
        if isinstance(node, dict) and node.get("recorded") is not True:
            node.pop("results", None)
    return study_from_json("", data)


def _packed(data: dict[str, Any]) -> str:
    packed = zlib.compress(json_line(data).encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def _unpacked(text: str, prefix: str, most: int, what: str) -> object:
    coded = text.strip().rpartition("#")[2].rpartition(prefix)[2].partition("&")[0]
    try:
        padded = coded.encode("ascii") + b"=" * (-len(coded) % 4)
        packed = base64.b64decode(padded, altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(packed, most)
        if not unpacker.eof:
            raise FormatError(f"the {what} in this link is cut short, or too large")
        return parse_json(data.decode())
    except (binascii.Error, zlib.error, UnicodeError):
        raise FormatError(f"there is no {what} in this link; copy it whole") from None
