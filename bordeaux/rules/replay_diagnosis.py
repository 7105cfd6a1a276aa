"""Explanations of differences between a recorded next state and the adjudicated one.

An explanation is given only if it is proven: the other rule, applied here, leads to exactly the recorded
state. Other differences stay unexplained.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, product
from typing import NamedTuple

from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.board.unit import Unit
from bordeaux.rules.adjudication import adjudicate
from bordeaux.rules.explain import DISLODGED
from bordeaux.rules.landroute import walkers
from bordeaux.rules.recorded import Recorded, choices
from bordeaux.rules.rulesets import KEEP_DISLODGED, LAND_ROUTE

__all__ = ["Discrepancy", "explain"]

Orders = Mapping[str, Sequence[Order]]

MOST_TRIES = 5000
"""How many sets of unrecorded orders are tried to find one that leads to the recorded state."""


class Discrepancy(NamedTuple):
    """A position and its orders, the next position `got` (`got_record` in the form of records), and the
    recorded state that was expected instead."""

    position: Position
    orders: Orders
    got: Position
    got_record: Recorded
    expected: Recorded


def explain(case: Discrepancy) -> str | None:
    """The rule, or the gap in the record, that causes the difference; None if none is proven."""
    for explanation in (
        victory,
        idle_phase,
        missing_phase,
        convoy_intent,
        other_rules,
        civil_disorder,
        convoyed_retreat,
    ):
        text = explanation(case)
        if text is not None:
            return text
    return None


def same_board(one: Recorded, other: Recorded) -> bool:
    """Whether two states have the same units and centres, whatever the phase."""
    return (one.units, one.centres) == (other.units, other.centres)


def victory(case: Discrepancy) -> str | None:
    """A power owns more than half of the centres: the game is over, and the record continues."""
    if case.got.phase.kind != "-" or case.expected.name != f"W{case.position.phase.year}A":
        return None
    if not same_board(case.got_record, case.expected):
        return None
    return f"victory: {case.got.victor} owns more than half of the centres, and the record plays on"


def idle_phase(case: Discrepancy) -> str | None:
    """The record has a Winter without any decision."""
    before, after = case.position.phase, case.got.phase
    if after != Phase(before.year + 1, "S", "M") or case.expected.name != f"W{before.year}A":
        return None
    if not same_board(case.got_record, case.expected):
        return None
    winter = Position(case.got.map, Phase(before.year, "W", "A"), case.got.units, case.got.centres)
    if any(winter.orderable().values()):
        return None
    return f"idle phase: nobody has anything to order in {winter.phase}, which the record has nevertheless"


def missing_phase(case: Discrepancy) -> str | None:
    """The record skips a phase; some orders in it lead to the recorded state."""
    if case.got_record.name == case.expected.name or case.got.phase.kind == "-":
        return None
    for orders in unrecorded(case.got):
        if Recorded.of_position(case.got.next(orders)).agrees(case.expected):
            return f"missing phase: the record has no {case.got.phase}; {listed(orders)} in it would fit"
    return None


def unrecorded(position: Position) -> Iterator[dict[str, list[Order]]]:
    """The orders that may have been given in an unrecorded phase, beginning with none at all."""
    yield {}
    if position.phase.kind != "R":
        return
    ways = [
        [
            (unit.power, Order(OrderKind.DISBAND, unit.kind, unit.location)),
            *((unit.power, Order(OrderKind.RETREAT, *unit[1:], destination=place)) for place in places),
        ]
        for unit, places in position.dislodged
    ]
    for chosen in islice(product(*ways), MOST_TRIES):
        orders: dict[str, list[Order]] = {}
        for power, order in chosen:
            orders.setdefault(power, []).append(order)
        yield orders


def listed(orders: Orders) -> str:
    """Orders in a sentence."""
    return ", ".join(str(order) for given in orders.values() for order in given) or "no orders"


def convoy_intent(case: Discrepancy) -> str | None:
    """An army moves to a neighbouring province and a fleet convoys it, but the move has no VIA.

    Here a convoy by a fleet of the same power is used, and one by another power is not (DATC 4.A.3). The
    record may have the opposite in either case.
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
    for one in sorted(disputed):
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


