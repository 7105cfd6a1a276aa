"""The search of a movement phase: candidates by best-first search, the choice by playing on.

Paper 002, section 3.3, in one process: each power's search has orders of the other powers as its
background, and they take turns; when a background changes, a search goes on from its own last set as
seed. The backgrounds are drawn from what is believed of each power: the sets of its own search, or what
a policy plays that it seems to follow. A complete set must stand up to the best replies of nearby
enemies that search. In the end the best candidates are compared by rollouts.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from bordeaux._ext.influence import Evaluator
from bordeaux._ext.rollout import Rollout
from bordeaux.board.position import Position
from bordeaux.search.agenda import Node
from bordeaux.search.bestfirst import best_first, dive, polish
from bordeaux.search.budget import Budget
from bordeaux.search.candidates import search_space
from bordeaux.search.contest import Contest
from bordeaux.search.foresight import Foresight
from bordeaux.search.ideas import Ideas
from bordeaux.search.lines import CAUTION, Judged, distinct
from bordeaux.search.maxims import Maxims
from bordeaux.search.mixing import Mixing
from bordeaux.search.opponents import SEARCH, Beliefs
from bordeaux.search.policy import DUMBBOT
from bordeaux.search.replies import Neighbourhood, stand_up
from bordeaux.search.seeds import shaken
from bordeaux.search.side import Side

__all__ = ["MovementSearch"]

#: Backgrounds of a turn: the likeliest orders of the others, and others drawn.
BACKGROUNDS = 6
#: Expansions without an improvement after which a seed is given up.
PATIENCE = 6
#: Sets of a turn that are tested against replies.
TESTED = 4
#: Share of the budget for finding candidates; the rest compares them.
FINDING = 0.4
#: Candidates that are compared by rollouts, and draws of the policy among them.
COMPARED = 20
DRAWN = 3
#: Movement phases that a rollout plays on.
HORIZON = 2
#: A power is searched for if it is believed to search with this share at least.
WORTH_SEARCHING = 0.1
#: Share of what is left after finding that goes to the mixtures; a power learns there if it is believed
#: to search with this share at least, and else plays one of so many sets that are foretold.
MIXING = 0.25
SEARCHES = 0.5
FORETOLD = 12
#: Draws that the values of mixtures are the mean of.
VALUED = 50


class MovementSearch:
    """The searches of all powers in one movement position.

    `seeds` are sets of orders (bytes of codes) to start powers from beside all hold; `given` are
    orders that powers are known to give, `beliefs` what is thought of the others. `caution`, from 0
    to 1, is the share of the worst reply when a set is judged by the enemies' replies. `ideas` are
    those in use, all by default.
    """

    def __init__(
        self,
        position: Position,
        evaluator: Evaluator,
        *,
        maxims: Maxims,
        seed: int = 0,
        seeds: Mapping[str, list[bytes]] | None = None,
        beliefs: Beliefs | None = None,
        given: Mapping[str, bytes] | None = None,
        caution: float = CAUTION,
        ideas: Ideas | None = None,
    ) -> None:
        self.position = position
        self.random = random.Random(seed)
        self.seeds = seeds or {}
        self.caution = caution
        self.ideas = Ideas.without() if ideas is None else ideas
        self.finding = FINDING if "rollouts" in self.ideas else 1.0
        map = position.map
        self.sides: dict[str, Side] = {}
        for number, power in enumerate(map.powers):
            if position.units_of(power):
                self.sides[power] = Side(power, number, search_space(position, power, evaluator, maxims))
        self.neighbourhood = Neighbourhood(position)
        self.judged: dict[str, dict[bytes, Judged]] = {power: {} for power in self.sides}
        believed = beliefs or Beliefs(map)
        if "beliefs" not in self.ideas:
            believed = Beliefs(map, prior={SEARCH: 1.0})
        self.foresight = Foresight(position, believed, self.sides, self.random, given)
        self.rollout = Rollout(evaluator, DUMBBOT.chooser(map))
        self.contests: dict[str, Contest] = {}
        self.evaluator = evaluator
        self.mixed = 0

    @property
    def nodes(self) -> int:
        """Adjudications with evaluation that all sides have spent, rollouts included."""
        return sum(side.space.nodes for side in self.sides.values()) + self.rollout.nodes + self.mixed

    def run(self, powers: list[str], budget: Budget) -> Iterator[str]:
        """Search until the budget is spent; yields a power whenever its best set has changed.

        `powers` are those whose orders are wanted; the others are searched as their background.
        """
        wanted = [power for power in powers if power in self.sides]
        for power in (*wanted, *(other for other in self.sides if other not in wanted)):
            self._open(power)
            yield power
        turn = 0
        while wanted and not self._spent(budget, self.finding):
            for power in self._turns(wanted, turn):
                if self._improve(power, budget):
                    yield power
                if self._spent(budget, self.finding):
                    break
            turn += 1
        self._mix(wanted, budget)
        for k, power in enumerate(wanted):
            share = (1 - self._progress(budget)) / (len(wanted) - k)
            yield from self._compare(power, budget, share)

    def _turns(self, wanted: list[str], turn: int) -> list[str]:
        """Whose turn it is in a round: the wanted powers always, neighbours that search every other time."""
        if turn % 2:
            return wanted
        near = {enemy for power in wanted for enemy in self._foes(power)}
        return [power for power in self.sides if power in near and power not in wanted] + wanted

    def _foes(self, power: str) -> list[str]:
        """Enemies near a power that are believed to search."""
        return [
            enemy
            for enemy in self.neighbourhood.enemies(power)
            if enemy in self.sides and self.foresight.share(enemy) >= WORTH_SEARCHING
        ]

    def _progress(self, budget: Budget) -> float:
        budget.used = self.nodes
        return budget.progress()

    def _spent(self, budget: Budget, share: float = 1.0) -> bool:
        return self._progress(budget) >= share

    def _open(self, power: str) -> None:
        """The first complete sets: what a policy plays, and dives from all hold and from each seed."""
        side = self.sides[power]
        space = side.space
        space.set_backgrounds([self.foresight.joint(power, likeliest=True)], [1.0])
        side.best = side.keep(Node(space.value(space.node_of(b"")), space.node_of(b"")))
        for orders in (b"", *self._policy(power), *self.seeds.get(power, ())):
            space.set_seed(space.completed(space.node_of(orders)))
            node = dive(space)
            kept = side.keep(node)
            if side.pool[kept] >= side.pool[side.best]:
                side.best = kept

    def _policy(self, power: str, count: int = 1) -> list[bytes]:
        """What the fast policy would order."""
        return [self.foresight.policy(power) for _ in range(count)] if "policy" in self.ideas else []

    def _improve(self, power: str, budget: Budget) -> bool:
        """One turn of one power; says whether its best set has changed."""
        side = self.sides[power]
        space = side.space
        backgrounds = [self.foresight.joint(power, likeliest=True)]
        if "variants" in self.ideas:
            backgrounds += [self.foresight.joint(power) for _ in range(BACKGROUNDS - 1)]
        space.set_backgrounds(backgrounds, [1.0] * len(backgrounds))
        for orders in list(side.pool):
            side.pool[orders] = space.value(space.node_of(orders))
        self._search(side, budget)
        return self._choose(side, budget)

    def _search(self, side: Side, budget: Budget) -> None:
        space = side.space
        start = space.node_of(side.best)
        policy = [space.completed(space.node_of(orders)) for orders in self._policy(side.power)]
        for seed in (start, *policy, shaken(space, start, self.random), space.node_of(b"")):
            found: Node | None = None
            for found in best_first(
                space, seed, lambda: self._spent(budget, self.finding), PATIENCE + space.n_units
            ):
                side.keep(found)
            if found is not None and not self._spent(budget, self.finding):
                side.keep(polish(space, found.choices))
            if self._spent(budget, self.finding):
                return

    def _choose(self, side: Side, budget: Budget) -> bool:
        """Test the best sets against replies; the best of those tested becomes current."""
        known = self.judged[side.power]
        ranked = side.ranked()
        foes = [self.sides[foe] for foe in self._foes(side.power)] if "replies" in self.ideas else []
        current = {
            other: self.foresight.orders(other, likeliest=True) for other in self.sides if other != side.power
        }
        by_judgement = sorted((each for each in ranked if each in known), key=lambda each: known[each].score)
        for orders in dict.fromkeys((side.best, *by_judgement[-2:], *ranked[:TESTED])):
            judged = stand_up(side, orders, current, foes, self.caution)
            known[orders] = known[orders].with_another(judged) if orders in known else judged
            if budget.over():
                break
        before = side.best
        side.best = max(
            (each for each in side.pool if each in known), key=lambda each: (known[each].score, each)
        )
        # What fell out of the pool is forgotten, so that long searches need no more memory.
        self.judged[side.power] = {each: known[each] for each in side.pool if each in known}
        return side.best != before

    def _mix(self, wanted: list[str], budget: Budget) -> None:
        """Make the sets of the wanted powers and of enemies that search a game, and mixtures of them."""
        foes = {foe for power in wanted for foe in self._foes(power)} - set(wanted)
        begin = self._progress(budget)
        if "equilibrium" not in self.ideas or not (foes or len(wanted) > 1) or begin >= 1:
            return
        share = (1 - begin) * MIXING
        fixed = {
            power: self._foretold(power)
            for power in self.sides
            if power not in wanted and self.foresight.share(power) < SEARCHES
        }
        mixing = Mixing(
            self.position,
            self.evaluator,
            self.sides,
            wanted,
            seed=self.random.getrandbits(32),
            neighbourhood=self.neighbourhood,
            fixed=fixed,
            widen=budget.roomy,
        )

        def progress() -> float:
            budget.used = self.nodes + mixing.nodes
            return (budget.progress() - begin) / share

        mixing.run(progress)
        for power in mixing.learners:
            mixture = mixing.equilibrium.mixture(power, VALUED).pruned()
            self.foresight.mixtures[power] = list(zip(mixture.orders, mixture.shares, strict=True))
            for orders, value in zip(mixture.orders, mixture.values, strict=True):
                self.sides[power].pool.setdefault(orders, value)
        self.mixed = mixing.nodes

    def _foretold(self, power: str) -> list[tuple[bytes, float]]:
        """Some likely sets of a power, with an order for every unit."""
        space = self.sides[power].space
        held = space.orders(space.node_of(b""))
        shares: dict[bytes, float] = {}
        for orders, share in self.foresight.forecast(power)[:FORETOLD]:
            shares[orders or held] = shares.get(orders or held, 0.0) + share
        return list(shares.items())

    def _compare(self, power: str, budget: Budget, share: float) -> Iterator[str]:
        """Compare the candidates of a power by rollouts, within a share of the budget."""
        begin = self._progress(budget)
        if begin >= 1 or share <= 0 or "rollouts" not in self.ideas:
            return
        side = self.sides[power]
        candidates = self._candidates(side)
        if len(candidates) < 2:
            return
        contest = Contest(
            self.rollout,
            self.position.packed,
            side.number,
            candidates,
            HORIZON,
            lambda: self.foresight.joint(power),
            self.random,
        )
        self.contests[power] = contest
        leader = 0
        for leader in contest.run(lambda: (self._progress(budget) - begin) / share):
            if contest.values[leader] and candidates[leader] != side.best:
                side.best = candidates[leader]
                yield power
        choice = self._draw_near(power, contest, leader)
        if choice != side.best:
            side.best = choice
            yield power

    def _candidates(self, side: Side) -> list[bytes]:
        """The sets that are worth playing on from: the best so far, those of the mixture, the best judged,
        the best of the pool, and what the fast policy would order."""
        known = self.judged[side.power]
        mixed = [orders for orders, _ in self.foresight.mixtures.get(side.power, ())]
        judged = sorted(known, key=lambda each: (-known[each].score, each))
        ranked = list(dict.fromkeys((side.best, *mixed, *judged, *side.ranked())))[:COMPARED]
        for orders in self._policy(side.power, DRAWN):
            node = side.space.completed(side.space.node_of(orders))
            ranked.append(side.keep(Node(side.space.value(node), node)))
        return list(dict.fromkeys(ranked))

    def _draw_near(self, power: str, contest: Contest, leader: int) -> bytes:
        """The leader, or where luck decides between it and others, one of them by the mixture: who can
        be foreseen can be countered (section 4.3.6)."""
        shares = dict(self.foresight.mixtures.get(power, ()))
        near = [contest.candidates[i] for i in contest.near(leader)]
        weights = [shares.get(orders, 0.0) for orders in near]
        if not any(weights):
            return contest.candidates[leader] if contest.values[leader] else self.sides[power].best
        return self.random.choices(near, weights)[0]

    def lines(self, power: str, count: int = 5) -> list[tuple[bytes, float]]:
        """The best few distinct sets of a power with their values, best first; the current best is
        the first. None for a power without units."""
        if power not in self.sides:
            return []
        side = self.sides[power]
        known = self.judged[power]
        contest = self.contests.get(power)
        scores = contest.scores() if contest is not None else {}
        scores = scores or {orders: known[orders].score for orders in side.pool if orders in known}
        return distinct(scores or dict(side.pool), side.best, count)

    def pools(self) -> dict[str, list[tuple[bytes, float]]]:
        """The sets that each power would play if it searched as we do, with their shares."""
        return {power: self.foresight.mixture(side) for power, side in self.sides.items()}

    def forecast(self, power: str) -> list[tuple[bytes, float]]:
        """What a power may play, with shares of 1, the likeliest first."""
        return self.foresight.forecast(power)
