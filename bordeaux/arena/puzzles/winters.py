"""Puzzles of builds and removals: the centres that holding units keep, against all builds and orders of the
others.

After the adjustments a power *stands*: every unit holds, or supports another that does. The value of the
adjustments is the number of centres that it would own at the end of the Spring.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.board.unit import Unit
from bordeaux.search.proof import Goal, Prover, TooMany, parts

__all__ = ["adjusted", "others_builds", "stand", "sure_after_winter"]

MOST_BUILDS = 200
MOST_STANDS = 100
LIMIT = 20_000
"""Replies that are adjudicated at most for one centre or group of a stand."""


def sure_after_winter(position: Position, power: str, orders: Iterable[str], count: int) -> bool:
    """Whether, after these adjustments, a power can stand so that it certainly has `count` centres.

    That is against all builds of the others in this Winter, and all their orders after it. They remove
    nothing, which only makes them stronger. The orders to stand may depend on the builds. Raises ValueError
    for another phase.
    """
    if position.phase.kind != "A":
        raise ValueError(f"expected adjustments, not {position.phase}")
    given = list(orders)
    return all(
        stand(adjusted(position, power, given, built), power, count) is not None
        for built in others_builds(position, power)
    )


def adjusted(position: Position, power: str, orders: Iterable[str], built: Iterable[Unit]) -> Position:
    """The board after a power's adjustments and others' builds, as a Fall movement, so that the ownership at
    its end can be proved."""
    alone = position.next({power: list(orders)})
    own = [unit for unit in alone.units if unit.power == power]
    others = [unit for unit in position.units if unit.power != power]
    return Position(
        position.map,
        position.phase._replace(season="F", kind="M"),
        [*own, *others, *built],
        position.centres,
    )


def others_builds(position: Position, power: str) -> Iterator[tuple[Unit, ...]]:
    """All maximal combinations of relevant builds that the others can make together.

    A unit is relevant if it can move, or be convoyed, to a province with a unit or a centre of the power: the
    power stands, so nothing else affects it. Raises TooMany if there are more than `MOST_BUILDS`.
    """
    map = position.map
    owned = {centre for centre, owner in zip(map.centres, position.owners, strict=True) if owner == power}
    mine = owned | {unit.province for unit in position.units_of(power)}
    if position.adjustments(power) > 0:
        mine |= set(map.homes[power])
    by_power = []
    total = 1
    for other in map.powers:
        due = position.adjustments(other)
        if other == power or due <= 0:
            continue
        places = {home: _mattering(position, other, home, mine) for home in position.orderable()[other]}
        homes = [home for home, units in places.items() if units]
        ways = [
            combination
            for chosen in itertools.combinations(homes, min(due, len(homes)))
            for combination in itertools.product(*(places[home] for home in chosen))
        ]
        by_power.append(ways)
        total *= len(ways)
        if total > MOST_BUILDS:
            raise TooMany(f"{total} ways to build are too many")
    for chosen in itertools.product(*by_power):
        yield tuple(itertools.chain.from_iterable(chosen))


def _mattering(position: Position, power: str, home: str, mine: set[str]) -> list[Unit]:
    """The units that could be built in a home and reach one of some provinces in Spring."""
    map = position.map
    units = []
    for kind in "AF":
        for location in map.locations_in(kind, home):
            goals = {goal.partition("/")[0] for goal in map.adjacent(kind, location.name)}
            by_sea = kind == "A" and any(
                unit.kind == "F" and map.province(unit.province).kind == "sea" and home in _shores(map, unit)
                for unit in position.units
            )
            if goals & mine or by_sea:
                units.append(Unit(power, kind, location.name))
    return units


def _shores(map: Map, fleet: Unit) -> set[str]:
    return {goal.partition("/")[0] for goal in map.adjacent("F", fleet.location)}


def stand(position: Position, power: str, count: int) -> list[str] | None:
    """Orders to stand that certainly keep `count` centres, if there are any: all combinations are tried."""
    prover = Prover(position, power, Goal(power, True, count), LIMIT)
    map = position.map
    if sum(owner == power for owner in position.owners) < count:
        return None
    places = {map.province(unit.province).index: unit for unit in position.units_of(power)}
    ways = []
    for place in places:
        options: list[int | None] = [None]
        for code in prover.field.legal[place]:
            part = parts(code, prover.field.province_of)
            if part.kind == OrderKind.SUPPORT_HOLD and part.helped in places:
                options.append(code)
        ways.append([(place, code) for code in options])
    for chosen in itertools.islice(itertools.product(*ways), MOST_STANDS):
        fixed = {place: code for place, code in chosen if code is not None}
        if prover.judge(fixed).holds:
            return _texts(position, fixed)
    return None


def _texts(position: Position, fixed: dict[int, int]) -> list[str]:
    return [str(decode(position.map, code)) for code in fixed.values()]
