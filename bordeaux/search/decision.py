"""The decision among candidate sets: first a mixture where enemies reason too, then playing on.

Sets of the wanted powers and of enemies that search become a game with mixtures (section 4.3.6). Then
the candidates of a wanted power are compared by rollouts against what the others may play. Where luck
alone decides between the best, the mixture does.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from typing import Protocol

from bordeaux._ext.influence import Evaluator
from bordeaux._ext.rollout import Rollout
from bordeaux.board.position import Position
from bordeaux.search.budget import Budget
from bordeaux.search.contest import Contest
from bordeaux.search.forcing.stage import Forcing
from bordeaux.search.foresight import Foresight
from bordeaux.search.ideas import Ideas
from bordeaux.search.lines import Judged
from bordeaux.search.mixing import Mixing
from bordeaux.search.policy import DUMBBOT
from bordeaux.search.rendezvous import Rendezvous
from bordeaux.search.replies import Neighbourhood
from bordeaux.search.side import Side
from bordeaux.search.trial import Trial

__all__ = ["Decision"]

#: Candidates that sampled orders of the others are tried on, draws of the policy beside them, and those
#: of them that are compared by rollouts.
TRIED = 48
DRAWN = 8
#: Points within which the mixture chooses between sets, where luck has to decide.
NEARLY = 8.0
#: Share of the whole budget that looking for what can be forced may take.
PROVING = float(os.environ.get("PROVING", 0.25))
COMPARED = int(os.environ.get("COMPARED", 12))
#: Share of what is left that goes to the trial, where rollouts follow, and the points by which what
#: a trial says of two candidates may be wrong about the game as it goes on.
TRYING = 0.25
DOUBT = float(os.environ.get("DOUBT", 100.0))
#: Movement phases that a rollout plays on.
HORIZON = 2
#: Share of what is left of the budget that goes to the mixtures; a power learns there if it is believed
#: to search with this share at least, and else plays one of so many sets that are foretold.
MIXING = 0.25
SEARCHES = 0.5
FORETOLD = 12
#: Draws that the values of mixtures are the mean of.
VALUED = 50


class Candidates(Protocol):
    """What a decision needs of the search that has found the candidates."""

    position: Position
    random: random.Random
    ideas: Ideas
    sides: dict[str, Side]
    judged: dict[str, dict[bytes, Judged]]
    foresight: Foresight
    neighbourhood: Neighbourhood
    rendezvous: Rendezvous

    def foes(self, power: str) -> list[str]:
        """Enemies near a power that are believed to search."""

    def policy(self, power: str, count: int = 1) -> list[bytes]:
        """Complete nodes of what the fast policy would order."""

    def progress(self, budget: Budget) -> float:
        """Share of the budget that is spent."""

    def weigh_replies(self, power: str, trial: Trial, orders: list[bytes]) -> None:
        """Take into the scores of a trial how sets stand up to the replies of enemies that see them."""

    def lines(self, power: str, count: int = 5) -> list[tuple[bytes, float]]:
        """The best few sets of a power with their values."""


class Decision:
    """Decides between the sets that a search has found. `nodes` is what that has taken."""

    def __init__(self, search: Candidates, evaluator: Evaluator) -> None:
        self.search = search
        self.evaluator = evaluator
        self.rollout = Rollout(evaluator, DUMBBOT.chooser(search.position.map))
        self.trials: dict[str, Trial] = {}
        self.contests: dict[str, Contest] = {}
        self.forced: set[bytes] = set()
        self._mixed = self._proved = 0

    @property
    def nodes(self) -> int:
        """Nodes spent on mixtures and rollouts."""
        return self._mixed + self._proved + self.rollout.nodes

    def scores(self, power: str) -> dict[bytes, float]:
        """Values in points of a power's sets that were tried, those that were played on from with what
        that has shown."""
        if power not in self.trials:
            return {}
        played = self.contests[power].scores() if power in self.contests else {}
        return self.trials[power].scores | played

    def run(self, wanted: list[str], budget: Budget, until: float = 1.0) -> Iterator[str]:
        """Decide for each of the wanted powers, with what is left of the budget up to a share of it;
        yields a power whenever its best set has changed."""
        if "equilibrium" in self.search.ideas:
            self._mix(wanted, budget, until)
        for number, power in enumerate(wanted):
            yield from self._compare(power, budget, until, len(wanted) - number)

    def _mix(self, wanted: list[str], budget: Budget, until: float) -> None:
        """Make the sets of the wanted powers and of enemies that search a game, and mixtures of them."""
        search = self.search
        foes = {foe for power in wanted for foe in search.foes(power)} - set(wanted)
        begin = search.progress(budget)
        if not (foes or len(wanted) > 1) or begin >= until:
            return
        fixed = {
            power: search.foresight.forecast(power)[:FORETOLD]
            for power in search.position.map.powers
            if search.position.units_of(power)
            and power not in wanted
            and (power not in search.sides or search.foresight.share(power) < SEARCHES)
        }
        mixing = Mixing(
            search.position,
            self.evaluator,
            search.sides,
            wanted,
            seed=search.random.getrandbits(32),
            neighbourhood=search.neighbourhood,
            fixed=fixed,
            widen=budget.roomy,
        )

        mixed = self._mixed

        def progress() -> float:
            self._mixed = mixed + mixing.nodes
            return (search.progress(budget) - begin) / ((until - begin) * MIXING)

        mixing.run(progress)
        for power in mixing.learners:
            mixture = mixing.equilibrium.mixture(power, VALUED).pruned()
            search.foresight.mixtures[power] = list(zip(mixture.orders, mixture.shares, strict=True))
            for orders, value in zip(mixture.orders, mixture.values, strict=True):
                search.sides[power].pool.setdefault(orders, value)
        self._mixed = mixed + mixing.nodes

    def _compare(self, power: str, budget: Budget, until: float, sharing: int) -> Iterator[str]:
        """Choose between the candidates of a power, with its part of what is left of the budget for so
        many powers: by sampled orders of the others, then by playing on."""
        search = self.search
        begin = search.progress(budget)
        side = search.sides[power]
        candidates = self._candidates(side)
        if begin >= until:
            return

        def progress() -> float:
            return (search.progress(budget) - begin) * sharing / (until - begin)

        forcing = self._forced(side, candidates, budget, sharing)
        trial = Trial(side.space, lambda: search.foresight.joint(power))
        trial.run(candidates, (lambda: progress() / TRYING) if "rollouts" in search.ideas else progress)
        self.trials[power] = trial
        ranked = trial.ranked()
        ranked = list(dict.fromkeys((*ranked[:COMPARED], *(each for each in ranked if each in self.forced))))
        if "replies" in search.ideas:
            search.weigh_replies(power, trial, ranked)
        if forcing is not None:
            before = forcing.nodes
            least = min(worth := [forcing.worth(orders) for orders in ranked])
            for orders, points in zip(ranked, worth, strict=True):
                trial.scores[orders] += points - least
            self._proved += forcing.nodes - before
        ranked.sort(key=lambda orders: (-trial.scores[orders], orders))
        if ranked[0] != side.best:
            side.best = ranked[0]
            yield power
        if "rollouts" in search.ideas:
            yield from self._play_on(side, trial, ranked, progress)
        better = trial.without_idlers(side.best)
        if better != side.best:
            trial.scores[better] = trial.scores.get(better, trial.scores[side.best])
            side.best = better
            yield power
        yield from search.rendezvous.exchange(search, power)

    def _forced(self, side: Side, candidates: list[bytes], budget: Budget, sharing: int) -> Forcing | None:
        """Add sets that force something to the candidates, where a phase can settle who owns what."""
        search = self.search
        phase = search.position.phase
        if "forcing" not in search.ideas or (phase.season, phase.kind) != ("F", "M"):
            return None
        forcing = Forcing(search.position, side.power, PROVING * budget.size / sharing)
        self.forced = set()
        for orders in forcing.sets():
            known = side.space.orders(side.space.node_of(orders))
            self.forced.add(known)
            if known not in candidates:
                candidates.append(known)
        self._proved += forcing.nodes
        return forcing

    def _play_on(
        self, side: Side, trial: Trial, candidates: list[bytes], progress: Callable[[], float]
    ) -> Iterator[str]:
        """Compare the best of a trial by rollouts as well."""
        search = self.search
        power = side.power
        contest = Contest(
            self.rollout,
            search.position.packed,
            side.number,
            candidates,
            [trial.scores[orders] for orders in candidates],
            DOUBT,
            HORIZON,
            lambda: search.foresight.joint(power),
            search.random,
            lambda totals: search.rendezvous.tally(power, totals),
        )
        self.contests[power] = contest
        leader = 0
        for leader in contest.run(progress):
            if contest.values[leader] and candidates[leader] != side.best:
                side.best = candidates[leader]
                yield power
            yield from search.rendezvous.exchange(search, power)
        choice = self._draw_near(power, contest, leader)
        if choice != side.best:
            side.best = choice
            yield power

    def _candidates(self, side: Side) -> list[bytes]:
        """The sets that are worth a trial: the best so far, those of the mixture, the best judged, the
        best of the pool, and what the fast policy would order."""
        known = self.search.judged[side.power]
        mixed = [orders for orders, _ in self.search.foresight.mixtures.get(side.power, ())]
        judged = sorted(known, key=lambda each: (-known[each].score, each))
        ranked = list(dict.fromkeys((side.best, *mixed, *judged, *side.ranked())))[:TRIED]
        for node in self.search.policy(side.power, DRAWN):
            ranked.append(side.space.orders(node))
        return list(dict.fromkeys(ranked))

    def _draw_near(self, power: str, contest: Contest, leader: int) -> bytes:
        """The leader, or where it is hardly better than others, one of them by the mixture: who can be
        foreseen can be countered (section 4.3.6)."""
        shares = dict(self.search.foresight.mixtures.get(power, ()))
        worth = contest.worth()
        near = [contest.candidates[i] for i in contest.near(leader) if worth[leader] - worth[i] < NEARLY]
        weights = [shares.get(orders, 0.0) for orders in near]
        if not any(weights):
            return contest.candidates[leader]
        return self.search.random.choices(near, weights)[0]
