"""What a turn's orders make of a term: kept, broken, or still open, and by which orders.

A term is followed from turn to turn: each turn leaves what is still owed of it, as a term again. Attacks are
moves, and supports and convoys of moves, to where a partner has a unit or a centre (LANGUAGE.md, section 10;
paper 002, section 5). Illegal orders count as holds, for that is what becomes of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import singledispatch
from typing import NamedTuple

from bordeaux.board.code import destination_of, kind_of, make_code, target_of, unit_of
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import decode, submit
from bordeaux.press import language as p
from bordeaux.press.timing import moment
from bordeaux.rules.rulesets import DATC
from bordeaux.search.agreements import Agreement
from bordeaux.search.bonds import Bond

__all__ = ["Outcome", "Turn", "breaks", "follow", "queasels", "suits", "tempted"]

_HELP = (OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE, OrderKind.CONVOY)
_PHASES = {
    "M": (OrderKind.HOLD, OrderKind.MOVE, *_HELP),
    "R": (OrderKind.RETREAT, OrderKind.DISBAND),
    "A": (OrderKind.BUILD, OrderKind.DISBAND, OrderKind.WAIVE),
}

#: A power and an order of it.
Deed = tuple[str, Order]


class Outcome(NamedTuple):
    """What a turn makes of a term: whether that is settled and how, by what orders of whom, and what is
    left of the term. Nothing is left and nothing settled where it has become impossible, or asks for
    nothing."""

    kept: bool | None
    deeds: tuple[Deed, ...] = ()
    rest: p.Term | None = None


NOTHING = Outcome(None)


class Turn:
    """The orders of all powers in a position as they count: the legal ones, and holds for the other units.

    `excused` are deeds that were agreed upon with those who could complain: no term is broken by them.
    """

    def __init__(
        self,
        before: Position,
        orders: Mapping[str, Iterable[Order]],
        excused: Collection[Deed] = (),
    ) -> None:
        self.before = before
        self.orders: dict[str, tuple[Order, ...]] = dict.fromkeys(before.map.powers, ())
        self._codes: dict[Deed, int] = {}
        self._excused = excused
        given: dict[str, list[int]] = {power: [] for power in before.map.powers}
        for each in submit(before, {power: list(theirs) for power, theirs in orders.items()}).orders:
            if not each.fault:
                given[each.power].append(each.code)
        for power, codes in given.items():
            if before.phase.kind == "M":
                ordered = set(map(unit_of, codes))
                for unit in before.units_of(power):
                    place = before.map.location(unit.kind, unit.location).index
                    if place not in ordered:
                        codes.append(make_code(OrderKind.HOLD, place))
            found = {decode(before.map, code): code for code in codes}
            self.orders[power] = tuple(found)
            self._codes |= {(power, order): code for order, code in found.items()}

    def code(self, power: str, order: Order) -> int:
        """The code of an order that a power has given."""
        return self._codes[power, order]

    def deeds(self, powers: Iterable[str]) -> list[Deed]:
        """What some powers have ordered and could be blamed for."""
        found = [(power, order) for power in powers for order in self.orders.get(power, ())]
        return [deed for deed in found if deed not in self._excused]

    def owner(self, province: str) -> str | None:
        """Who owns a centre, if it is one and is owned."""
        map = self.before.map
        if province not in map.centres:
            return None
        return self.before.owners[map.centres.index(province)]

    def given(self, power: str, order: Order) -> bool | None:
        """Whether a power has given an order; None where it could not have."""
        (wanted,) = submit(self.before, {power: [order]}).orders
        if wanted.fault:
            return None
        keys = {same(self.code(power, each)) for each in self.orders[power]}
        return same(wanted.code) in keys

    def instead(self, power: str, order: Order) -> tuple[Order, ...]:
        """What a power has ordered in place of an order: that of the unit, or in Winter all that it did."""
        if self.before.phase.kind == "A":
            return self.orders[power] or (Order(OrderKind.WAIVE),)
        province = order.location.partition("/")[0]
        return tuple(each for each in self.orders[power] if each.location.partition("/")[0] == province) or (
            Order(OrderKind.DISBAND, order.unit, order.location),
        )


def suits(order: Order, position: Position) -> bool:
    """Whether such an order is for phases like that of a position."""
    return order.kind in _PHASES.get(position.phase.kind, ())


def same(code: int) -> tuple[int, int, int, int]:
    """What an order does, whether it goes by convoy or not."""
    return kind_of(code), unit_of(code), target_of(code), destination_of(code)


def breaks(
    term: p.Term, power: str, before: Position, orders: Mapping[str, Sequence[Order]]
) -> tuple[Order, ...]:
    """Those of a power's orders that break a term; none where it keeps it, or is not asked for anything yet.

    `orders` are those of all powers. A promise that is not given is broken by what its unit does instead.
    """
    outcome = follow(term, Turn(before, orders))
    return tuple(order for who, order in outcome.deeds if who == power) if outcome.kept is False else ()


@singledispatch
def follow(term: object, turn: Turn) -> Outcome:
    """What a turn makes of a term. What is said of no orders stays open."""
    return Outcome(None, (), term)  # type: ignore[arg-type]


@follow.register
def _(term: p.NoDeal, turn: Turn) -> Outcome:
    return NOTHING


@follow.register
def _(term: p.Promise, turn: Turn) -> Outcome:
    if not suits(term.order, turn.before):
        return Outcome(None, (), term)
    given = turn.given(term.power, term.order)
    if given is None:
        return NOTHING
    deeds = (term.order,) if given else turn.instead(term.power, term.order)
    return Outcome(given, tuple((term.power, order) for order in deeds))


@follow.register
def _(term: p.Peace | p.Alliance, turn: Turn) -> Outcome:
    return _lasting(term, _barred(Agreement("peace", term.powers), turn))


@follow.register
def _(term: p.Demilitarised, turn: Turn) -> Outcome:
    agreement = Agreement("demilitarised", term.powers, provinces=term.provinces)
    found = dict.fromkeys(_barred(agreement, turn))
    if turn.before.phase.kind == "M":
        for power, order in turn.deeds(term.powers):
            # Who stands there leaves, and nobody is supported there.
            stays = order.kind != OrderKind.MOVE and _province(order.location) in term.provinces
            if stays or (order.kind == OrderKind.SUPPORT_HOLD and _province(order.target) in term.provinces):
                found[power, order] = None
    return _lasting(term, found)


@follow.register
def _(term: p.Division, turn: Turn) -> Outcome:
    """In Autumn, when centres change hands, nobody goes to one that is another's or nobody's by the plan."""
    if turn.before.phase.season != "F":
        return Outcome(None, (), term)
    due = {centre: share.owner for share in term.shares for centre in share.centres}
    found = [
        (power, order)
        for power, order in turn.deeds(dict.fromkeys(share.owner for share in term.shares if share.owner))
        if order.kind in (OrderKind.MOVE, OrderKind.RETREAT)
        and due.get(_province(order.destination), power) != power
    ]
    return _lasting(term, found)


@follow.register
def _(term: p.Stationing, turn: Turn) -> Outcome:
    """A plan, which is done when all stand where they were to."""
    for station in term.stations:
        unit = turn.before.unit_at(_province(station.location))
        if (
            unit is None
            or unit.power != station.power
            or station.kind not in (p.ANY_UNIT, unit.kind)
            or ("/" in station.location and unit.location != station.location)
        ):
            return Outcome(None, (), term)
    return Outcome(True)


@follow.register
def _(term: p.Favour, turn: Turn) -> Outcome:
    """A favour is done with the first help to a unit of the creditor."""
    helped = [
        (term.debtor, order)
        for order in turn.orders.get(term.debtor, ())
        if order.kind in _HELP and _owner_at(turn, order.target) == term.creditor
    ]
    return Outcome(True, tuple(helped)) if helped else Outcome(None, (), term)


@follow.register
def _(term: p.Not, turn: Turn) -> Outcome:
    outcome = follow(term.term, turn)
    if outcome.kept is None:
        return Outcome(None, (), p.Not(outcome.rest) if outcome.rest else None)
    return Outcome(not outcome.kept, outcome.deeds)


@follow.register
def _(term: p.During, turn: Turn) -> Outcome:
    now, last = moment(turn.before.phase), moment(term.last or term.first)
    if now < moment(term.first):
        return Outcome(None, (), term)
    if now > last:
        return NOTHING
    outcome = follow(term.term, turn)
    if outcome.kept is False or now == last:
        through = outcome.kept is None and outcome.rest is not None and not isinstance(term.term, p.Promise)
        return Outcome(True if through else outcome.kept, outcome.deeds)
    return Outcome(None, (), term)


@follow.register
def _(term: p.All, turn: Turn) -> Outcome:
    outcomes = [follow(part, turn) for part in term.parts]
    rests = tuple(each.rest for each in outcomes if each.rest is not None)
    rest = p.All(rests) if len(rests) > 1 else rests[0] if rests else None
    if broken := [each for each in outcomes if each.kept is False]:
        return Outcome(False, _together(broken), rest)
    done = [each for each in outcomes if each.kept]
    return Outcome(True if done and rest is None else None, _together(done), rest)


@follow.register
def _(term: p.Some, turn: Turn) -> Outcome:
    return follow(p.Choice(1, len(term.parts), term.parts), turn)


@follow.register
def _(term: p.Choice, turn: Turn) -> Outcome:
    outcomes = [follow(part, turn) for part in term.parts]
    done = [each for each in outcomes if each.kept]
    broken = [each for each in outcomes if each.kept is False]
    rests = tuple(each.rest for each in outcomes if each.kept is None and each.rest is not None)
    least, most = max(0, term.least - len(done)), term.most - len(done)
    if most < 0:
        return Outcome(False, _together(done))
    if least > len(rests):
        return Outcome(False, _together(broken)) if broken else NOTHING
    if not rests or (least == 0 and most >= len(rests)):
        return Outcome(True if done else None, _together(done))
    return Outcome(None, (), p.Choice(least, most, rests))


def queasels(
    term: p.Term, power: str, before: Position, orders: Mapping[str, Sequence[Order]]
) -> tuple[Order, ...]:
    """Those of a power's orders that keep the letter of a term, but not its spirit (paper 002, note 12).

    They are a move of its own to where a promised support or convoy was to bring another; and in peace a
    support of a foreign unit that stands in a partner's centre, and a move to beside a centre of a partner
    that no unit of his stands in or beside, from where it was not beside it.
    """
    turn = Turn(before, orders)
    if before.phase.kind != "M" or breaks(term, power, before, orders):
        return ()
    return tuple(dict.fromkeys(_queasels(term, power, turn)))


@singledispatch
def tempted(term: object, power: str, position: Position) -> bool:
    """Whether a power could break a lasting term with an order that it may give in a position."""
    return False


@tempted.register
def _(term: p.Peace | p.Alliance | p.Demilitarised, power: str, position: Position) -> bool:
    if power not in term.powers or position.phase.kind != "M":
        return False
    peaceful = not isinstance(term, p.Demilitarised)
    agreement = (
        Agreement("peace", term.powers)
        if peaceful
        else Agreement("demilitarised", term.powers, provinces=term.provinces)  # type: ignore[union-attr]
    )
    bond = Bond(position, power, agreement, DATC)
    units = position.packed.legal().get(position.map.powers.index(power), {})
    return any(bond.breaks(code) for codes in units.values() for code in codes)


@singledispatch
def _queasels(term: object, power: str, turn: Turn) -> Iterable[Order]:
    return ()


@_queasels.register
def _(term: p.All | p.Some | p.Choice, power: str, turn: Turn) -> Iterable[Order]:
    return [order for part in term.parts for order in _queasels(part, power, turn)]


@_queasels.register
def _(term: p.During, power: str, turn: Turn) -> Iterable[Order]:
    now = moment(turn.before.phase)
    within = moment(term.first) <= now <= moment(term.last or term.first)
    return _queasels(term.term, power, turn) if within else ()


@_queasels.register
def _(term: p.Promise, power: str, turn: Turn) -> Iterable[Order]:
    """The help is given, and what it is for is spoilt."""
    order = term.order
    if term.power != power or order.kind not in (OrderKind.SUPPORT_MOVE, OrderKind.CONVOY):
        return ()
    goal = _province(order.destination)
    return [
        each
        for each in turn.orders[power]
        if each.kind == OrderKind.MOVE
        and _province(each.destination) == goal
        and _province(each.location) != _province(order.target)
    ]


@_queasels.register
def _(term: p.Peace | p.Alliance, power: str, turn: Turn) -> Iterable[Order]:
    partners = set(term.powers) - {power}
    found = []
    for _, order in turn.deeds([power] if power in term.powers else []):
        if order.kind == OrderKind.SUPPORT_HOLD:
            held = _owner_at(turn, order.target)
            if held != turn.owner(_province(order.target)) in partners and held not in partners:
                found.append(order)
        elif order.kind == OrderKind.MOVE:
            open_now = _open_beside(turn, order.unit, order.destination, partners)
            if open_now - _open_beside(turn, order.unit, order.location, partners):
                found.append(order)
    return found


def _open_beside(turn: Turn, kind: str, location: str, partners: set[str]) -> set[str]:
    """Centres of partners beside a location that no unit of their owner stands in or beside."""
    before = turn.before
    found = set()
    for province in {_province(each) for each in before.map.adjacent(kind, location)}:
        owner = turn.owner(province)
        if owner in partners and not any(
            province in (unit.province, *map(_province, before.map.adjacent(unit.kind, unit.location)))
            for unit in before.units_of(owner)
        ):
            found.add(province)
    return found


def _barred(agreement: Agreement, turn: Turn) -> list[Deed]:
    """Deeds of the parties that break an agreement on places."""
    found: list[Deed] = []
    for power in dict.fromkeys(agreement.parties):
        bond = Bond(turn.before, power, agreement, DATC)
        found += [deed for deed in turn.deeds([power]) if bond.breaks(turn.code(*deed))]
    return found


def _lasting(term: p.Term, found: Iterable[Deed]) -> Outcome:
    deeds = tuple(found)
    return Outcome(False if deeds else None, deeds, term)


def _together(outcomes: Iterable[Outcome]) -> tuple[Deed, ...]:
    return tuple(dict.fromkeys(deed for each in outcomes for deed in each.deeds))


def _owner_at(turn: Turn, location: str) -> str | None:
    unit = turn.before.unit_at(_province(location))
    return unit.power if unit else None


def _province(location: str) -> str:
    return location.partition("/")[0]
