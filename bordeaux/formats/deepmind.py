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
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bordeaux.board.code import destination_of, is_via, kind_of, make_code, target_of, unit_of
from bordeaux.board.errors import FormatError
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind, Province, Unit
from bordeaux.board.phase import Phase
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


def season_number(phase: Phase) -> int:
    """The value of the `Season` of a phase. Raises FormatError at the end of a game."""
    if phase == Phase.COMPLETED:
        raise FormatError("a finished game has no season")
    return _NUMBERS[phase.season + phase.kind]


class _Layout:
    """The numbers of provinces, areas and actions, derived from the standard map."""

    def __init__(self, map: Map) -> None:
        ranked = sorted(map.provinces, key=_rank)
        self.number = {province.name: number for number, province in enumerate(ranked)}
        self.start: dict[str, int] = {}
        for province in ranked:
            self.start[province.name] = sum(1 + len(earlier.coasts) for earlier in ranked[: len(self.start)])
        self.blank = np.zeros((AREAS, FEATURES), np.uint8)
        self.blank[:, [UNIT + NONE, OWNER + NOBODY, DISLODGED + NONE, DISLODGED_OWNER + NOBODY]] = 1
        for province in ranked:
            self.blank[self.start[province.name], AREA + (province.kind == "sea")] = 1
            self.blank[self.start[province.name] + 1 : self._end(province), AREA + 2] = 1
        self.centres = [
            (slice(self.start[name], self._end(map.province(name))), name) for name in map.centres
        ]
        #: By location: the number of its province, the coast flag, and the areas that a unit there occupies.
        self.places = [self._place(map, location.kind, location.name) for location in map.locations]
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

    def _end(self, province: Province) -> int:
        return self.start[province.name] + 1 + len(province.coasts)

    def _place(self, map: Map, kind: str, name: str) -> tuple[int, int, tuple[int, ...]]:
        tag, _, coast = name.partition("/")
        main = self.start[tag]
        if kind == "A" or not coast:
            return self.number[tag], 0, (main,)
        flag = map.province(tag).coasts.index(coast)
        return self.number[tag], flag, (main, main + 1 + flag)


def _rank(province: Province) -> tuple[int, bool, str]:
    """Provinces come by kind, then those without a centre, then by their tags in DAIDE."""
    kind = ("inland", "sea", "coastal").index(province.kind) + (len(province.coasts) > 1)
    # At sea nothing is a centre; provinces with two coasts are the last.
    return kind, province.centre, province.daide


def _low(kind: int, unit: int, target: int = 0, third: int = 0, *, unit_flag: int = 0, flag: int = 0) -> int:
    """The lower 32 bits of an action."""
    return kind | unit_flag << 8 | unit << 9 | flag << 16 | target << 17 | third << 25


def _possible(map: Map, layout: _Layout) -> Iterator[int]:
    """The lower 32 bits of every action that can ever be legal."""
    number = layout.number
    yield _low(WAIVE, 0)
    for tag in number:
        for kind in (HOLD, DISBAND, REMOVE):
            yield _low(kind, number[tag])
    for location in map.locations:
        unit, unit_flag, _ = layout.places[location.index]
        if map.provinces[location.province].homes:
            build = BUILD_FLEET if location.kind == "F" else BUILD_ARMY
            yield _low(build, unit, unit_flag=unit_flag)
        for name in map.adjacent(location.kind, location.name):
            target, flag, _ = layout.places[map.location(location.kind, name).index]
            yield _low(MOVE_TO, unit, target, flag=flag)
            yield _low(RETREAT_TO, unit, target, flag=flag)
            yield _low(SUPPORT_HOLD, unit, target)
    seas = _Seas(map)
    near = {tag: seas.near(tag) for tag in number}
    coast = [tag for tag in number if map.province(tag).kind == "coastal"]
    for goal in coast:
        for army in coast:
            if army == goal or not seas.joined(army, goal):
                continue
            yield _low(CONVOY_TO, number[army], number[goal])
            for sea in seas.all:
                if seas.between(army, sea, goal):
                    yield _low(CONVOY, number[sea], number[goal], number[army])
    for goal in number:
        for helper in near[goal]:
            for mover in number:
                # A convoy that needs the helper itself cannot be supported by it.
                walks = mover in near[goal]
                if mover not in (helper, goal) and (
                    walks or (mover in coast and goal in coast and seas.joined(mover, goal, helper))
                ):
                    yield _low(SUPPORT_MOVE_TO, number[helper], number[goal], number[mover])


