"""The search of a movement phase: candidates by best-first search, the choice by playing on.

Paper 002, section 3.3: each power's search has orders of the other powers as its background, and they
take turns, in one process or in several that meet; when a background changes, a search goes on from its
own last set as seed. The backgrounds are drawn from what is believed of each power: the sets of its own
search, or what a policy plays that it seems to follow. A complete set must stand up to the best replies
of nearby enemies that search. In the end comes the decision among the best candidates.
"""

from __future__ import annotations

import math
import os
import random
from collections import deque
from collections.abc import Iterator, Mapping

from bordeaux._ext.influence import Evaluator
from bordeaux.board.position import Position
from bordeaux.search.agenda import Node
from bordeaux.search.bestfirst import best_first, dive, polish
from bordeaux.search.budget import Budget
from bordeaux.search.candidates import search_space
from bordeaux.search.decision import HORIZON, Decision
from bordeaux.search.foresight import Foresight
from bordeaux.search.fronts import by_fronts, fronts
from bordeaux.search.ideas import Ideas
from bordeaux.search.lines import CAUTION, Judged, distinct
from bordeaux.search.maxims import Maxims
from bordeaux.search.opponents import SEARCH, Beliefs
from bordeaux.search.rendezvous import Rendezvous
from bordeaux.search.replies import Neighbourhood, stand_up
from bordeaux.search.seeds import shaken
from bordeaux.search.side import Side
from bordeaux.search.trial import Trial

__all__ = ["MovementSearch"]

#: Backgrounds of a turn: the likeliest orders of the others, and others drawn.
BACKGROUNDS = 6
#: Expansions without an improvement after which a seed is given up.
PATIENCE = 6
#: Sets of a turn that are tested against replies.
TESTED = 4
#: Share of the budget for finding candidates; the rest goes to the decision.
FINDING = float(os.environ.get("FINDING", 0.4))
#: Part of that which dives of enemies may take, and draws of a policy for those who get none.
OPENING, GLANCED = 0.35, 8
#: Least share of what is spent on finding that goes to the wanted powers.
OWN_SHARE = float(os.environ.get("OWN", 0.6))
#: Parts of the finding that a round of turns takes: of the wanted powers, and of their enemies.
OWN_TURN, FOES_TURN = 0.4, 0.3
#: Part that a set's loss to replies has in its score in the end: nobody sees our orders before.
REPLIED = float(os.environ.get("REPLIED", 0.5))
#: A power is searched for if it is believed to search with this share at least.
WORTH_SEARCHING = 0.1
#: Units from which on a power's fronts are worth looking for.
FOR_FRONTS = 8
#: Sets of other processes that are tested even when the time is over: together some two milliseconds.
OFFERED = 3


