"""Completes a partial order with the one legal order that fits.

Movement orders that are promised outside a movement phase are completed for the current units.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.notation_words import Place
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.board.unit import Unit
from bordeaux.press.language import messages as p
from bordeaux.press.language.english.names import Names
from bordeaux.rules.legal import legal_codes

__all__ = ["PromisableOrders", "Ref"]

#: The maximum number of choices that a question names.
MOST_CHOICES = 6
#: The phases of orders other than movement orders.
_PHASES = {OrderKind.RETREAT: "R", OrderKind.DISBAND: "RA", OrderKind.BUILD: "A", OrderKind.WAIVE: "A"}
_VERBS = {
    OrderKind.HOLD: "hold",
    OrderKind.MOVE: "move",
    OrderKind.SUPPORT_HOLD: "support",
    OrderKind.SUPPORT_MOVE: "support",
    OrderKind.CONVOY: "convoy",
    OrderKind.RETREAT: "retreat",
    OrderKind.DISBAND: "disband",
    OrderKind.BUILD: "build",
}


class Ref(NamedTuple):
    """The given details of a unit: power, kind (A, F), place."""

    power: str = ""
    kind: str = ""
    place: Place | None = None

    def fits(self, power: str, kind: str, location: str) -> bool:
        """Whether a unit matches the details."""
        if self.place is not None:
            tag, _, coast = location.partition("/")
            if tag != self.place.province.name or (coast and self.place.coast not in ("", coast)):
                return False
        return self.power in ("", power) and self.kind in ("", kind)


class PromisableOrders:
    """The orders that can be promised in a position."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.names = Names(position.map)

    def next_phase(self, kind: OrderKind) -> Phase:
        """The next phase, this one included, in which orders of a kind may be given."""
        now, wanted = self.position.phase, _PHASES.get(kind, "M")
        if now.kind in wanted or now == Phase.COMPLETED:
            return now
        wanted = wanted[0]
        if wanted == "A":
            return Phase(now.year, "W", "A")
        if now.season == "S":
            return Phase(now.year, "S" if now.kind == "M" else "F", wanted)
        return Phase(now.year, "F", "R") if now.kind == "M" else Phase(now.year + 1, "S", wanted)

    def unit_in(self, place: Place) -> Unit | None:
        """The unit in a province; in retreat phases a dislodged one first."""
        tag = place.province.name
        driven_out = [
            dislodged.unit for dislodged in self.position.dislodged if dislodged.unit.province == tag
        ]
        return driven_out[0] if driven_out else self.position.unit_at(tag)

    def promise(
        self,
        kind: OrderKind,
        actor: Ref,
        target: Ref | None = None,
        to: Place | None = None,
        via: bool = False,
    ) -> p.Promise:
        """The promise of the one order that fits. Raises BordeauxError if none or several fit, with the
        reason or the choices."""
        if kind == OrderKind.WAIVE:
            return p.Promise(actor.power, Order(OrderKind.WAIVE))
        possible = [
            (power, order)
            for power, order in _legal(self._ordered_in(kind))
            if order.kind == kind and self._fits(power, order, actor, target, to)
        ]
        possible = _narrowed(possible, lambda choice: choice[1].via == via)
        possible = _narrowed(possible, lambda choice: self._on_foot(choice[1]))
        if len(possible) == 1:
            power, order = possible[0]
            return self._made(power, order, target)
        if len(possible) > 1:
            named = [str(order) for _, order in possible[:MOST_CHOICES]]
            more = " and others" if len(possible) > MOST_CHOICES else ""
            raise BordeauxError(f"several orders fit, name the one you mean: {', '.join(named)}{more}")
        return self._as_written(kind, actor, target, to, via)

    def _ordered_in(self, kind: OrderKind) -> Position:
        """The position; in a phase of another kind the present units, before their next movement."""
        now, phase = self.position, self.next_phase(kind)
        if phase == now.phase or phase.kind != "M":
            return now
        return Position(now.map, phase, now.units, now.centres)

    def _fits(self, power: str, order: Order, actor: Ref, target: Ref | None, to: Place | None) -> bool:
        if not actor.fits(power, order.unit, order.location):
            return False
        if target is not None:
            other = self.position.unit_at(order.target.partition("/")[0])
            if other is None or not target.fits(*other):
                return False
        if to is None:
            return True
        tag, _, coast = order.destination.partition("/")
        return tag == to.province.name and (not coast or to.coast in ("", coast))

    def _on_foot(self, order: Order) -> bool:
        """Whether the move that an order supports needs no convoy."""
        if order.kind != OrderKind.SUPPORT_MOVE:
            return True
        near = self.position.map.adjacent(order.target_unit, order.target)
        return order.destination in near

    def _made(self, power: str, order: Order, target: Ref | None) -> p.Promise:
        if target is None:
            return p.Promise(power, order)
        other = self.position.unit_at(order.target.partition("/")[0])
        return p.Promise(power, order, "" if other is None else other.power)

    def _as_written(
        self, kind: OrderKind, actor: Ref, target: Ref | None, to: Place | None, via: bool
    ) -> p.Promise:
        """An order of completely specified units that may still get there."""
        for ref in (actor, target):
            if ref is not None:
                self._check(ref, build=kind == OrderKind.BUILD)
        refs = [ref for ref in (actor, target) if ref is not None]
        standing = [ref.place is not None and self.unit_in(ref.place) is not None for ref in refs]
        whole = all(ref.power and ref.kind and ref.place is not None for ref in refs)
        if kind == OrderKind.BUILD and actor.place and actor.power not in actor.place.province.homes:
            raise BordeauxError(f"{self.names.power(actor.power)} cannot build {self._where(actor)}")
        if not whole or (all(standing) and self.position.phase == self.next_phase(kind)):
            raise BordeauxError(self._why_not(kind, actor, target, to))
        unit, location = _told(actor)
        order = Order(kind, unit, location, via=via and kind == OrderKind.MOVE)
        if target is not None:
            order = order._replace(target_unit=_told(target)[0], target=_told(target)[1])
        if to is not None:
            goes = unit if target is None else order.target_unit
            order = order._replace(destination=to.location(goes))
        return p.Promise(actor.power, order, "" if target is None else target.power)

    def _check(self, ref: Ref, build: bool) -> None:
        """Raise BordeauxError if another unit is there than was given, or none and too little was given."""
        if ref.place is None or build:
            return
        unit, where = self.unit_in(ref.place), self.names.where(ref.place.province.name)
        if unit is None and not (ref.power and ref.kind):
            raise BordeauxError(f"there is no unit {where}")
        if unit is not None and not ref.fits(*unit):
            raise BordeauxError(f"there stands {self.names.unit(*unit)}, no other unit")

    def _why_not(self, kind: OrderKind, actor: Ref, target: Ref | None, to: Place | None) -> str:
        who = self._called(actor)
        what = _VERBS[kind] + ("" if target is None else f" {self._called(target)}")
        goal = "" if to is None else f" to {self.names.province(to.province.name)}"
        return f"{who} cannot {what}{goal} as things stand"

    def _called(self, ref: Ref) -> str:
        unit = None if ref.place is None else self.unit_in(ref.place)
        if unit is not None:
            return self.names.unit(*unit)
        kind = {"A": "armies", "F": "fleets"}.get(ref.kind, "units")
        whose = f"{self.names.possessive(ref.power)} {kind}" if ref.power else kind
        return whose if ref.place is None else f"{whose} {self._where(ref)}"

    def _where(self, ref: Ref) -> str:
        return "" if ref.place is None else self.names.where(ref.place.province.name)


def _narrowed(
    possible: list[tuple[str, Order]], likely: Callable[[tuple[str, Order]], bool]
) -> list[tuple[str, Order]]:
    """The plausible ones, or all if none is."""
    return [choice for choice in possible if likely(choice)] or possible


def _told(ref: Ref) -> tuple[str, str]:
    assert ref.place is not None
    return ref.kind, ref.place.location(ref.kind)


@functools.lru_cache(maxsize=8)
def _legal(position: Position) -> list[tuple[str, Order]]:
    """Every legal order with its power."""
    return [
        (power, decode(position.map, code))
        for power, places in legal_codes(position).items()
        for codes in places.values()
        for code in codes
    ]
