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
from dataclasses import dataclass
from functools import partial

from bordeaux._ext.search.contest import Contest
from bordeaux._ext.search.rollout import Rollout
from bordeaux.search.beliefs import Choices, OpponentSampler
from bordeaux.search.budget import Allotment, Budget, NodeMeter
from bordeaux.search.proposers import ProposalContext
from bordeaux.search.rendezvous import Rendezvous
from bordeaux.search.sets import Candidates, MixedSets, Mixtures, PhaseGame, distinct, drawn_from
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

__all__ = ["LearntSearch", "Standing"]

#: The share of a budget up to which a process that has decided for its own powers also decides for others.
HELPING = 0.8
#: The share of a decision in which the others choose their sets, and of one in Fall that may go into proofs.
REASONING, PROVING = 0.1, 0.3


@dataclass
class Standing:
    """The best results for one power: its `best` set and its `pool` of sets with values, possibly from other
    processes. Represents a power at the rendezvous."""

    best: bytes
    pool: dict[bytes, float]

    def offer(self, orders: bytes, value: float) -> None:
        """Ignore the set: all processes compare the same candidates, and their samples are added up."""

    def take(self, sets: Sequence[tuple[bytes, float]]) -> None:
        """Take over the sets with values, best first, of a process that decides for the power."""
        self.best, self.pool = sets[0][0], dict(sets)


