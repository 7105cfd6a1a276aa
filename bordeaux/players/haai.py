"""HaAI, Fredrik Haard's player of unit agents that negotiate a plan (Håård 2004, chapter 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, NamedTuple

import numpy as np

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.players.base import Chair, Limit
from bordeaux.players.map_index import FAR_AWAY, MapIndex, MapSituation, diffusion, map_index, situation
from bordeaux.players.routes import OrderPlan, removals, retreats_by_worth


class HaaiWeights(NamedTuple):
    """Table 3.1. Centres are valued in points; a threatened home of ours and a home that we do not own have
    more. Value travels `eval_scope` steps, and `range_decline` per cent of it go over to each neighbour. The
    others are factors."""

    eval_scope: int
    range_decline: float
    enemy_centre_fall: int
    enemy_centre_spring: int
    own_centre_threat_fall: int
    own_centre_threat_spring: int
    own_home_centre: int
    enemy_home_centre: int
    retry_factor: float
    own_occupied_unthreatened: float
    own_occupied_threatened: float


VANILLA = HaaiWeights(8, 12, 1000, 800, 1000, 800, 1000, 500, 1.05, 0.60, 0.70)
"""Little difference between attack and defence: column "Van." of the table."""
BERSERK = HaaiWeights(12, 10, 1200, 1000, 900, 800, 1200, 1000, 0.90, 0.30, 0.50)
"""Enemies' centres first, and their homes above all; tries what may fail: column "Ber."."""


@dataclass(slots=True)
class AgentGoal:
    """A location to which an agent would move its unit, or in which it would stay, and the required support.
    `wanted` is the support that makes success certain, `required` the support that makes an attempt
    worthwhile: units of the same power, in addition to the moving one."""

    owner: UnitAgent
    location: int
    province: int
    value: float
    wanted: int
    required: int


class UnitAgent:
    """One unit of a power and its evaluation of the places around it.

    `ranked` are the reachable locations with their values, best first; `added` are its goals so far. Ties go
    to staying first, then to the first in the map's list.

    Chosen here: the chain avoidance factor is for provinces with another unit of ours, threatened or not. The
    wanted support for a move is the number of all foreign units that are at its goal or could move there, the
    required support the largest number of one power. To stay, they are the units that could come less one,
    and 0.
    """

    def __init__(
        self, unit: int, situation: MapSituation, power: int, values: Sequence[int], weights: HaaiWeights
    ) -> None:
        self.unit = unit
        self.situation = situation
        self.power = power
        self.weights = weights
        home = situation.location[unit]
        places = [(float(values[home]), home)]
        for location in situation.ground.neighbours[home]:
            factor = self._chain_factor(situation.ground.province[location])
            places.append((values[location] * factor, location))
        self.ranked = sorted(places, key=lambda place: -place[0])
        self.added: list[AgentGoal] = []

    def _chain_factor(self, province: int) -> float:
        there = self.situation.at.get(province)
        if there is None or self.situation.power[there] != self.power:
            return 1.0
        if self.situation.threatened(province, self.power):
            return self.weights.own_occupied_threatened
        return self.weights.own_occupied_unthreatened

    def add_goal(self, chance: Random) -> None:
        """Add the next best goal, if there is one, and recalibrate the earlier ones (figure 3.9)."""
        before = len(self.added)
        if before < len(self.ranked):
            self.added.append(self._goal(*self.ranked[before]))
        self._calibrate(before, chance)

    def _goal(self, value: float, location: int) -> AgentGoal:
        province = self.situation.ground.province[location]
        wanted, required = self.situation.threats(province, self.power)
        if location == self.situation.location[self.unit]:
            wanted, required = max(0, self.situation.attackers(province, self.power)[0] - 1), 0
        return AgentGoal(self, location, province, value, wanted, required)

    def _calibrate(self, count: int, chance: Random) -> None:
        """Lower the required support of the first `count` goals by one, with some probability. The nearer a
        goal's value is to that of the last one added, the smaller the probability."""
        last = self.added[-1].value
        for goal in self.added[:count]:
            if goal.required and chance.random() * goal.value > last * self.weights.retry_factor:
                goal.required -= 1

    def cost(self, province: int) -> float:
        """The agent's cost of supporting a goal in a province: the value of the best place for it outside
        that province, whether or not that is a goal."""
        there = self.situation.ground.province
        return next((value for value, place in self.ranked if there[place] != province), 0.0)


def own_values(situation: MapSituation, power: int, weights: HaaiWeights) -> list[int]:
    """The own value of each province, in points (figure 3.13). Chosen here: a centre is threatened if a unit
    of another power is in it or could move there next, without convoys. Spring's values apply to all seasons
    except Fall. A home that we lost counts as an enemy's."""
    ground = situation.ground
    worth = [0] * len(ground.map.provinces)
    ours = ground.homes[power]
    for centre in ground.centres:
        if situation.owner[centre] != power:
            value = weights.enemy_centre_fall if situation.fall else weights.enemy_centre_spring
            worth[centre] = value + (weights.enemy_home_centre if ground.map.provinces[centre].homes else 0)
        elif situation.threatened(centre, power):
            value = weights.own_centre_threat_fall if situation.fall else weights.own_centre_threat_spring
            worth[centre] = value + (weights.own_home_centre if centre in ours else 0)
    return worth


