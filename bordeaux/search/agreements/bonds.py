"""The consequences of agreements for the orders of one position: the obligations of each power, as codes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from bordeaux.board.code import as_bytes, codes_in, destination_of, kind_of, make_code, target_of, unit_of
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.rules.rulesets import DATC, RuleSet
from bordeaux.search.agreements.agreements import Agreement, owner_of
from bordeaux.search.sets import from_orders

__all__ = ["LIKELY", "PARTNERS", "REDRAWN", "Bond", "Bonds"]

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
            owners = zip(map.centres, position.owners, strict=True)
            barred |= {centre for centre, owner in owners if owner in self.partners}
            barred |= {unit.province for unit in position.units if unit.power in self.partners}
        self._barred = {map.province(name).index for name in barred}
        self._theirs = {
            map.province(unit.province).index for unit in position.units if unit.power in self.partners
        }
        for order in agreement.orders:
            assert isinstance(order, Order)
            codes = codes_in(from_orders(position, power, [order], rules))
            if agreement.kind == "forbid":
                self._forbidden |= {_key(code) for code in codes}
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
        return entered or _key(code) in self._forbidden

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

    def _instead(self, code: int) -> int:
        kind = self.position.phase.kind
        if kind == "A":
            return make_code(OrderKind.WAIVE) if kind_of(code) == OrderKind.BUILD else code
        return make_code(OrderKind.HOLD if kind == "M" else OrderKind.DISBAND, unit_of(code))

    def allowed(self, options: list[int], bonds: Collection[Bond]) -> list[int]:
        """The orders of a unit that break none of some obligations; all orders if each would."""
        return [code for code in options if not any(bond.breaks(code) for bond in bonds)] or options


def _key(code: int) -> tuple[OrderKind, int, int, int]:
    return kind_of(code), unit_of(code), target_of(code), destination_of(code)
