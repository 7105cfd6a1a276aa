"""The results of the orders that led to a node: words, reasons, and differences between record and rules."""

from __future__ import annotations

import functools
from typing import NamedTuple

from bordeaux.board.position import Position
from bordeaux.rules import Resolution, adjudicate
from bordeaux.rules.adjudication import UnitResult
from bordeaux.rules.replay import Discrepancy, Recorded, explain
from bordeaux.rules.rulesets import rules_named
from bordeaux.web.study import Study, StudyNode, passed_over

__all__ = ["OrderOutcomes", "outcome_of", "resolution_of"]

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

    def of(self, power: str, unit: str) -> list[str]:
        """The words for an order that a power gave to a unit."""
        foreign = self.foreign.get(power, {}).get(unit)
        return foreign.words if foreign is not None else self.results.get(unit, [])


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
        said = [word for word in words if word]
        if unit in results and sorted(said) != sorted(results[unit]):
            difference = (
                f"the record says {', '.join(said) or 'ok'}, the rules {', '.join(results[unit]) or 'ok'}"
            )
            reasons[unit] = f"{reasons.get(unit, '')}; {difference}".removeprefix("; ")
        results[unit] = said
    return OrderOutcomes(results, reasons, _note(study, node, ours), foreign)


def _note(study: Study, node: StudyNode, ours: Resolution) -> str:
    """How the position of a recorded node differs from the result of the rules, and the reason if it is
    known."""
    assert ours.position is not None
    recorded = Recorded.of_position(study.position(node.id))
    adjudicated = Recorded.of_position(ours.after)
    if adjudicated.agrees(recorded) or Recorded.of_position(passed_over(ours.after)).agrees(recorded):
        return ""
    why = explain(Discrepancy(ours.position, ours.orders, ours.after, adjudicated, recorded))
    if why is not None:
        return f"the record goes on otherwise than the rules: {why}"
    differences = adjudicated.differences(recorded)
    more = f" and {len(differences) - SHOWN} more" if len(differences) > SHOWN else ""
    return f"the record goes on otherwise than the rules: {'; '.join(differences[:SHOWN])}{more}"
