"""The search: predicts the others' orders, and compares candidate sets against them.

For each wanted power, in any phase, the stages are: *propose* candidates; *foresee*, sets of the others from
the beliefs; *reason*, the others choose among these; *improve*, candidates from searches against the others;
*prove* what is certain; *compare*.
Each is a function of `bordeaux.search.stages`. This module calls them in order, each with a part of
the budget, and hands the results of one to the next.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from bordeaux._ext.search.contest import Contest
from bordeaux._ext.search.rollout import Rollout
from bordeaux.search.beliefs import Choices, OpponentSampler
from bordeaux.search.budget import Allotment, Budget
from bordeaux.search.proposers import ProposalContext
from bordeaux.search.sets import Candidates, Mixture, PhaseGame, distinct, drawn_from, mixed
from bordeaux.search.stages import (
    HORIZON,
    compare,
    first,
    foresee,
    improve,
    propose,
    prove,
    reason,
    stakes_of,
)
from bordeaux.search.task import SearchTask

__all__ = ["LearntSearch"]

#: The share of a decision in which the others choose their sets, of one in Fall that may go into proofs, and
#: the part of that in which what decides the game is sought, if nothing does.
REASONING, PROVING, DECIDING = 0.1, 0.3, 0.05


class LearntSearch:
    """A search of one position for any powers.

    With a limit in nodes the same seed gives the same result to the last bit, with any number of `threads`.
    All values are in units of so many `points` (`bordeaux.evaluation.ScaledValue`): by a learnt value
    chances, from 0 to 1. `ends` values the ends of rollouts in points, for those who play on from what was
    searched. `choices` are what each other power was expected to draw and to choose among, if there was time
    for that.
    """

    def __init__(self, task: SearchTask, threads: int = 1) -> None:
        self.position = task.position
        self.config = task.config
        self.ends = task.value()
        self.choices: dict[str, Choices] = {}
        self._seed = task.seed
        sampler = task.sampler(self._chance("draws"))
        self.context = ProposalContext(sampler, task.seeds, self.ends)
        self._value = task.scaled_value()
        self.points = self._value.points
        # A policy has a memory of what it has just seen, so each thread plays on by one of its own.
        rollouts = (Rollout(self._value.valuer, sampler.chooser()) for _ in range(threads))
        self._contest = Contest(*rollouts)
        self._best: dict[str, bytes] = {}
        self._decided: dict[str, Candidates] = {}
        self._foreseen: dict[str, Candidates] = {}
        # `_seen` is what others expected of a power when they decided, `_own` the mixture of a wanted power.
        self._seen: dict[str, Mixture] = {}
        self._own: dict[str, Mixture] = {}

    @property
    def sampler(self) -> OpponentSampler:
        """Draws the orders of the others."""
        return self.context.sampler

    @property
    def nodes(self) -> int:
        """Adjudications with evaluation so far."""
        return self._contest.nodes

    def run(self, powers: Sequence[str], budget: Budget) -> Iterator[str]:
        """Search until the budget is used; yields a power whenever its best set has changed. `powers` are
        those whose orders are wanted."""
        owing = self.position.orderable()
        wanted = [power for power in powers if owing.get(power)]
        for power in wanted:
            self._best[power] = first(self.context, power, self._chance(power, "first")).orders
            yield power
        whole = Allotment.whole(budget, self._contest)
        for number, power in enumerate(wanted):
            part = whole.left(1 / (len(wanted) - number))
            if whole.over():
                # If the time is up before a power's turn, its first set stands.
                break
            yield from self._decide(power, part)
        # Later draws answer questions about the result. They do not depend on the draws of the search.
        self.sampler.reseed(self._chance("draws"))

    def _decide(self, power: str, whole: Allotment) -> Iterator[str]:
        """Run the stages for one power."""
        config, context = self.config, self.context
        pool, nodes = propose(context, power, config, whole, self._chance(power, "propose"))
        self._contest.nodes += nodes
        game = self._game(power, pool, whole)
        mixtures = self._reasoned(game, whole)
        pool, nodes = improve(context, game, mixtures, config, whole, self._chance(power, "improve"))
        self._contest.nodes += nodes
        if "forcing" in config.ideas:
            stakes = stakes_of(self.position, self._value, power, config.learnt.sure)
            deciding = DECIDING * whole.nodes
            pool, nodes = prove(context, power, pool, stakes, whole.left(PROVING), deciding)
            self._contest.nodes += nodes
        game = game.deciding_among(pool)
        self._own[power] = game.drawn_of(power)
        self._seen |= game.others(mixtures)
        mixtures = {**mixtures, power: self._own[power]}
        chance = self._chance(power, "compare", 0)
        for compared in compare(self._contest, game, mixtures, whole, chance):
            before, self._best[power] = self._best[power], compared[0].orders
            self._decided[power] = compared
            if self._best[power] != before:
                yield power

    def _game(self, power: str, pool: Candidates, whole: Allotment) -> PhaseGame:
        """The game of a power's decision. Sets of other powers are foreseen once in a search."""
        owing = [other for other, units in self.position.orderable().items() if units]
        for other in owing:
            if other != power and other not in self._foreseen:
                chance = self._chance(other, "foresee")
                self._foreseen[other] = foresee(self.context, other, whole, chance)
        pools = {other: pool if other == power else self._foreseen[other] for other in owing}
        return PhaseGame(self.position, power, pools, self.context.bonds.partners(power), self.points)

    def _reasoned(self, game: PhaseGame, whole: Allotment) -> dict[str, Mixture]:
        """The shares of all sets: each of the others reasons with the probability of the beliefs. Stores what
        they choose among."""
        context, drawn = self.context, game.drawn
        part = whole.left(REASONING if "reasoning" in self.config.ideas else 0.0)
        chosen = reason(self._contest, game, drawn, part, self._chance(game.power, "reason"))
        for other in game.pools:
            shares = drawn[other], chosen[other]
            # Equal shares would say nothing of whether a power reasons.
            if shares[0] != shares[1]:
                self.choices[other] = Choices([*shares[0]], *([*mixture.values()] for mixture in shares))
        # A power with an agreement plays as drawn, so that the trust in its word does not change.
        parts = {
            other: 0.0 if context.bonds.of(other) else self.sampler.beliefs.chooses(other)
            for other in game.pools
        }
        return {other: mixed(drawn[other], chosen[other], part) for other, part in parts.items()}

    def _chance(self, *names: object) -> random.Random:
        """A separate random generator for each use."""
        return random.Random(" ".join(map(str, (self._seed, *names))))

    def candidates(self, power: str) -> Candidates:
        """The candidates of a power in the comparison, best first, with their scores; none before that."""
        return self._decided.get(power, ())

    def lines(self, power: str, count: int = 5) -> list[tuple[bytes, float]]:
        """The best few distinct sets of a power with their values, best first. None for a power without
        orders to give or that was not wanted."""
        if power not in self._best:
            return []
        scores = {candidate.orders: candidate.value for candidate in self.candidates(power)}
        best = self._best[power]
        return distinct(scores or {best: 0.0}, best, count, self.position.phase.kind == "M")

    def depth(self, power: str) -> int:
        """The phases looked ahead for a power: this one, and the movement phases of rollouts."""
        return 1 + HORIZON if power in self._decided else 1

    def shares(self, power: str) -> dict[bytes, float]:
        """The share with which the search expects a power to play each of its sets; for a wanted power, its
        own mixture. None before a decision has considered it."""
        return dict((self._own if power in self._best else self._seen).get(power, {}))

    def joint(self, power: str) -> bytes:
        """Orders of all powers but one, drawn from what is expected of them; of powers that no decision of
        another has considered, from the beliefs."""
        others = (other for other, units in self.position.orderable().items() if other != power and units)
        return b"".join(
            drawn_from(self._seen[other], self.sampler.random)
            if other in self._seen
            else self.sampler.orders(other)
            for other in others
        )

    def forecast(self, power: str) -> list[tuple[bytes, float]]:
        """The possible sets of a power, with probabilities, the most probable first: its own mixture, what
        another expected when it decided, or draws of the beliefs."""
        expected = self._own.get(power) or self._seen.get(power)
        if expected is None:
            return self.sampler.forecast(power)
        shares: Counter[bytes] = Counter()
        for orders, share in expected.items():
            shares[self.sampler.in_full(power, orders)] += share  # type: ignore[assignment]
        return sorted(shares.items(), key=lambda choice: (-choice[1], choice[0]))
