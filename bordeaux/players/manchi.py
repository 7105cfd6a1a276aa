"""Man'chi 7 by Brian Roberts, Attack and Defence, from their descriptions (Håård 2004, 2.5.3)."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.players.base import Chair, Limit, Seat, Turn
from bordeaux.players.map_index import FAR_AWAY, NOBODY, MapIndex, MapSituation, diffusion, situation
from bordeaux.players.routes import movement_by_routes, removals, retreats_by_worth

# Man'chi's notes name the fear factor, the centres that each power needs for its solo by distance, and
# neighbours. Their formulas were chosen here.


def attacks(turn: Turn, power: int) -> dict[int, int]:
    """How often each other power ordered a move, in a movement phase, to one of our units or centres; powers
    without such moves are left out. Unreadable orders are ignored."""
    before, map = turn.before, turn.before.map
    if before.phase.kind != "M":
        return {}
    name = map.powers[power]
    ours = {unit.province for unit in before.units_of(name)} | set(before.centres.get(name, ()))
    counts: Counter[int] = Counter()
    for other, orders in turn.read().items():
        goals = [order.destination.partition("/")[0] for order in orders if order.kind == OrderKind.MOVE]
        counts[map.powers.index(map.power(other))] += sum(goal in ours for goal in goals)
    return {other: count for other, count in counts.items() if count and other != power}


def nearest(now: MapSituation, centre: int, power: int) -> bool:
    """Whether a unit of ours needs fewer moves to a centre than any other power's."""
    moves = {True: FAR_AWAY, False: FAR_AWAY}
    for place, owner in zip(now.location, now.power, strict=True):
        ours = owner == power
        moves[ours] = min(moves[ours], now.ground.distances(place)[centre])
    return moves[True] < moves[False]


def neighbours(now: MapSituation, power: int) -> list[int]:
    """Powers with a centre at most one step farther from ours than the nearest foreign one, over land and
    sea. Without an own centre our units are used."""
    ours = [centre for centre in now.ground.centres if now.owner[centre] == power]
    ours = ours or [now.province[unit] for unit in now.units_of(power)]
    away: dict[int, int] = {}
    for centre in now.ground.centres:
        owner = now.owner[centre]
        if owner not in (power, NOBODY):
            steps = min((now.ground.steps(home)[centre] for home in ours), default=FAR_AWAY)
            away[owner] = min(steps, away.get(owner, FAR_AWAY))
    closest = min(away.values(), default=FAR_AWAY)
    return [other for other, steps in sorted(away.items()) if steps <= closest + 1]


