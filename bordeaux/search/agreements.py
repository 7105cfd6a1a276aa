"""Agreements between powers as plain values, and their consequences for the orders of one position.

An `Agreement` is made by a negotiator (`press`, or a person): promised or forbidden orders, peace,
demilitarised provinces, with trust. It binds all of its parties equally. The search only respects it. A power
whose orders are wanted keeps its agreements, unless it is named in `stabbed_by`. The others are expected to
keep them with the probability `trust`. `Bonds` are the resulting obligations of each power in a position, as
codes of orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from bordeaux.board.code import (
    as_bytes,
    codes_in,
    destination_of,
    effect_of,
    in_order,
    kind_of,
    make_code,
    target_of,
    unit_of,
)
from bordeaux.board.errors import BordeauxError, OrderError, nearest, of_kind, placed, quote
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.phase import Phase, order_of_play
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.rules.rulesets import DATC, RuleSet
from bordeaux.search.sets import fits, from_orders, in_full, mended

__all__ = ["KINDS", "LIKELY", "PARTNERS", "REDRAWN", "Agreement", "Bond", "Bonds", "agreed"]

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
            if name in LISTED and not (
                isinstance(value, list) and all(isinstance(word, str) for word in value)
            ):
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
        return not self.until or order_of_play(phase) <= order_of_play(Phase.parse(self.until))


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
    listed = of_kind("agreements", agreements, Iterable, "a list of agreements")
    for number, agreement in enumerate(listed, start=1):
        with placed(f"agreement {number}"):
            read = _read(position, of_kind("it", agreement, Agreement, "an Agreement"), rules)
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


LISTED = ("parties", "orders", "provinces", "stabbed_by")


def _read(position: Position, agreement: Agreement, rules: RuleSet) -> Agreement:
    map, kind = position.map, of_kind("kind", agreement.kind, str, "a text")
    if kind not in KINDS:
        known = ", ".join(KINDS)
        raise BordeauxError(f"unknown kind {quote(kind)}{nearest(kind, KINDS)} (known: {known})")
    of_kind("until", agreement.until, str, "a phase")
    lists: dict[str, Any] = {
        name: tuple(of_kind(name, getattr(agreement, name), Iterable, "a list")) for name in LISTED
    }
    agreement = replace(agreement, **lists)
    parties = tuple(dict.fromkeys(map.power(name) for name in agreement.parties))
    if len(parties) < (2 if kind in ("peace", "alliance") else 1):
        raise BordeauxError(f"{kind} needs {'two parties' if kind in ('peace', 'alliance') else 'a party'}")
    trust = of_kind("trust", agreement.trust, int | float, "a number from 0 to 1")
    if isinstance(trust, bool) or not 0 <= trust <= 1:
        raise BordeauxError(f"trust must be a number from 0 to 1, not {trust!r}")
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
        orders=tuple(
            order if isinstance(order, Order) else parse_order(order, map, position)
            for order in agreement.orders
        ),
        provinces=tuple(map.province(name).name for name in agreement.provinces),
        until=str(Phase.parse(agreement.until)) if agreement.until else "",
        stabbed_by=stabbed,
    )
    if kind == "promise" and read.binds(position.phase):
        for order in read.orders:
            assert isinstance(order, Order)
            owner_of(position, parties, order, rules)
    return read


#: The trust from which on it is more likely than not that an agreement is kept.
LIKELY = 0.5
#: The part of an ally's points that a power counts as its own at full trust.
PARTNERS = 0.25
#: How often orders that break an agreement are redrawn; then those that still do become holds.
REDRAWN = 6


class Bond:
    """The obligation of one power from one agreement, in one position.

    `promised` maps units (locations by number) to their orders; `partners` are the other parties. `free`: the
    power may break it.
    """

    def __init__(self, position: Position, power: str, agreement: Agreement, rules: RuleSet) -> None:
        map = position.map
        self.agreement = agreement
        self.trust = agreement.trust
        self.free = power in agreement.stabbed_by
        self.partners = tuple(party for party in agreement.parties if party != power)
        self.promised: dict[int, int] = {}
        self._position = position
        self._forbidden: set[tuple[OrderKind, int, int, int]] = set()
        barred = set(agreement.provinces)
        if agreement.kind in ("peace", "alliance"):
            barred |= {centre for centre, owner in position.owner_of.items() if owner in self.partners}
            barred |= {unit.province for unit in position.units if unit.power in self.partners}
        self._barred = {map.province(name).index for name in barred}
        self._theirs = {
            map.province(unit.province).index for unit in position.units if unit.power in self.partners
        }
        for order in agreement.orders:
            assert isinstance(order, Order)
            codes = codes_in(from_orders(position, power, [order], rules))
            if agreement.kind == "forbid":
                self._forbidden |= {effect_of(code) for code in codes}
            elif owner_of(position, agreement.parties, order, rules) == power:
                self.promised |= {unit_of(code): code for code in codes}

    def breaks(self, code: int) -> bool:
        """Whether an order of the power breaks it."""
        return self.promised.get(unit_of(code), code) != code or self.bars(code)

    def bars(self, code: int) -> bool:
        """Whether it forbids an order of the power, except promised ones."""
        kind = kind_of(code)
        if kind in (OrderKind.MOVE, OrderKind.RETREAT):
            goal = target_of(code)
        elif kind in (OrderKind.SUPPORT_MOVE, OrderKind.CONVOY):
            goal = destination_of(code)
            if self._province(target_of(code)) in self._theirs:
                goal = -1  # A partner's own move is no attack on it.
        elif kind == OrderKind.BUILD and self.agreement.kind == "demilitarised":
            goal = unit_of(code)
        else:
            goal = -1
        entered = goal >= 0 and self._province(goal) in self._barred
        return entered or effect_of(code) in self._forbidden

    def _province(self, location: int) -> int:
        return self._position.map.locations[location].province


class Bonds:
    """All obligations of powers in a position, from agreements that bind in its phase; false without any."""

    def __init__(
        self, position: Position, agreements: Sequence[Agreement] = (), rules: RuleSet = DATC
    ) -> None:
        self.position = position
        self._of: dict[str, list[Bond]] = {}
        for agreement in agreements:
            for power in agreement.parties:
                self._of.setdefault(power, []).append(Bond(position, power, agreement, rules))

    def __bool__(self) -> bool:
        return bool(self._of)

    def of(self, power: str) -> list[Bond]:
        """The obligations of a power."""
        return self._of.get(power, [])

    def own(self, power: str) -> list[Bond]:
        """The obligations that a power with wanted orders keeps: all except those that it is free to
        break."""
        return [bond for bond in self.of(power) if not bond.free]

    def likely(self, power: str) -> list[Bond]:
        """The obligations that a power probably keeps."""
        return [bond for bond in self.of(power) if bond.trust >= LIKELY]

    def partners(self, power: str) -> dict[str, float]:
        """The allies of a power, with the part of their points that it counts as its own."""
        partners: dict[str, float] = {}
        for bond in self.own(power):
            if bond.agreement.kind == "alliance":
                for partner in bond.partners:
                    partners[partner] = max(partners.get(partner, 0.0), PARTNERS * bond.trust)
        return partners

    def at_peace(self, power: str, other: str) -> bool:
        """Whether another power probably keeps peace with one."""
        kinds = ("peace", "alliance")
        return any(bond.agreement.kind in kinds and power in bond.partners for bond in self.likely(other))

    def seeds(self) -> dict[str, bytes]:
        """The orders that each power has promised."""
        promised = {
            power: {code for bond in bonds for code in bond.promised.values()}
            for power, bonds in self._of.items()
        }
        return {power: as_bytes(sorted(codes)) for power, codes in promised.items() if codes}

    def helps(self, power: str, code: int) -> bool:
        """Whether an order helps a unit of another power to do what was promised."""
        kind, province = kind_of(code), self.position.map.locations
        for other, bonds in self._of.items():
            for bond in bonds:
                done = bond.promised.get(target_of(code)) if other != power else None
                if done is None:
                    continue
                if kind == OrderKind.SUPPORT_HOLD:
                    return kind_of(done) != OrderKind.MOVE
                if kind in (OrderKind.SUPPORT_MOVE, OrderKind.CONVOY) and kind_of(done) == OrderKind.MOVE:
                    return province[destination_of(code)].province == province[target_of(done)].province
        return False

    def kept(self, orders: bytes, bonds: Iterable[Bond]) -> bytes:
        """A set of orders changed so that it keeps some obligations: an order that breaks one becomes a hold,
        a disband or a waive, and promised orders are given."""
        codes = list(codes_in(orders))
        for bond in bonds:
            codes = [self._instead(code) if bond.breaks(code) else code for code in codes]
            for unit, promised in bond.promised.items():
                there = [place for place, code in enumerate(codes) if unit_of(code) == unit]
                if self.position.phase.kind == "A" and not there:
                    # As many builds or removals as are due: the promised one is instead of another.
                    given = bond.promised.values()
                    there = [place for place, code in enumerate(codes) if code not in given][:1]
                for place in there:
                    codes[place] = promised
                if not there and self.position.phase.kind != "A":
                    codes.append(promised)
        return as_bytes(codes)

    def sound(self, power: str, orders: bytes) -> bytes:
        """A set of a power made playable: it keeps the power's agreements, and movement orders are consistent
        and one for each unit, which holds if it has none."""
        word, position = self.own(power), self.position
        kept = self.kept(orders, word) if word else orders
        if position.phase.kind != "M":
            return in_order(codes_in(kept))
        if len(codes_in(kept)) < len(position.units_of(power)):
            kept = as_bytes(in_full(position, power, kept).values())
        if not fits(position.map, kept):
            kept = mended(position.map, kept, {code for bond in word for code in bond.promised.values()})
        return in_order(codes_in(kept))

    def _instead(self, code: int) -> int:
        kind = self.position.phase.kind
        if kind == "A":
            return make_code(OrderKind.WAIVE) if kind_of(code) == OrderKind.BUILD else code
        return make_code(OrderKind.HOLD if kind == "M" else OrderKind.DISBAND, unit_of(code))
