"""The search of retreat and adjustment phases: few enough options to try them all.

Every power picks the best of its option sets against the others' current ones, in turn, twice over;
where there are too many sets, they are built up order by order and the best kept. Then the best few are
compared by playing on.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from bordeaux._ext.influence import Evaluator
from bordeaux._ext.rollout import Rollout
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.search.budget import Budget
from bordeaux.search.contest import Contest
from bordeaux.search.foresight import Foresight

__all__ = ["SmallSearch"]

Codes = tuple[int, ...]

#: Sets kept while they are built up order by order.
BEAM = 300
ROUNDS = 2
#: Sets that are compared by rollouts, and the movement phases that these play on.
COMPARED = 24
HORIZON = 2


def _province(position: Position, code: int) -> int:
    return position.map.locations[code >> 16 & 0xFFFF].province


def _goal(position: Position, code: int) -> int | None:
    if code & 0xFF != OrderKind.RETREAT:
        return None
    return position.map.locations[code >> 32 & 0xFFFF].province


class SmallSearch:
    """Searches a retreat or adjustment phase. `nodes` counts adjudications with evaluation."""

    def __init__(self, position: Position, evaluator: Evaluator) -> None:
        self.position = position
        self.evaluator = evaluator
        self.nodes = 0
        legal = position.packed.legal()
        self.choices: dict[int, list[list[int]]] = {}
        for number, units in legal.items():
            if position.phase.kind == "R":
                self.choices[number] = list(units.values())
            else:
                every = [code for codes in units.values() for code in codes]
                due = abs(position.packed.due(number))
                self.choices[number] = [every] * due
        # In Winter a power without anything to order has no entry; without units to retreat neither.
        self.best: dict[int, Codes] = {number: self._first(number) for number in self.choices}
        self.values: dict[int, dict[Codes, float]] = {number: {} for number in self.choices}
        self.contests: dict[int, Contest] = {}

    def _first(self, number: int) -> Codes:
        """A legal set without any search: the first choice that does not clash, for every order."""
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
        """Value for a power of playing some orders against the others' current best."""
        self.nodes += 1
        orders = [(number, code) for code in codes]
        orders += [(other, code) for other, best in self.best.items() if other != number for code in best]
        after, *_ = self.position.packed.adjudicate(orders)
        value: float = self.evaluator.evaluate(after, number)[0]
        return value

    def run(self, budget: Budget) -> None:
        """Search until done, which is mostly at once, or the budget is spent."""
        for _ in range(ROUNDS):
            for number in self.choices:
                if not self._search(number, budget):
                    return

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
                # What is left without an order falls under the rules for missing ones.
                grown = sets
            sets = sorted(grown, reverse=True)[:BEAM]
        self.values[number] = {codes: value for value, codes in sets[:50]}
        self.best[number] = sets[0][1]
        return True

    def compare(self, number: int, rollout: Rollout, foresight: Foresight, budget: Budget, share: float) -> None:
        """Compare the best sets of a power by rollouts, within a share of the budget."""
        candidates = [orders for orders, _ in self.lines(number, COMPARED)]
        begin = budget.progress()
        if len(candidates) < 2 or begin >= 1:
            return
        before, played = self.nodes, rollout.nodes

        def progress() -> float:
            self.nodes = before + rollout.nodes - played
            budget.used = self.nodes
            return (budget.progress() - begin) / share

        power = self.position.map.powers[number]
        contest = Contest(
            rollout,
            self.position.packed,
            number,
            candidates,
            HORIZON,
            lambda: foresight.joint(power),
            foresight.random,
        )
        for leader in contest.run(progress):
            if contest.counts[leader]:
                orders = candidates[leader]
                self.best[number] = struct.unpack(f"<{len(orders) // 8}Q", orders)
                self.contests[number] = contest

    def lines(self, number: int, count: int = 5) -> list[tuple[bytes, float]]:
        """The best few sets of a power with their values, best first, as bytes of codes."""
        values = self.values.get(number) or {self.best.get(number, ()): 0.0}
        contest = self.contests.get(number)
        if contest is not None:
            values = {
                struct.unpack(f"<{len(orders) // 8}Q", orders): contest.mean(i)
                for i, orders in enumerate(contest.candidates)
                if contest.counts[i]
            }
        ranked = sorted(
            values, key=lambda codes: (codes == self.best[number], values[codes], codes), reverse=True
        )
        return [(struct.pack(f"<{len(codes)}Q", *codes), values[codes]) for codes in ranked[:count]]