def values(situation: MapSituation, power: int, weights: HaaiWeights) -> list[int]:
    """The value of each location to the unit agents of a power, in points: its own value, which only centres
    have, and a fraction of its neighbours'. The paper's copy lacks figure 3.12, which computes this;
    `diffusion` is chosen here."""
    own = np.array(own_values(situation, power, weights), dtype=np.float64)
    matrix = diffusion(situation.ground.map, weights.eval_scope, weights.range_decline / 100)
    values: list[int] = np.rint(matrix @ own).astype(np.int64).tolist()
    return values


# It is a contract net. In every round each agent without an order puts its goals on one list: those that it
# had before, whose required support may have fallen, and one more. The owner of the best goal examines it,
# and the others bid the supports that they can give. With too few bids the goal is dropped. Otherwise the
# cheapest bidders are taken until success is certain or none are left, and owner and bidders commit. When the
# list is empty and some agent has no order, the next round begins.
#
# Chosen here: the owner commits without support too, as in figure 3.7. The table's 1.05 and 0.90 are the
# factor itself, not per cent as in figure 3.9, since otherwise every goal would be retried at once. A goal is
# dropped when another of our units goes to its province or stays there; while one without an order stands
# there it waits behind the others.


def settle(
    situation: MapSituation, power: int, worth: Sequence[int], weights: HaaiWeights, chance: Random
) -> list[Order]:
    """Orders for every unit of a power in a movement phase, by province; `worth` has the values of locations,
    in points."""
    plan = OrderPlan(situation, power)
    agents = {unit: UnitAgent(unit, situation, power, worth, weights) for unit in plan.free}

    def examine(goal: AgentGoal) -> bool:
        """Commit the owner of a goal and its cheapest bidders, unless they are too few."""
        bidders = [agents[unit] for unit in plan.supporters(goal.owner.unit, goal.province)]
        if len(bidders) < goal.required:
            return False
        drafted = sorted(bidders, key=lambda agent: agent.cost(goal.province))[: goal.wanted]
        plan.commit(goal.owner.unit, goal.location, [agent.unit for agent in drafted])
        return True

    while plan.free:
        for unit in plan.free:
            agents[unit].add_goal(chance)
        goals = [goal for unit in plan.free for goal in agents[unit].added]
        goals.sort(key=lambda goal: -goal.value)
        plan.assign(goals, lambda goal: (goal.owner.unit, goal.province), examine)
    return plan.orders()


def builds(position: Position, power: int, values: Sequence[int]) -> list[Order]:
    """One unit after the other, of the kind that is needed more, at the best open home. The ratio of armies
    to fleets shall be that of the centres that each can reach, without own homes. "Reach" is taken here as:
    by any number of moves without convoy from some own home. A new unit is of the kind that brings the ratio
    nearer, an army if neither does. It is of the other kind if no home is open to the first."""
    ground, now = map_index(position.map), situation(position)
    name = position.map.powers[power]
    homes = set(now.open_homes(power))
    kinds = [ground.kind[now.location[unit]] for unit in now.units_of(power)]
    share = _army_share(ground, power)
    orders = []
    for _ in range(position.adjustments(name)):
        armies, all_units = kinds.count("A"), len(kinds) + 1
        needed = "A" if abs((armies + 1) / all_units - share) <= abs(armies / all_units - share) else "F"
        places = [place for home in sorted(homes) for place in ground.locations[home]]
        fitting = [place for place in places if ground.kind[place] == needed] or places
        best = max(fitting, key=lambda place: values[place])
        homes.remove(ground.province[best])
        kinds.append(ground.kind[best])
        orders.append(ground.order(OrderKind.BUILD, best))
    return orders


def _army_share(ground: MapIndex, power: int) -> float:
    """The share of armies that a power's surroundings require."""
    homes = ground.homes[power]
    starts = [place for home in homes for place in ground.locations[home]]
    reached = {
        kind: sum(
            centre not in homes
            and any(ground.distances(s)[centre] != FAR_AWAY for s in starts if ground.kind[s] == kind)
            for centre in ground.centres
        )
        for kind in "AF"
    }
    both = reached["A"] + reached["F"]
    return reached["A"] / both if both else 0.5


class _Haai(Chair):
    """Every unit is an agent that values the places around it and proposes goals; together they decide who
    goes where with whose support. There is no search, no press and no convoy.

    From the paper are the values of locations, the weights, the plan formation, and the rules for builds,
    removals and retreats. Choices where it is silent are documented at each. Ties go to the first in the
    map's list; only the retries are random.
    """

    weights: ClassVar[HaaiWeights]

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """Orders for a phase; it takes a millisecond or less, whatever the limit."""
        now = situation(position)
        worth = values(now, self.number, self.weights)
        if position.phase.kind == "M":
            return settle(now, self.number, worth, self.weights, self.chance)
        if position.phase.kind == "R":
            return retreats_by_worth(position, self.number, worth)
        return removals(position, self.number, worth.__getitem__) or builds(position, self.number, worth)


class HaaiVanilla(_Haai):
    """HaAI with the weights of table 3.1 that treat attack and defence almost equally."""

    weights = VANILLA


class HaaiBerserk(_Haai):
    """HaAI with the weights of table 3.1 that prefer other powers' centres, in particular their homes, and
    attempt riskier moves."""

    weights = BERSERK
