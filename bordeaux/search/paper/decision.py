"""The decision between the sets that a search has found: mix, propose, test, play out, choose.

Each stage is an optional object with one method over immutable candidates. It returns them with its own
scores, and the nodes that it used. It changes neither them nor the state of the search: `Decision` stores
what the stages return. `Mix` makes a game of the sets of searching powers, which predicts their sets (section
4.3.6). `Propose` picks candidates. Three stages test them: `Try` on sampled orders of the others, `Reply` on
the replies of an enemy who sees them, `Prove` by proofs against all replies. With allies, `Share` adds a part
of their points. `PlayOut` adds rollouts as further evidence. `Choose` draws between almost equal sets, and
gives idle units another order that costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from bordeaux._ext.search.rollout import Rollout
from bordeaux.search.budget import Budget
from bordeaux.search.forcing import Forcing
from bordeaux.search.paper.equilibrium import Mix
from bordeaux.search.paper.power_search import PowerSearch
from bordeaux.search.paper.sequential_halving import SequentialHalving
from bordeaux.search.paper.state import PaperState
from bordeaux.search.paper.trial import Trial
from bordeaux.search.sets import FORCED, SURE, Candidate, Candidates, ranked, scored

__all__ = [
    "ALLIES",
    "DOUBT",
    "DOUBT_OF_FEW",
    "PAPER",
    "REPLIES",
    "ROLLOUTS",
    "SURE",
    "TRIAL",
    "UNTESTED",
    "Case",
    "Decision",
    "score_without",
]

#: The parts of scores, all in points. The first is the value in a trial on sampled orders of the others. The
#: second is the cost of replies by enemies that see the set. `SURE` is the value of what is proved, beyond
#: that of other candidates, and the third the same for a part of what allies hold. The fourth is the result
#: of rollouts beyond all that. The last is subtracted if replies were not evaluated.
TRIAL, REPLIES, ALLIES, ROLLOUTS, UNTESTED = "trial", "replies", "allies", "rollouts", "untested"
#: The proposer of all sets that were not forced.
PAPER = "paper"


def score_without(candidate: Candidate, *kinds: str) -> float:
    """Points of a candidate without those of some kinds."""
    return sum(points for kind, points in candidate.scores if kind not in kinds)


@dataclass(frozen=True, eq=False, slots=True)
class Case:
    """One power's decision: its `side`, its `trial`, its `halving` once candidates are in rollouts, and its
    search for proofs. `progress` is the used share of its budget, `left` the approximate number of nodes
    left, and `late` whether the time for proofs is over."""

    side: PowerSearch
    trial: Trial
    progress: Callable[[], float]
    left: float
    late: Callable[[], bool]
    forcing: Forcing | None = None
    halving: SequentialHalving | None = None


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
    """A stage that scores candidates."""

    def run(self, case: Case, candidates: Candidates) -> tuple[Candidates, int]:
        """The candidates with their scores, and the nodes used."""


class Propose:
    """Picks the promising sets for a trial, and those that proofs find."""

    def __init__(self, state: PaperState) -> None:
        self.state = state

    def run(self, case: Case) -> Candidates:
        """Candidates without scores."""
        forced = self._forced(case) if case.forcing is not None else []
        bound = case.side.bound
        # With little left, fewer sets are looked at, so that the limit is kept.
        found_here = self.sets(case.side, max(FEWEST, min(TRIED, int(case.left / PER_TRIAL))))
        by_orders = dict.fromkeys(map(bound, found_here), PAPER)
        by_orders |= dict.fromkeys(map(bound, forced), FORCED)
        return tuple(Candidate(orders, proposer) for orders, proposer in by_orders.items())

    def sets(self, side: PowerSearch, count: int) -> list[bytes]:
        """A number of promising sets for a trial: the best so far, those of the mixture, the best judged, the
        best of the pool, and those of the fast policy."""
        state = self.state
        known = state.judged[side.power]
        mixed = [orders for orders, _ in state.sampler.mixtures.get(side.power, ())]
        judged = sorted(known, key=lambda orders: (-known[orders].score, orders))
        ranked = list(dict.fromkeys((side.best, *mixed, *judged, *side.ranked())))[:count]
        drawn = [side.space.orders(node) for node in state.policy(side.power, min(DRAWN, count // 2))]
        return list(dict.fromkeys((*ranked, *drawn)))

    @staticmethod
    def _forced(case: Case) -> list[bytes]:
        """Sets that force something, in the form of the search space: consistent orders."""
        assert case.forcing is not None
        side = case.side
        others = list(dict.fromkeys((side.best, *side.ranked())))[:FILLING]
        return list(dict.fromkeys(side.fitted(orders) for orders in case.forcing.sets(others)))


class Try:
    """Values candidates on the same sampled orders of the others, within the share `part` of the budget."""

    def __init__(self, part: float) -> None:
        self.part = part

    def run(self, case: Case, candidates: Candidates) -> tuple[Candidates, int]:
        """All of them; their nodes are those of the side's space."""
        trial = case.trial
        trial.run([candidate.orders for candidate in candidates], lambda: case.progress() / self.part)
        return scored(candidates, TRIAL, trial.scores), 0


