"""Advice: the sets that a person is shown, and which of those that are as good comes first.

Beside the lines of a search stand sets that people play, and both without foolish orders. The chances of all
are measured (`bordeaux.search.analysis`). Of the sets that are equal within the error, that with the fewest
foolish orders is advised, and of these the one whose orders people give most.

An order is foolish if it is useless and the unit has something better to do. A support is useless if nobody
can contest it, help for another power if that power is not expected to give the order that is helped, a stay
or a way aside if nobody is near. What a set leaves to enemies depends on their orders: `Foolish.left`
measures it on samples.
"""

from __future__ import annotations

import functools
import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.search.rollout import Rollout
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
from bordeaux.board.submission import texts
from bordeaux.search.analysis import CHANCE_SAMPLES, Chances, Found, Line, Search
from bordeaux.search.learnt import LearntSearch
from bordeaux.search.sets import Mixture, fits

__all__ = ["BESIDE", "KINDS", "Folly", "Foolish", "advised_order", "with_sound_sets"]

LEADERS, PLAYED, BESIDE = 6, 4, 10
"""The leading sets of a search, and those that people play most, that are compared for advice, with their
forms without foolish orders; and how many there are at most beside the lines of the answer."""

KINDS = ("help", "support", "idle", "left")
"""The kinds of faults: help that nobody expects, a support that cannot matter, a unit without use, a centre
that is left."""

#: The probability of an order of another power from which on it is expected.
EXPECTED = 0.1
#: The moves within which an enemy comes near enough for a unit to stay.
NEAR = 2
#: The mean number of centres that a set leaves to enemies, from which on it is a fault, and the joint orders
#: of the others on which it is measured.
LEFT, LOOKED_AT = 0.3, 16
#: Joint orders of the others for the points of sets that a search has not compared.
VALUED = 16


def with_sound_sets(answer: Found, search: Search, people: Mixture) -> Found:
    """An answer whose lines know how foolish and how common they are, with further sets `beside` them: what
    people play most, the next lines of the search, and all of these without foolish orders, as far as
    agreements allow it; fewer of them where time is short. `people` are the sets that people play, the most
    probable first."""
    position, power = answer.position, answer.power
    if position is None or not answer.lines:
        return answer
    played = {frozenset(codes_in(orders)): probability for orders, probability in people.items()}
    common: Counter[int] = Counter()
    for codes, probability in played.items():
        for code in codes:
            common[code] += probability  # type: ignore[assignment]
    foolish = Foolish(position, power, answer.against) if position.phase.kind == "M" else None

    def judged(line: Line) -> Line:
        faults = 0 if foolish is None else len(foolish.faults(line.codes)) + len(foolish.left(line.codes))
        codes = frozenset(codes_in(line.codes))
        given = sum(common[code] for code in codes) / max(1, len(codes))
        return line._replace(faults=faults, common=given + played.get(codes, 0.0))

    beside: list[Line] = []
    if isinstance(search, LearntSearch):
        sets = [*[*people][:PLAYED], *(orders for orders, _ in search.lines(power, LEADERS))]
        # Where time is short there are fewer samples, and no more of it for finding sets.
        sets = sets[: math.ceil(len(sets) * len(answer.against) / CHANCE_SAMPLES)]
        for orders in list(sets):
            if foolish is not None:
                better = foolish.mended(orders, common)
                sets += better, *foolish.kept(better)
        beside = _compared(
            answer, search, [each for each in sets if search.context.sound(power, each) == each]
        )
    return answer._replace(lines=tuple(map(judged, answer.lines)), beside=tuple(map(judged, beside[:BESIDE])))


def _compared(answer: Found, search: LearntSearch, sets: Sequence[bytes]) -> list[Line]:
    """Sets that are no lines of an answer, each once, as lines. One that the search has not compared has the
    points of the best line, less its distance to that on a few samples."""
    position, power, best = answer.position, answer.power, answer.lines[0]
    assert position is not None
    known = {frozenset(codes_in(line.codes)) for line in answer.lines}
    further = {frozenset(codes_in(orders)): orders for orders in sets}
    new = [orders for codes, orders in further.items() if codes not in known][:BESIDE]
    onward, number = Rollout(search.ends, search.sampler.chooser()), position.map.powers.index(power)
    against, chance = answer.against[:VALUED], random.Random(0)
    seeds = [chance.getrandbits(63) for _ in against]
    first, *rows = onward.compare(
        position.packed, number, [best.codes, *new], against, search.sampler.horizon, seeds
    )
    points = {candidate.orders: candidate.value * search.points for candidate in search.candidates(power)}
    return [
        Line(
            texts(position.map, orders),
            round(points.get(orders, best.value + fmean(row) - fmean(first)), 3),
            0.0,
            orders,
        )
        for orders, row in zip(new, rows, strict=True)
    ]


