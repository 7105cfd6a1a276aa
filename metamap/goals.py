"""Regional goals: from a search of the position on the meta-map (Hall and Loeb 1995, section 4.3.4).

The search for orders runs on a map whose provinces are the regions. The regions of its orders are the goals.
They become points on the provinces of those regions and, falling off, on the shortest ways to them from idle
units. Every unit gets more points the nearer it is. A search on larger regions guides the search on the
regions in the same way.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bordeaux._ext.value.influence import Evaluator
from bordeaux.board.code import codes_in
from bordeaux.board.order import OrderKind, Unit
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.evaluation import FAR_AWAY, evaluator, with_goals
from bordeaux.metamap.atlas import Atlas, atlas
from bordeaux.search.config import SearchConfig
from bordeaux.search.paper import MovementSearch, Situation
from bordeaux.search.task import Budget, SearchTask

# A position translated to the meta-map: the owner and unit of each region (Hall and Loeb 1995, section
# 4.3.4).
# A region has one owner and one unit, for any number of units. So the weaker power in a contested region is
# not represented, and four armies count as one. Some information is kept elsewhere. A garrison is left out if
# a single neighbour outnumbers it two to one, since it could not hold. The altitudes of the meta-map count
# the provinces and centres of a region. Convoys are represented as far as regions of sea carry them.
# Positions of units within a region are lost.

#: What a unit and a centre count for in who holds a region.
UNIT, CENTRE = 2, 1
#: How many times stronger a neighbour must be for a garrison to count as none.
OUTNUMBERED = 2
#: Altitudes on the meta-map, in the points of the evaluation: for each province of a region, for
#: each centre in it, and for the peak at home, from where the land falls away with every region.
PROVINCE, CENTRE_HEIGHT, PEAK, SLOPE = 3.0, 30.0, 30.0, 8.0


class Strengths(NamedTuple):
    """Units and centres counted as ``[power][region]``, and for every power (by number) with units in a
    region the place of each of them on the meta-map: ``(power, region): [(kind, location)]``."""

    units: npt.NDArray[np.int64]
    centres: npt.NDArray[np.int64]
    places: dict[tuple[int, int], list[tuple[str, str]]]


def strengths(atlas: Atlas, position: Position) -> Strengths:
    """Count the units and centres of every power in every region."""
    map = position.map
    shape = len(map.powers), len(atlas.members)
    number = {power: index for index, power in enumerate(map.powers)}
    units, centres = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    places: dict[tuple[int, int], list[tuple[str, str]]] = {}
    for unit in position.units:
        place = map.location(unit.kind, unit.location)
        seat = number[unit.power], atlas.region_of[place.province]
        units[seat] += 1
        places.setdefault(seat, []).append((unit.kind, atlas.place_of[place.index]))
    for centre, owner in position.owner_of.items():
        if owner is not None:
            centres[number[owner], atlas.region_of[map.province(centre).index]] += 1
    return Strengths(units, centres, places)


def translate(atlas: Atlas, position: Position, counted: Strengths | None = None) -> Position:
    """The position on the map of the regions, in the movement phase of the same season.

    A region that is a centre belongs to the power that is strongest in it, to nobody in a tie. It holds a
    unit of the power with the most units there, or with the most centres among those: an army or a fleet by
    the majority, on the coast with most of its fleets.
    """
    counted = counted or strengths(atlas, position)
    powers = position.map.powers
    # By units, then by centres, then as the powers stand on the map.
    strongest = (1000 * counted.units + counted.centres).argmax(axis=0).tolist()
    weight = UNIT * counted.units + CENTRE * counted.centres
    holders, most = weight.argmax(axis=0).tolist(), weight.max(axis=0)
    alone = ((weight == most).sum(axis=0) == 1).tolist()
    owned: dict[str, list[str]] = {}
    placed = []
    units = counted.units.tolist()
    for region in atlas.map.provinces:
        index = region.index
        if region.centre and alone[index]:
            owned.setdefault(powers[holders[index]], []).append(region.name)
        power = strongest[index]
        strength = units[power][index]
        # Where a single foe next door has so many more, these would not hold.
        if strength and not any(
            foes[beside] >= OUTNUMBERED * strength
            for foe, foes in enumerate(units)
            if foe != power
            for beside in atlas.beside[index]
        ):
            placed.append(_unit(powers[power], region.name, counted.places[power, index]))
    year, season = position.phase.year, "S" if position.phase.season == "S" else "F"
    return Position(atlas.map, Phase(year, season, "M"), placed, owned)


def _unit(power: str, region: str, places: list[tuple[str, str]]) -> Unit:
    """The one unit for several."""
    fleets = sorted(name for kind, name in places if kind == "F")
    if 2 * len(fleets) > len(places):
        return Unit(power, "F", max(fleets, key=fleets.count))
    return Unit(power, "A", region)


def heights(atlas: Atlas) -> dict[str, dict[str, float]]:
    """The mountain of every power on the meta-map: the more provinces and centres, the higher, with its peak
    at home; flat for a power without a home."""
    by_power: dict[str, dict[str, float]] = {}
    for power in atlas.map.powers:
        homes = [atlas.map.province(home).index for home in atlas.map.homes[power]]
        ways = [atlas.map.tables.steps(home) for home in homes]
        by_power[power] = {
            region.name: _plain(atlas, region.index)
            + max(0.0, PEAK - SLOPE * min((way[region.index] for way in ways), default=99))
            for region in atlas.map.provinces
        }
    return by_power


def _plain(atlas: Atlas, region: int) -> float:
    inside: Sequence[int] = atlas.members[region]
    return PROVINCE * len(inside) + CENTRE_HEIGHT * sum(
        atlas.below.provinces[place].centre for place in inside
    )


#: Nodes of the search on the regions, and the part of them that goes to the larger regions.
NODES = 800
ABOVE = 0.2
#: How far up the recursion goes.
LEVELS = 2
#: Regions that are goals at one time, at most.
MOST = 4
#: Points for a province of the foremost goal, points for every move that a unit is nearer to it, and
#: moves from it at which both have fallen to none.
POINTS = 10.0
MARCH = 3.0
REACH = 16
#: Moves from a unit within which nothing must be foreign for it to be idle.
IDLE = 2
#: How much an order on the meta-map makes its region a goal: a move, support for one, holding on.
MOVE, SUPPORT, STAND = 1.0, 0.5, 0.25
#: What a region is worth as a goal for each centre and each unit of others in it, and if neither.
FOREIGN_CENTRE, FOREIGN_UNIT, AT_LEAST = 1.0, 0.5, 0.1


#: Largest part of a search's limit that goals may take, and the fewest nodes that are worth it.
PART, FEWEST = 0.05, 150
#: Seconds that goals take before the first node, and for each; and the former in nodes.
BEGIN_SECONDS, NODE_SECONDS, BEGIN_NODES = 0.004, 5e-6, 400


#: On regions there is no policy that units follow, and no time to play on.
CONFIG = SearchConfig(search="paper", without="beliefs+equilibrium+policy+people+fronts+forcing")


class Goals(NamedTuple):
    """Regional goals of a power: names of regions with weights (they sum to 1, highest first). Also the
    points that they add to provinces (``GRE``) and for units in a place (``A SER``, ``F BUL/SC``), and the
    number of nodes used."""

    regions: tuple[tuple[str, float], ...] = ()
    raised: dict[str, float] = {}  # noqa: RUF012 (never changed)
    nodes: int = 0


def regional_goals(position: Position, power: str, seed: int = 0, nodes: int = NODES) -> Goals:
    """The regional goals of a power in a movement phase. Raises MapError for an unknown power."""
    name = position.map.power(power)
    return goals_of(position, [name], seed, nodes)[name]


def goals_of(
    position: Position, powers: Sequence[str], seed: int = 0, nodes: int = NODES
) -> dict[str, Goals]:
    """The regional goals of several powers, from one search; the nodes are those of all together.

    The same seed and nodes give the same goals. A power without units has no goals.
    """
    return _goals(atlas(position.map, LEVELS), position, powers, seed, nodes)


def _goals(
    above: tuple[Atlas, ...], position: Position, powers: Sequence[str], seed: int, nodes: int
) -> dict[str, Goals]:
    lowest, *higher = above
    counted = strengths(lowest, position)
    meta = translate(lowest, position, counted)
    judge, spent = _judge(lowest), 0
    if higher:
        grand = _goals(tuple(higher), meta, powers, seed, int(nodes * ABOVE))
        spent = max((goals.nodes for goals in grand.values()), default=0)
        judge = with_goals(lowest.map, judge, {power: goals.raised for power, goals in grand.items()})
    search = MovementSearch(Situation(SearchTask(meta, CONFIG, seed), judge))
    wanted = [power for power in powers if position.units_of(power)]
    for _ in search.run(wanted, Budget(nodes=max(1, nodes - spent))):
        pass
    goals = {}
    for power in powers:
        lines = search.lines(power, 1) if meta.units_of(power) else []
        weights = _weights(lowest, counted, meta, power, lines[0][0] if lines else b"")
        regions = tuple((lowest.map.provinces[region].full, round(weight, 3)) for region, weight in weights)
        goals[power] = Goals(regions, _raised(lowest, position, power, weights), search.nodes + spent)
    return goals


def goals_within(budget: Budget, position: Position, powers: Sequence[str], seed: int) -> dict[str, Goals]:
    """The regional goals of powers for at most 5 % of the limit of a search, which is reduced by that; none
    outside movement phases and if 5 % is too little to find any.

    Only powers with an idle unit get some: units near an enemy do not need goals, and a search of 0.1 s plays
    better without their cost (``docs/metamap.md``).
    """
    nodes = float(NODES)
    if budget.nodes is not None:
        nodes = min(nodes, PART * budget.nodes - BEGIN_NODES)
    if budget.time is not None:
        nodes = min(nodes, (PART * budget.time - BEGIN_SECONDS) / NODE_SECONDS)
    if nodes < FEWEST or position.phase.kind != "M":
        return {}
    lowest = atlas(position.map, LEVELS)[0]
    marching = [
        power for power in powers if _idle(lowest, position, power, _foreign(lowest, position, power))
    ]
    if not marching:
        return {}
    goals = goals_of(position, marching, seed, int(nodes))
    if budget.nodes is not None:
        budget.nodes -= max(goals.nodes for goals in goals.values())
    return goals


@functools.cache
def _judge(level: Atlas) -> Evaluator:
    return evaluator(level.map, "default", heights(level))


def _weights(
    level: Atlas, counted: Strengths, meta: Position, power: str, orders: bytes
) -> list[tuple[int, float]]:
    """The regions that are goals of a power by its orders on the meta-map, with shares of 1.

    A move and the support for it count for its destination. The region of a unit that stays is a goal if
    enemies are in it or next to it. Regions that the power shares with enemies are always goals.
    """
    number = meta.map.powers.index(power)
    own, foes = counted.units[number], counted.units.sum(axis=0) - counted.units[number]
    foreign = np.array([len(members) for members in _centres(level)]) - counted.centres[number]
    value = np.maximum(FOREIGN_CENTRE * foreign + FOREIGN_UNIT * foes, AT_LEAST)
    drive = np.where((own > 0) & (foes > 0), STAND, 0.0)
    for code in codes_in(orders):
        order = decode(meta.map, code)
        if order.kind in (OrderKind.MOVE, OrderKind.SUPPORT_MOVE):
            goal = _region(meta, order.destination)
            drive[goal] += MOVE if order.kind == OrderKind.MOVE else SUPPORT
            continue
        goal = _region(meta, order.target if order.kind == OrderKind.SUPPORT_HOLD else order.location)
        if foes[[goal, *level.beside[goal]]].any():
            drive[goal] += STAND
    weights = drive * value
    best = sorted(np.flatnonzero(weights), key=lambda region: (-weights[region], region))[:MOST]
    total = weights[best].sum()
    return [(int(region), float(weights[region] / total)) for region in best]


@functools.cache
def _centres(level: Atlas) -> list[list[int]]:
    return [[place for place in members if level.below.provinces[place].centre] for members in level.members]


def _region(meta: Position, location: str) -> int:
    return meta.map.province(location.partition("/")[0]).index


def _raised(
    level: Atlas, position: Position, power: str, weights: list[tuple[int, float]]
) -> dict[str, float]:
    """Points for provinces, and for units in all places. Foreign provinces in the goals have most. The points
    decrease with every move from there, in the rest of the region and on the shortest ways of idle units.
    Units have more points the nearer they are to a goal.

    An idle unit moves to the goal with the highest weight relative to the distance. The points for units
    decrease evenly over the whole board, since otherwise the edge of a way would attract them.
    """
    if not weights:
        return {}
    map = level.below
    points, marches = np.zeros(len(map.provinces)), np.zeros(len(map.locations))
    foreign = _foreign(level, position, power)
    goals = []
    for region, weight in weights:
        inside = level.members[region]
        left = level.moves[:, _aims(level, inside, foreign)].min(axis=1)
        near = (1 + weight / weights[0][1]) / 2 * np.maximum(0, REACH - left)
        goals.append((weight, left, near))
        marches = np.maximum(marches, MARCH * near)
    ways = [np.isin(level.province, level.members[region]) for region, _ in weights]
    for place in _idle(level, position, power, foreign):
        pull = [weight / (1 + left[place]) if left[place] < FAR_AWAY else 0.0 for weight, left, _ in goals]
        goal = pull.index(max(pull))
        left = goals[goal][1]
        same_kind = level.fleet == level.fleet[place]
        ways[goal] |= same_kind & (level.moves[place, level.province] + left <= left[place])
    for way, (_, _, near) in zip(ways, goals, strict=True):
        np.maximum.at(points, level.province[way], POINTS / REACH * near[way])
    worths = dict(zip((province.name for province in map.provinces), points.round(3).tolist(), strict=True))
    worths |= zip(level.names, marches.round(3).tolist(), strict=True)
    return {name: worth for name, worth in worths.items() if worth > 0}


def _foreign(level: Atlas, position: Position, power: str) -> list[int]:
    """Numbers of the provinces with a unit or a centre that is not the power's."""
    map = position.map
    provinces = {map.province(unit.province).index for unit in position.units if unit.power != power}
    others = [centre for centre, owner in position.owner_of.items() if owner != power]
    return sorted(provinces | {map.province(centre).index for centre in others})


def _aims(level: Atlas, inside: list[int], foreign: list[int]) -> list[int]:
    """The provinces of a region that matter: the foreign ones; without any, those nearest to a foreign
    one."""
    aims = sorted(set(inside) & set(foreign))
    if aims or not foreign:
        return aims or inside
    near = {place: min(level.below.tables.steps(place)[other] for other in foreign) for place in inside}
    return [place for place in inside if near[place] == min(near.values())]


def _idle(level: Atlas, position: Position, power: str, foreign: list[int]) -> list[int]:
    """Location numbers of the own units without foreign units or centres near them."""
    map = position.map
    places = [map.location(unit.kind, unit.location).index for unit in position.units_of(power)]
    return [place for place in places if level.moves[place, foreign].min(initial=FAR_AWAY) > IDLE]
