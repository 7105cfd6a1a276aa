"""DiploBot 1.2 by Francois McNeil, from its description (Håård 2004, section 2.5.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.players.base import Chair, Limit
from bordeaux.players.map_index import FAR_AWAY, NOBODY, MapSituation, diffusion, situation
from bordeaux.players.routes import movement_by_routes, removals, retreats_by_worth

#: Points for a foreign or neutral centre, in Spring and in Fall, when it changes hands.
PRIZE = (80.0, 160.0)
#: Factors on such a centre: it is neutral; nobody could defend it; its owner leads the game.
NEUTRAL, UNGUARDED, LEADER = 1.1, 1.3, 1.3
#: Share of all centres from which on a power is a leader.
LEAD = 0.3
#: Points for an own centre with a priority flag.
DANGER = 40.0
#: Share of a weight that spreads to each neighbour, and the number of steps.
SHARE, SCOPE = 0.1, 10
#: Steps of a route, and the weight of a step relative to the one before.
STEPS, DISCOUNT = 3, 0.3

Weights = npt.NDArray[np.float64]


class DiploBot(Chair):
    """Weights of provinces, set by one module after the other, and routes sorted by them.

    From the description: threats around own centres and units are analysed first and set priority flags. A
    sequence of modules changes the weights of the provinces. The weighted map gives a sorted list of routes
    for every unit, by value, by the ratio of threats to supports, and by the flags. Down that list the best
    route is assigned to each unit. Builds go to the empty centre with the most threats, an army or a fleet by
    the ratio of land to sea around it. The unit farthest from home is removed.

    All else was chosen here: the modules (`_flags`, `_prizes`, `_dangers`, and a spread of weight to
    neighbours), a route as the best three steps, and how routes are sorted and assigned
    (`bordeaux.players.routes`). Ties go to the first on the map. The share of sea around a centre is the
    probability of a fleet. There is no search, no press and no convoy. The numbers were chosen by tournaments
    with the tables of Håård (2004) as the target, so that they do not confirm these.
    """

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """Orders for a phase; it takes a millisecond or less, whatever the limit."""
        now = situation(position)
        if position.phase.kind == "M":
            worth = _route_worth(now, self.number)
            return movement_by_routes(now, self.number, worth, _flags(now, self.number), self.chance)
        if position.phase.kind == "R":
            return retreats_by_worth(position, self.number, _route_worth(now, self.number))

        def near(place: int) -> int:
            moves = now.ground.distances(place)
            return -min((moves[home] for home in now.ground.homes[self.number]), default=FAR_AWAY)

        due = position.adjustments(self.seat.power)
        return removals(position, self.number, near) or self._builds(now, due)

    def _builds(self, now: MapSituation, due: int) -> list[Order]:
        ground = now.ground
        homes = now.open_homes(self.number)
        homes.sort(key=lambda home: -now.threats(home, self.number)[0])
        orders = []
        for home in homes[:due]:
            places = ground.locations[home]
            around = {province for place in places for province in ground.reach[place]}
            seas = sum(ground.map.provinces[province].kind == "sea" for province in around)
            kind = "F" if self.chance.random() * len(around) < seas else "A"
            fitting = [place for place in places if ground.kind[place] == kind] or places
            # Of several coasts the one with more places to go to.
            place = max(fitting, key=lambda place: len(ground.neighbours[place]))
            orders.append(ground.order(OrderKind.BUILD, place))
        return orders


def _flags(now: MapSituation, power: int) -> set[int]:
    """Own centres with a foreign unit, and in Fall those where one could enter, as more units could come than
    are there."""
    flagged = set()
    for centre in now.ground.centres:
        if now.owner[centre] == power:
            there = now.at.get(centre)
            lost = there is not None and now.power[there] != power
            guards = there is not None
            if lost or (now.fall and now.attackers(centre, power)[1] > guards):
                flagged.add(centre)
    return flagged


def _route_worth(now: MapSituation, power: int) -> list[float]:
    """The value of the best route from each location: its own weight plus, for each further step (staying
    included), a part of the best next one."""
    weights = np.zeros(len(now.ground.map.provinces))
    for module in (_prizes, _dangers):
        module(now, power, weights)
    weighted: list[float] = (diffusion(now.ground.map, SCOPE, SHARE) @ weights).round(6).tolist()
    worth = weighted
    for _ in range(STEPS - 1):
        worth = [
            weight + DISCOUNT * max(worth[on] for on in (place, *now.ground.neighbours[place]))
            for place, weight in enumerate(weighted)
        ]
    return worth


def _prizes(now: MapSituation, power: int, weights: Weights) -> None:
    """Foreign and neutral centres; they count more in Fall, without an owner or a defender, or when their
    owner leads."""
    owned = [now.owner.count(power) for power in range(len(now.ground.map.powers))]
    for centre in now.ground.centres:
        owner = now.owner[centre]
        if owner == power:
            continue
        weight = PRIZE[now.fall]
        if owner == NOBODY:
            weight *= NEUTRAL
        elif owned[owner] >= LEAD * len(now.ground.centres):
            weight *= LEADER
        if now.threats(centre, power)[0] == 0:
            weight *= UNGUARDED
        weights[centre] += weight


def _dangers(now: MapSituation, power: int, weights: Weights) -> None:
    """Own centres with a priority flag."""
    for centre in _flags(now, power):
        weights[centre] += DANGER