def advised_order(answer: Found, promised: Sequence[Chances]) -> list[int]:
    """The places of an answer's lines with their chances, as they are advised. Of those that are as good as
    the best within the error a proved result comes first, then the fewest foolish orders, then what people
    play most. The rest follows by shares; sets with the same moves as one before them come last."""
    lines, moving = answer.lines, answer.position is not None and answer.position.phase.kind == "M"

    def preferred(place: int) -> tuple[int, int, float, float]:
        line = lines[place]
        return promised[place].outcome, -line.faults, line.common, line.value

    first = max((place for place, promise in enumerate(promised) if promise.level), key=preferred)
    ranked = sorted(range(len(lines)), key=lambda place: (place != first, promised[place].behind))
    seen: set[frozenset[int]] = set()
    again = []
    for place in list(ranked) if moving else ():
        moves = frozenset(code for code in codes_in(lines[place].codes) if kind_of(code) == OrderKind.MOVE)
        if moves in seen:
            again.append(place)
        seen.add(moves)
    return [place for place in ranked if place not in again] + again


class Folly(NamedTuple):
    """A foolish order: the `kind` of fault (`KINDS`), and the code of the order."""

    kind: str
    code: int


class Foolish:
    """Finds foolish orders of a power in a movement phase. `against` are joint orders (bytes of codes) that
    are expected of the others, at least one; units without an order there hold."""

    def __init__(self, position: Position, power: str, against: Sequence[bytes]) -> None:
        packed, map = position.packed, position.map
        self.position = position
        self.number = map.powers.index(power)
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
        self._joint = [
            [(self._units[self._province[unit_of(code)]][0], code) for code in codes_in(orders)]
            for orders in against
        ]
        self._moves = Counter(
            (self._province[unit_of(code)], self._goal(code))
            for orders in self._joint
            for _, code in orders
            if code & 0xFF == OrderKind.MOVE
        )
        """How often a unit goes from one province to another."""
        self._moved = Counter(place for place, _ in self._moves.elements())
        places = {*self._legal} | {
            target_of(code)
            for codes in self._legal.values()
            for code in codes
            if code & 0xFF == OrderKind.MOVE
        }
        self._front = {location: self._to_front(location) for location in places}
        self._guards = {location: self._is_guard(location) for location in places}

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
            return "" if self._guards[unit] else "idle"
        if kind == OrderKind.MOVE:
            aim = target_of(code)
            nearer = self._front[aim] < max(2, self._front[unit])
            return "" if nearer or self._guards[unit] or self._guards[aim] else "idle"
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
        guards, helped = self._guards[unit], self._province[target_of(code)] in self._foreign
        for other in self._legal.get(unit, ()):
            kind = other & 0xFF
            if kind == OrderKind.HOLD:
                # As good as a support that cannot matter, and better than help that nobody expects.
                useful = guards and code & 0xFF in HELPS and helped
            elif kind == OrderKind.MOVE:
                nearer = self._front[target_of(other)] < self._front[unit]
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

    def _given(self, code: int) -> float:
        """The probability that a unit of another power gives the order that a help is for."""
        place = self._province[target_of(code)]
        moving = kind_of(code) != OrderKind.SUPPORT_HOLD
        count = self._moves[place, self._goal(code)] if moving else len(self._joint) - self._moved[place]
        return count / len(self._joint)

    def left(self, orders: bytes) -> list[Folly]:
        """The orders that leave centres to others: with another order of the unit the power would have more
        at the end of the phase."""
        return [fault for fault, _ in self._leaving(orders)]

    def kept(self, orders: bytes) -> Iterator[bytes]:
        """For each order that leaves centres, the set with the best other order of the unit."""
        for _, changed in self._leaving(orders):
            yield changed

    def _leaving(self, orders: bytes) -> Iterator[tuple[Folly, bytes]]:
        """Each order that leaves centres, and the set without this fault."""
        codes = codes_in(orders)
        mean = self._centres(codes)
        for code in codes:
            changed = [
                in_order({*codes} - {code} | {other})
                for other in self._safer(code)
                if self._fits(codes, code, other)
            ]
            counts = {each: self._centres(codes_in(each)) for each in changed}
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

    def _centres(self, codes: Sequence[int]) -> float:
        """The mean number of centres of the power after the phase, as if it were a Fall, over samples."""
        own = [(self.number, code) for code in codes]
        return fmean(
            self._counted(self.position.packed.adjudicate([*own, *orders])[0])
            for orders in self._joint[:LOOKED_AT]
        )

    def _counted(self, after: Packed) -> int:
        """The number of centres of the power with the owners that a Fall would give."""
        holders = {self._province[token & 1023]: (token >> 10) - 1 for token in after.units()}
        return sum(holders.get(place, owner) == self.number for place, owner in self._owners.items())
