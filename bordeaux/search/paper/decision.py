"""The decision between the sets that a search has found: mix, propose, test, play out, choose.

Each stage is an optional object with one method over a list of candidates, and adds its own scores. `Mix`
makes a game of the sets of searching powers, which predicts their sets (section 4.3.6). `Propose` picks
candidates. Three stages test them: `Try` on sampled orders of the others, `Reply` on the replies of an enemy
who sees them, `Prove` by proofs against all replies. With allies, `Share` adds a part of their points.
`PlayOut` adds rollouts as further evidence. `Choose` draws between almost equal sets, and gives idle units
another order that costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from bordeaux._ext.rollout import Rollout
from bordeaux.search.budget import Budget
from bordeaux.search.forcing import Forcing
from bordeaux.search.paper.candidate import ALLIES, REPLIES, ROLLOUTS, SURE, TRIAL, UNTESTED, PaperCandidate
from bordeaux.search.paper.case import Case
from bordeaux.search.paper.mix import Mix
from bordeaux.search.paper.power_search import PowerSearch
from bordeaux.search.paper.sequential_halving import SequentialHalving
from bordeaux.search.paper.situation import Situation
from bordeaux.search.paper.trial import Trial

__all__ = ["DOUBT", "DOUBT_OF_FEW", "Decision"]

#: Candidates that are tried on sampled orders of the others, additional draws of the policy, and candidates
#: that are kept.
TRIED = 48
DRAWN = 8
COMPARED = 12
#: The minimum number of compared sets, and the nodes for one in a trial, and with its replies.
FEWEST = 4
PER_TRIAL, PER_SET = 30, 120
#: The share of the remaining budget for the trial if rollouts follow, and the error in points of a trial's
#: difference between two candidates.
TRYING = 0.25
DOUBT = 100.0
#: The same error for two sets of retreats or adjustments, which is smaller since more is known after their
#: phase.
DOUBT_OF_FEW = 40.0
#: The weight of a set's loss to replies in its score: nobody sees our orders before.
REPLIED = 0.5
#: The share of a decision for proofs, and the part of the time at which they end at the latest.
PROVING, PROVED = 0.3, 0.5
#: Sets that provide the other orders of those that force a goal.
FILLING = 2
#: Points within which the mixture chooses between sets.
NEARLY = 8.0
#: Samples of a trial over which the allies' part is averaged.
SHARED = 16


class Test(Protocol):
    """A stage that scores candidates, and passes on the promising ones."""

    def run(self, case: Case, candidates: list[PaperCandidate]) -> list[PaperCandidate]:
        """The candidates that are kept."""


class Propose:
    """Picks the promising sets for a trial, and with `prove` those that proofs find."""

    def __init__(self, situation: Situation, prove: bool) -> None:
        self.situation = situation
        self.prove = prove

    def run(self, case: Case) -> list[PaperCandidate]:
        """Candidates without scores."""
        forced = self._forced(case) if self.prove else []
        bound = case.side.bound
        # With little left, fewer sets are looked at, so that the limit is kept.
        found_here = self.sets(case.side, max(FEWEST, min(TRIED, int(case.left / PER_TRIAL))))
        sets = [bound(orders) for orders in found_here]
        by_orders = {orders: PaperCandidate(orders) for orders in sets}
        for orders in map(bound, forced):
            by_orders.setdefault(orders, PaperCandidate(orders)).forced = True
        return list(by_orders.values())

    def sets(self, side: PowerSearch, count: int) -> list[bytes]:
        """A number of promising sets for a trial: the best so far, those of the mixture, the best judged, the
        best of the pool, and those of the fast policy."""
        situation = self.situation
        known = situation.judged[side.power]
        mixed = [orders for orders, _ in situation.sampler.mixtures.get(side.power, ())]
        judged = sorted(known, key=lambda orders: (-known[orders].score, orders))
        ranked = list(dict.fromkeys((side.best, *mixed, *judged, *side.ranked())))[:count]
        drawn = [side.space.orders(node) for node in situation.policy(side.power, min(DRAWN, count // 2))]
        return list(dict.fromkeys((*ranked, *drawn)))

    def _forced(self, case: Case) -> list[bytes]:
        """Sets that force something, in the form of the search space: consistent orders."""
        side, situation = case.side, self.situation
        case.forcing = Forcing(situation.position, side.power, PROVING * case.left, case.late)
        others = list(dict.fromkeys((side.best, *side.ranked())))[:FILLING]
        sets = [side.fitted(orders) for orders in case.forcing.sets(others)]
        situation.spend(case.forcing.nodes)
        return list(dict.fromkeys(sets))


class Try:
    """Values candidates on the same sampled orders of the others, within the share `part` of the budget."""

    def __init__(self, part: float) -> None:
        self.part = part

    def run(self, case: Case, candidates: list[PaperCandidate]) -> list[PaperCandidate]:
        """The sets found by proofs (as the budget for proofs is limited), and then the best."""
        trial = case.trial
        trial.run([candidate.orders for candidate in candidates], lambda: case.progress() / self.part)
        for candidate in candidates:
            candidate.scores[TRIAL] = trial.scores[candidate.orders]
        room = max(FEWEST, min(COMPARED, int(case.left / PER_SET)))
        best = sorted(candidates, key=lambda candidate: candidate.rank)[:room]
        forced = [candidate for candidate in candidates if candidate.forced]
        return list(dict.fromkeys((*forced, *best)))


class Reply:
    """Subtracts the possible harm by enemies that see a set."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation

    def run(self, case: Case, candidates: list[PaperCandidate]) -> list[PaperCandidate]:
        """All of them."""
        situation, side = self.situation, case.side
        if situation.foes(side.power):
            expected = situation.expected(side.power)
            for candidate in candidates:
                judged = situation.judge(side, candidate.orders, expected)
                candidate.scores[REPLIES] = REPLIED * (judged.score - judged.expected)
        return candidates


