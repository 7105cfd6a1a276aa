"""The search for candidates: sets of a power among which the last stage decides (`bordeaux.search.settle`).

For each wanted power, in any phase, the stages are: *propose* candidates from learnt policies; *improve*,
candidates from a search against what is expected of the others; *prove* what is certain. Each is a function
of `bordeaux.search.stages`. This module calls them in order, each with a part of the budget. What the search
of the paper has found in a movement phase is proved here too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bordeaux.search.config import PAPER
from bordeaux.search.expectation import Expectation
from bordeaux.search.forcing import Certainty
from bordeaux.search.proposers import BACKGROUNDS, ProposalContext
from bordeaux.search.sets import Candidates, joined, ranked
from bordeaux.search.stages import first, improve, propose, prove, stakes_of
from bordeaux.search.task import Budget, SearchTask

__all__ = ["LearntSearch"]

#: The share of a decision in Fall that may go into proofs, and the part of that in which what decides the
#: game is sought, if nothing does.
PROVING, DECIDING = 0.5, 0.3
#: The part of the value of a certain result from which on a set has it.
PROOF = 0.9
#: The sets with proofs that stay to the end of the last stage.
SUREST = 4


class LearntSearch:
    """A search of one position for any powers, against an `expectation`. With a limit in nodes the same seed
    finds the same."""

    def __init__(self, task: SearchTask, expectation: Expectation) -> None:
        self.position = task.position
        self.config = task.config
        self.expectation = expectation
        self.nodes = 0
        """Adjudications with evaluation so far."""
        self._seed = task.seed
        self.context = ProposalContext(task.sampler(self._chance("draws")), task.seeds, task.value())
        self._value = task.scaled_value()
        self._pools: dict[str, Candidates] = {}

    def run(self, powers: Sequence[str], budget: Budget) -> Iterator[str]:
        """Find candidates of the wanted powers, until the budget is used at the latest; yields a power when
        it has its first set, and when it has all."""
        owing = self.position.orderable()
        wanted = [power for power in powers if owing.get(power)]
        for power in wanted:
            self._pools[power] = (first(self.context, power, self._chance(power, "first")),)
            yield power
        for number, power in enumerate(wanted):
            if budget.over():
                # If the time is up before a power's turn, its first set stands.
                break
            part = budget.part(1 / (len(wanted) - number))
            self._find(power, part)
            budget.used += part.used
            self.nodes += part.used
            yield power

    def _find(self, power: str, budget: Budget) -> None:
        """Run the stages for one power."""
        config, context = self.config, self.context
        pool, nodes = propose(context, power, config, budget, self._chance(power, "propose"))
        budget.used += nodes
        chance = self._chance(power, "improve")
        joint = [self.expectation.joint(power, chance) for _ in range(BACKGROUNDS)]
        pool, nodes = improve(replace(context, expected=joint), power, pool, config, budget, chance)
        budget.used += nodes
        self._pools[power] = pool
        self.prove(power, budget)

    def take(self, power: str, sets: Sequence[bytes]) -> None:
        """Take the sets of another search as the candidates of a power, each made playable."""
        self._pools[power] = joined((), [self.context.sound(power, orders) for orders in sets], PAPER)

    def prove(self, power: str, budget: Budget) -> None:
        """Prove what is certain of the candidates of a power, and of sets that join them for it."""
        config, context, pool = self.config, self.context, self._pools[power]
        if "forcing" in config.ideas:
            stakes = stakes_of(self.position, self._value, power, config.learnt.sure)
            self._pools[power], nodes = prove(
                context, power, pool, stakes, budget.part(PROVING), DECIDING * budget.size
            )
            budget.used += nodes

    def _chance(self, *names: object) -> random.Random:
        """A separate random generator for each use."""
        return random.Random(" ".join(map(str, (self._seed, *names))))

    def candidates(self, power: str) -> Candidates:
        """The candidates of a power, with scores for what is proved; none for a power that was not wanted."""
        return self._pools.get(power, ())

    def sets(self, power: str) -> list[bytes]:
        """The candidates as sets of orders."""
        return [candidate.orders for candidate in self.candidates(power)]

    def proved(self, power: str) -> dict[bytes, Certainty]:
        """The few sets of a power of which most is certain, best first, with what they decide."""
        sure = ranked(tuple(each for each in self.candidates(power) if each.value > 0))[:SUREST]
        return {candidate.orders: self._decides(power, candidate.value) for candidate in sure}

    def _decides(self, power: str, value: float) -> Certainty:
        """What the value of proofs says: that of a victory, of a prevented one, or of centres."""
        stakes = stakes_of(self.position, self._value, power, self.config.learnt.sure)
        won = value >= PROOF * stakes.victory
        return Certainty.WON if won else Certainty(int(value >= PROOF * stakes.stopped))
