"""Foolish orders: what a good player would not give, whatever else he plans.

An order is foolish if it is useless and the unit has something better to do. A support is useless if nobody
can contest it, help for another power if that power is not expected to give the order that is helped, a stay
or a way aside if nobody is near. What a set leaves to enemies depends on their orders: `Foolish.left`
measures it on samples.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from bordeaux._ext.rules.packed import Packed
from bordeaux.board.code import (
    codes_in,
    destination_of,
    in_order,
    is_via,
    kind_of,
    make_code,
    target_of,
    unit_of,
)
from bordeaux.board.order import HELPS, OrderKind
from bordeaux.board.position import Position
from bordeaux.search.sets import fits

__all__ = ["KINDS", "Folly", "Foolish"]

KINDS = ("help", "support", "idle", "left")
"""The kinds of faults: help that nobody expects, a support that cannot matter, a unit without use, a centre
that is left."""

#: The probability of an order of another power from which on it is expected.
EXPECTED = 0.1
#: The moves within which an enemy comes near enough for a unit to stay.
NEAR = 2
#: The mean number of centres that a set leaves to enemies, from which on it is a fault.
LEFT = 0.3


class Folly(NamedTuple):
    """A foolish order: the `kind` of fault (`KINDS`), and the code of the order."""

    kind: str
    code: int


class Foolish:
    """Finds foolish orders of a power in a movement phase.

    `expected` has the sets of other powers with their shares; a power that is left out is expected to hold.
    """

    def __init__(
        self, position: Position, power: str, expected: Mapping[str, Sequence[tuple[bytes, float]]]
    ) -> None:
        packed, map = position.packed, position.map
        self.position = position
        self.number = map.powers.index(power)
        self._expected = expected
        self._province = [location.province for location in map.locations]
        self._fall = position.phase.season == "F"
        self._units = {
            map.province(unit.province).index: (
                map.powers.index(unit.power),
                map.location(unit.kind, unit.location).index,
            )
            for unit in position.units
        }
        """The power and the location of each unit, by province."""
        self._foreign = {place for place, (owner, _) in self._units.items() if owner != self.number}
        legal = packed.legal()
        self._legal = legal.get(self.number, {})
        self._entered = {
            self._province[target_of(code)]
            for number, units in legal.items()
            if number != self.number
            for codes in units.values()
            for code in codes
            if code & 0xFF == OrderKind.MOVE
        }
        """The provinces that units of others can enter."""
        centres = [map.province(name).index for name in map.centres]
        self._owners = dict(zip(centres, packed.owners(), strict=True))
        self._distances = functools.cache(map.tables.distances)
        # Kept by hand: a cache of a bound method would keep this object alive.
        self._fronts: dict[int, int] = {}
        self._reasons: dict[int, bool] = {}
        self._chances: dict[int, float] = {}

    def faults(self, orders: bytes) -> list[Folly]:
        """The foolish orders of a consistent set, in the order of the set."""
        return [fault for fault, _ in self._found(codes_in(orders))]

    def mended(self, orders: bytes, common: Mapping[int, float]) -> bytes:
        """A set with a better order in the place of each foolish one: of several the most common one, by
        code. A set without foolish orders stays as it is."""
        for _ in range(len(codes_in(orders))):
            fault, better = next(self._found(codes_in(orders)), (None, []))
            if fault is None:
                break
            chosen = max(sorted(better), key=lambda code: common.get(code, 0.0))
            orders = in_order({*codes_in(orders)} - {fault.code} | {chosen})
        return orders

    def _found(self, codes: Sequence[int]) -> Iterator[tuple[Folly, list[int]]]:
        """Each foolish order with the better orders of its unit."""
        for code in codes:
            kind = self._useless(code)
            if kind:
                better = [other for other in self._better(code) if self._fits(codes, code, other)]
                if better:
                    yield Folly(kind, code), better

    def _useless(self, code: int) -> str:
        """The kind of fault of an order that is useless, or an empty text."""
        kind, unit = code & 0xFF, unit_of(code)
        if kind == OrderKind.HOLD:
            return "" if self._guards(unit) else "idle"
        if kind == OrderKind.MOVE:
            aim = target_of(code)
            nearer = self._front(aim) < max(2, self._front(unit))
            return "" if nearer or self._guards(unit) or self._guards(aim) else "idle"
        if self._province[target_of(code)] in self._foreign:
            return "" if self._given(code) >= EXPECTED else "help"
        return "support" if kind != OrderKind.CONVOY and not self._matters(code) else ""

    def _matters(self, code: int) -> bool:
        """Whether a support of an own unit can matter: somebody else is there, or can go there."""
        goal = self._goal(code)
        return goal in self._entered or (kind_of(code) == OrderKind.SUPPORT_MOVE and goal in self._foreign)

    def _better(self, code: int) -> Iterator[int]:
        """Orders that have a use for the unit of a useless one. A unit that guards its place stays there."""
        unit = unit_of(code)
        guards, helped = self._guards(unit), self._province[target_of(code)] in self._foreign
        for other in self._legal.get(unit, ()):
            kind = other & 0xFF
            if kind == OrderKind.HOLD:
                # As good as a support that cannot matter, and better than help that nobody expects.
                useful = guards and code & 0xFF in HELPS and helped
            elif kind == OrderKind.MOVE:
                nearer = self._front(target_of(other)) < self._front(unit)
                useful = nearer and not guards and not is_via(other)
            else:
                own = kind != OrderKind.CONVOY and self._province[target_of(other)] not in self._foreign
                useful = own and self._matters(other)
            if useful:
                yield other

    def _fits(self, codes: Sequence[int], code: int, other: int) -> bool:
        """Whether a set is consistent with another order in place of one of its own."""
        changed = [other if each == code else each for each in codes]
        return fits(self.position.map, in_order(changed))

    def _goal(self, code: int) -> int:
        """The province of a move or support: where the unit, or the one that is supported, will be."""
        kind = code & 0xFF
        if kind == OrderKind.HOLD:
            return self._province[unit_of(code)]
        return self._province[
            target_of(code) if kind in (OrderKind.MOVE, OrderKind.SUPPORT_HOLD) else destination_of(code)
        ]

    def _guards(self, location: int) -> bool:
        if location not in self._reasons:
            self._reasons[location] = self._is_guard(location)
        return self._reasons[location]

    def _front(self, location: int) -> int:
        if location not in self._fronts:
            self._fronts[location] = self._to_front(location)
        return self._fronts[location]

    def _given(self, code: int) -> float:
        if code not in self._chances:
            self._chances[code] = self._orders_of(code)
        return self._chances[code]

    def _is_guard(self, location: int) -> bool:
        """Whether a unit has a reason to stay: an enemy may come soon, or the centre is not its own yet."""
        place = self._province[location]
        if place in self._entered or self._owners.get(place, self.number) != self.number:
            return True
        return any(self._distances(self._units[other][1])[place] <= NEAR for other in self._foreign)

    def _to_front(self, location: int) -> int:
        """The moves from a location to the next unit or centre that is not the power's own."""
        moves = self._distances(location)
        goals = self._foreign | {place for place, owner in self._owners.items() if owner != self.number}
        return min((moves[place] for place in goals), default=0)

    def _orders_of(self, code: int) -> float:
        """The probability that a unit of another power gives the order that a help is for."""
        place = self._province[target_of(code)]
        owner = self.position.map.powers[self._units[place][0]]
        moving = kind_of(code) != OrderKind.SUPPORT_HOLD
        goal, chance, total = self._goal(code), 0.0, 0.0
        for orders, share in self._expected.get(owner, ()):
            total += share
            given = next((each for each in codes_in(orders) if self._province[unit_of(each)] == place), 0)
            moves = given & 0xFF == OrderKind.MOVE
            if (moves and self._goal(given) == goal) if moving else not moves:
                chance += share
        return chance / total if total else float(not moving)

    def left(self, orders: bytes, joint: Sequence[bytes]) -> list[Folly]:
        """The orders that leave centres to others on samples of the others' orders: with another order of the
        unit the power would have more at the end of the phase."""
        return [fault for fault, _ in self._leaving(orders, joint)]

    def kept(self, orders: bytes, joint: Sequence[bytes]) -> Iterator[bytes]:
        """For each order that leaves centres, the set with the best other order of the unit."""
        for _, changed in self._leaving(orders, joint):
            yield changed

    def _leaving(self, orders: bytes, joint: Sequence[bytes]) -> Iterator[tuple[Folly, bytes]]:
        """Each order that leaves centres, and the set without this fault."""
        codes = codes_in(orders)
        others = [
            [(self._units[self._province[unit_of(code)]][0], code) for code in codes_in(one)] for one in joint
        ]
        mean = self._centres(codes, others)
        for code in codes:
            changed = [
                in_order({*codes} - {code} | {other})
                for other in self._safer(code)
                if self._fits(codes, code, other)
            ]
            counts = {each: self._centres(codes_in(each), others) for each in changed}
            best = max(counts, key=lambda each: (counts[each], each), default=orders)
            if counts.get(best, mean) >= mean + LEFT:
                yield Folly("left", code), best

    def _safer(self, code: int) -> Iterator[int]:
        """Orders of a unit that may keep or gain more centres than its own."""
        unit = unit_of(code)
        place = self._province[unit]
        if kind_of(code) == OrderKind.MOVE and place in self._owners and place in self._entered:
            yield make_code(OrderKind.HOLD, unit)
        for other in self._legal.get(unit, ()):
            goal = self._goal(other)
            if other & 0xFF != OrderKind.MOVE or other == code or is_via(other) or goal not in self._owners:
                continue
            if self._fall or (self._owners[goal] == self.number and goal in self._entered):
                yield other

    def _centres(self, codes: Sequence[int], others: Sequence[Sequence[tuple[int, int]]]) -> float:
        """The mean number of centres of the power after the phase, as if it were a Fall, over samples."""
        own = [(self.number, code) for code in codes]
        return fmean(self._counted(self.position.packed.adjudicate([*own, *orders])[0]) for orders in others)

    def _counted(self, after: Packed) -> int:
        """The number of centres of the power with the owners that a Fall would give."""
        holders = {self._province[token & 1023]: (token >> 10) - 1 for token in after.units()}
        return sum(holders.get(place, owner) == self.number for place, owner in self._owners.items())