class LearntSearch:
    """A search of one position for any powers.

    `process` is the number of this process: all draw the same candidates, and each has its own samples. With
    the same seed and a limit in nodes one process gives the same result. All values are in units of so many
    `points` (`bordeaux.evaluation.ScaledValue`): by a learnt value chances, from 0 to 1. `ends` values the
    ends of rollouts in points, for those who play on from what was searched.
    """

    def __init__(self, task: SearchTask, rendezvous: Rendezvous, process: int = 0) -> None:
        self.position = task.position
        self.config = task.config
        self.ends = task.value()
        self.standings: dict[str, Standing] = {}
        self._seed, self._process = task.seed, process
        self._rendezvous = rendezvous
        sampler = task.sampler(self._chance("draws"))
        self.context = ProposalContext(task.position, sampler, sampler.bonds, task.seeds, self.ends)
        self._value = task.scaled_value()
        self.points = self._value.points
        self._contest = Contest(Rollout(self._value.valuer, sampler.chooser()))
        self._meter = NodeMeter(self._contest, rendezvous)
        self._decided: dict[str, Candidates] = {}
        self._foreseen: dict[str, Candidates] = {}
        #: What each other power was expected to draw and to choose among, if there was time for a choice.
        self.choices: dict[str, Choices] = {}
        # What others expected of a power when they decided, and the mixture of a power that was decided for.
        self._seen: dict[str, MixedSets] = {}
        self._own: dict[str, MixedSets] = {}

    @property
    def sampler(self) -> OpponentSampler:
        """Draws the orders of the others."""
        return self.context.sampler

    @property
    def nodes(self) -> int:
        """Adjudications with evaluation so far, in all processes."""
        return self._meter.nodes

    def run(self, powers: Sequence[str], budget: Budget) -> Iterator[str]:
        """Search until the budget is used; yields a power whenever its best set has changed. `powers` are
        those whose orders are wanted."""
        owing = self.position.orderable()
        wanted = [power for power in powers if owing.get(power)]
        for power in wanted:
            chance = self._chance(power, "first")
            self.standings[power] = Standing(first(self.context, power, chance).orders, {})
            yield power
        left, whole = list(wanted), self._meter.whole(budget)
        while mine := [power for power in self._rendezvous.share(left) if power in left]:
            power = mine[0]
            part = whole.left(1 / len(mine))
            left.remove(power)
            if whole.over():
                # What came first stands where the time is up before a power's turn.
                continue
            yield from self._decide(power, part)
        # Who is done early helps with what others have not finished.
        while left and whole.progress() < HELPING:
            yield from self._decide(left.pop(0), whole.left(1 / (len(left) + 1)))
        yield from self._meet()
        # What is drawn from now on is for those who ask what the search knows.
        self.sampler.reseed(self._chance("draws"))

    def _decide(self, power: str, whole: Allotment) -> Iterator[str]:
        """Run the stages for one power."""
        config, context = self.config, self.context
        pool, nodes = propose(context, power, config, whole, self._chance(power, "propose"))
        self._meter.report(nodes)
        game = self._game(power, pool, whole)
        mixtures = self._reasoned(game, whole)
        pool, nodes = improve(context, game, mixtures, config, whole, self._chance(power, "improve"))
        self._meter.report(nodes)
        if "forcing" in config.ideas:
            stakes = stakes_of(self.position, self._value, power, config.learnt.sure)
            pool, nodes = prove(context, power, pool, stakes, whole.left(PROVING))
            self._meter.report(nodes)
        game = game.deciding_among(pool)
        mixtures = mixtures.played_in(game)
        self._seen |= game.others(mixtures)
        self._own[power] = game.mixed_sets(power, mixtures)
        chance = self._chance(power, "compare", self._process)
        tally = partial(self._rendezvous.tally, power)
        for compared in compare(self._contest, game, mixtures, whole, chance, tally):
            if self._settle(power, compared):
                yield power
            yield from self._meet(power)

    def _game(self, power: str, pool: Candidates, whole: Allotment) -> PhaseGame:
        """The game of a power's decision. Sets of other powers are foreseen once in a search."""
        owing = [other for other, units in self.position.orderable().items() if units]
        for other in owing:
            if other != power and other not in self._foreseen:
                chance = self._chance(other, "foresee")
                self._foreseen[other] = foresee(self.context, other, whole, chance)
        pools = {other: pool if other == power else self._foreseen[other] for other in owing}
        return PhaseGame(self.position, power, pools, self.context.bonds.partners(power), self.points)

    def _reasoned(self, game: PhaseGame, whole: Allotment) -> Mixtures:
        """The shares of all sets: each of the others reasons with the probability of the beliefs. Stores what
        they choose among."""
        context, drawn = self.context, game.drawn
        part = whole.left(REASONING if "reasoning" in self.config.ideas else 0.0)
        # By nodes all processes expect the same; by time some have more trials, and expect nearly the same.
        chosen = reason(self._contest, game, drawn, part, self._chance(game.power, "reason"))
        for other, pool in game.pools.items():
            shares = drawn.shares[other], chosen.shares[other]
            # Equal shares would say nothing of whether a power reasons.
            if shares[0] != shares[1]:
                self.choices[other] = Choices([candidate.orders for candidate in pool], *shares)
        # Who has agreed to something plays as drawn, so that the trust in its word stays what it is.
        parts = {
            other: 0.0 if context.bonds.of(other) else self.sampler.beliefs.chooses(other)
            for other in game.pools
        }
        return drawn.mixed(chosen, parts)

    def _settle(self, power: str, pool: Candidates) -> bool:
        """Record a power's candidates, the best first; returns whether the best has changed."""
        standing = self.standings[power]
        before = standing.best
        self._decided[power] = pool
        standing.best, standing.pool = (
            pool[0].orders,
            {candidate.orders: candidate.value for candidate in pool},
        )
        return standing.best != before

    def _meet(self, power: str | None = None) -> list[str]:
        """Exchange results about a power with other processes."""
        return self._rendezvous.exchange(self.standings, self.lines, power)

    def _chance(self, *names: object) -> random.Random:
        """A separate random generator for each use."""
        return random.Random(" ".join(map(str, (self._seed, *names))))

    def candidates(self, power: str) -> Candidates:
        """The candidates of a power in the comparison, best first, with their scores; none before that."""
        return self._decided.get(power, ())

    def lines(self, power: str, count: int = 5) -> list[tuple[bytes, float]]:
        """The best few distinct sets of a power with their values, best first. None for a power without
        orders to give or that was not wanted."""
        standing = self.standings.get(power)
        if standing is None:
            return []
        scores = standing.pool or {standing.best: 0.0}
        return distinct(scores, standing.best, count, self.position.phase.kind == "M")

    def depth(self, power: str) -> int:
        """The phases looked ahead for a power: this one, and the movement phases of rollouts."""
        return 1 + HORIZON if power in self._decided else 1

    def shares(self, power: str) -> dict[bytes, float]:
        """The share with which the search expects a power to play each of its sets; for a wanted power, its
        own mixture. None before a decision has considered it, or where another process decides for it."""
        return dict((self._own if power in self.standings else self._seen).get(power, ()))

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
        for orders, share in expected:
            shares[self.sampler.in_full(power, orders)] += share  # type: ignore[assignment]
        return sorted(shares.items(), key=lambda choice: (-choice[1], choice[0]))
