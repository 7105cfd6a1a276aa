"""Orders that obey a term literally but not in spirit: queasling (paper 002, note 12)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch

from bordeaux.board.order import Order, OrderKind
from bordeaux.press.diplomat.turn import ObservedTurn, province_of
from bordeaux.press.language import messages as p
from bordeaux.press.language.timing import moment

__all__ = ["sly"]


def sly(term: p.Term, power: str, turn: ObservedTurn) -> tuple[Order, ...]:
    """The orders of a power that keep the letter of a term, but not its spirit, if it breaks none.

    One is an own move to the destination of a move that was promised a support or convoy. In peace, one is a
    support of a foreign unit in a partner's centre. Another is a move to a province adjacent to a centre of a
    partner without units in or beside it, from a province that was not adjacent.
    """
    return tuple(dict.fromkeys(_queasels(term, power, turn))) if turn.before.phase.kind == "M" else ()


@singledispatch
def _queasels(term: object, power: str, turn: ObservedTurn) -> Iterable[Order]:
    return ()


@_queasels.register
def _(term: p.All | p.Some | p.Choice, power: str, turn: ObservedTurn) -> Iterable[Order]:
    return [order for part in term.parts for order in _queasels(part, power, turn)]


@_queasels.register
def _(term: p.During, power: str, turn: ObservedTurn) -> Iterable[Order]:
    now = moment(turn.before.phase)
    within = moment(term.first) <= now <= moment(term.last or term.first)
    return _queasels(term.term, power, turn) if within else ()


@_queasels.register
def _(term: p.Promise, power: str, turn: ObservedTurn) -> Iterable[Order]:
    """The help is given, and its purpose is spoilt."""
    order = term.order
    if term.power != power or order.kind not in (OrderKind.SUPPORT_MOVE, OrderKind.CONVOY):
        return ()
    goal = province_of(order.destination)
    return [
        move
        for _, move in turn.deeds([power])
        if move.kind == OrderKind.MOVE
        and province_of(move.destination) == goal
        and province_of(move.location) != province_of(order.target)
    ]


@_queasels.register
def _(term: p.Peace | p.Alliance, power: str, turn: ObservedTurn) -> Iterable[Order]:
    partners = set(term.powers) - {power}
    orders = []
    for _, order in turn.deeds([power] if power in term.powers else []):
        if order.kind == OrderKind.SUPPORT_HOLD:
            held = turn.holder(order.target)
            if held != turn.owner(province_of(order.target)) in partners and held not in partners:
                orders.append(order)
        elif order.kind == OrderKind.MOVE:
            open_now = _open_beside(turn, order.unit, order.destination, partners)
            if open_now - _open_beside(turn, order.unit, order.location, partners):
                orders.append(order)
    return orders


def _open_beside(turn: ObservedTurn, kind: str, location: str, partners: set[str]) -> set[str]:
    """Centres of partners adjacent to a location, with no unit of their owner in or beside them."""
    before = turn.before
    provinces = set()
    for province in {province_of(place) for place in before.map.adjacent(kind, location)}:
        owner = turn.owner(province)
        if owner in partners and not any(
            province in (unit.province, *map(province_of, before.map.adjacent(unit.kind, unit.location)))
            for unit in before.units_of(owner)
        ):
            provinces.add(province)
    return provinces
