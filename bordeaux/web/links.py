"""Links that contain a position or a whole study after the ``#``: JSON, deflated, in base64url.

Browsers send nothing after a ``#`` to a server, so a link reveals its contents to no server.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from bordeaux.board.cleaning import json_line
from bordeaux.board.errors import FormatError
from bordeaux.board.pieces import table
from bordeaux.board.position import Position
from bordeaux.formats.source import parse_json
from bordeaux.web.outcomes import outcome_of
from bordeaux.web.saved import study_from_json, study_to_json
from bordeaux.web.study import Study, StudyNode

__all__ = [
    "SHARED",
    "fragment_in",
    "fragment_of",
    "position_of_fragment",
    "shared_fragment",
    "study_of_shared",
]

MOST_STATE = 1 << 20
"""Bytes of a position that a link may hold once it is unpacked."""
MOST_STUDY = 24 << 20
"""Bytes of a study that a link may hold once it is unpacked."""
MOST_LINK = 1_500_000
"""Characters of what stands behind the ``#``; browsers take addresses of some two million."""
PREFIX, SHARED = "position=", "shared="
FRAGMENT = re.compile(r"\S*#(?:\S*&)?((?:position|shared)=[\w-]+)\S*")
BARE = re.compile(r"(?:position|shared)=[\w-]+")

Listed = Mapping[str, Sequence[Sequence[Any]]]
"""The engine's lines at a node, by power: orders, points, expected share of the end, chance of a solo."""


def fragment_in(data: bytes) -> str:
    """The data of a link, or of the end of one, if the text contains nothing else; "" if it is not a link."""
    try:
        text = data.strip().decode("ascii")
    except UnicodeDecodeError:
        return ""
    if match := FRAGMENT.fullmatch(text):
        return match[1]
    return text if BARE.fullmatch(text) else ""


def fragment_of(state: Mapping[str, Any]) -> str:
    """The end of an address that contains a position."""
    return PREFIX + _packed(dict(state))


def position_of_fragment(text: str) -> Position:
    """The position of such an end, or of a whole address. Raises FormatError or PositionError."""
    return Position.from_json(table(_unpacked(text, PREFIX, MOST_STATE, "position"), "a position"))


def shared_fragment(study: Study, lines: Mapping[str, Listed] | None = None, engine: str = "") -> str:
    """The end of an address that contains a study, with the results of its orders and the engine's `lines` by
    the ids of nodes. `engine` describes the search for them. Talks, drafts, and a game in progress are
    omitted. Raises FormatError for a study that is too large for a link."""
    data = study_to_json(study)
    nodes = []
    for node in data["nodes"]:
        kept = {key: value for key, value in node.items() if key not in ("messages", "draft", "results")}
        nodes.append(kept | _came(study, study.nodes[node["id"]]) | _lines(lines, node["id"]))
    data.pop("play")
    packed = _packed({**data, "nodes": nodes, **({"engine": engine} if engine else {})})
    if len(packed) > MOST_LINK:
        raise FormatError(
            f"the study is too large for a link: {len(packed):,} characters, and one takes {MOST_LINK:,};"
            " write it into a file (--out)"
        )
    return SHARED + packed


def _came(study: Study, node: StudyNode) -> dict[str, Any]:
    if node.parent is None:
        return {}
    outcome = outcome_of(study, node)
    outcome_told: dict[str, Any] = {"note": outcome.note} if outcome.note else {}
    outcome_told |= {"results": {unit: words for unit, words in outcome.results.items() if any(words)}}
    foreign = {
        power: {unit: result.words for unit, result in named.items()}
        for power, named in outcome.foreign.items()
    }
    return outcome_told | ({"foreign": foreign} if foreign else {})


def _lines(lines: Mapping[str, Listed] | None, name: str) -> dict[str, Any]:
    lines_of_node = (lines or {}).get(name)
    return {"lines": lines_of_node} if lines_of_node else {}


def study_of_shared(text: str) -> Study:
    """The study of such an end, or of a whole address, without an id. Raises BordeauxError."""
    data = table(_unpacked(text, SHARED, MOST_STUDY, "study"), "a study")
    # No link holds a game in progress, whoever made it.
    data.pop("play", None)
    nodes = data.get("nodes")
    for node in nodes if isinstance(nodes, list) else ():
        # What came of orders follows from the rules, unless it was recorded.
        if isinstance(node, dict) and node.get("recorded") is not True:
            node.pop("results", None)
    return study_from_json("", data)


def _packed(data: dict[str, Any]) -> str:
    packed = zlib.compress(json_line(data).encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def _unpacked(text: str, prefix: str, most: int, what: str) -> object:
    coded = text.strip().rpartition("#")[2].rpartition(prefix)[2].partition("&")[0]
    try:
        packed = base64.b64decode(
            coded.encode("ascii") + b"=" * (-len(coded) % 4), altchars=b"-_", validate=True
        )
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(packed, most)
        if not unpacker.eof:
            raise FormatError(f"the {what} in this link is cut short, or too large")
        return parse_json(data.decode())
    except (binascii.Error, zlib.error, UnicodeError):
        raise FormatError(f"there is no {what} in this link; copy it whole") from None
