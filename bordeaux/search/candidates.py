"""The candidates of a power: sets of orders among which the last stage decides (`bordeaux.search.settle`).

`PROPOSERS` are functions that give sets: the most probable ones of people and of self-play, what was
suggested or promised, and all retreats or adjustments where they are few. In a Fall movement sets that decide
the game, by a proof, join them. Nothing is drawn, so that every seed has the same candidates.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from bordeaux.board.code import as_bytes, codes_in, in_order, kind_of, target_of, unit_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.search.agreements import Bonds
from bordeaux.search.forcing import Certainty, Decisive, deciding_goals
from bordeaux.search.settle import Measure
from bordeaux.search.task import Budget, SearchTask

__all__ = ["PROPOSERS", "Candidates", "Proposer", "fast_set"]

#: The sets of retreats or adjustments up to which all are tried, with a search of so many nodes or more.
FEW, WHOLE = 48, 1_500
#: The share of a search's nodes in which what decides a Fall is sought.
DECIDING = 0.3
#: Sets that provide the orders of units that a decision does not need.
FILLING = 2

Proposer = Callable[[SearchTask, Measure, float], Iterable[bytes]]
"""Proposes sets (bytes of codes) of the power of a measure, for a search of about so many nodes. Their orders
are made playable afterwards."""


def probable(task: SearchTask, measure: Measure, nodes: float) -> list[bytes]:
    """The most probable sets of people and of players of self-play."""
    return measure.probable


def suggested(task: SearchTask, measure: Measure, nodes: float) -> Iterator[bytes]:
    """Suggested or promised sets, and the earlier orders of the units that stayed; the other units have the
    orders of the most probable set. Of adjustments only sets with an order, and with all removals that are
    due."""
    position = measure.position
    for seed in task.seeds.get(measure.power, ()):
        given = codes_in(seed)
        if position.phase.kind == "A":
            if len(given) >= max(1, -position.packed.due(measure.number)):
                yield seed
        else:
            orders = {unit_of(code): code for code in (*codes_in(measure.probable[0]), *given)}
            yield in_order(orders.values())


def every(task: SearchTask, measure: Measure, nodes: float) -> list[bytes]:
    """All sets of retreats or adjustments if they are few; none of movements."""
    position, most = measure.position, max(4, FEW * min(1.0, nodes / WHOLE))
    legal = position.packed.legal().get(measure.number, {})
    ways: Iterable[tuple[int, ...]] = ()
    if position.phase.kind == "R" and math.prod(map(len, legal.values())) <= most:
        ways = itertools.product(*legal.values())
    elif position.phase.kind == "A":
        codes = [code for units in legal.values() for code in units if kind_of(code) != OrderKind.WAIVE]
        size = min(abs(position.packed.due(measure.number)), len(codes))
        if math.comb(len(codes), size) <= most:
            ways = itertools.combinations(codes, size)
    return [as_bytes(codes) for codes in ways if _apart(position, codes)]


def _apart(position: Position, codes: tuple[int, ...]) -> bool:
    """Whether no two retreats go to one province, and no two builds are in one."""
    locations = position.map.locations
    goals = [
        locations[target_of(code) if kind_of(code) == OrderKind.RETREAT else unit_of(code)].province
        for code in codes
        if kind_of(code) != OrderKind.DISBAND or position.phase.kind == "A"
    ]
    return len(set(goals)) == len(goals)


PROPOSERS: dict[str, Proposer] = {"probable": probable, "suggested": suggested, "every": every}
"""All of them, by name. A new proposer is a function and its line here."""


def fast_set(position: Position, power: str, bonds: Bonds) -> bytes:
    """A set of a fast policy: complete, legal, in accordance with the agreements, without a search."""
    orders = as_bytes(
        DUMBBOT.chooser(position.map, 0).orders(position.packed, position.map.powers.index(power))
    )
    word = bonds.own(power)
    return bonds.kept(orders, word) if word else orders


class Candidates:
    """The candidates of the powers of a task that have a measure."""

    def __init__(self, task: SearchTask, measures: Mapping[str, Measure]) -> None:
        self.task, self.measures = task, measures
        self._bonds = task.bonds or Bonds(task.position)
        self._sets: dict[str, list[bytes]] = {}
        self._proved: dict[str, dict[bytes, Certainty]] = {}

    def find(self, powers: Sequence[str], budget: Budget) -> Iterator[str]:
        """Find the candidates of powers, until the budget is used at the latest; yields each that has some. A
        power whose turn does not come has the set of a fast policy, and what was suggested."""
        owing = self.task.position.orderable()
        wanted = [power for power in powers if owing.get(power)]
        for number, power in enumerate(wanted):
            part, measure = budget.part(1 / (len(wanted) - number)), self.measures[power]
            if budget.over():
                fast = fast_set(self.task.position, power, self._bonds)
                self.take(power, [fast, *suggested(self.task, measure, part.size)])
                yield power
                continue
            proposed = (propose(self.task, measure, part.size) for propose in PROPOSERS.values())
            self.take(power, itertools.chain.from_iterable(proposed))
            yield power
            self.prove(power, part)
            budget.used += part.used

    def take(self, power: str, sets: Iterable[bytes]) -> None:
        """Take sets as the candidates of a power, each made playable."""
        self._sets[power] = [
            *dict.fromkeys(self._bonds.sound(power, orders) for orders in dict.fromkeys(sets))
        ]

    def prove(self, power: str, budget: Budget) -> None:
        """Add sets that decide a Fall: that win, or else that prevent the victory of another."""
        position, sets, proved = self.task.position, self._sets[power], dict[bytes, Certainty]()
        if "forcing" not in self.task.config.ideas:
            return
        goals, allowed = deciding_goals(position, power), DECIDING * budget.size
        for number, goal in enumerate(goals):
            left = max(0.0, allowed - budget.used) / (len(goals) - number)
            seeker = Decisive(position, power, goal, left, budget.over)
            orders = seeker.found()
            variants = seeker.variants(orders, () if goal.keeping else sets[:FILLING]) if orders else []
            budget.used += seeker.nodes
            playable = [played for found in variants if (played := self._played(power, seeker, found))]
            if goal.keeping and playable:
                proved = dict.fromkeys(playable, Certainty.WON)
                break
            proved |= dict.fromkeys(playable, Certainty.PREVENTED)
        self._proved[power] = proved
        self._sets[power] = [*dict.fromkeys([*sets, *proved])]

    def _played(self, power: str, seeker: Decisive, orders: bytes) -> bytes:
        """A set that decides made playable, where it decides then too; else as it is. Empty if the agreements
        forbid it."""
        sound = self._bonds.sound(power, orders)
        if sound == orders or seeker.forces(sound):
            return sound
        return b"" if self._bonds.own(power) else orders

    def sets(self, power: str) -> list[bytes]:
        """The candidates of a power, the most probable first; none for one that owes no orders."""
        return self._sets.get(power, [])

    def proved(self, power: str) -> dict[bytes, Certainty]:
        """The candidates of which is proved what they decide."""
        return self._proved.get(power, {})
