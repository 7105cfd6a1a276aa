"""HaAI, Fredrik Haard's player of unit agents that negotiate a plan (Håård 2004, chapter 3)."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Sequence
from importlib import resources
from random import Random
from typing import ClassVar, NamedTuple

import numpy as np

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.players.base import Chair, Limit
from bordeaux.players.map_index import FAR_AWAY, MapIndex, MapSituation, diffusion, map_index, situation
from bordeaux.players.routes import OrderPlan, Way, retreats_by_worth


class HaaiWeights(NamedTuple):
    """Table 3.1. Centres are valued in points; `eval_scope` is in steps, `range_decline` in per cent,
    the others are factors."""

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


@functools.cache
def weights(variant: str) -> HaaiWeights:
    """The weights of a variant, ``vanilla`` or ``berserk``."""
    text = (resources.files("bordeaux.players") / "haai.toml").read_text("utf-8")
    return HaaiWeights(**tomllib.loads(text)[variant])


class AgentGoal:
    """A location to which an agent would move its unit, or in which it would stay, and the required support.

    `wanted` is the support that makes success certain, `required` the support that makes an attempt
    worthwhile: units of the same power, in addition to the moving one.
    """

    __slots__ = ("location", "owner", "province", "required", "value", "wanted")

    def __init__(
        self, owner: UnitAgent, location: int, province: int, value: float, wanted: int, required: int
    ) -> None:
        self.owner = owner
        self.location = location
        self.province = province
        self.value = value
        self.wanted = wanted
        self.required = required


class UnitAgent:
    """One unit of a power and its evaluation of the places around it.

    `ranked` are the reachable locations with their values, best first; `added` the number of its goals so
    far. Ties go to staying first, then to the first in the map's list.

    Where the paper is silent: the chain avoidance factor multiplies the value of a province with another unit
    of ours, by O_OCC_THREAT if that province is threatened and O_OCC_UNTHREAT if not. The wanted support for
    a move is the number of all foreign units that are at its goal or could move there; the required support
    is the largest number of one power. To stay, the wanted support is one less than the units that could
    come, and the required support is 0.
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
        if location == self.situation.location[self.unit]:
            all_of_them, _ = self.situation.attackers(province, self.power)
            return AgentGoal(self, location, province, value, max(0, all_of_them - 1), 0)
        all_of_them, of_one = self.situation.threats(province, self.power)
        return AgentGoal(self, location, province, value, all_of_them, of_one)

    def _calibrate(self, count: int, chance: Random) -> None:
        """Lower the required support of the first `count` goals by one, with some probability.

        The nearer a goal's value is to that of the last one added, the smaller the probability.
        """
        last = self.added[-1].value
        for goal in self.added[:count]:
            if goal.required and chance.random() * goal.value > last * self.weights.retry_factor:
                goal.required -= 1

    def cost(self, province: int) -> float:
        """The agent's cost of supporting a goal in a province: the value of the best place for it outside
        that province, whether or not that is a goal."""
        there = self.situation.ground.province
        return next((value for value, place in self.ranked if there[place] != province), 0.0)


# The value of a location is its own value (figure 3.13), which only centres have, and a fraction of its
# neighbours' values. The body of figure 3.12, which computes the second part, is missing from the copy of
# the paper used here. Two facts remain. The value of provinces is increased with a fraction, RANGE_DECLINE,
# of their neighbours' value. EVAL_SCOPE is the range of an agent. Chosen here::
#
# value(0) = own value value(k) = own value + RANGE_DECLINE x sum of value(k - 1) over the adjacent
# locations
#
# up to k = EVAL_SCOPE. Adjacent are the locations that a unit of the kind can move to, so armies see value
# over land and fleets over water. Values are rounded to whole points.


def own_values(situation: MapSituation, power: int, weights: HaaiWeights) -> list[int]:
    """The own value of each province, in points (figure 3.13).

    The source does not define threats. Here a centre is threatened if a unit of another power is in it or
    could move there next, without convoys. Spring's values apply to all seasons except Fall. A threatened
    home of ours that we own has the extra value for own homes. Any home that is not ours to hold, including
    one that we lost, has the value for enemy homes.
    """
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
    """The value of each location to the unit agents of a power, in points."""
    own = np.array(own_values(situation, power, weights), dtype=np.float64)
    matrix = diffusion(situation.ground.map, weights.eval_scope, weights.range_decline / 100)
    values: list[int] = np.rint(matrix @ own).astype(np.int64).tolist()
    return values


