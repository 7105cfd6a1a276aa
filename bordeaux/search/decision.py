"""The decision among candidate sets: try them, see what is sure, mix where enemies reason too, play on.

Each step adds to what the one before knows. A *mixture* of the sets of powers that search tells what they may
play (section 4.3.6). A *trial* values the candidates against sampled orders of the others, *replies* take off
what an enemy who sees them could do, *forcing* adds what no reply can take away. *Rollouts* are evidence on
top of that. Last, no unit idles that could help at no cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bordeaux._ext.rollout import Rollout
from bordeaux.search.budget import Budget
from bordeaux.search.contest import Contest
from bordeaux.search.forcing.stage import Forcing
from bordeaux.search.mixing import Mixing
from bordeaux.search.policy import DUMBBOT
from bordeaux.search.side import Side
from bordeaux.search.situation import Situation
from bordeaux.search.trial import Trial

__all__ = ["Decision"]

#: Candidates that sampled orders of the others are tried on, draws of the policy beside them, and those
#: of them that go on.
TRIED = 48
DRAWN = 8
COMPARED = 12
#: Sets that are compared however little is left, and nodes that one takes in a trial, and with its replies.
FEWEST = 4
PER_TRIAL, PER_SET = 30, 120
#: Share of what is left that goes to the trial, where rollouts follow, and the points by which what
#: a trial says of two candidates may be wrong about the game as it goes on.
TRYING = 0.25
DOUBT = 100.0
#: Part that a set's loss to replies has in its score: nobody sees our orders before.
REPLIED = 0.5
#: Share of a decision that looking for what can be forced may take, and when the clock ends it at the latest.
PROVING, PROVED = 0.3, 0.5
#: Sets whose orders fill up those that force something.
FILLING = 2
#: Points within which the mixture chooses between sets, where luck has to decide.
NEARLY = 8.0
#: Movement phases that a rollout plays on.
HORIZON = 2
#: Share of what is left of the budget that goes to the mixtures; a power learns there if it is believed
#: to search with this share at least, and else plays one of so many sets that are foretold.
MIXING = 0.25
SEARCHES = 0.5
FORETOLD = 12
#: Draws that the values of mixtures are the mean of.
VALUED = 50


class Decision:
    """Decides between the sets that a search has found."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.rollout = Rollout(situation.evaluator, DUMBBOT.chooser(situation.position.map))
        self.trials: dict[str, Trial] = {}
        self.contests: dict[str, Contest] = {}
        self._counted = 0

    def played_on(self, power: str) -> bool:
        """Whether sets of a power have been compared by rollouts."""
        return power in self.contests

    def run(self, wanted: list[str], budget: Budget, until: float = 1.0) -> Iterator[str]:
        """Decide for each of the wanted powers, with what is left of the budget up to a share of it;
        yields a power whenever its best set has changed."""
        if "equilibrium" in self.situation.ideas:
            self._mix(wanted, budget, until)
        for number, power in enumerate(wanted):
            yield from self._decide(power, budget, until, len(wanted) - number)

    def _progress(self, budget: Budget) -> float:
        """Share of the budget that is spent, rollouts included."""
        self.situation.deciding += self.rollout.nodes - self._counted
        self._counted = self.rollout.nodes
        return self.situation.progress(budget)

    def _mix(self, wanted: list[str], budget: Budget, until: float) -> None:
        """Make the sets of the wanted powers and of enemies that search a game, and mixtures of them."""
        here = self.situation
        foes = {foe for power in wanted for foe in here.foes(power)} - set(wanted)
        begin = self._progress(budget)
        if not (foes or len(wanted) > 1) or begin >= until:
            return
        fixed = {
            power: here.foresight.forecast(power)[:FORETOLD]
            for power in here.present
            if power not in wanted and (power not in here.sides or here.foresight.share(power) < SEARCHES)
        }
        mixing = Mixing(
            here.position,
            here.evaluator,
            here.sides,
            wanted,
            seed=here.random.getrandbits(32),
            neighbourhood=here.neighbourhood,
            fixed=fixed,
            widen=budget.roomy,
        )
        counted = 0

        def progress() -> float:
            nonlocal counted
            here.deciding += mixing.nodes - counted
            counted = mixing.nodes
            return (self._progress(budget) - begin) / ((until - begin) * MIXING)

        mixing.run(progress)
        for power in mixing.learners:
            mixture = mixing.equilibrium.mixture(power, VALUED).pruned()
            here.foresight.mixtures[power] = list(zip(mixture.orders, mixture.shares, strict=True))
            for orders, value in zip(mixture.orders, mixture.values, strict=True):
                here.sides[power].pool.setdefault(orders, value)
        progress()

    def _decide(self, power: str, budget: Budget, until: float, sharing: int) -> Iterator[str]:
        """Choose between the candidates of a power, with its part of what is left of the budget for so
        many powers."""
        here = self.situation
        side = here.sides[power]
        foresight = here.foresight
        begin = self._progress(budget)
        if begin >= until:
            return

        def progress() -> float:
            return (self._progress(budget) - begin) * sharing / (until - begin)

        before = side.best
        # With little left, fewer sets are looked at, so that the limit is kept.
        left = budget.size * (until - begin) / sharing
        tried, compared = min(TRIED, int(left / PER_TRIAL)), min(COMPARED, int(left / PER_SET))
        forcing = self._forcing(side, budget, (until - begin) / sharing)
        forced = self._forced(side, forcing)
        trial = Trial(side.space, lambda: foresight.joint(power))
        trying = TRYING if "rollouts" in here.ideas else 1.0
        candidates = self._candidates(side, max(FEWEST, tried))
        trial.run([*dict.fromkeys((*candidates, *forced))], lambda: progress() / trying)
        self.trials[power] = trial
        ranked = trial.ranked()
        # What was found by proofs is proved first: the patience for that has an end.
        ranked = list(dict.fromkeys((*forced, *ranked[: max(FEWEST, compared)])))
        self._weigh_replies(side, trial, ranked)
        proved = self._weigh_proofs(forcing, trial, ranked)
        ranked.sort(key=lambda orders: (-trial.scores[orders], orders))
        # What the others would lose to replies was not looked at: they are no better than those that were.
        floor = trial.scores[ranked[-1]]
        for orders in trial.scores.keys() - set(ranked):
            trial.scores[orders] = min(trial.scores[orders], floor)
        side.best = ranked[0]
        here.decided[power] = trial.scores
        if side.best != before:
            yield power
        if "rollouts" in here.ideas:
            yield from self._play_on(side, trial, ranked, proved, progress)
        better = trial.without_idlers(side.best)
        # What no sample shows a proof may know.
        keeps = forcing is None or forcing.worth(better) >= forcing.worth(side.best)
        if better != side.best and keeps:
            here.decided[power][better] = here.decided[power][side.best]
            side.best = better
            yield power
        yield from here.rendezvous.exchange(here, power)

    def _candidates(self, side: Side, count: int) -> list[bytes]:
        """About so many sets that are worth a trial: the best so far, those of the mixture, the best
        judged, the best of the pool, and what the fast policy would order."""
        here = self.situation
        known = here.judged[side.power]
        mixed = [orders for orders, _ in here.foresight.mixtures.get(side.power, ())]
        judged = sorted(known, key=lambda each: (-known[each].score, each))
        ranked = list(dict.fromkeys((side.best, *mixed, *judged, *side.ranked())))[:count]
        drawn = [side.space.orders(node) for node in here.policy(side.power, min(DRAWN, count // 2))]
        return list(dict.fromkeys((*ranked, *drawn)))

    def _forcing(self, side: Side, budget: Budget, share: float) -> Forcing | None:
        """What can be forced, where a phase can settle who owns what, within a part of a share of the
        budget."""
        phase = self.situation.position.phase
        if "forcing" not in self.situation.ideas or (phase.season, phase.kind) != ("F", "M"):
            return None
        end = self._progress(budget) + PROVED * share
        allowed = PROVING * share * budget.size
        return Forcing(self.situation.position, side.power, allowed, lambda: budget.over(end))

    def _forced(self, side: Side, forcing: Forcing | None) -> list[bytes]:
        """Sets that force something, as the search space has them."""
        if forcing is None:
            return []
        others = list(dict.fromkeys((side.best, *side.ranked())))[:FILLING]
        sets = [side.space.orders(side.space.node_of(orders)) for orders in forcing.sets(others)]
        self.situation.deciding += forcing.nodes
        return list(dict.fromkeys(sets))

    def _weigh_replies(self, side: Side, trial: Trial, sets: list[bytes]) -> None:
        """Take off from the scores what enemies that see a set could do about it."""
        here = self.situation
        if "replies" not in here.ideas or not here.foes(side.power):
            return
        expected = here.expected(side.power)
        for orders in sets:
            judged = here.judge(side, orders, expected)
            trial.scores[orders] += REPLIED * (judged.score - judged.expected)

    def _weigh_proofs(self, forcing: Forcing | None, trial: Trial, sets: list[bytes]) -> dict[bytes, float]:
        """Add to the scores what is sure, as far as it is more than the others of the sets have; returns
        the points added."""
        if forcing is None:
            return dict.fromkeys(sets, 0.0)
        before = forcing.nodes
        points = forcing.points(sets)
        least = min(points.values())
        added = {orders: points[orders] - least for orders in sets}
        for orders in sets:
            trial.scores[orders] += added[orders]
        self.situation.deciding += forcing.nodes - before
        return added

    def _play_on(
        self,
        side: Side,
        trial: Trial,
        candidates: list[bytes],
        proved: Mapping[bytes, float],
        progress: Callable[[], float],
    ) -> Iterator[str]:
        """Compare candidates, best first, by rollouts as well; what is proved of them stays as it is."""
        here = self.situation
        power = side.power
        foresight, rendezvous = here.foresight, here.rendezvous
        contest = Contest(
            self.rollout,
            here.position.packed,
            side.number,
            candidates,
            [trial.scores[orders] - proved[orders] for orders in candidates],
            DOUBT,
            HORIZON,
            lambda: foresight.joint(power),
            here.random,
            lambda totals: rendezvous.tally(power, totals),
            sure=[proved[orders] for orders in candidates],
        )
        self.contests[power] = contest
        leader = 0
        for leader in contest.run(progress):
            here.decided[power] = trial.scores | contest.scores()
            if candidates[leader] != side.best:
                side.best = candidates[leader]
                yield power
            yield from rendezvous.exchange(here, power)
        choice = self._draw_near(power, contest, leader)
        if choice != side.best:
            side.best = choice
            yield power

    def _draw_near(self, power: str, contest: Contest, leader: int) -> bytes:
        """The leader, or where it is hardly better than others, one of them by the mixture: who can be
        foreseen can be countered (section 4.3.6)."""
        shares = dict(self.situation.foresight.mixtures.get(power, ()))
        worth = contest.worth()
        near = [contest.candidates[i] for i in contest.near(leader) if worth[leader] - worth[i] < NEARLY]
        weights = [shares.get(orders, 0.0) for orders in near]
        if not any(weights):
            return contest.candidates[leader]
        return self.situation.random.choices(near, weights)[0]
