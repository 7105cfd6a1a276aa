"""Positions and orders as numbers, in the form of the repository google-deepmind/diplomacy (Anthony and
others, 2020): its list of 18,584 actions, and its observations of 81 areas by 35 numbers.

An action has 64 bits: from bit 0 the kind of order (8 bits), then three areas (8 bits each: a coast flag
below a province number of 7 bits), and from bit 48 its index in the list. The list holds every action that
can ever be legal on the standard map, in the order of the lower 32 bits. Here it is derived from the map by
that rule.

Areas of actions leave out what the board tells: the kind of a unit, and the coast of a fleet. So one action
can stand for several orders, of which at most one set is legal in a position.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bordeaux.board.code import destination_of, is_via, kind_of, make_code, target_of, unit_of
from bordeaux.board.errors import FormatError
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind, Province, Unit
from bordeaux.board.position import Position

AREAS, FEATURES = 81, 35
"""The shape of a board."""

CONVOY_TO, CONVOY, HOLD, MOVE_TO, SUPPORT_HOLD, SUPPORT_MOVE_TO = 1, 2, 3, 4, 5, 6
DISBAND, RETREAT_TO, BUILD_ARMY, BUILD_FLEET, REMOVE, WAIVE = 8, 9, 10, 11, 12, 13
#: Columns of a board: each group begins with one of these, in this order.
UNIT, OWNER, BUILDABLE, REMOVABLE, DISLODGED, DISLODGED_OWNER, AREA, CENTRE = 0, 3, 11, 12, 13, 16, 24, 27
#: In the groups of a unit and of an owner: the column for nothing there.
NONE, NOBODY = 2, 7
_INDEX = 48


class Season(Enum):
    """The kind of a phase; like the one of that repository."""

    SPRING_MOVES = 0
    SPRING_RETREATS = 1
    AUTUMN_MOVES = 2
    AUTUMN_RETREATS = 3
    BUILDS = 4

    def is_moves(self) -> bool:
        """Whether units move."""
        return self in (Season.SPRING_MOVES, Season.AUTUMN_MOVES)

    def is_retreats(self) -> bool:
        """Whether dislodged units retreat."""
        return self in (Season.SPRING_RETREATS, Season.AUTUMN_RETREATS)

    def is_builds(self) -> bool:
        """Whether units are built or removed."""
        return self == Season.BUILDS


class AreaObservation(NamedTuple):
    """What its agents see: a `Season` (or that of the repository), the board (uint8, 81 x 35), the build
    numbers (int32, 7), and the actions of all powers in the last phase."""

    season: Enum
    board: NDArray[np.uint8]
    build_numbers: NDArray[np.int32]
    last_actions: list[int]


_NUMBERS = {"SM": 0, "SR": 1, "FM": 2, "FR": 3, "WA": 4}


class Layout:
    """The numbers of provinces, areas and actions, derived from the standard map: the first area of each
    province in `start`, before those of its coasts, and the `blank` board without units and centres."""

    def __init__(self, map: Map) -> None:
        ranked = sorted(map.provinces, key=_rank)
        areas = itertools.accumulate((1 + len(province.coasts) for province in ranked), initial=0)
        self.number = {province.name: number for number, province in enumerate(ranked)}
        self.start = dict(zip(self.number, areas, strict=False))
        self.blank = np.zeros((AREAS, FEATURES), np.uint8)
        self.blank[:, [UNIT + NONE, OWNER + NOBODY, DISLODGED + NONE, DISLODGED_OWNER + NOBODY]] = 1
        self.centres: list[tuple[slice, str]] = []
        for province in map.provinces:
            start, end = self.start[province.name], self.start[province.name] + 1 + len(province.coasts)
            self.blank[start, AREA + (province.kind == "sea")] = 1
            self.blank[start + 1 : end, AREA + 2] = 1
            self.centres += [(slice(start, end), province.name)] * province.centre
        #: By location: the number of its province, the coast flag, and the areas that a unit there occupies.
        self.places: list[tuple[int, int, list[int]]] = []
        for location in map.locations:
            tag, _, coast = location.name.partition("/")
            flag = map.province(tag).coasts.index(coast) if coast else 0
            occupied = [self.start[tag], self.start[tag] + 1 + flag] if coast else [self.start[tag]]
            self.places.append((self.number[tag], flag, occupied))
        #: By location: a place in the same province without a coast.
        self.main = [
            (map.locations_in("A", tag) or map.locations_in("F", tag))[0].index
            for tag in (map.provinces[location.province].name for location in map.locations)
        ]
        self.fleets = [location.kind == "F" for location in map.locations]
        low = np.array(sorted(set(_possible(map, self))), np.int64)
        self.actions = low | np.arange(len(low), dtype=np.int64) << _INDEX
        self.actions.setflags(write=False)
        self.by_low = dict(zip(low.tolist(), self.actions.tolist(), strict=True))


def _rank(province: Province) -> tuple[int, bool, str]:
    """Provinces come by kind, then those without a centre, then by their tags in DAIDE."""
    kind = ("inland", "sea", "coastal").index(province.kind) + (len(province.coasts) > 1)
    # At sea nothing is a centre; provinces with two coasts are the last.
    return kind, province.centre, province.daide


def _low(kind: int, unit: int, target: int = 0, third: int = 0, *, unit_flag: int = 0, flag: int = 0) -> int:
    return kind | unit_flag << 8 | unit << 9 | flag << 16 | target << 17 | third << 25


def _possible(map: Map, board: Layout) -> Iterator[int]:
    """The lower 32 bits of every action that can ever be legal."""
    number = board.number
    yield _low(WAIVE, 0)
    for tag in number:
        for kind in (HOLD, DISBAND, REMOVE):
            yield _low(kind, number[tag])
    beside: dict[str, set[str]] = {tag: set() for tag in number}
    for location in map.locations:
        unit, unit_flag, _ = board.places[location.index]
        if map.provinces[location.province].homes:
            build = BUILD_FLEET if location.kind == "F" else BUILD_ARMY
            yield _low(build, unit, unit_flag=unit_flag)
        for name in map.adjacent(location.kind, location.name):
            target, flag, _ = board.places[map.location(location.kind, name).index]
            yield _low(MOVE_TO, unit, target, flag=flag)
            yield _low(RETREAT_TO, unit, target, flag=flag)
            yield _low(SUPPORT_HOLD, unit, target)
            beside[map.provinces[location.province].name].add(name.partition("/")[0])
    seas = [tag for tag in number if map.province(tag).kind == "sea"]
    coasts = [tag for tag in number if map.province(tag).kind == "coastal"]
    waters = {without: _waters(beside, {*seas} - {without}) for without in ("", *seas)}

    def joined(one: str, other: str, without: str = "") -> bool:
        """Whether a chain of seas leads from one to the other, without that sea."""
        parts = waters.get(without, waters[""])
        return not parts[one].isdisjoint(parts[other])

    for goal, army in itertools.permutations(coasts, 2):
        if not joined(army, goal):
            continue
        yield _low(CONVOY_TO, number[army], number[goal])
        for sea in seas:
            # By chains that use each sea once: no other sea alone cuts this one off from both ends (Menger).
            if (
                joined(sea, army)
                and joined(sea, goal)
                and all(
                    joined(sea, army, other) or joined(sea, goal, other) for other in seas if other != sea
                )
            ):
                yield _low(CONVOY, number[sea], number[goal], number[army])
    for helper, mover in itertools.permutations(number, 2):
        for goal in beside[helper] - {mover}:
            # A convoy that needs the helper itself cannot be supported by it.
            by_sea = mover in coasts and goal in coasts and joined(mover, goal, helper)
            if by_sea or goal in beside[mover]:
                yield _low(SUPPORT_MOVE_TO, number[helper], number[goal], number[mover])


def _waters(beside: dict[str, set[str]], seas: set[str]) -> dict[str, set[str]]:
    """By province: the connected waters of these seas that it touches, each by the name of one sea."""
    part: dict[str, str] = {}
    for sea in seas:
        ahead = [] if sea in part else [sea]
        while ahead:
            part[here := ahead.pop()] = sea
            ahead += (beside[here] & seas) - part.keys()
    return {tag: {part[place] for place in near | {tag} if place in part} for tag, near in beside.items()}


@functools.cache
def layout() -> Layout:
    """The layout of the standard map."""
    return Layout(Map.standard())


def check_map(map: Map) -> None:
    """Raise FormatError for another map than the standard one."""
    standard = Map.standard()
    if map is not standard and (map.locations != standard.locations or map.powers != standard.powers):
        raise FormatError(
            f"the action numbers of google-deepmind/diplomacy are for the standard map, not {map.name}"
        )


def actions() -> NDArray[np.int64]:
    """The list of all actions (int64, 18,584, read-only); the index of an action is its bits from 48 on."""
    return layout().actions


@functools.lru_cache(maxsize=1 << 15)
def action_of(code: int, *, removal: bool = False) -> int | None:
    """The action of an order code of the standard map; None if the list has none.

    `removal`: whether a disbandment is that of an adjustment phase, which is an action of its own.
    """
    places, by_low = layout().places, layout().by_low
    kind = kind_of(code)
    if kind == OrderKind.WAIVE:
        return by_low[_low(WAIVE, 0)]
    unit, unit_flag, _ = places[unit_of(code)]
    target, flag, _ = places[target_of(code)]
    match kind:
        case OrderKind.HOLD:
            low = _low(HOLD, unit)
        case OrderKind.MOVE if is_via(code) or _low(MOVE_TO, unit, target, flag=flag) not in by_low:
            low = _low(CONVOY_TO, unit, target)
        case OrderKind.MOVE:
            low = _low(MOVE_TO, unit, target, flag=flag)
        case OrderKind.SUPPORT_HOLD:
            low = _low(SUPPORT_HOLD, unit, target)
        case OrderKind.SUPPORT_MOVE | OrderKind.CONVOY:
            does = CONVOY if kind == OrderKind.CONVOY else SUPPORT_MOVE_TO
            low = _low(does, unit, places[destination_of(code)][0], target)
        case OrderKind.RETREAT:
            low = _low(RETREAT_TO, unit, target, flag=flag)
        case OrderKind.DISBAND:
            low = _low(REMOVE if removal else DISBAND, unit)
        case _:
            does = BUILD_FLEET if layout().fleets[unit_of(code)] else BUILD_ARMY
            low = _low(does, unit, unit_flag=unit_flag)
    return by_low.get(low)


def legal_actions(position: Position) -> list[dict[int, int]]:
    """For every power its legal actions, in the order of the list, each with the code of its order.

    A support of a fleet's move to a province with two coasts is one action: its order names no coast, if both
    can be reached. Raises FormatError for another map than the standard one.
    """
    map = position.map
    check_map(map)
    removal = position.phase.kind == "A"
    found: list[dict[int, int]] = [{} for _ in map.powers]
    for power, units in position.packed.legal().items():
        mine = found[power]
        codes = [code for listed in units.values() for code in listed]
        if removal and position.adjustments(map.powers[power]) > 0:
            codes.append(make_code(OrderKind.WAIVE))
        for code in codes:
            action = action_of(code, removal=removal)
            if action is None:
                continue
            if action in mine:
                main = layout().main[destination_of(code)]
                code = make_code(kind_of(code), unit_of(code), target_of(code), main)
            mine[action] = code
        found[power] = dict(sorted(mine.items()))
    return found


def board(position: Position) -> NDArray[np.uint8]:
    """The board of a position (uint8, 81 x 35). Raises FormatError for another map than the standard one.

    A fleet in a province with two coasts occupies the province's area and that of its coast. The owner of a
    centre, and whether something can be built there, is noted in all areas of the province.
    """
    map = position.map
    check_map(map)
    table = layout().blank.copy()
    due = {power: position.adjustments(power) for power in map.powers}
    for unit in position.units:
        areas = _stand(table, map, unit, UNIT, OWNER)
        table[areas, REMOVABLE] = due[unit.power] < 0
    for dislodged in position.dislodged:
        _stand(table, map, dislodged.unit, DISLODGED, DISLODGED_OWNER)
    places = position.orderable() if position.phase.kind == "A" else {}
    sites = {tag for power, tags in places.items() if due[power] > 0 for tag in tags}
    for (span, tag), owner in zip(layout().centres, position.owners, strict=True):
        table[span, CENTRE + (NOBODY if owner is None else map.powers.index(owner))] = 1
        table[span, BUILDABLE] = tag in sites
    return table


def _stand(table: NDArray[np.uint8], map: Map, unit: Unit, kind: int, owner: int) -> list[int]:
    """Enter a unit in the areas that it occupies, which are returned."""
    areas = layout().places[map.location(unit.kind, unit.location).index][2]
    table[areas, kind + NONE] = table[areas, owner + NOBODY] = 0
    table[areas, kind + (unit.kind == "F")] = table[areas, owner + map.powers.index(unit.power)] = 1
    return areas


class ObservationHistory:
    """What observations tell besides the board: the build numbers and the last actions.

    In Winter the build numbers are the builds (positive) or removals (negative) that a power can make. In
    other phases builds are 0, but the removals of the last Winter are still there. This was an error of the
    environment in which the agents were trained, so they expect it.
    """

    def __init__(self) -> None:
        self._removals = np.zeros(7, np.int32)
        self._last: list[int] = []

    def note(self, before: Position, given: Iterable[Sequence[int]], after: Position) -> None:
        """Note the actions of all powers in a phase, and the position that they led to."""
        self._last = [int(action) for of_power in given for action in of_power]
        if before.phase.season == "F" and after.phase.season != "F":
            # Also in a year without adjustments, whose Winter is not played.
            self._removals = np.minimum(_due(after), 0)

    def observation(self, position: Position, season: type[Enum] = Season) -> AreaObservation:
        """The observation of a position, with members of the `season` enumeration."""
        numbers = _due(position) if position.phase.kind == "A" else self._removals.copy()
        if (number := _NUMBERS.get(position.phase.season + position.phase.kind)) is None:
            raise FormatError("a finished game has no season")
        return AreaObservation(season(number), board(position), numbers, list(self._last))


def _due(position: Position) -> NDArray[np.int32]:
    return np.array([position.adjustments(power) for power in position.map.powers], np.int32)