@functools.lru_cache(maxsize=256)
def needed(ground: MapIndex, power: int) -> frozenset[int]:
    """The centres that a power needs for its solo: the number that wins, with the fewest steps from its
    homes; ties go to the first in the map's list."""
    ranked = sorted(ground.centres, key=lambda centre: ground.away(centre, power))
    return frozenset(ranked[: len(ground.centres) // 2 + 1])


class Emphasis(NamedTuple):
    """Points for goals. The first three are a neutral centre nearer to us than to anyone, a centre of the
    country under attack, and another centre that we need for our solo. The last two are an own centre in
    danger, and a province from which one is in danger."""

    colonise: float
    attack: float
    solo: float
    defend: float
    cover: float


#: Factor on own centres that a power in reach needs for its solo, and on attacked ones that we need.
NEED = 1.5
#: Factor on centres to take in Fall, when they change hands.
FALL = 2.0
#: Share of a goal's points that spreads to each neighbour, and the number of steps.
SHARE, SCOPE = 0.1, 10


class _Manchi(Chair):
    """Goals on the map: own centres to defend, neutral ones to settle, one country to attack.

    From the descriptions: Attack picks a random neighbour and attacks it until another power attacks us, then
    attacks that one, and pays little attention to defence. Defence puts its weight on defensive goals, with
    minor attacks on its target. Defensive goals are centres and neighbours to hold. Colonisation goals are
    neutral centres nearer to us than to anyone. Attack goals are the centres of one chosen country. The fear
    factor tells which centres each power needs for its solo, by distance.

    All else was chosen here: the points of the goals (`emphasis`), with few for other centres that we need
    for a solo. Points spread to neighbours, and units are assigned as in `bordeaux.players.routes`. Of
    several attackers the one with most attacks in a phase becomes the target. Retreats, removals and builds
    follow the points. There is no search, press or convoy. As with `DiploBot`, the numbers were chosen by
    tournaments with the tables of Håård (2004) as the target.
    """

    emphasis: ClassVar[Emphasis]

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.target: int | None = None

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """Orders for a phase; it takes a millisecond or less, whatever the limit."""
        now = situation(position)
        if self.target is None or self.target not in now.owner:
            beside = neighbours(now, self.number)
            self.target = self.chance.choice(beside) if beside else None
        worth = self._worth(now)
        if position.phase.kind == "M":
            return movement_by_routes(now, self.number, worth, (), self.chance)
        if position.phase.kind == "R":
            return retreats_by_worth(position, self.number, worth)
        due = position.adjustments(self.seat.power)
        return removals(position, self.number, worth.__getitem__) or self._builds(now, worth, due)

    def observe(self, turn: Turn) -> None:
        """Turn on the power that attacked us most in a movement phase, unless our target is among the
        attackers."""
        seen = attacks(turn, self.number)
        if seen and self.target not in seen:
            most = max(seen.values())
            self.target = self.chance.choice([power for power, count in seen.items() if count == most])

    def goals(self, now: MapSituation) -> dict[int, float]:
        """Points for the provinces that are goals."""
        points, power = self.emphasis, self.number
        ours = needed(now.ground, power)
        goals: dict[int, float] = {}
        for centre in now.ground.centres:
            owner = now.owner[centre]
            if owner == power:
                self._defend(now, centre, goals)
                continue
            value = 0.0
            if owner == NOBODY and nearest(now, centre, power):
                value = points.colonise
            elif owner == self.target:
                value = points.attack * (NEED if centre in ours else 1.0)
            elif centre in ours:
                value = points.solo
            goals[centre] = goals.get(centre, 0.0) + value * (FALL if now.fall else 1.0)
        return goals

    def _defend(self, now: MapSituation, centre: int, goals: dict[int, float]) -> None:
        """An own centre in danger, and the provinces of the units that threaten it."""
        there = now.at.get(centre)
        foreign = [unit for unit in now.near[centre] if now.power[unit] != self.number]
        if there is not None and now.power[there] != self.number:
            foreign.append(there)
        if not foreign:
            return
        feared = any(centre in needed(now.ground, now.power[unit]) for unit in foreign)
        factor = NEED if feared else 1.0
        goals[centre] = goals.get(centre, 0.0) + self.emphasis.defend * factor
        for unit in foreign:
            province = now.province[unit]
            goals[province] = goals.get(province, 0.0) + self.emphasis.cover * factor

    def _worth(self, now: MapSituation) -> list[float]:
        weights = np.zeros(len(now.ground.map.provinces))
        for province, points in self.goals(now).items():
            weights[province] = points
        worth: list[float] = (diffusion(now.ground.map, SCOPE, SHARE) @ weights).round(6).tolist()
        return worth

    def _builds(self, now: MapSituation, worth: Sequence[float], due: int) -> list[Order]:
        ground = now.ground
        places = [place for home in now.open_homes(self.number) for place in ground.locations[home]]
        places.sort(key=lambda place: -worth[place])
        best: dict[int, int] = {}
        for place in places:
            best.setdefault(ground.province[place], place)
        return [ground.order(OrderKind.BUILD, place) for place in best.values()][:due]


class ManchiAttack(_Manchi):
    """Man'chi AttackBot: one enemy at a time, little defence."""

    emphasis = Emphasis(colonise=12, attack=10, solo=4, defend=4, cover=0)


class ManchiDefence(_Manchi):
    """Man'chi DefenceBot: own centres and the provinces before them first, minor attacks."""

    emphasis = Emphasis(colonise=8, attack=4, solo=4, defend=12, cover=5)
