"""Studies and their nodes as JSON for the page: results of orders with reasons, messages of a phase, and
the rest."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from bordeaux.board.cleaning import clean
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide.press import in_english
from bordeaux.rules import Resolution, adjudicate, legal_orders
from bordeaux.rules.adjudication import UnitResult
from bordeaux.rules.replay import Discrepancy, Recorded, explain
from bordeaux.rules.rulesets import rules_named
from bordeaux.studies.study import Study, StudyNode, passed_over
from bordeaux.view.board.paint import letters
from bordeaux.view.board.units import told
from bordeaux.view.palette import colour_of

KEPT = 2000
SHOWN = 6
"""The number of differences of a record that are reported."""


class OrderOutcomes(NamedTuple):
    """Words and reasons by unit, and a note on the whole, "" for none. `foreign` has by power what became of
    its orders for units of others."""

    results: dict[str, list[str]]
    reasons: dict[str, str]
    note: str
    foreign: dict[str, dict[str, UnitResult]]


def resolution_of(study: Study, node: StudyNode) -> Resolution:
    """The orders that led to a node, adjudicated by the rules of that node. The node is not the root."""
    assert node.parent is not None
    orders = tuple((power, tuple(texts)) for power, texts in node.orders.items())
    return _resolved(study.position(node.parent), orders, node.rules)


@functools.lru_cache(maxsize=KEPT)
def _resolved(position: Position, orders: tuple[tuple[str, tuple[str, ...]], ...], rules: str) -> Resolution:
    return adjudicate(position, dict(orders), rules_named(rules))


def outcome_of(study: Study, node: StudyNode) -> OrderOutcomes:
    """The results of the orders that led to a node. A record's words have precedence over ours; if they
    differ, the reason says so. The node is not the root."""
    ours = resolution_of(study, node)
    foreign = {
        power: {unit: result for unit, result in named.items() if result.reason != ours.reasons[unit]}
        for power, named in ours.by_power.items()
    }
    foreign = {power: named for power, named in foreign.items() if named}
    if not node.recorded:
        return OrderOutcomes(ours.results, ours.reasons, "", foreign)
    results, reasons = dict(ours.results), dict(ours.reasons)
    for unit, words in node.results.items():
        said, known = [word for word in words if word], results.get(unit)
        if known is not None and sorted(said) != sorted(known):
            difference = f"the record says {', '.join(said) or 'ok'}, the rules {', '.join(known) or 'ok'}"
            reasons[unit] = f"{reasons.get(unit, '')}; {difference}".removeprefix("; ")
        results[unit] = said
    return OrderOutcomes(results, reasons, _note(study, node, ours), foreign)


def _note(study: Study, node: StudyNode, ours: Resolution) -> str:
    """How the position of a recorded node differs from the result of the rules, and why, if that is known."""
    assert ours.position is not None
    recorded = Recorded.of_position(study.position(node.id))
    adjudicated = Recorded.of_position(ours.after)
    if adjudicated.agrees(recorded) or Recorded.of_position(passed_over(ours.after)).agrees(recorded):
        return ""
    why = explain(Discrepancy(ours.position, ours.orders, ours.after, adjudicated, recorded))
    if why is None:
        differences = adjudicated.differences(recorded)
        more = f" and {len(differences) - SHOWN} more" if len(differences) > SHOWN else ""
        why = "; ".join(differences[:SHOWN]) + more
    return f"the record goes on otherwise than the rules: {why}"


LONGEST = 5000
"""Characters of a message that are shown."""
EVERYBODY = "GLOBAL"
"""The recipient of a message to all in the PyPI package ``diplomacy``."""
_DAIDE = re.compile(r"\s*[A-Z]{3}\s*\(")


def messages_of(node: StudyNode, board: Map) -> list[dict[str, Any]]:
    """The messages of a node's phase, in order: sender, recipients, text and time of each letter."""
    return [
        {**letter, "text": _plain(letter["text"], letter["sender"], board)}
        for letter in letters_of(node, board)
    ]