class Prove:
    """Adds points for certain results beyond those of other candidates."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation

    def run(self, case: Case, candidates: list[PaperCandidate]) -> list[PaperCandidate]:
        """All of them."""
        forcing = case.forcing
        if forcing is not None:
            before = forcing.nodes
            points = forcing.points([candidate.orders for candidate in candidates])
            least = min(points.values())
            for candidate in candidates:
                candidate.scores[SURE] = points[candidate.orders] - least
            self.situation.spend(forcing.nodes - before)
        return candidates


class Share:
    """Adds a part of the allies' points after the phase, beyond those that other candidates leave them."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation

    def run(self, case: Case, candidates: list[PaperCandidate]) -> list[PaperCandidate]:
        """All of them."""
        situation = self.situation
        partners = situation.bonds.partners(case.side.power)
        if partners:
            samples = case.trial.sampled(SHARED)
            points = [
                sum(situation.worth_to(partners, candidate.orders + joint) for joint in samples)
                / len(samples)
                for candidate in candidates
            ]
            for candidate, own in zip(candidates, points, strict=True):
                candidate.scores[ALLIES] = own - min(points)
            situation.spend(len(candidates) * len(samples) * len(partners))
        return candidates


class PlayOut:
    """Compares candidates by rollouts as well; proved points are unchanged."""

    def __init__(self, situation: Situation, rollout: Rollout) -> None:
        self.situation = situation
        self.rollout = rollout

    def run(self, case: Case, candidates: list[PaperCandidate]) -> Iterator[PaperCandidate]:
        """The candidates, best first, with the scores of their rollouts; yields the leader after each
        round."""
        situation, power = self.situation, case.side.power
        sampler, rendezvous = situation.sampler, situation.rendezvous
        case.halving = halving = SequentialHalving(
            self.rollout,
            situation.position.packed,
            case.side.number,
            [candidate.orders for candidate in candidates],
            [sum(candidate.scores.get(kind, 0.0) for kind in (TRIAL, REPLIES)) for candidate in candidates],
            DOUBT,
            sampler.horizon,
            lambda: sampler.joint(power),
            situation.random,
            lambda totals: rendezvous.tally(power, totals),
            sure=[
                sum(candidate.scores.get(kind, 0.0) for kind in (SURE, ALLIES)) for candidate in candidates
            ],
        )
        for leader in halving.run(case.progress):
            for candidate, worth in zip(candidates, halving.worth(), strict=True):
                candidate.scores[ROLLOUTS] = worth - candidate.without(ROLLOUTS)
            yield candidates[leader]


