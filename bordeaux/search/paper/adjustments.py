"""The search of retreat and adjustment phases: few enough options to enumerate.

Every power picks the best of its option sets against the others' current ones, in turn, twice. If there are
too many sets, they are built order by order, and the best are kept. Then the best few are compared by
rollouts, and by the centres that they make certain.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence

from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.search.rollout import Rollout
from bordeaux._ext.value.influence import Evaluator
from bordeaux._ext.value.valuer import Valuer
from bordeaux.board.code import as_bytes, codes_in, in_order, kind_of, target_of, unit_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.search.agreements import Bond
from bordeaux.search.budget import Budget
from bordeaux.search.forcing import SURE
from bordeaux.search.paper.decision import DOUBT_OF_FEW, PAPER, ROLLOUTS, TRIAL
from bordeaux.search.paper.sequential_halving import SequentialHalving
from bordeaux.search.proof import PROOF_NODES, sure_centres
from bordeaux.search.sets import SETTLED, Candidate, Candidates
from bordeaux.search.task import SearchTask

__all__ = ["AdjustmentSearch"]

Codes = tuple[int, ...]

#: Sets kept while they are built order by order.
BEAM = 300
ROUNDS = 2
#: Sets whose values are cached.
KEPT = 50
#: The maximum number of sets that rollouts compare, and the minimum number for which proofs are made.
COMPARED, FEWEST = 24, 4
#: The share of the remaining budget for proofs.
PROVING = 0.3
#: The cost in points of removing a unit from an own centre while one elsewhere stays: the centre may have to
#: be retaken.
VACATED = 120.0


def _province(position: Position, code: int) -> int:
    return position.map.locations[unit_of(code)].province


def _goal(position: Position, code: int) -> int | None:
    if kind_of(code) != OrderKind.RETREAT:
        return None
    return position.map.locations[target_of(code)].province


class AdjustmentSearch:
    """Searches a retreat or adjustment phase. `nodes` counts adjudications with evaluation, as
    `bordeaux._ext.search.rollout` does.

    `evaluator` evaluates the next phase; `ends` values the ends of rollouts, by default the evaluator.
    """

    def __init__(self, task: SearchTask, evaluator: Evaluator, ends: Valuer | None = None) -> None:
        self.position = position = task.position
        map = position.map
        self.ideas = task.config.ideas
        self.evaluator = evaluator
        self.random = random.Random(task.seed)
        self.sampler = task.sampler(self.random)
        self.bonds = self.sampler.bonds
        self.ends = ends or evaluator
        self.rollout = Rollout(self.ends, self.sampler.chooser())
        self.evaluated = 0
        legal = position.packed.legal()
        self.choices: dict[int, list[list[int]]] = {}
        for number, units in legal.items():
            if position.phase.kind == "R":
                self.choices[number] = list(units.values())
            else:
                every = [code for codes in units.values() for code in codes]
                due = abs(position.packed.due(number))
                self.choices[number] = [every] * due
        owners = dict(zip(map.centres, position.owners, strict=True))
        #: Provinces of the units of each power, by number, that are not in own centres.
        self.abroad = {
            map.powers.index(power): frozenset(
                map.province(unit.province).index
                for unit in position.units_of(power)
                if owners.get(unit.province) != power
            )
            for power in map.powers
        }
        # In Winter a power without anything to order has no entry; without units to retreat neither.
        self.best: dict[int, Codes] = {number: self._first(number) for number in self.choices}
        self.known = {map.powers.index(power): codes_in(orders) for power, orders in task.given.items()}
        self.values: dict[int, dict[Codes, float]] = {number: {} for number in self.choices}
        self.halvings: dict[int, SequentialHalving] = {}
        self.promised: dict[int, frozenset[int]] = {}

    @property
    def points(self) -> float:
        """The points of one unit of its values: they are points."""
        return 1.0

    @property
    def nodes(self) -> int:
        """Adjudications with evaluation so far, rollouts included."""
        return self.evaluated + self.rollout.nodes

    def _first(self, number: int) -> Codes:
        """A legal set without a search: the first choice without a conflict, for every order."""
        chosen: Codes = ()
        for options in self.choices[number]:
            chosen = next(self._extended(chosen, options), chosen)
        return chosen

    def _extended(self, chosen: Codes, options: list[int]) -> Iterator[Codes]:
        """The set with one more order: no province twice, and in Winter in the order of the options."""
        places = {_province(self.position, code) for code in chosen}
        goals = {_goal(self.position, code) for code in chosen} - {None}
        winter = self.position.phase.kind == "A"
        begin = options.index(chosen[-1]) + 1 if winter and chosen else 0
        for code in options[begin:]:
            if _province(self.position, code) in places or _goal(self.position, code) in goals:
                continue
            yield (*chosen, code)

    def value(self, number: int, codes: Codes) -> float:
        """The value for a power of some orders against the others' current best."""
        self.evaluated += 1
        value: float = self.evaluator.evaluate(self._after(number, codes), number)[0]
        return value - VACATED * self._vacated(number, codes)

    def _after(self, number: int, codes: Codes) -> Packed:
        """The position after a power's orders and the others' current best."""
        orders = [(number, code) for code in codes]
        orders += [(other, code) for other, best in self.best.items() if other != number for code in best]
        return self.position.packed.adjudicate(orders)[0]

    def _vacated(self, number: int, codes: Codes) -> int:
        """Removals from own centres that could have been removals from elsewhere."""
        if self.position.phase.kind != "A":
            return 0
        removed = {_province(self.position, code) for code in codes if kind_of(code) == OrderKind.DISBAND}
        elsewhere = self.abroad.get(number, frozenset()) - removed
        return min(len(elsewhere), len(removed - self.abroad.get(number, frozenset())))

    def run(self, powers: Sequence[str], budget: Budget) -> Iterator[str]:
        """Search until done, or until the budget is used; yields a power whenever its best set has changed.

        `powers` are those whose orders are wanted.
        """
        wanted = [power for power in powers if self.position.map.powers.index(power) in self.choices]
        for power in wanted:
            self.known.pop(self.position.map.powers.index(power), None)
        for number in self.choices if self.bonds else ():
            power = self.position.map.powers[number]
            self._keep(number, self.bonds.own(power) if power in wanted else self.bonds.likely(power))
        self.best |= {number: codes for number, codes in self.known.items() if number in self.choices}
        for _ in range(ROUNDS):
            for number in self.choices:
                if number in self.known:
                    continue
                if not self._search(number, budget):
                    return
                yield self.position.map.powers[number]
        for k, power in enumerate(wanted if "rollouts" in self.ideas else ()):
            if self._compare(power, budget, len(wanted) - k):
                yield power

    def _keep(self, number: int, word: list[Bond]) -> None:
        """Remove a power's orders that break its agreements, if others are left."""
        self.choices[number] = [self.bonds.allowed(options, word) for options in self.choices[number]]
        self.promised[number] = frozenset(code for bond in word for code in bond.promised.values())
        self.best[number] = self._first(number)

    def _search(self, number: int, budget: Budget) -> bool:
        """Find the best set of a power; False when the budget ran out before."""
        sets: list[tuple[float, Codes]] = [(0.0, ())]
        for options in self.choices[number]:
            grown: list[tuple[float, Codes]] = []
            for _, chosen in sets:
                for longer in self._extended(chosen, options):
                    grown.append((self.value(number, longer), longer))
                    budget.used = self.nodes
                    if budget.over():
                        return False
            if not grown:
                # Units without an order follow the rules for missing orders.
                grown = sets
            promised = self.promised.get(number)
            if promised:
                grown.sort(key=lambda choice: (len(promised.intersection(choice[1])), choice), reverse=True)
                kept = len(promised.intersection(grown[0][1]))
                grown = [choice for choice in grown if len(promised.intersection(choice[1])) == kept]
            sets = sorted(grown, reverse=True)[:BEAM]
        self.values[number] = {codes: value for value, codes in sets[:KEPT]}
        self.best[number] = sets[0][1]
        return True

    def _compare(self, power: str, budget: Budget, sharing: int) -> bool:
        """Compare the best sets of a power by rollouts, with its part of the rest of the budget for a number
        of powers; returns whether the best has changed."""
        number = self.position.map.powers.index(power)
        begin = budget.progress()
        if begin >= 1:
            return False
        left = budget.size * (1 - begin) / sharing
        most = int(min(COMPARED, left * PROVING / PROOF_NODES))
        proving = "forcing" in self.ideas and self.position.phase.season != "S" and most >= FEWEST
        lines = self.lines(power, most if proving else COMPARED)
        if len(lines) < 2:
            return False
        sure = self._sure(power, lines) if proving else [0.0] * len(lines)
        ranked = sorted(range(len(lines)), key=lambda index: -lines[index][1] - sure[index])
        lines, sure = [lines[index] for index in ranked], [sure[index] for index in ranked]
        candidates = [orders for orders, _ in lines]

        def progress() -> float:
            budget.used = self.nodes
            return (budget.progress() - begin) * sharing / (1 - begin)

        sampler = self.sampler
        # Rollouts do not see that an own centre may have to be taken again.
        vacated = [VACATED * self._vacated(number, codes_in(orders)) for orders in candidates]
        halving = SequentialHalving(
            self.rollout,
            self.position.packed,
            number,
            candidates,
            [value + taken_off for (_, value), taken_off in zip(lines, vacated, strict=True)],
            DOUBT_OF_FEW,
            self.sampler.horizon,
            lambda: sampler.joint(power),
            self.random,
            sure=[points - taken_off for points, taken_off in zip(sure, vacated, strict=True)],
        )
        before = self.best[number]
        self.best[number] = codes_in(candidates[0])
        for leader in halving.run(progress):
            if halving.values[leader]:
                self.best[number] = codes_in(candidates[leader])
                self.halvings[number] = halving
        return self.best[number] != before

    def _sure(self, power: str, lines: list[tuple[bytes, float]]) -> list[float]:
        """Points for the centres that each of some sets makes certain beyond those of all: owned after the
        retreats against all choices of the others, or kept by holding against their possible builds."""
        number = self.position.map.powers.index(power)
        counts = []
        for orders, _ in lines:
            self.evaluated += PROOF_NODES
            codes = codes_in(orders)
            count = sure_centres(self.position, power, codes, self._after(number, codes))
            if count is None:
                return [0.0] * len(lines)
            counts.append(count)
        return [SURE * (count - min(counts)) for count in counts]

    def lines(self, power: str, count: int = 5) -> list[tuple[bytes, float]]:
        """The best few sets of a power with their values, best first, as bytes of codes; none if it need not
        give orders."""
        number = self.position.map.powers.index(power)
        if number not in self.choices:
            return []
        best = self.best[number]
        halving = self.halvings.get(number)
        values = (
            halving.scores()
            if halving is not None
            else {as_bytes(codes): value for codes, value in self.values[number].items()}
        )
        values = values or {as_bytes(best): 0.0}
        ranked = sorted(
            values,
            key=lambda orders: (codes_in(orders) == best, values[orders], codes_in(orders)),
            reverse=True,
        )
        return [(orders, values[orders]) for orders in ranked[:count]]

    def candidates(self, power: str) -> Candidates:
        """The sets of a power, best first, each with its value as its only score."""
        kind = ROLLOUTS if self.position.map.powers.index(power) in self.halvings else TRIAL
        return tuple(
            Candidate(orders, PAPER, scores=((kind, value),))
            for orders, value in self.lines(power, sys.maxsize)
        )

    def sets(self, power: str) -> list[bytes]:
        """The best few distinct sets of a power, best first, for the last stage."""
        return [in_order(codes_in(orders)) for orders, _ in self.lines(power, SETTLED)]

    def joint(self, power: str) -> bytes:
        """Orders of all powers but one, drawn from the beliefs about them."""
        return self.sampler.joint(power)

    def forecast(self, power: str) -> list[tuple[bytes, float]]:
        """The possible sets of a power, with probabilities, the most probable first."""
        return self.sampler.forecast(power)
