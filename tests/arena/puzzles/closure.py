"""The closure of `bordeaux._ext.search.field` in plain Python, as an oracle for it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from bordeaux.board.code import is_via
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.search.proof import OrderParts, parts


class Area(NamedTuple):
    """Provinces that matter, and the repliers that do, each with the codes of its moves and stays.

    `touched` are all places at which a fixed order could make the area another one: these provinces, those
    of the repliers, and where repliers that stand in the area could go. Fixed orders of units elsewhere
    that lead elsewhere may change without effect.
    """

    provinces: frozenset[int]
    choices: dict[int, tuple[list[int], list[int]]]
    touched: frozenset[int] = frozenset()


class Field:
    """A movement position with what every unit may do, and the repliers: the units of some powers."""

    def __init__(self, position: Position, repliers: Collection[str]) -> None:
        map = position.map
        self.position = position
        self.province_of = [location.province for location in map.locations]
        self.owners = {map.province(unit.province).index: unit.power for unit in position.units}
        self.repliers = frozenset(place for place, power in self.owners.items() if power in repliers)
        #: Legal codes by province of the unit.
        self.legal: dict[int, list[int]] = {}
        for units in position.packed.legal().values():
            for location, codes in units.items():
                self.legal[self.province_of[location]] = codes
        self._index()

    def _index(self) -> None:
        """Of every replier: moves by goal, stays; and who reaches what, and who carries whom."""
        self.moves: dict[int, dict[int, list[int]]] = {}
        self.stays: dict[int, list[tuple[OrderParts, int]]] = {}
        self.reachers: dict[int, set[int]] = {}
        self.carriers: dict[tuple[int, int], set[int]] = {}
        for place in self.repliers:
            ways: dict[int, list[int]] = {}
            self.stays[place] = stays = []
            for code in self.legal[place]:
                part = parts(code, self.province_of)
                if part.kind != OrderKind.MOVE:
                    stays.append((part, code))
                    if part.kind == OrderKind.CONVOY:
                        self.carriers.setdefault((part.helped, part.goal), set()).add(place)
                    continue
                ways.setdefault(part.goal, []).append(code)
                self.reachers.setdefault(part.goal, set()).add(place)
            self.moves[place] = ways

    def near(self, asked: Iterable[int], fixed: Mapping[int, int]) -> Area:
        """Close provinces under influence, beside fixed orders: codes by province of the unit."""
        return _Closing(self, asked, fixed).area()


class _Closing:
    """One closure while it is made."""

    def __init__(self, field: Field, asked: Iterable[int], fixed: Mapping[int, int]) -> None:
        self.field = field
        self.asked = set(asked)
        self.fixed = {place: parts(code, field.province_of) for place, code in fixed.items()}
        self.fixed_moves: dict[int, list[OrderParts]] = {}
        self.helpers: dict[int, list[OrderParts]] = {}
        self.carried: dict[tuple[int, int], list[int]] = {}
        for part in self.fixed.values():
            if part.kind == OrderKind.MOVE:
                self.fixed_moves.setdefault(part.goal, []).append(part)
            elif part.kind in (OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE):
                self.helpers.setdefault(part.goal, []).append(part)
            elif part.kind == OrderKind.CONVOY:
                self.carried.setdefault((part.helped, part.goal), []).append(part.unit)
        self.provinces: set[int] = set()
        self.unvisited: list[int] = []
        self.who: set[int] = set()
        self.exits: dict[int, set[int]] = {}

    def area(self) -> Area:
        self._add(self.asked)
        while True:
            while self.unvisited:
                self._visit(self.unvisited.pop())
            before = len(self.provinces), len(self.who)
            self._leave()
            if not self.unvisited and before == (len(self.provinces), len(self.who)):
                break
        touched = self.provinces | self.who
        for place in self.who & self.provinces:
            touched |= self.field.moves[place].keys()
        choices = {place: self._choices(place) for place in sorted(self.who)}
        return Area(frozenset(self.provinces), choices, frozenset(touched))

    def _add(self, places: Iterable[int]) -> None:
        for place in places:
            if place not in self.provinces:
                self.provinces.add(place)
                self.unvisited.append(place)

    def _matters(self, place: int) -> None:
        """A replier has a say: so has what fixed units do to it."""
        if place not in self.who:
            self.who.add(place)
            if place in self.fixed_moves:
                self._add([place])

    def _visit(self, place: int) -> None:
        field = self.field
        own = self.fixed.get(place)
        if own is not None and own.kind == OrderKind.MOVE:
            self._add([own.goal])
            self._fleets(own)
        self._add(part.unit for part in self.helpers.get(place, ()))
        for part in self.fixed_moves.get(place, ()):
            self._fleets(part)
            if place in field.repliers:
                self._add([part.unit])
        if place in field.repliers:
            self._matters(place)
        for other in field.reachers.get(place, ()):
            self._arrives(other, place)
        may_be_empty = place not in field.owners or (own is not None and own.kind == OrderKind.MOVE)
        if place in self.asked and may_be_empty:
            # Each of them may be driven out by its friends, and come in.
            self._add(
                other
                for other in field.reachers.get(place, ())
                if any(not is_via(code) for code in field.moves[other][place])
            )

    def _arrives(self, other: int, place: int) -> None:
        """A replier can come to a province; if only by sea, those who carry it count too."""
        codes = self.field.moves[other][place]
        by_land = any(not is_via(code) for code in codes)
        fleets = self.field.carriers.get((other, place), set())
        if by_land or fleets or self.carried.get((other, place)):
            self._matters(other)
            if any(is_via(code) for code in codes):
                for fleet in fleets:
                    self._matters(fleet)

    def _fleets(self, move: OrderParts) -> None:
        """What carries a fixed army: where fixed fleets stand, and repliers that might."""
        self._add(self.carried.get((move.unit, move.goal), ()))
        if move.via:
            for fleet in self.field.carriers.get((move.unit, move.goal), ()):
                self._matters(fleet)

    def _leave(self) -> None:
        """Give every replier that stands in the area a way out, or all its ways."""
        field = self.field
        standing = [place for place in self.who if place in self.provinces]
        ways = {
            place: [
                goal
                for goal, codes in field.moves[place].items()
                if goal not in self.provinces
                and (any(not is_via(code) for code in codes) or self._carried(place, goal))
            ]
            for place in standing
        }
        for place in standing:
            plain = [
                goal for goal in ways[place] if goal not in field.owners and goal not in self.fixed_moves
            ]
            private = [
                goal
                for goal in plain
                if any(not is_via(code) for code in field.moves[place][goal])
                and not any(goal in ways[other] for other in standing if other != place)
            ]
            if private:
                self.exits[place] = {private[0]}
                continue
            self.exits[place] = set(ways[place])
            self._add(goal for goal in ways[place] if goal not in plain)
            for goal in ways[place]:
                if all(is_via(code) for code in field.moves[place][goal]):
                    for fleet in field.carriers.get((place, goal), ()):
                        self._matters(fleet)

    def _choices(self, place: int) -> tuple[list[int], list[int]]:
        """The orders of a replier that can make a difference: moves, and what it does where it stands."""
        field = self.field
        moves = []
        for goal, codes in field.moves[place].items():
            if goal in self.provinces:
                moves += self._ways(place, goal, codes)
            elif goal in self.exits.get(place, ()):
                moves.append(codes[0])
        stays = [code for part, code in field.stays[place] if self._counts(part)]
        return moves, stays

    def _ways(self, place: int, goal: int, codes: list[int]) -> list[int]:
        """Moves of a replier to a province. To either coast is the same, as it is not played on, unless a
        fixed unit supports one of them."""
        by_land = [code for code in codes if not is_via(code)]
        if not any(part.helped == place for part in self.helpers.get(goal, ())):
            by_land = by_land[:1]
        by_sea = [code for code in codes if is_via(code)]
        return by_land + (by_sea if by_sea and self._carried(place, goal) else [])

    def _carried(self, army: int, goal: int) -> bool:
        return bool(self.field.carriers.get((army, goal)) or self.carried.get((army, goal)))

    def _counts(self, part: OrderParts) -> bool:
        """Whether an order that stays can do anything to the area."""
        if part.kind == OrderKind.HOLD:
            return True
        if part.kind == OrderKind.CONVOY and part.goal in self.exits.get(part.helped, ()):
            return True
        if part.goal not in self.provinces:
            return False
        fixed = self.fixed.get(part.helped)
        if part.kind == OrderKind.SUPPORT_HOLD:
            if part.helped not in self.fixed_moves:
                return False
            return part.helped in self.field.repliers or (fixed is None or fixed.kind != OrderKind.MOVE)
        if fixed is not None or part.helped not in self.field.repliers:
            return fixed is not None and fixed.kind == OrderKind.MOVE and fixed.goal == part.goal
        return part.helped in self.who
