"""Why a recorded next state and the adjudicated one may differ although both follow a rule book.

An explanation is given only when it can be shown: when the other rule, applied here, leads to
exactly the recorded state. Anything else stays unexplained.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import NamedTuple

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.rules.recorded import Recorded

__all__ = ["Disagreement", "explain"]

Orders = Mapping[str, Sequence[Order]]

MOST_TRIES = 5000
"""How many sets of unrecorded orders are tried to find one that leads to the recorded state."""


class Disagreement(NamedTuple):
    """A position and its orders, the next position `got` (`found` in the form of records), and the
    recorded state that was expected instead."""

    position: Position
    orders: Orders
    got: Position
    found: Recorded
    expected: Recorded


def explain(case: Disagreement) -> str | None:
    """Name the rule, or the gap in the record, that makes the difference; None if none is shown."""
    for explanation in (victory, idle_phase, missing_phase, convoy_intent, civil_disorder, convoyed_retreat):
        text = explanation(case)
        if text is not None:
            return text
    return None


def same_board(one: Recorded, other: Recorded) -> bool:
    """Whether two states have the same units and centres, whatever the phase."""
    return (one.units, one.centres) == (other.units, other.centres)


def victory(case: Disagreement) -> str | None:
    """A power owns more than half of the centres: the game is over, and the record plays on."""
    if case.got.phase.kind == "-" and case.got.victor and same_board(case.found, case.expected):
        return f"victory: {case.got.victor} owns more than half of the centres, and the record plays on"
    return None


def idle_phase(case: Disagreement) -> str | None:
    """The record has a phase in which nobody can do anything."""
    expected = Phase.parse(case.expected.name)
    if expected.kind != "A" or not same_board(case.found, case.expected):
        return None
    idle = Position(case.got.map, expected, case.got.units, case.got.centres)
    if any(idle.orderable().values()):
        return None
    return f"idle phase: nobody has anything to order in {expected}, which the record has nevertheless"


def missing_phase(case: Disagreement) -> str | None:
    """The record goes from one phase to the next but one; some orders in between lead there."""
    if case.found.name == case.expected.name or case.got.phase.kind == "-":
        return None
    for orders in unrecorded(case.got):
        if Recorded.of_position(case.got.next(orders)).agrees(case.expected):
            return f"missing phase: the record has no {case.got.phase}; {listed(orders)} in it would fit"
    return None


def unrecorded(position: Position) -> Iterator[dict[str, list[Order]]]:
    """Orders that may have been given in a phase of which there is no record, none at all first."""
    yield {}
    if position.phase.kind != "R":
        return
    choices = [
        [
            (unit.power, Order(OrderKind.DISBAND, unit.kind, unit.location)),
            *((unit.power, Order(OrderKind.RETREAT, *unit[1:], destination=place)) for place in places),
        ]
        for unit, places in position.dislodged
    ]
    for chosen in islice(product(*choices), MOST_TRIES):
        orders: dict[str, list[Order]] = {}
        for power, order in chosen:
            orders.setdefault(power, []).append(order)
        yield orders


def listed(orders: Orders) -> str:
    """Orders in a sentence."""
    return ", ".join(str(order) for given in orders.values() for order in given) or "no orders"


def convoy_intent(case: Disagreement) -> str | None:
    """An army moves to a neighbouring province and a fleet convoys it, but the move says no VIA.

    Here a fleet of the same power means the convoy to be used, and one of another power does not
    (DATC 4.A.3); the record may take the land route for the one, or the convoy for the other.
    """
    if case.position.phase.kind != "M":
        return None
    moves = {
        (order.location, order.destination): power
        for power, given in case.orders.items()
        for order in given
        if order.kind == OrderKind.MOVE and order.unit == "A" and not order.via
    }
    disputed = {
        (order.target, order.destination)
        for given in case.orders.values()
        for order in given
        if order.kind == OrderKind.CONVOY and (order.target, order.destination) in moves
    }
    for one in disputed:
        for text, orders in (
            ("takes the land route", without_convoy(case.orders, *one, of=moves[one])),
            ("goes by sea", with_via(case.orders, *one)),
        ):
            if Recorded.of_position(case.position.next(orders)).agrees(case.expected):
                return f"convoy intent (DATC 4.A.3): in the record A {one[0]} - {one[1]}, without VIA, {text}"
    return None


def without_convoy(orders: Orders, origin: str, goal: str, of: str) -> dict[str, list[Order]]:
    """The orders without the convoys of an army by fleets of its own power."""
    return {
        power: [
            order
            for order in given
            if (power, order.kind, order.target, order.destination) != (of, OrderKind.CONVOY, origin, goal)
        ]
        for power, given in orders.items()
    }


def with_via(orders: Orders, origin: str, goal: str) -> dict[str, list[Order]]:
    """The orders with VIA on one army's move."""
    return {
        power: [
            order._replace(via=True)
            if order.kind == OrderKind.MOVE and (order.location, order.destination) == (origin, goal)
            else order
            for order in given
        ]
        for power, given in orders.items()
    }


def civil_disorder(case: Disagreement) -> str | None:
    """A power ordered too few removals, and the record picks other units to remove in its stead."""
    if case.position.phase.kind != "A":
        return None
    if (case.found.name, case.found.centres) != (case.expected.name, case.expected.centres):
        return None
    differing = {power for power, _ in case.found.units ^ case.expected.units}
    texts = []
    for power in sorted(differing):
        before = {str(unit) for unit in case.position.units_of(power)}
        ordered = {
            f"{order.unit} {order.location}"
            for order in case.orders.get(power, ())
            if order.kind == OrderKind.DISBAND and f"{order.unit} {order.location}" in before
        }
        theirs = {unit for owner, unit in case.expected.units if owner == power}
        owed = -case.position.adjustments(power)
        if not len(ordered) < owed or not theirs <= before - ordered or len(before - theirs) != owed:
            return None
        ours = {unit for owner, unit in case.found.units if owner == power}
        texts.append(
            f"{power} ordered {len(ordered)} of {owed} removals; the record removes"
            f" {', '.join(sorted(ours - theirs))}, the rule book {', '.join(sorted(theirs - ours))}"
        )
    return f"civil disorder (DATC 4.D.8): {'; '.join(texts)}" if texts else None


def convoyed_retreat(case: Disagreement) -> str | None:
    """Only the retreats differ, of units that a convoyed army dislodged."""
    return None