class Choose:
    """Makes the final choice: the leader, or a set that is hardly worse, where units without a use are given
    another order."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation

    def run(self, case: Case, candidates: list[PaperCandidate], leader: PaperCandidate) -> PaperCandidate:
        """The candidate that is played, possibly a new one."""
        if case.halving is not None:
            orders = self.draw_near(case.side.power, case.halving, candidates.index(leader))
            leader = next(candidate for candidate in candidates if candidate.orders == orders)
        better = case.trial.without_idlers(leader.orders)
        # What no sample shows a proof may know.
        forcing = case.forcing
        keeps = forcing is None or forcing.worth(better) >= forcing.worth(leader.orders)
        keeps = keeps and case.side.bound(better) == better
        return PaperCandidate(better, scores=leader.scores) if better != leader.orders and keeps else leader

    def draw_near(self, power: str, halving: SequentialHalving, leader: int) -> bytes:
        """The leader, or, if it is hardly better than others, one of them drawn from the mixture: predictable
        sets can be countered (section 4.3.6)."""
        shares = dict(self.situation.sampler.mixtures.get(power, ()))
        worth = halving.worth()
        near = [halving.candidates[i] for i in halving.near(leader) if worth[leader] - worth[i] < NEARLY]
        weights = [shares.get(orders, 0.0) for orders in near]
        if not any(weights):
            return halving.candidates[leader]
        return self.situation.random.choices(near, weights)[0]


class Meter:
    """The used share of a budget, rollouts included."""

    def __init__(self, situation: Situation, rollout: Rollout) -> None:
        self.situation = situation
        self.rollout = rollout
        self._counted = 0

    def __call__(self, budget: Budget) -> float:
        self.situation.spend(self.rollout.nodes - self._counted)
        self._counted = self.rollout.nodes
        return self.situation.progress(budget)


class Decision:
    """Decides between the sets that a search has found, stage by stage; `ideas` of the situation select the
    stages. `cases` are the decisions made, the last of each power."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.rollout = Rollout(situation.ends, situation.sampler.chooser())
        self.cases: dict[str, Case] = {}
        self._progress = Meter(situation, self.rollout)
        ideas, phase = situation.ideas, situation.position.phase
        # Proofs are of who owns what, which Fall settles.
        prove = "forcing" in ideas and (phase.season, phase.kind) == ("F", "M")
        plays = "rollouts" in ideas
        self.mix = Mix(situation) if "equilibrium" in ideas else None
        self.propose = Propose(situation, prove)
        self.tests: list[Test] = [Try(TRYING if plays else 1.0)]
        self.tests += [Reply(situation)] if "replies" in ideas else []
        self.tests += [Prove(situation)] if prove else []
        self.tests += [Share(situation)] if situation.bonds else []
        self.play_out = PlayOut(situation, self.rollout) if plays else None
        self.choose = Choose(situation)

    def played_on(self, power: str) -> bool:
        """Whether sets of a power have been compared by rollouts."""
        return power in self.cases and self.cases[power].halving is not None

    def run(self, wanted: list[str], budget: Budget, until: float = 1.0) -> Iterator[str]:
        """Decide for each of the wanted powers, with the rest of the budget up to a share of it; yields a
        power whenever its best set has changed."""
        if self.mix is not None:
            self.mix.run(wanted, lambda: self._progress(budget), budget, until)
        for number, power in enumerate(wanted):
            yield from self._decide(power, budget, until, len(wanted) - number)

    def _decide(self, power: str, budget: Budget, until: float, sharing: int) -> Iterator[str]:
        """Choose between the candidates of a power, with its part of the rest of the budget for a number of
        powers."""
        situation = self.situation
        side, sampler = situation.sides[power], situation.sampler
        begin = self._progress(budget)
        if begin >= until:
            return

        # What a case keeps must not know who keeps the case: a circle outlives the search, with the
        # megabytes that its spaces hold, until Python looks for circles.
        spent = self._progress

        def progress() -> float:
            return (spent(budget) - begin) * sharing / (until - begin)

        share = (until - begin) / sharing
        self.cases[power] = case = Case(
            side,
            Trial(side.space, lambda: sampler.joint(power)),
            progress,
            budget.size * share,
            lambda: budget.over(begin + PROVED * share),
        )
        proposed = self.propose.run(case)
        tested = proposed
        for test in self.tests:
            tested = test.run(case, tested)
        tested.sort(key=lambda candidate: candidate.rank)
        # What the others would lose to replies was not looked at: they are no better than those that were.
        for candidate in set(proposed) - set(tested):
            candidate.scores[UNTESTED] = min(0.0, tested[-1].value - candidate.value)
        leader = tested[0]
        if situation.decide(power, proposed, leader):
            yield power
        if self.play_out is not None:
            for leader in self.play_out.run(case, tested):
                if situation.decide(power, proposed, leader):
                    yield power
                yield from situation.exchange(power)
        if situation.decide(power, proposed, self.choose.run(case, tested, leader)):
            yield power
        yield from situation.exchange(power)