def letters_of(node: StudyNode, board: Map) -> list[dict[str, Any]]:
    """The messages as letters: saved games have one entry for each recipient of a letter."""
    letters: list[dict[str, Any]] = []
    for message in node.messages:
        sender, text = _power(message.get("sender"), board), message.get("message", message.get("text", ""))
        if not isinstance(text, str):
            continue
        listed = message.get("recipients", [message.get("recipient")])
        recipients = [_power(name, board) for name in (listed if isinstance(listed, list) else [listed])]
        if recipients == [EVERYBODY]:
            recipients = [power for power in board.powers if power != sender]
        time, text = message.get("time_sent", message.get("time")), text[:LONGEST]
        last = letters[-1] if letters else None
        same = last is not None and (last["sender"], last["text"]) == (sender, text)
        if last and same and not set(recipients) & set(last["recipients"]):
            last["recipients"] += recipients
            continue
        sound = isinstance(time, int | float) and math.isfinite(time)
        letter = {"sender": sender, "recipients": recipients, "text": text, "time": time if sound else None}
        letters.append(letter)
    return letters


def _power(name: object, board: Map) -> str:
    """The power of a name; another sender's name unchanged."""
    try:
        return board.power(str(name))
    except BordeauxError:
        return clean(str(name))[:60]


def _plain(text: str, sender: str, board: Map) -> str:
    """A message in plain English; text that is not DAIDE press is unchanged."""
    if _DAIDE.match(text) and sender in board.powers:
        try:
            press = d.read_part("press", text, vocabulary=d.Vocabulary.for_map(board))
            return in_english(sender, press, board)
        except (BordeauxError, ValueError, RecursionError):
            pass
    return clean(text, lines=True)


def study_details(study: Study, book: Mapping[str, bool], play: dict[str, Any] | None) -> dict[str, Any]:
    """A study for the page. `book` says for each node whether the opening book has it.
    `play` is the game that is played in the study."""
    return {
        "id": study.id,
        "name": study.name,
        "map": study.map.name,
        "version": study.version,
        "changed": study.changed,
        "root": study.root.id,
        "ended": study.ended,
        "powers": [
            {
                "name": power,
                "tag": study.map.tags[power],
                "letter": letter,
                "colour": colour_of(study.map, power),
            }
            for power, letter in letters(study.map).items()
        ],
        "nodes": [_summary(study, node, book[node.id]) for node in study.nodes.values()],
        "play": play,
    }


def _summary(study: Study, node: StudyNode, book: bool) -> dict[str, Any]:
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
        "told": told(position, (), None),
        "state": node.state,
        "units": list(units_told(position)),
        "owners": position.owner_of,
        "legal": {} if over else legal_orders(position),
        "due": due(position),
        "draft": node.draft,
        "comment": node.comment,
        "next": [_branch(study, study.nodes[child]) for child in node.children],
        "messages": messages_of(node, study.map),
    }


def units_told(position: Position) -> Iterable[dict[str, Any]]:
    """The units in their places, then the dislodged ones with their retreats."""
    standing = [(unit, None) for unit in position.units]
    for unit, retreats in (*standing, *position.dislodged):
        yield {
            "power": unit.power,
            "kind": unit.kind,
            "location": unit.location,
            "province": unit.province,
            "dislodged": retreats is not None,
            "retreats": list(retreats or ()),
        }


def due(position: Position) -> dict[str, dict[str, Any]]:
    """The number and kind of orders that each power must give: M, R, build or disband."""
    due_by_power = {}
    for power, places in position.orderable().items():
        kind, count = position.phase.kind, len(places)
        if kind == "A":
            count = position.adjustments(power)
            kind = "build" if count > 0 else "disband"
        due_by_power[power] = {"kind": kind, "count": abs(count)}
    return due_by_power


def _branch(study: Study, node: StudyNode) -> dict[str, Any]:
    outcome = outcome_of(study, node)
    return {
        "id": node.id,
        "phase": node.phase,
        "orders": {power: [clean(text) for text in texts] for power, texts in node.orders.items()},
        "results": outcome.results,
        "reasons": outcome.reasons,
        "foreign": {
            power: {unit: result._asdict() for unit, result in named.items()}
            for power, named in outcome.foreign.items()
        },
        "note": outcome.note,
    }
