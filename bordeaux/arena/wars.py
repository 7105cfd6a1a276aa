"""A player's wars: how many it fights at once, with which neighbours it keeps peace, and how far its units
are from home.

An attack is that of `bordeaux.press.diplomat.conduct`: a legal move into a province where another power has a
unit or a centre, or the support of such a move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.players.map_index import MapSituation, situation
from bordeaux.players.protocol import Turn
from bordeaux.press.diplomat.conduct import deeds

__all__ = ["FAR", "LEADER", "PEACE", "Wars", "taking_part"]

LEADER = 13
"""Centres from which on a power leads so far that the others should turn on it."""
PEACE = 4
"""Years in a row without an attack that make a peace between neighbours."""
FAR = 3
"""Moves to the nearest home of its power from which on a unit has strayed."""

Pair = tuple[int, int]
"""Two powers by number, the lower first."""


class Wars:
    """Counts turn by turn.

    ``movements``: movement phases in which the power gave orders. ``attacked``: other powers that its orders
    attacked, added up over these phases. ``neighbours``: other powers that it has bordered for `PEACE` years
    in a row. ``peaces``: those of them with `PEACE` such years in a row without an attack by either. Two
    powers border each other in a year if both gave orders in one of its movement phases, and their provinces
    with units or centres are the same or adjacent. ``attackers``: orders that attacked while another power
    had `LEADER` centres or more. ``at_leader``: those of them that attacked such a power. ``fielded``: units
    in movement phases. ``strayed``: units that are `FAR` moves or more from every home of the power, whoever
    owns it, without an own unit in an adjacent province. Convoys do not count as moves, as in the tables of
    the map.
    """

    def __init__(self) -> None:
        self._counts: list[Counter[str]] = []
        self._bordering: set[Pair] | None = None
        self._fighting: set[Pair] = set()
        self._years: Counter[Pair] = Counter()
        self._quiet: Counter[Pair] = Counter()
        self._neighbours: set[Pair] = set()
        self._peaces: set[Pair] = set()

    def add(self, turn: Turn) -> None:
        """Count one turn."""
        if not self._counts:
            self._counts = [Counter() for _ in turn.before.map.powers]
        if turn.before.phase.kind == "M":
            self._movement(turn.before, turn.orders)

    def done(self) -> list[Counter[str]]:
        """The counts for each power, in the order of the map, at the end of the game."""
        for power, counts in enumerate(self._counts):
            counts["neighbours"] = sum(power in pair for pair in self._neighbours)
            counts["peaces"] = sum(power in pair for pair in self._peaces)
        return self._counts

    def _movement(self, before: Position, orders: Mapping[str, Sequence[Order | str]]) -> None:
        map = before.map
        around, taking = situation(before), taking_part(map, orders)
        leaders = {power for power in range(len(map.powers)) if around.owner.count(power) >= LEADER}
        attacked: set[Pair] = set()
        for deed in deeds(before, orders):
            power, hurt = map.powers.index(deed.power), {map.powers.index(whose) for whose in deed.hurt}
            attacked.update((power, whose) for whose in hurt)
            if hurt and leaders - {power}:
                self._counts[power]["attackers"] += 1
                self._counts[power]["at_leader"] += not hurt.isdisjoint(leaders)
        for power in taking:
            counts = self._counts[power]
            counts["movements"] += 1
            counts["attacked"] += sum(who == power for who, _ in attacked)
            counts["fielded"] += len(around.units_of(power))
            counts["strayed"] += sum(strayed(around, unit) for unit in around.units_of(power))
        self._season(before.phase.season, bordering(around, taking), attacked)

    def _season(self, season: str, bordering: set[Pair], attacked: Iterable[Pair]) -> None:
        """Record who borders and fights whom; a year counts when all its moves have been seen."""
        if season == "S":
            self._bordering, self._fighting = set(), set()
        if self._bordering is None:
            # The game began in Fall.
            return
        self._bordering |= bordering
        self._fighting |= {(min(pair), max(pair)) for pair in attacked}
        if season != "F":
            return
        # A pair that does not border in this year begins again.
        self._years = Counter({pair: self._years[pair] + 1 for pair in self._bordering})
        quiet = self._bordering - self._fighting
        self._quiet = Counter({pair: self._quiet[pair] + 1 for pair in quiet})
        self._neighbours |= {pair for pair, years in self._years.items() if years >= PEACE}
        self._peaces |= {pair for pair, years in self._quiet.items() if years >= PEACE}


def strayed(around: MapSituation, unit: int) -> bool:
    """Whether a unit is `FAR` moves or more from every home of its power, without an own unit in an adjacent
    province."""
    power, ground = around.power[unit], around.ground
    moves = ground.distances(around.location[unit])
    if any(moves[home] < FAR for home in ground.homes[power]):
        return False
    steps = ground.steps(around.province[unit])
    return not any(steps[around.province[other]] == 1 for other in around.units_of(power))


def bordering(around: MapSituation, taking: Iterable[int]) -> set[Pair]:
    """The pairs of these powers that have units or centres in the same or adjacent provinces."""
    held: dict[int, set[int]] = {
        power: {place for place, owner in enumerate(around.owner) if owner == power}
        | {around.province[unit] for unit in around.units_of(power)}
        for power in taking
    }
    touched = {
        power: {other for place in places for other, far in enumerate(around.ground.steps(place)) if far <= 1}
        for power, places in held.items()
    }
    return {pair for pair in combinations(sorted(held), 2) if not touched[pair[0]].isdisjoint(held[pair[1]])}


def taking_part(map: Map, orders: Mapping[str, Sequence[Order | str]]) -> list[int]:
    """The powers (by number) that gave any order."""
    return [number for number, power in enumerate(map.powers) if orders.get(power)]