def promising(case: Case, candidates: Candidates) -> Candidates:
    """The candidates for the later stages: the sets found by proofs (as the budget for proofs is limited),
    and then the best."""
    room = max(FEWEST, min(COMPARED, int(case.left / PER_SET)))
    forced = [candidate for candidate in candidates if candidate.proposer == FORCED]
    return tuple(dict.fromkeys((*forced, *ranked(candidates)[:room])))


class Reply:
    """Subtracts the possible harm by enemies that see a set."""

    def __init__(self, state: PaperState) -> None:
        self.state = state

    def run(self, case: Case, candidates: Candidates) -> tuple[Candidates, int]:
        """All of them; their nodes are those of the sides' spaces."""
        state, side = self.state, case.side
        if not state.foes(side.power):
            return candidates, 0
        expected = state.expected(side.power)
        points = {}
        for candidate in candidates:
            judged = state.judge(side, candidate.orders, expected)
            points[candidate.orders] = REPLIED * (judged.score - judged.expected)
        return scored(candidates, REPLIES, points), 0


class Prove:
    """Adds points for certain results beyond those of other candidates."""

    def run(self, case: Case, candidates: Candidates) -> tuple[Candidates, int]:
        """All of them."""
        forcing = case.forcing
        if forcing is None:
            return candidates, 0
        before = forcing.nodes
        points = forcing.points([candidate.orders for candidate in candidates])
        least = min(points.values())
        above = {orders: value - least for orders, value in points.items()}
        return scored(candidates, SURE, above), forcing.nodes - before


class Share:
    """Adds a part of the allies' points after the phase, beyond those that other candidates leave them."""

    def __init__(self, state: PaperState) -> None:
        self.state = state

    def run(self, case: Case, candidates: Candidates) -> tuple[Candidates, int]:
        """All of them."""
        situation, partners = self.state.situation, self.state.bonds.partners(case.side.power)
        if not partners:
            return candidates, 0
        samples = case.trial.sampled(SHARED)
        points = {
            candidate.orders: sum(situation.worth_to(partners, candidate.orders + joint) for joint in samples)
            / len(samples)
            for candidate in candidates
        }
        least = min(points.values())
        above = {orders: own - least for orders, own in points.items()}
        return scored(candidates, ALLIES, above), len(candidates) * len(samples) * len(partners)


class PlayOut:
    """Compares candidates by rollouts as well; proved points are unchanged."""

    def __init__(self, state: PaperState, rollout: Rollout) -> None:
        self.state = state
        self.rollout = rollout

    def halving(self, case: Case, candidates: Candidates) -> SequentialHalving:
        """The comparison of some candidates, before its first rollout."""
        state, power = self.state, case.side.power
        sampler = state.sampler
        return SequentialHalving(
            self.rollout,
            state.situation.position.packed,
            case.side.number,
            [candidate.orders for candidate in candidates],
            [_points(candidate, TRIAL, REPLIES) for candidate in candidates],
            DOUBT,
            sampler.horizon,
            lambda: sampler.joint(power),
            state.random,
            sure=[_points(candidate, SURE, ALLIES) for candidate in candidates],
        )

    def run(
        self, halving: SequentialHalving, case: Case, candidates: Candidates
    ) -> Iterator[tuple[Candidates, int]]:
        """After each round, the candidates in their order with the scores of their rollouts, and the number
        of the leader."""
        for leader in halving.run(case.progress):
            played = {
                candidate.orders: worth - score_without(candidate, ROLLOUTS)
                for candidate, worth in zip(candidates, halving.worth(), strict=True)
            }
            yield scored(candidates, ROLLOUTS, played), leader


def _points(candidate: Candidate, *kinds: str) -> float:
    """The sum of some scores of a candidate."""
    scores = dict(candidate.scores)
    return sum(scores.get(kind, 0.0) for kind in kinds)


class Choose:
    """Makes the final choice: the leader, or a set that is hardly worse, where units without a use are given
    another order."""

    def __init__(self, state: PaperState) -> None:
        self.state = state

    def run(self, case: Case, candidates: Candidates, leader: Candidate) -> Candidate:
        """The candidate that is played, possibly a new one."""
        if case.halving is not None:
            number = [candidate.orders for candidate in candidates].index(leader.orders)
            orders = self.draw_near(case.side.power, case.halving, number)
            leader = next(candidate for candidate in candidates if candidate.orders == orders)
        better = case.trial.without_idlers(leader.orders)
        # A proof may know a loss that no sample shows.
        forcing = case.forcing
        keeps = forcing is None or forcing.worth(better) >= forcing.worth(leader.orders)
        keeps = keeps and case.side.bound(better) == better
        if better == leader.orders or not keeps:
            return leader
        return Candidate(better, PAPER, scores=leader.scores)

    def draw_near(self, power: str, halving: SequentialHalving, leader: int) -> bytes:
        """The leader, or, if it is hardly better than others, one of them drawn from the mixture: predictable
        sets can be countered (section 4.3.6)."""
        shares = dict(self.state.sampler.mixtures.get(power, ()))
        worth = halving.worth()
        near = [halving.candidates[i] for i in halving.near(leader) if worth[leader] - worth[i] < NEARLY]
        weights = [shares.get(orders, 0.0) for orders in near]
        if not any(weights):
            return halving.candidates[leader]
        return self.state.random.choices(near, weights)[0]


