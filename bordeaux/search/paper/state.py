"""A search of one movement phase: its inputs (`Situation`), and what it has found so far (`PaperState`)."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from bordeaux._ext.value.influence import Evaluator
from bordeaux._ext.value.valuer import Valuer
from bordeaux.board.position import Neighbourhood, Position
from bordeaux.search.bestfirst import Maxims
from bordeaux.search.config import SearchConfig
from bordeaux.search.models import FAST, LEAGUE
from bordeaux.search.paper.power_search import PowerSearch
from bordeaux.search.paper.replies import SetScore, value_against_replies
from bordeaux.search.sets import distinct
from bordeaux.search.task import Budget, SearchTask

Best = Callable[[str, int], list[tuple[bytes, float]]]
"""The best few sets of a power with their values, best first; the number is the maximum."""


class Rendezvous:
    """The exchange with the searches of other processes, as one of them sees it. This is that of a search
    without others; see `bordeaux.search.paper.processes`."""

    def share(self, powers: list[str]) -> list[str]:
        """The powers among some that this process searches now: all that no other process does."""
        return powers

    def count(self, nodes: int) -> int:
        """Tell the others the nodes of this process; returns those of all processes together."""
        return nodes

    def exchange(self, sides: Mapping[str, PowerSearch], best: Best, power: str | None = None) -> list[str]:
        """Tell the others the best sets of a power after its turn, and take those of the powers that they
        search (`PowerSearch.take`, `PowerSearch.offer`). Returns the powers whose best set has changed by
        it."""
        return []


@dataclass(frozen=True)
class Situation:
    """The inputs of a search, which do not change; what it finds is in a `PaperState`.

    The seeds of the `task` are sets from which powers start, in addition to all hold. `evaluator` evaluates
    the next phase; `value`, if given, values the ends of rollouts in its place. `rendezvous` exchanges
    results with other processes.
    """

    task: SearchTask
    evaluator: Evaluator
    value: Valuer | None = None
    rendezvous: Rendezvous = field(default_factory=Rendezvous)

    @property
    def ends(self) -> Valuer:
        """The value of the ends of rollouts."""
        return self.value or self.evaluator

    @property
    def position(self) -> Position:
        """The position that is searched."""
        return self.task.position

    @property
    def config(self) -> SearchConfig:
        """The settings."""
        return self.task.config

    @functools.cached_property
    def neighbourhood(self) -> Neighbourhood:
        """Who is near whom."""
        return Neighbourhood(self.position)

    @property
    def maxims(self) -> Maxims:
        """The maxims that apply."""
        return self.config.paper.obeyed

    @property
    def ideas(self) -> frozenset[str]:
        """The ideas in use."""
        return self.config.ideas

    @property
    def present(self) -> list[str]:
        """The powers that have units."""
        return [power for power in self.position.map.powers if self.position.units_of(power)]


#: The lowest probability that a power searches for which a search for it is made.
WORTH_SEARCHING = 0.1
#: The models from which seeds and candidates are drawn, by the name of their idea.
POLICIES = {"policy": FAST, "league": LEAGUE}


class PaperState:
    """The results of a search so far. `MovementSearch`, its finding and its mixing write into it. It holds no
    reference to them, so that a search is freed with its last user.

    `wanted` are the powers whose orders are wanted, `sides` those that have been opened, `judged` the values
    of their sets against replies, `mixing` the nodes of mixtures. `sampler` draws the orders of the others,
    which depend on the sides, and `random` makes all random choices.
    """

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.random = random.Random(situation.task.seed)
        self.wanted: tuple[str, ...] = ()
        self.sides: dict[str, PowerSearch] = {}
        self.judged: dict[str, dict[bytes, SetScore]] = {}
        self.mixing = 0
        self.sampler = situation.task.sampler(self.random, self.sides)
        self.bonds = self.sampler.bonds

    def want(self, powers: Iterable[str]) -> None:
        """Begin a search for the orders of some powers; those without units need none."""
        self.wanted = tuple(power for power in powers if power in self.situation.present)

    @property
    def nodes(self) -> int:
        """The adjudications with evaluation so far, in all processes."""
        return self.situation.rendezvous.count(
            sum(side.space.nodes for side in self.sides.values()) + self.mixing
        )

    def progress(self, budget: Budget) -> float:
        """The used share of the budget, including all work of this search."""
        budget.used = self.nodes
        return budget.progress()

    def spent(self, budget: Budget, share: float) -> bool:
        """Whether this share of the budget is used."""
        return self.progress(budget) >= share

    def spend(self, nodes: int) -> None:
        """Count the nodes of mixtures, beyond those of the sides' spaces."""
        self.mixing += nodes

    def mixes(self, power: str, sets: Iterable[tuple[bytes, float, float]]) -> None:
        """Use a power's mixture, sets with their shares and values, for predictions of it, and put its sets
        into the pool."""
        rows, side = list(sets), self.sides[power]
        self.sampler.mixtures[power] = [(orders, share) for orders, share, _ in rows]
        for orders, _, value in rows:
            if side.bound(orders) == orders:
                side.pool.setdefault(orders, value)

    def exchange(self, power: str | None = None) -> list[str]:
        """Exchange results with other processes after a power's turn; returns the powers whose best set has
        changed by it."""
        return self.situation.rendezvous.exchange(self.sides, self.lines, power)

    def foes(self, power: str) -> list[str]:
        """Enemies near a power that are believed to search."""
        return [
            enemy
            for enemy in self.situation.neighbourhood.enemies(power)
            if enemy in self.sides
            and self.sampler.share(enemy) >= WORTH_SEARCHING
            and not self.bonds.at_peace(power, enemy)
        ]

    def rivals(self) -> list[str]:
        """Powers near the wanted ones that need a search of ours; a power that hardly searches is predicted
        without one."""
        near = {enemy for power in self.wanted for enemy in self.situation.neighbourhood.enemies(power)}
        return [
            power
            for power in self.situation.present
            if power in near and power not in self.wanted and self.sampler.share(power) >= WORTH_SEARCHING
        ]

    def policy(self, power: str, count: int = 1) -> list[bytes]:
        """The sets of fast policies, each drawn a number of times, as complete nodes of the power's space:
        DumbBot's, and the net of self-play."""
        models = [model for idea, model in POLICIES.items() if idea in self.situation.ideas]
        return [node for model in models for node in self.drawn(power, model, count)]

    def drawn(self, power: str, model: str, count: int) -> list[bytes]:
        """The sets of a model, drawn a number of times, as complete nodes of the power's space."""
        space = self.sides[power].space
        drawn = [self.sampler.policy(power, model) for _ in range(count)]
        return [space.completed(space.node_of(orders)) for orders in drawn]

    def expected(self, power: str) -> dict[str, bytes]:
        """The most probable orders of every power but one."""
        return {
            other: self.sampler.orders(other, likeliest=True)
            for other in self.situation.present
            if other != power
        }

    def judge(self, side: PowerSearch, orders: bytes, expected: Mapping[str, bytes]) -> SetScore:
        """The value of a set against the expected orders of the others, and the replies of enemies that see
        it."""
        foes = [self.sides[foe] for foe in self.foes(side.power)] if "replies" in self.situation.ideas else []
        return value_against_replies(side, orders, expected, foes, self.situation.config.paper.caution)

    def lines(self, power: str, count: int = 5) -> list[tuple[bytes, float]]:
        """The best few distinct sets of a power with their values, best first; the current best is
        the first. None for a power without units."""
        if power not in self.sides:
            return []
        side = self.sides[power]
        known = self.judged[power]
        scores = {orders: known[orders].score for orders in side.pool if orders in known}
        scores = scores or dict(side.pool)
        if side.best in side.pool:
            # It may come from another process, with that one's judgement.
            scores.setdefault(side.best, side.pool[side.best])
        return distinct(scores, side.best, count)
