"""How the unit agents of HaAI agree on a plan (paper 001, section 3.2.5, figures 3.8 to 3.11).

It is a contract net. In every round each agent without an order puts its goals on one list. They are the
goals that it had before, whose required support may have fallen, and one more. The others bid the supports
that they can give. The owner of the best goal on the list examines it. With too few bids the goal is
dropped. Otherwise the cheapest bidders are taken until success is certain or no bidders are left. Owner and
bidders then commit, and all their other goals leave the list. When the list is empty and some agent has no
order, the next round begins.

Figure 3.10 as printed commits the owner only while support is taken. Figure 3.7 has a goal chosen without
support, so here the owner commits in any case. The bids for a goal are collected when it is examined. A
committed agent withdraws its bids, so the outcome is the same. Figure 3.9 divides RETRY_FACTOR by 100. Here
the table's 1.05 and 0.90 are the factor itself, since otherwise every goal would be retried at once. The
calibration does not change the newest goal.

Where the paper says nothing, these rules hold. A goal is dropped when another of our units goes to its
province, or stays there. If a unit without an order stands there, the goal waits behind the others on the
list. It is examined again when that unit has committed, and dropped when the round ends before.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bordeaux.board.order import Order
from bordeaux.players.haai.agents import AgentGoal, UnitAgent
from bordeaux.players.haai.values import values
from bordeaux.players.haai.weights import HaaiWeights
from bordeaux.players.map_index import MapSituation
from bordeaux.players.plan import OrderPlan, Way

__all__ = ["make_plan", "settle"]


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