# It is a contract net. In every round each agent without an order puts its goals on one list. They are the
# goals that it had before, whose required support may have fallen, and one more. The others bid the
# supports that they can give. The owner of the best goal on the list examines it. With too few bids the
# goal is dropped. Otherwise the cheapest bidders are taken until success is certain or no bidders are left.
# Owner and bidders then commit, and all their other goals leave the list. When the list is empty and some
# agent has no order, the next round begins.
#
# Figure 3.10 as printed commits the owner only while support is taken. Figure 3.7 has a goal chosen without
# support, so here the owner commits in any case. The bids for a goal are collected when it is examined. A
# committed agent withdraws its bids, so the outcome is the same. Figure 3.9 divides RETRY_FACTOR by 100.
# Here the table's 1.05 and 0.90 are the factor itself, since otherwise every goal would be retried at once.
# The calibration does not change the newest goal.
#
# Where the paper says nothing, these rules hold. A goal is dropped when another of our units goes to its
# province, or stays there. If a unit without an order stands there, the goal waits behind the others on the
# list. It is examined again when that unit has committed, and dropped when the round ends before.


def make_plan(situation: MapSituation, power: int, weights: HaaiWeights, chance: Random) -> list[Order]:
    """Orders for every unit of a power in a movement phase, by province."""
    return settle(situation, power, values(situation, power, weights), weights, chance)


def settle(
    situation: MapSituation, power: int, worth: Sequence[int], weights: HaaiWeights, chance: Random
) -> list[Order]:
    """Like `make_plan`, for agents with the values `worth` of locations, in points."""
    plan = OrderPlan(situation, power)
    agents = {unit: UnitAgent(unit, situation, power, worth, weights) for unit in plan.free}
    while plan.free:
        for unit in plan.free:
            agents[unit].add_goal(chance)
        goals = (goal for unit in plan.free for goal in agents[unit].added)
        _pick(plan, agents, sorted(goals, key=lambda goal: -goal.value))
    return plan.orders()


def _pick(plan: OrderPlan, agents: dict[int, UnitAgent], goals: list[AgentGoal]) -> None:
    """Process the list of a round, and the waiting goals repeatedly as long as a unit commits."""
    committed = True
    while committed:
        committed = False
        waiting = []
        for goal in goals:
            unit = goal.owner.unit
            if unit not in plan.free:
                continue
            way = plan.way(unit, goal.province)
            if way is Way.WAITS:
                waiting.append(goal)
            elif way is Way.OPEN:
                bidders = [agents[supporter] for supporter in plan.supporters(unit, goal.province)]
                committed = _commit(plan, goal, bidders) or committed
        goals = waiting


def _commit(plan: OrderPlan, goal: AgentGoal, bidders: list[UnitAgent]) -> bool:
    """Commit the owner of a goal and its cheapest bidders; False if they are too few."""
    if len(bidders) < goal.required:
        return False
    drafted = sorted(bidders, key=lambda agent: agent.cost(goal.province))[: goal.wanted]
    plan.commit(goal.owner.unit, goal.location, [agent.unit for agent in drafted])
    return True


def removals(position: Position, power: int, values: Sequence[int]) -> list[Order]:
    """The due number of units, those in the places of least value."""
    ground, now = map_index(position.map), situation(position)
    units = sorted(now.units_of(power), key=lambda unit: values[now.location[unit]])
    due = -position.adjustments(position.map.powers[power])
    places = [now.location[unit] for unit in units[: max(0, due)]]
    return [Order(OrderKind.DISBAND, ground.kind[place], ground.name[place]) for place in places]


def builds(position: Position, power: int, values: Sequence[int]) -> list[Order]:
    """One unit after the other, of the kind that is needed more, at the best open home.

    The ratio of armies to fleets shall be that of the centres that each can reach, without own homes. "Reach"
    is taken here as: by any number of moves without convoy from some own home. A new unit is of the kind that
    brings the ratio nearer, an army if neither does. It is of the other kind if no home is open to the first.
    """
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
        orders.append(Order(OrderKind.BUILD, ground.kind[best], ground.name[best]))
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
    removals and retreats. Choices where it is silent are documented in `haai.values` (the missing figure,
    threats), `haai.agents` (wanted and required support, the chain factors), `haai.planning` (own units in
    the way) and `haai.adjustments` (the reach of armies and fleets). Ties go to the first in the map's list;
    only the retries are random.
    """

    variant: ClassVar[str]

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """Orders for a phase; it takes a millisecond or less, whatever the limit."""
        table, now = weights(self.variant), situation(position)
        if position.phase.kind == "M":
            return make_plan(now, self.number, table, self.chance)
        worth = values(now, self.number, table)
        if position.phase.kind == "R":
            return retreats_by_worth(position, self.number, worth)
        if position.adjustments(self.seat.power) < 0:
            return removals(position, self.number, worth)
        return builds(position, self.number, worth)


class HaaiVanilla(_Haai):
    """HaAI with the weights of table 3.1 that treat attack and defence almost equally."""

    variant = "vanilla"


class HaaiBerserk(_Haai):
    """HaAI with the weights of table 3.1 that prefer other powers' centres, in particular their homes, and
    attempt riskier moves."""

    variant = "berserk"
