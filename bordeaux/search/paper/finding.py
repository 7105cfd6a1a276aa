"""Finds candidates: the powers take turns, each searching best-first against the possible orders of the
others.

Hall and Loeb (1995), section 3.3: each power's search has orders of the other powers as its background. When
a background changes, a search continues from its own last set as seed. The wanted powers come first. They get
at least half of the budget for finding, whatever the beliefs about the others. A set of ours that was not
found cannot be chosen, while an enemy's best set is one prediction among many.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence

from bordeaux.search.bestfirst import (
    AgendaNode,
    best_first,
    greedy_descent,
    perturbed,
    polish,
    search_space,
)
from bordeaux.search.paper.fronts import by_fronts, fronts
from bordeaux.search.paper.power_search import PowerSearch
from bordeaux.search.paper.state import PaperState
from bordeaux.search.task import Budget

#: Share of the budget for finding candidates; the rest goes to mixtures.
FINDING = 0.8
#: Backgrounds of a turn: the most probable orders of the others, and drawn ones.
BACKGROUNDS = 6
#: Expansions without an improvement after which a seed is abandoned.
PATIENCE = 6
#: Sets of a turn that are tested against replies.
TESTED = 4
#: The part of the budget for finding that descents of enemies may use, and draws of a policy for the other
#: enemies.
OPENING, GLANCED = 0.35, 8
#: The share of the spent budget for finding below which the wanted powers continue. It leaves room for a turn
#: of an enemy, so that the wanted powers have half in the end.
OWN_SHARE = 0.7
#: The parts of the budget for finding in a round of turns: of the wanted powers, and of their enemies.
OWN_TURN, FOES_TURN = 0.4, 0.3
#: Nodes for each unit to open a side by a descent, roughly, and in the shortest turn against one background.
#: A descent cannot be interrupted, so it must fit before it begins.
OPENED, DIVED = 30, 30
#: The number of units from which on a power's fronts are searched.
FOR_FRONTS = 8
#: Sets of other processes that are tested even after the limit; this takes some two milliseconds.
OFFERED = 3


class Finding:
    """Fills the pools of the sides of a search's state, and sets the best set of each."""

    def __init__(self, state: PaperState) -> None:
        self.state = state
        self.situation = state.situation
        self._until = FINDING
        self._groups: dict[str, list[tuple[int, ...]]] = {}

    def open_wanted(self) -> Iterator[str]:
        """First complete sets of the wanted powers; yields a power whenever its best set has changed."""
        for power in self.state.wanted:
            for _ in self._open(power):
                yield power

    def open_rivals(self, budget: Budget) -> None:
        """First complete sets of searching enemies: by a descent if the budget allows, else drawn."""
        state = self.state
        begun = state.progress(budget)
        for power in state.rivals():
            taken = state.progress(budget) - begun + OPENED * self._units(power) / budget.size
            if taken > OPENING * FINDING / budget.rounds:
                self._glance(power)
            else:
                deque(self._open(power), maxlen=0)

    def run(self, budget: Budget, until: float) -> Iterator[str]:
        """Search in turn until a share of the budget is used; yields a power whenever its best set has
        changed."""
        state, situation = self.state, self.situation
        mine = deque(state.wanted)
        theirs = deque(power for power in state.sides if power not in state.wanted)
        while state.wanted and not state.spent(budget, until):
            first, second = (mine, theirs) if self._own_turn(theirs) else (theirs, mine)
            queue = first if situation.rendezvous.share([*first]) else second
            powers = situation.rendezvous.share([*queue])
            if not powers:
                break
            power = powers[0]
            queue.remove(power)
            queue.append(power)
            part = OWN_TURN if queue is mine else FOES_TURN
            self._until = min(until, state.progress(budget) + part * until / len(queue))
            if self._improve(power, budget):
                yield power
            yield from state.exchange(power)
        self._until = until
        yield from state.exchange()
        # Judge the best sets of other processes for a power that is also searched here.
        for power, side in state.sides.items():
            if side.offered and self._choose(side, budget):
                yield power

    def _own_turn(self, theirs: Sequence[str]) -> bool:
        """Whether the wanted powers have less than their share of the budget for finding, or would have less
        than half after the next turn of the others."""
        sides = self.state.sides
        own = sum(sides[power].space.nodes for power in self.state.wanted)
        taken = sum(side.space.nodes for side in sides.values())
        backgrounds = BACKGROUNDS if "variants" in self.situation.ideas else 1
        shortest = DIVED * backgrounds * self._units(theirs[0]) if theirs else 0
        return own <= max(OWN_SHARE * taken, (taken + shortest) / 2)

    def _units(self, power: str) -> int:
        return len(self.situation.position.units_of(power))

    def _side(self, power: str) -> PowerSearch:
        """A power's side, with all hold in its pool, against the expected orders of the others."""
        state, situation = self.state, self.situation
        number = situation.position.map.powers.index(power)
        word = state.bonds.own(power) if power in state.wanted else []
        space = search_space(
            situation.position, power, situation.evaluator, situation.maxims, state.bonds, word
        )
        promised = {unit: code for bond in word for unit, code in bond.promised.items()}
        side = state.sides[power] = PowerSearch(power, number, space, promised)
        state.judged[power] = {}
        space.set_backgrounds([state.sampler.joint(power, likeliest=True)], [1.0])
        held = space.node_of(b"")
        side.best = side.keep(AgendaNode(space.value(held), held))
        return side

    def _open(self, power: str) -> Iterator[None]:
        """Make a power's side with its first complete sets. The first is a descent from all hold, after which
        it yields. Then come descents from the set of a policy and from each seed, and it yields again if one
        of them is better. All are against the existing sides and the sets of policies for the rest."""
        side = self._side(power)
        space = side.space
        self._dive(side, space.node_of(b""))
        yield
        before = side.best
        seeds = self.situation.task.seeds.get(power, ())
        given = [space.completed(space.node_of(orders)) for orders in seeds]
        # One of the policies is enough to begin with: each dive takes nodes from the finding.
        for seed in (*self.state.policy(power)[-1:], *given):
            self._dive(side, seed)
        if side.best != before:
            yield

    def _glance(self, power: str) -> None:
        """Make a power's side with the set of a policy, which needs hardly any nodes."""
        side = self._side(power)
        for node in self.state.policy(power, GLANCED)[-GLANCED:]:
            kept = side.keep(AgendaNode(side.space.value(node), node))
            if side.pool[kept] >= side.pool.get(side.best, -math.inf):
                side.best = kept

    def _dive(self, side: PowerSearch, seed: bytes) -> None:
        side.space.set_seed(seed)
        kept = side.keep(greedy_descent(side.space))
        if side.pool[kept] >= side.pool[side.best]:
            side.best = kept

    def _improve(self, power: str, budget: Budget) -> bool:
        """One turn of one power; returns whether its best set has changed."""
        state, situation = self.state, self.situation
        side = state.sides[power]
        space = side.space
        side.widen(budget.breadth)
        backgrounds = [state.sampler.joint(power, likeliest=True)]
        if "variants" in situation.ideas:
            backgrounds += [state.sampler.joint(power) for _ in range(BACKGROUNDS - 1)]
        space.set_backgrounds(backgrounds, [1.0] * len(backgrounds))
        for orders in side.ranked():
            # Values of another background are no longer comparable; of a large pool the best are renewed.
            if state.spent(budget, self._until):
                break
            side.pool[orders] = space.value(space.node_of(orders))
        beside: list[AgendaNode] = []
        for steps in self._searches(side, budget, beside):
            last: AgendaNode | None = None
            for last in steps:
                side.keep(last)
            side.keep_all(beside)
            beside.clear()
            if last is not None and not state.spent(budget, self._until):
                side.keep(polish(space, last.choices))
            if state.spent(budget, self._until):
                break
        return self._choose(side, budget)

    def _searches(
        self, side: PowerSearch, budget: Budget, beside: list[AgendaNode]
    ) -> Iterator[Iterator[AgendaNode]]:
        """Searches from several seeds: the best set so far, the set of a policy, the best set perturbed, and
        all hold."""
        state, space = self.state, side.space
        patience = PATIENCE + space.n_units

        def stop() -> bool:
            return state.spent(budget, self._until)

        start = space.node_of(side.best)
        groups = self._fronts(side)
        if len(groups) > 1:
            yield by_fronts(space, groups, start, stop, patience, beside=beside)
        else:
            yield best_first(space, start, stop, patience, beside)
        for seed in (
            *state.policy(side.power),
            perturbed(space, start, state.random),
            space.node_of(b""),
        ):
            yield best_first(space, seed, stop, patience, beside)

    def _fronts(self, side: PowerSearch) -> list[tuple[int, ...]]:
        """The groups of a power's units that do not interact; a single one if a split is not worthwhile."""
        situation = self.situation
        if "fronts" not in situation.ideas or side.space.n_units < FOR_FRONTS:
            return []
        if side.power not in self._groups:
            self._groups[side.power] = fronts(situation.position, side.power, situation.maxims)
        return self._groups[side.power]

    def _choose(self, side: PowerSearch, budget: Budget) -> bool:
        """Test the best sets against replies; the best of those tested becomes current."""
        state = self.state
        known = state.judged[side.power]
        ranked = side.ranked()
        expected = state.expected(side.power)
        by_judgement = sorted(
            (orders for orders in ranked if orders in known), key=lambda orders: known[orders].score
        )
        offered = sorted({*side.offered} & side.pool.keys(), key=lambda orders: (-side.pool[orders], orders))
        side.offered.clear()
        tested = dict.fromkeys((side.best, *offered, *by_judgement[-2:], *ranked[:TESTED]))
        for number, orders in enumerate(tested):
            judged = state.judge(side, orders, expected)
            known[orders] = known[orders].with_another(judged) if orders in known else judged
            # The best sets of other processes are judged in any case.
            if number >= min(len(offered), OFFERED) and budget.over():
                break
        # Sets that fell out of the pool are forgotten, so that long searches need no more memory.
        state.judged[side.power] = known = {orders: known[orders] for orders in side.pool if orders in known}
        before = side.best
        side.best = max(known, key=lambda orders: (known[orders].score, orders))
        return side.best != before