class MovementSearch:
    """The searches of all powers in one movement position.

    `seeds` are sets of orders (bytes of codes) to start powers from beside all hold; `given` are
    orders that powers are known to give, `beliefs` what is thought of the others. `caution`, from 0
    to 1, is the share of the worst reply when a set is judged by the enemies' replies. `ideas` are
    those in use, all by default; `rendezvous` is where this search meets those of other processes.
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
        rendezvous: Rendezvous | None = None,
    ) -> None:
        self.position = position
        self.evaluator = evaluator
        self.maxims = maxims
        self.random = random.Random(seed)
        self.seeds = seeds or {}
        self.caution = caution
        self.ideas = Ideas.without() if ideas is None else ideas
        self.rendezvous = rendezvous or Rendezvous()
        self.finding = FINDING
        self.wanted: list[str] = []
        #: Those that have been opened: the first answer must not wait for the powers that are not wanted.
        self.sides: dict[str, Side] = {}
        self.neighbourhood = Neighbourhood(position)
        self.judged: dict[str, dict[bytes, Judged]] = {}
        believed = beliefs or Beliefs(position.map)
        if "beliefs" not in self.ideas:
            believed = Beliefs(position.map, prior={SEARCH: 1.0})
        self.foresight = Foresight(position, believed, self.sides, self.random, given)
        self.decision = Decision(self, evaluator)
        self._until = self.finding
        self._groups: dict[str, list[tuple[int, ...]]] = {}

    @property
    def nodes(self) -> int:
        """Adjudications with evaluation that all sides have spent, in all processes; those of rollouts
        count as `bordeaux._ext.rollout` says."""
        return self.rendezvous.count(
            sum(side.space.nodes for side in self.sides.values()) + self.decision.nodes
        )

    def run(self, powers: list[str], budget: Budget) -> Iterator[str]:
        """Search until the budget is spent; yields a power whenever its best set has changed.

        `powers` are those whose orders are wanted; the others are searched as their background.
        """
        present = [power for power in self.position.map.powers if self.position.units_of(power)]
        self.wanted = [power for power in powers if power in present]
        for power in self.wanted:
            for _ in self._open(power):
                yield power
        # A power that hardly searches is foreseen without a search of ours.
        near = {enemy for power in self.wanted for enemy in self.neighbourhood.enemies(power)}
        others = [
            power
            for power in present
            if power in near
            and power not in self.wanted
            and self.foresight.share(power) >= WORTH_SEARCHING
        ]
        rounds = budget.rounds
        begun = self.progress(budget)
        for power in others:
            # As much as a wanted power has taken, the enemy will take as well.
            taken = self.progress(budget) - begun + begun / max(1, len(self.wanted))
            if taken > OPENING * self.finding / rounds:
                self._glance(power)
            else:
                deque(self._open(power), maxlen=0)
        for number in range(rounds):
            self._until = (number + self.finding) / rounds
            yield from self._find(budget)
            yield from self.decision.run(self.rendezvous.share(self.wanted), budget, (number + 1) / rounds)

    def _find(self, budget: Budget) -> Iterator[str]:
        """Search for candidates, in turn; yields a power whenever its best set has changed.

        The wanted powers come first, and at least half of what finding takes is theirs, whatever is
        believed of the others.
        """
        waiting = {True: deque(self.wanted), False: deque(p for p in self.sides if p not in self.wanted)}
        turns = {True: OWN_TURN / max(1, len(self.wanted)), False: FOES_TURN / max(1, len(waiting[False]))}
        while self.wanted and not self.spent(budget, self._until):
            own = self._wanted_nodes() <= OWN_SHARE * self._found_nodes() or not waiting[False]
            if not (mine := self.rendezvous.share([*waiting[own]])):
                own = not own
                if not (mine := self.rendezvous.share([*waiting[own]])):
                    break
            power = mine[0]
            waiting[own].remove(power)
            waiting[own].append(power)
            before = self._until
            self._until = min(before, self.progress(budget) + turns[own] * before)
            if self._improve(power, budget):
                yield power
            self._until = before
            yield from self.rendezvous.exchange(self, power)
        yield from self.rendezvous.exchange(self)
        # What other processes hold for the best of a power that is searched here as well.
        for power, side in self.sides.items():
            if side.offered and self._choose(side, budget):
                yield power

    def _wanted_nodes(self) -> int:
        return sum(self.sides[power].space.nodes for power in self.wanted)

    def _found_nodes(self) -> int:
        return sum(side.space.nodes for side in self.sides.values())

    def foes(self, power: str) -> list[str]:
        """Enemies near a power that are believed to search."""
        return [
            enemy
            for enemy in self.neighbourhood.enemies(power)
            if enemy in self.sides and self.foresight.share(enemy) >= WORTH_SEARCHING
        ]

    def policy(self, power: str, count: int = 1) -> list[bytes]:
        """What the fast policy would order, drawn so many times, as complete nodes of the power's space."""
        if "policy" not in self.ideas:
            return []
        space = self.sides[power].space
        return [space.completed(space.node_of(self.foresight.policy(power))) for _ in range(count)]

    def progress(self, budget: Budget) -> float:
        """Share of the budget that is spent, all that this search has spent counted."""
        budget.used = self.nodes
        return budget.progress()

    def spent(self, budget: Budget, share: float = 1.0) -> bool:
        """Whether this share of the budget is spent."""
        return self.progress(budget) >= share

    def _open(self, power: str) -> Iterator[None]:
        """Make a power's side with its first complete sets: dives from all hold, after which it yields,
        from what a policy plays, and from each seed, after which it yields again if one of them is
        better. All against the sides that are there and what policies play for the rest."""
        number = self.position.map.powers.index(power)
        space = search_space(self.position, power, self.evaluator, self.maxims)
        side = self.sides[power] = Side(power, number, space)
        self.judged[power] = {}
        space.set_backgrounds([self.foresight.joint(power, likeliest=True)], [1.0])
        held = space.node_of(b"")
        side.best = side.keep(Node(space.value(held), held))
        self._dive(side, held)
        yield
        before = side.best
        given = [space.completed(space.node_of(orders)) for orders in self.seeds.get(power, ())]
        for seed in (*self.policy(power), *given):
            self._dive(side, seed)
        if side.best != before:
            yield

    def _glance(self, power: str) -> None:
        """Make a power's side with what a policy plays, for which hardly any nodes are needed."""
        number = self.position.map.powers.index(power)
        space = search_space(self.position, power, self.evaluator, self.maxims)
        side = self.sides[power] = Side(power, number, space)
        self.judged[power] = {}
        space.set_backgrounds([self.foresight.joint(power, likeliest=True)], [1.0])
        for node in (space.node_of(b""), *self.policy(power, GLANCED)):
            kept = side.keep(Node(space.value(node), node))
            if side.pool[kept] >= side.pool.get(side.best, -math.inf):
                side.best = kept

    def _dive(self, side: Side, seed: bytes) -> None:
        side.space.set_seed(seed)
        kept = side.keep(dive(side.space))
        if side.pool[kept] >= side.pool[side.best]:
            side.best = kept

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
        beside: list[Node] = []
        for found in self._searches(side, budget, beside):
            last: Node | None = None
            for last in found:
                side.keep(last)
            side.keep_all(beside)
            beside.clear()
            if last is not None and not self.spent(budget, self._until):
                side.keep(polish(space, last.choices))
            if self.spent(budget, self._until):
                break
        return self._choose(side, budget)

    def _searches(self, side: Side, budget: Budget, beside: list[Node]) -> Iterator[Iterator[Node]]:
        """Searches from several seeds: the best set so far, what a policy plays, the best set with chance
        at work, and all hold."""
        space = side.space
        patience = PATIENCE + space.n_units

        def stop() -> bool:
            return self.spent(budget, self._until)

        start = space.node_of(side.best)
        groups = self._fronts(side)
        if len(groups) > 1:
            yield by_fronts(space, groups, start, stop, patience, beside=beside)
        else:
            yield best_first(space, start, stop, patience, beside)
        for seed in (*self.policy(side.power), shaken(space, start, self.random), space.node_of(b"")):
            yield best_first(space, seed, stop, patience, beside)

    def _fronts(self, side: Side) -> list[tuple[int, ...]]:
        """The groups of a power's units that do not interact; one where it is not worth looking."""
        if "fronts" not in self.ideas or side.space.n_units < FOR_FRONTS:
            return []
        if side.power not in self._groups:
            self._groups[side.power] = fronts(self.position, side.power, self.maxims)
        return self._groups[side.power]

    def _choose(self, side: Side, budget: Budget) -> bool:
        """Test the best sets against replies; the best of those tested becomes current."""
        known = self.judged[side.power]
        ranked = side.ranked()
        foes = [self.sides[foe] for foe in self.foes(side.power)] if "replies" in self.ideas else []
        current = self._expected_of_others(side.power)
        by_judgement = sorted((each for each in ranked if each in known), key=lambda each: known[each].score)
        offered = sorted({*side.offered} & side.pool.keys(), key=lambda each: (-side.pool[each], each))
        side.offered.clear()
        tested = dict.fromkeys((side.best, *offered, *by_judgement[-2:], *ranked[:TESTED]))
        for number, orders in enumerate(tested):
            judged = stand_up(side, orders, current, foes, self.caution)
            known[orders] = known[orders].with_another(judged) if orders in known else judged
            # What other processes hold for the best is judged in any case.
            if number >= min(len(offered), OFFERED) and budget.over():
                break
        # What was decided by playing on stands until it is decided anew.
        before = side.best
        if self.decision.scores(side.power):
            known = {each: known[each] for each in side.pool if each in known}
            self.judged[side.power] = known
            return False
        side.best = max(
            (each for each in side.pool if each in known), key=lambda each: (known[each].score, each)
        )
        # What fell out of the pool is forgotten, so that long searches need no more memory.
        self.judged[side.power] = {each: known[each] for each in side.pool if each in known}
        return side.best != before

    def _expected_of_others(self, power: str) -> dict[str, bytes]:
        """The likeliest orders of every power but one."""
        return {
            other: self.foresight.orders(other, likeliest=True)
            for other in self.position.map.powers
            if other != power and self.position.units_of(other)
        }

    def weigh_replies(self, power: str, trial: Trial, orders: list[bytes]) -> None:
        """Take into the scores of a trial how sets stand up to the replies of enemies that see them."""
        side = self.sides[power]
        foes = [self.sides[foe] for foe in self.foes(power)]
        current = self._expected_of_others(power)
        for each in orders if foes else ():
            judged = stand_up(side, each, current, foes, self.caution)
            trial.scores[each] += REPLIED * (judged.score - judged.expected)

    def lines(self, power: str, count: int = 5) -> list[tuple[bytes, float]]:
        """The best few distinct sets of a power with their values, best first; the current best is
        the first. None for a power without units."""
        if power not in self.sides:
            return []
        side = self.sides[power]
        known = self.judged[power]
        scores = self.decision.scores(power)
        scores = scores or {orders: known[orders].score for orders in side.pool if orders in known}
        scores = scores or dict(side.pool)
        if side.best in side.pool:
            # It may come from another process, with that one's judgement.
            scores.setdefault(side.best, side.pool[side.best])
        return distinct(scores, side.best, count)

    def depth(self, power: str) -> int:
        """Movement phases looked ahead for a power, this one included."""
        return 1 + HORIZON if self.decision.scores(power) else 1

    def pools(self) -> dict[str, list[tuple[bytes, float]]]:
        """The sets that each power would play if it searched as we do, with their shares."""
        return {power: self.foresight.mixture(side) for power, side in self.sides.items()}

    def forecast(self, power: str) -> list[tuple[bytes, float]]:
        """What a power may play, with shares of 1, the likeliest first."""
        return self.foresight.forecast(power)