def other_rules(case: Discrepancy) -> str | None:
    """The program of the record lets an army without a convoy walk despite VIA, or keeps dislodged units
    without a retreat for a retreat phase, or both (`bordeaux.rules.rulesets`)."""
    if case.position.phase.kind != "M":
        return None
    for rules in (LAND_ROUTE, KEEP_DISLODGED, LAND_ROUTE | KEEP_DISLODGED):
        then = adjudicate(case.position, case.orders, rules).after
        if not Recorded.of_position(then).agrees(case.expected):
            continue
        texts = []
        if rules.land_route:
            listed = ", ".join(map(str, walkers(case.position, case.orders)))
            texts.append(f"{listed} goes by land in the record, as nobody convoys it")
        if rules.keep_dislodged:
            kept = (dislodged.unit for dislodged in then.dislodged if dislodged not in case.got.dislodged)
            texts.append(f"the record keeps {', '.join(map(str, kept))}, which has nowhere to retreat to")
        return f"{rules.name}: {'; '.join(texts)}"
    return None


def civil_disorder(case: Discrepancy) -> str | None:
    """A power ordered too few removals, and the record follows an earlier rule book.

    There the unit farthest from the homes of its power goes first, whoever owns them now; here the one
    farthest from the centres that its power owns. Both count steps of any kind of unit.
    """
    position = case.position
    if position.phase.kind != "A":
        return None
    units = set(case.got_record.units)
    texts = []
    for power in position.map.powers:
        ordered = {order.location for order in case.orders.get(power, ()) if order.kind == OrderKind.DISBAND}
        free = [unit for unit in position.units_of(power) if unit.location not in ordered]
        owed = len(free) - len([unit for owner, unit in case.got_record.units if owner == power])
        if position.adjustments(power) >= 0 or owed <= 0:
            continue
        kept = {
            (power, str(unit)) for unit in sorted(free, key=partial(nearness_to_home, position.map))[:-owed]
        }
        others = {(owner, unit) for owner, unit in units if owner != power}
        for _, unit in sorted((units - others) - kept):
            texts.append(f"{power} loses {unit}")
        units = others | kept
    if not texts or not case.got_record._replace(units=frozenset(units)).agrees(case.expected):
        return None
    named = ", ".join(texts)
    return f"civil disorder (DATC 4.D.8): farthest from home, not from the centres owned now, so that {named}"


def nearness_to_home(map: Map, unit: Unit) -> tuple[int, bool, list[int]]:
    """A sort key for a power's units: the last one is removed first."""
    steps = map.tables.steps(map.province(unit.province).index)
    far = min((steps[map.province(home).index] for home in map.homes[unit.power]), default=0)
    return far, unit.kind == "F", [-ord(letter) for letter in unit.province]


def convoyed_retreat(case: Discrepancy) -> str | None:
    """The record lets a unit that a convoyed army dislodged retreat to any neighbour.

    This includes occupied and contested ones. It is a fault of the program that kept the record (version
    1.1.2 of the package ``diplomacy``), and not a rule of any edition.
    """
    position = case.position
    if position.phase.kind != "M" or case.expected.retreats is None:
        return None
    driven_out = dislodged_by_convoy(case)
    if not driven_out:
        return None
    open_to = dict(case.got.dislodged)
    open_to.update({unit: position.map.adjacent(unit.kind, unit.location) for unit in driven_out})
    standing = frozenset((unit.power, str(unit)) for unit in case.got.units)
    record = Recorded(
        str(position.phase._replace(kind="R")),
        standing | {(unit.power, f"*{unit}") for unit in open_to},
        Recorded.of_position(position).centres,
        frozenset((unit.power, choices(str(unit), places)) for unit, places in open_to.items()),
    )
    if not record.agrees(case.expected):
        return None
    named = ", ".join(f"{unit.power} {unit}" for unit in driven_out)
    return f"retreat from a convoyed army: {named} may go to any neighbour in the record, taken or contested"


def dislodged_by_convoy(case: Discrepancy) -> list[Unit]:
    """The units that convoyed armies dislodged."""
    map = case.position.map
    submitted = submit(case.position, case.orders)
    _, outcomes, arrivals, convoyed = case.position.packed.adjudicate(submitted.codes())
    units = []
    for unit in case.position.units:
        province = map.province(unit.province).index
        if outcomes[province] & DISLODGED and convoyed[arrivals[province]]:
            units.append(unit)
    return units
