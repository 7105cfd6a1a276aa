"""The unit agents of HaAI and their goals (paper 001, sections 3.2.3 and 3.2.4)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bordeaux.players.haai.weights import HaaiWeights
from bordeaux.players.map_index import MapSituation

__all__ = ["AgentGoal", "UnitAgent"]


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