class Meter:
    """The used share of a budget, rollouts included."""

    def __init__(self, state: PaperState, rollout: Rollout) -> None:
        self.state = state
        self.rollout = rollout
        self._counted = 0

    def __call__(self, budget: Budget) -> float:
        self.state.spend(self.rollout.nodes - self._counted)
        self._counted = self.rollout.nodes
        return self.state.progress(budget)


class Decision:
    """Decides between the sets that a search has found, stage by stage, and stores what the stages return;
    the ideas in use select the stages. `cases` are the decisions made, the last of each power."""

    def __init__(self, state: PaperState) -> None:
        self.state = state
        self.rollout = Rollout(state.situation.ends, state.sampler.chooser())
        self.cases: dict[str, Case] = {}
        self._progress = Meter(state, self.rollout)
        ideas, phase = state.situation.ideas, state.situation.position.phase
        # Proofs are of who owns what, which Fall settles.
        self._proving = "forcing" in ideas and (phase.season, phase.kind) == ("F", "M")
        plays = "rollouts" in ideas
        self.mix = Mix(state) if "equilibrium" in ideas else None
        self.propose = Propose(state)
        self.trying = Try(TRYING if plays else 1.0)
        self.tests: list[Test] = [Reply(state)] if "replies" in ideas else []
        self.tests += [Prove()] if self._proving else []
        self.tests += [Share(state)] if state.bonds else []
        self.play_out = PlayOut(state, self.rollout) if plays else None
        self.choose = Choose(state)

    def run(self, wanted: list[str], budget: Budget, until: float = 1.0) -> Iterator[str]:
        """Decide for each of the wanted powers, with the rest of the budget up to a share of it; yields a
        power whenever its best set has changed."""
        if self.mix is not None:
            self.mix.run(wanted, lambda: self._progress(budget), budget, until)
        for number, power in enumerate(wanted):
            yield from self._decide(power, budget, until, len(wanted) - number)

    def _case(self, power: str, budget: Budget, begin: float, until: float, sharing: int) -> Case:
        """The decision for a power with its part of the budget from `begin` to `until` for a number of
        powers."""
        side, sampler = self.state.sides[power], self.state.sampler
        # What a case keeps must not know who keeps the case: a circle outlives the search, with the
        # megabytes that its spaces hold, until Python looks for circles.
        spent, share = self._progress, (until - begin) / sharing
        left = budget.size * share

        def late() -> bool:
            return budget.over(begin + PROVED * share)

        return Case(
            side,
            Trial(side.space, lambda: sampler.joint(power)),
            lambda: (spent(budget) - begin) * sharing / (until - begin),
            left,
            late,
            self._forcing(power, PROVING * left, late) if self._proving else None,
        )

    def _forcing(self, power: str, nodes: float, late: Callable[[], bool]) -> Forcing:
        return Forcing(self.state.situation.position, power, nodes, late, plain=True)

    def _decide(self, power: str, budget: Budget, until: float, sharing: int) -> Iterator[str]:
        """Choose between the candidates of a power, with its part of the rest of the budget for a number of
        powers."""
        state = self.state
        begin = self._progress(budget)
        if begin >= until:
            return
        self.cases[power] = case = self._case(power, budget, begin, until, sharing)
        proposed = self.propose.run(case)
        state.spend(0 if case.forcing is None else case.forcing.nodes)
        tried, nodes = self.trying.run(case, proposed)
        tested = promising(case, tried)
        for test in self.tests:
            tested, nodes = test.run(case, tested)
            state.spend(nodes)
        tested = ranked(tested)
        rest = _untested(tried, tested)
        leader = tested[0]
        if state.decide(power, (*rest, *tested), leader):
            yield power
        if self.play_out is not None:
            halving = self.play_out.halving(case, tested)
            self.cases[power] = case = replace(case, halving=halving)
            for played, number in self.play_out.run(halving, case, tested):
                tested, leader = played, played[number]
                if state.decide(power, (*rest, *tested), leader):
                    yield power
                yield from state.exchange(power)
        if state.decide(power, (*rest, *tested), self.choose.run(case, tested, leader)):
            yield power
        yield from state.exchange(power)


def _untested(tried: Candidates, tested: Candidates) -> Candidates:
    """The candidates that were not tested. Their loss to replies is unknown: they count as no
    better than the worst of those that were tested."""
    orders = {candidate.orders for candidate in tested}
    rest = tuple(candidate for candidate in tried if candidate.orders not in orders)
    return scored(
        rest,
        UNTESTED,
        {candidate.orders: min(0.0, tested[-1].value - candidate.value) for candidate in rest},
    )