class _Seas:
    """Which coasts and seas are joined by water, whatever units stand there."""

    def __init__(self, map: Map) -> None:
        self._near = {
            province.name: {
                name.partition("/")[0]
                for location in map.locations
                if location.province == province.index
                for name in map.adjacent(location.kind, location.name)
            }
            for province in map.provinces
        }
        self.all = [province.name for province in map.provinces if province.kind == "sea"]
        self._parts = {without: self._label(without) for without in (None, *self.all)}

    def near(self, tag: str) -> set[str]:
        """The provinces from which some unit can move to a province."""
        return {other for other, beside in self._near.items() if tag in beside}

    def _label(self, without: str | None) -> dict[str, set[int]]:
        """By province: the numbers of the connected waters, without one sea, that it touches."""
        part: dict[str, int] = {}
        for number, sea in enumerate(self.all):
            ahead = [sea] if sea != without and sea not in part else []
            while ahead:
                part[here := ahead.pop()] = number
                open_to = (near for near in self._near[here] if near in self.all and near != without)
                ahead += [near for near in open_to if near not in part]
        return {
            tag: {part[place] for place in (tag, *beside) if place in part}
            for tag, beside in self._near.items()
        }

    def joined(self, first: str, second: str, without: str | None = None) -> bool:
        """Whether a chain of seas leads from one to the other, without that sea."""
        parts = self._parts[without if without in self.all else None]
        return not parts[first].isdisjoint(parts[second])

    def between(self, army: str, sea: str, goal: str) -> bool:
        """Whether a chain of seas, each used once, leads from `army` by `sea` to `goal`: no other sea alone
        cuts `sea` off from both (Menger)."""
        return all(self.joined(sea, end) for end in (army, goal)) and all(
            self.joined(sea, army, other) or self.joined(sea, goal, other)
            for other in self.all
            if other != sea
        )


@functools.cache
def _layout() -> _Layout:
    return _Layout(Map.standard())


def check_map(map: Map) -> None:
    """Raise FormatError for another map than the standard one."""
    standard = Map.standard()
    if map is not standard and (map.locations != standard.locations or map.powers != standard.powers):
        raise FormatError(
            f"the action numbers of google-deepmind/diplomacy are for the standard map, not {map.name}"
        )


def start_of(province: str) -> int:
    """The number of the first area of a province, given by its tag; its coasts follow."""
    return _layout().start[province]


def blank_board() -> NDArray[np.uint8]:
    """The board without units and centres."""
    return _layout().blank.copy()


def actions() -> NDArray[np.int64]:
    """The list of all actions (int64, 18,584, read-only); the index of an action is its bits from 48 on."""
    return _layout().actions


@functools.lru_cache(maxsize=1 << 15)
def action_of(code: int, *, removal: bool = False) -> int | None:
    """The action of an order code of the standard map; None if the list has none.

    `removal`: whether a disbandment is that of an adjustment phase, which is an action of its own.
    """
    layout = _layout()
    kind = kind_of(code)
    if kind == OrderKind.WAIVE:
        return layout.by_low[_low(WAIVE, 0)]
    unit, unit_flag, _ = layout.places[unit_of(code)]
    target, flag, _ = layout.places[target_of(code)]
    match kind:
        case OrderKind.HOLD:
            low = _low(HOLD, unit)
        case OrderKind.MOVE if is_via(code) or _low(MOVE_TO, unit, target, flag=flag) not in layout.by_low:
            low = _low(CONVOY_TO, unit, target)
        case OrderKind.MOVE:
            low = _low(MOVE_TO, unit, target, flag=flag)
        case OrderKind.SUPPORT_HOLD:
            low = _low(SUPPORT_HOLD, unit, target)
        case OrderKind.SUPPORT_MOVE | OrderKind.CONVOY:
            goal = layout.places[destination_of(code)][0]
            low = _low(CONVOY if kind == OrderKind.CONVOY else SUPPORT_MOVE_TO, unit, goal, target)
        case OrderKind.RETREAT:
            low = _low(RETREAT_TO, unit, target, flag=flag)
        case OrderKind.DISBAND:
            low = _low(REMOVE if removal else DISBAND, unit)
        case _:
            fleet = layout.fleets[unit_of(code)]
            low = _low(BUILD_FLEET if fleet else BUILD_ARMY, unit, unit_flag=unit_flag)
    return layout.by_low.get(low)


def legal_actions(position: Position) -> list[dict[int, int]]:
    """For every power its legal actions, in the order of the list, each with the code of its order.

    A support of a fleet's move to a province with two coasts is one action: its order names no coast, if both
    can be reached. Raises FormatError for another map than the standard one.
    """
    map = position.map
    check_map(map)
    layout = _layout()
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
                code = make_code(
                    kind_of(code), unit_of(code), target_of(code), layout.main[destination_of(code)]
                )
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
    layout = _layout()
    table = blank_board()
    due = {power: position.adjustments(power) for power in map.powers}
    for unit in position.units:
        areas = _stand(table, map, unit, UNIT, OWNER)
        table[areas, REMOVABLE] = due[unit.power] < 0
    for dislodged in position.dislodged:
        _stand(table, map, dislodged.unit, DISLODGED, DISLODGED_OWNER)
    places = position.orderable() if position.phase.kind == "A" else {}
    sites = {tag for power, tags in places.items() if due[power] > 0 for tag in tags}
    for (span, tag), owner in zip(layout.centres, position.owners, strict=True):
        table[span, CENTRE + (NOBODY if owner is None else map.powers.index(owner))] = 1
        table[span, BUILDABLE] = tag in sites
    return table


def _stand(table: NDArray[np.uint8], map: Map, unit: Unit, kind: int, owner: int) -> list[int]:
    """Enter a unit in the areas that it occupies, which are returned."""
    areas = list(_layout().places[map.location(unit.kind, unit.location).index][2])
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
        number = season_number(position.phase)
        return AreaObservation(season(number), board(position), numbers, list(self._last))


def _due(position: Position) -> NDArray[np.int32]:
    return np.array([position.adjustments(power) for power in position.map.powers], np.int32)
