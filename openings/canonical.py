"""Canonical sets of orders: sets that always have the same results have the same form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.notation import parse_order
from bordeaux.board.order import HELPS, Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import check, decode


class UnitView(NamedTuple):
    """A power's view of a phase: its key, and its contents: the units, and in Winter the centres."""

    key: str
    units: tuple[str, ...]
    centres: tuple[str, ...]


def position_key(position: Position) -> str:
    """The key of a position: 64 bits in 16 hexadecimal digits, the same on every machine.

    It depends only on the map, the phase, the units, the owners of centres and the open retreats, so that
    transpositions have the same key.
    """
    parts = [position.map.name, str(position.phase)]
    parts += [f"{power} {kind} {location}" for power, kind, location in position.units]
    parts.append(",".join(owner or "-" for owner in position.owners))
    parts += [f"{unit.power} {unit}:{' '.join(retreats)}" for unit, retreats in position.dislodged]
    return _hashed(parts)


def view_key(map: str, phase: str, power: str, units: Iterable[str], centres: Sequence[str]) -> str:
    """The key of a power's view, in the same form: its own units, given as ``A PAR``, and `centres`, which
    count only in Winter and are empty in other phases."""
    return _hashed([map, phase, power, *sorted(units), ",".join(sorted(centres))])


def unit_view(position: Position, power: str) -> UnitView:
    """A power's view of a position; not meant for retreat phases."""
    units = tuple(sorted(str(unit) for unit in position.units_of(power)))
    centres = tuple(sorted(position.centres.get(power, ()))) if position.phase.kind == "A" else ()
    return UnitView(view_key(position.map.name, str(position.phase), power, units, centres), units, centres)


def _hashed(parts: list[str]) -> str:
    return blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()


def canonical(position: Position, power: str, orders: Iterable[str | Order]) -> tuple[str, ...]:
    """The orders of a power in canonical form: one for each unit, in the order of the map.

    A unit without a legal order holds, or disbands in a retreat phase; of several legal orders the first
    counts. A support or convoy for an own unit that does something else is a hold, since it has no other
    effect. Builds are sorted, and unused ones are waived; removals are sorted, and missing ones are not
    added. Raises MapError for an unknown power, and nothing for invalid orders.
    """
    name = position.map.power(power)
    read = _legal(position, name, orders)
    if position.phase.kind == "A":
        return _adjustments(position, name, read)
    chosen = {order.location: order for order in reversed(read)}
    if position.phase.kind == "M":
        units, missing = position.units_of(name), OrderKind.HOLD
    else:
        units = tuple(dislodged.unit for dislodged in position.dislodged if dislodged.unit.power == name)
        missing = OrderKind.DISBAND
    full = {
        unit.location: chosen.get(unit.location) or Order(missing, unit.kind, unit.location)
        for unit in sorted(units, key=lambda unit: unit.location)
    }
    return tuple(str(_useful(full, order)) for order in full.values())


def is_idle(orders: Iterable[str]) -> bool:
    """Whether all of a set's units hold, as for a power that sends nothing."""
    return all(order.endswith(" H") for order in orders)


def _legal(position: Position, power: str, orders: Iterable[str | Order]) -> list[Order]:
    """The legal orders among some, in the form of the core."""
    legal = []
    for given in orders:
        try:
            order = given if isinstance(given, Order) else parse_order(given, position.map, position)
            checked = check(position, power, order)
        except BordeauxError:
            continue
        if not checked.fault:
            legal.append(decode(position.map, checked.code))
    return legal


def _useful(full: dict[str, Order], order: Order) -> Order:
    """The order, or a hold in place of a support or convoy that its own side makes void."""
    if order.kind not in HELPS or order.target not in full:
        return order
    other = full[order.target]
    moves = other.kind == OrderKind.MOVE
    if order.kind == OrderKind.SUPPORT_HOLD:
        meant = not moves
    else:
        goal = order.destination.partition("/")[0]
        meant = moves and other.destination.partition("/")[0] == goal
    return order if meant else Order(OrderKind.HOLD, order.unit, order.location)


def _adjustments(position: Position, power: str, orders: list[Order]) -> tuple[str, ...]:
    due = position.adjustments(power)
    taken: dict[str, Order] = {}
    for order in orders:
        if order.kind != OrderKind.WAIVE and len(taken) < abs(due):
            taken.setdefault(order.location.partition("/")[0], order)
    texts = sorted(str(order) for order in taken.values())
    return tuple(texts + ["WAIVE"] * (max(due, 0) - len(texts)))
