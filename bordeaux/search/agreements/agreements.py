"""Agreements between powers as plain values: promised and forbidden orders, peace, demilitarised provinces,
with trust.

A negotiator (`press`, or a person) makes them; the search only respects them. An agreement binds all of its
parties equally. A power whose orders are wanted keeps its agreements, unless it is named in `stabbed_by`. The
others are expected to keep them with the probability `trust`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace

from bordeaux.board.errors import BordeauxError, OrderError, nearest, quote
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.rules.rulesets import DATC, RuleSet

__all__ = ["KINDS", "Agreement", "agreed"]

KINDS: dict[str, str] = {
    "promise": "the `orders` are given, by the parties whose units they are for",
    "forbid": "the `orders` are not given",
    "peace": "no party goes where another has a unit or a centre, nor helps others to",
    "alliance": "peace, and each party counts a part of what the others hold for its own",
    "demilitarised": "no party goes into the `provinces`, nor builds there, nor helps others to",
}


@dataclass(frozen=True)
class Agreement:
    """One agreement of a kind in `KINDS` between `parties` (names of powers).

    `orders` belong to promises and forbidden orders, `provinces` (tags) to demilitarised ones. `until` is the
    last phase in which it binds (``F1903M``); without it, it binds in every phase for which it is given.
    `trust` is the probability, from 0 to 1, that others keep it. `stabbed_by` are parties that are free to
    break it: their sets may keep it or not, by value.
    """

    kind: str
    parties: tuple[str, ...]
    orders: tuple[str | Order, ...] = ()
    provinces: tuple[str, ...] = ()
    until: str = ""
    trust: float = 1.0
    stabbed_by: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, data: object) -> Agreement:
        """The agreement from a JSON object with the fields by name. Raises BordeauxError for another form."""
        if not isinstance(data, Mapping):
            raise BordeauxError(f'an agreement is an object like {{"kind": "peace", ...}}, not {quote(data)}')
        known = {field.name: field for field in fields(cls)}
        for name, value in data.items():
            if name not in known:
                raise BordeauxError(f"unknown field {quote(name)}{nearest(str(name), known)}")
            listed = name not in ("kind", "until", "trust")
            if listed and not (isinstance(value, list) and all(isinstance(word, str) for word in value)):
                raise BordeauxError(f"{name} must be a list of texts, not {quote(value)}")
        for name in ("kind", "parties"):
            if name not in data:
                raise BordeauxError(f"{name} is missing")
        for name in ("kind", "until"):
            if not isinstance(data.get(name, ""), str):
                raise BordeauxError(f"{name} must be a text, not {quote(data[name])}")
        lists = {name: tuple(value) for name, value in data.items() if isinstance(value, list)}
        return cls(**{**data, **lists})

    def binds(self, phase: Phase) -> bool:
        """Whether it binds in a phase."""
        return not self.until or _time(phase) <= _time(Phase.parse(self.until))


def agreed(
    position: Position, agreements: Iterable[Agreement], rules: RuleSet = DATC
) -> tuple[Agreement, ...]:
    """Agreements with names of the map and orders as values; only those that bind in the phase.

    Raises BordeauxError, one line that begins with the number of the agreement. It is raised for an invalid
    kind, power, province, phase or trust, and for orders or provinces that are missing or do not belong to
    the kind. It is also raised for a promise that no party could keep, and for two promises of different
    orders for a unit.
    """
    legal_agreements: list[Agreement] = []
    promised: dict[str, Order] = {}
    for number, agreement in enumerate(agreements, start=1):
        try:
            read = _read(position, agreement, rules)
        except BordeauxError as error:
            raise type(error)(f"agreement {number}: {error}") from None
        if not read.binds(position.phase):
            continue
        legal_agreements.append(read)
        for order in read.orders if read.kind == "promise" else ():
            assert isinstance(order, Order)
            if promised.setdefault(order.location, order) != order:
                earlier = promised[order.location]
                raise BordeauxError(f"agreement {number}: {order} cannot be promised, as {earlier} has been")
    return tuple(legal_agreements)


def owner_of(position: Position, parties: Iterable[str], order: Order, rules: RuleSet) -> str:
    """The party that can give an order. Raises OrderError if there is none."""
    faults = []
    for party in parties:
        (given,) = submit(position, {party: [order]}, given_routes=rules.given_routes).orders
        if not given.fault:
            return party
        faults.append(given.fault)
    raise OrderError(f"{order} cannot be promised in {position.phase}: {faults[0]}")


def _read(position: Position, agreement: Agreement, rules: RuleSet) -> Agreement:
    map, kind = position.map, agreement.kind
    if kind not in KINDS:
        known = ", ".join(KINDS)
        raise BordeauxError(f"unknown kind {quote(kind)}{nearest(str(kind), KINDS)} (known: {known})")
    parties = tuple(dict.fromkeys(map.power(name) for name in agreement.parties))
    if len(parties) < (2 if kind in ("peace", "alliance") else 1):
        raise BordeauxError(f"{kind} needs {'two parties' if kind in ('peace', 'alliance') else 'a party'}")
    if (
        isinstance(agreement.trust, bool)
        or not isinstance(agreement.trust, int | float)
        or not 0 <= agreement.trust <= 1
    ):
        raise BordeauxError(f"trust must be a number from 0 to 1, not {agreement.trust!r}")
    if bool(agreement.orders) != (kind in ("promise", "forbid")):
        raise BordeauxError(f"{kind} {'has no orders' if agreement.orders else 'needs orders'}")
    if bool(agreement.provinces) != (kind == "demilitarised"):
        raise BordeauxError(f"{kind} {'has no provinces' if agreement.provinces else 'needs provinces'}")
    stabbed = tuple(map.power(name) for name in agreement.stabbed_by)
    if strange := [power for power in stabbed if power not in parties]:
        raise BordeauxError(f"{strange[0]} is no party, and cannot break what it has not agreed to")
    read = replace(
        agreement,
        parties=parties,
        orders=tuple(_order(position, order) for order in agreement.orders),
        provinces=tuple(map.province(name).name for name in agreement.provinces),
        until=str(Phase.parse(agreement.until)) if agreement.until else "",
        stabbed_by=stabbed,
    )
    if kind == "promise" and read.binds(position.phase):
        for order in read.orders:
            assert isinstance(order, Order)
            owner_of(position, parties, order, rules)
    return read


def _order(position: Position, order: str | Order) -> Order:
    return order if isinstance(order, Order) else parse_order(order, position.map, position)


def _time(phase: Phase) -> tuple[int, int, int]:
    """A key that sorts phases by time; a game that is over is later than all."""
    if phase.kind == "-":
        return 10_000, 0, 0
    return phase.year, "SFW".index(phase.season), "MRA".index(phase.kind)
