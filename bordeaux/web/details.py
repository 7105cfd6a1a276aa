"""Studies and their nodes as JSON for the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bordeaux.board.cleaning import clean
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.rules import legal_orders
from bordeaux.view.board.paint import kind_of_power, letters
from bordeaux.view.board.units import heading, told
from bordeaux.web.messages import letters_of, messages_of
from bordeaux.web.outcomes import outcome_of
from bordeaux.web.study import Study, StudyNode

__all__ = ["due", "node_details", "powers_of", "study_details", "units_told"]


def study_details(
    study: Study, book: Mapping[str, bool | None], play: dict[str, Any] | None
) -> dict[str, Any]:
    """A study for the page. `book` says for each node whether the opening book has it, as far as known.
    `play` is the game that is played in the study."""
    return {
        "id": study.id,
        "name": study.name,
        "map": study.map.name,
        "rules": study.rules,
        "version": study.version,
        "changed": study.changed,
        "root": study.root.id,
        "powers": powers_of(study.map),
        "nodes": [_summary(study, node, book.get(node.id)) for node in study.nodes.values()],
        "play": play,
    }


def powers_of(board: Map) -> list[dict[str, str]]:
    """The powers of a map with their tags, letters and colours."""
    letter = letters(board)
    return [
        {
            "name": power,
            "tag": board.tags[power],
            "letter": letter[power],
            "colour": kind_of_power(board, power)[1],
        }
        for power in board.powers
    ]


def _summary(study: Study, node: StudyNode, book: bool | None) -> dict[str, Any]:
    board = study.map
    owned = node.state.get("centers") or {}
    return {
        "id": node.id,
        "parent": node.parent,
        "children": list(node.children),
        "phase": node.phase,
        "centres": {power: len(owned.get(power) or ()) for power in board.powers},
        "recorded": node.recorded,
        "differs": _differs(study, node),
        "comment": node.comment,
        "messages": len(letters_of(node, board)),
        "book": book,
    }


def _differs(study: Study, node: StudyNode) -> list[str]:
    """The orders that distinguish a side line: those that its first sibling lacks."""
    first = study.nodes[node.parent].children[0] if node.parent is not None else node.id
    if first == node.id:
        return []
    there = study.nodes[first].orders
    return [
        clean(text)
        for power, texts in node.orders.items()
        for text in texts
        if text not in there.get(power, ())
    ]


def node_details(study: Study, name: str) -> dict[str, Any]:
    """A node for the page. Raises Missing."""
    node, position = study.node(name), study.position(name)
    over = position.phase.kind == "-"
    return {
        "id": node.id,
        "parent": node.parent,
        "phase": node.phase,
        "heading": heading(position.phase),
        "told": told(position, (), None),
        "state": node.state,
        "units": list(units_told(position)),
        "owners": dict(zip(position.map.centres, position.owners, strict=True)),
        "legal": {} if over else legal_orders(position),
        "due": due(position),
        "draft": node.draft,
        "comment": node.comment,
        "next": [_branch(study, study.nodes[child]) for child in node.children],
        "messages": messages_of(node, study.map),
    }


def units_told(position: Position) -> Iterable[dict[str, Any]]:
    """The units in their places, then the dislodged ones with their retreats."""
    for unit in position.units:
        yield {
            "power": unit.power,
            "kind": unit.kind,
            "location": unit.location,
            "province": unit.province,
            "dislodged": False,
            "retreats": [],
        }
    for unit, retreats in position.dislodged:
        yield {
            "power": unit.power,
            "kind": unit.kind,
            "location": unit.location,
            "province": unit.province,
            "dislodged": True,
            "retreats": list(retreats),
        }


def due(position: Position) -> dict[str, dict[str, Any]]:
    """The number and kind of orders that each power must give: M, R, build or disband."""
    due_by_power: dict[str, dict[str, Any]] = {}
    for power, places in position.orderable().items():
        if position.phase.kind != "A":
            due_by_power[power] = {"kind": position.phase.kind, "count": len(places)}
            continue
        count = position.adjustments(power)
        due_by_power[power] = {"kind": "build" if count > 0 else "disband", "count": abs(count)}
    return due_by_power


def _branch(study: Study, node: StudyNode) -> dict[str, Any]:
    outcome = outcome_of(study, node)
    return {
        "id": node.id,
        "phase": node.phase,
        "recorded": node.recorded,
        "orders": {power: [clean(text) for text in texts] for power, texts in node.orders.items()},
        "results": outcome.results,
        "reasons": outcome.reasons,
        "foreign": {
            power: {unit: result._asdict() for unit, result in named.items()}
            for power, named in outcome.foreign.items()
        },
        "note": outcome.note,
    }
