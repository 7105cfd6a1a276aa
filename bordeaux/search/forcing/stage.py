"""The stage of a search for forced results: in a Fall movement, before the rollouts.

A mean over sampled orders of the others may miss their most harmful orders. A proof holds against all replies
and needs no beliefs. So sets that force something join the candidates, and every certain centre counts in
addition to the expected value.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from bordeaux.board.code import as_bytes, codes_in
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.search.forcing.field import parts
from bordeaux.search.forcing.planner import PLAN_LIMIT, Orders, Planner
from bordeaux.search.forcing.proof import Goal, Prover

__all__ = ["SURE", "Forcing", "Stakes"]

#: The number of plans that are completed.
COMPLETED = 4
#: Points for each certain centre, for a certain victory, and for the certain prevention of another's victory.
SURE, VICTORY, STOPPED = 150.0, 10_000.0, 1_000.0
#: The number of questions (`Prover.asked`) in a node of the search.
ASKED_PER_NODE = 12
#: The share of the budget for finding sets, and the part of that for plans. The rest of the former is for
#: judging, and of the latter for completing.
LOOKING, PLANNING = 0.7, 0.6
#: The factor on the budget if a power is near a victory, since a victory or its prevention is worth most; and
#: the number of missing centres that counts as near.
NEAR, WITHIN = 1.6, 5
#: Replies for one question in the successive rounds of judging sets.
DEPTHS = (60, 600, PLAN_LIMIT)
#: The share of the remaining budget for one question, and the number of the question about a victory.
JUDGED, VICTORIES = 0.5, 1
#: Nodes for the last check of one set.
LAST = 200


class Stakes(NamedTuple):
    """What certain results are worth, in the unit of a search: each certain centre, a certain victory, the
    certain prevention of another's victory. By default they are points."""

    centre: float = SURE
    victory: float = VICTORY
    stopped: float = STOPPED

    @classmethod
    def of(cls, centre: float, points: float) -> Stakes:
        """The stakes in a unit of so many points, with the value of a centre in that unit."""
        return cls(centre, VICTORY / points, STOPPED / points)


IN_POINTS = Stakes()
"""The stakes in points."""


class Forcing:
    """What one power can force in a Fall movement position.

    `allowed` are the nodes for finding and judging together, `late` tells when to end in any case, `stakes`
    are the values of certain results. `nodes` is the number used.
    """

    def __init__(
        self,
        position: Position,
        power: str,
        allowed: float,
        late: Callable[[], bool] | None = None,
        stakes: Stakes = IN_POINTS,
    ) -> None:
        map = position.map
        self.position = position
        self.late = late
        self.stakes = stakes
        self.need = len(map.centres) // 2 + 1
        owned = {name: position.owners.count(name) for name in map.powers}
        near = max(owned.values()) >= self.need - WITHIN
        self.left = allowed * ASKED_PER_NODE * (NEAR if near else 1.0)
        """The remaining questions."""
        self.own = Planner(position, power, Goal(power, True, owned[power]))
        leaders = [
            name for name in map.powers if name != power and self.need - WITHIN <= owned[name] < self.need
        ]
        self.leaders = [
            Planner(position, power, Goal(name, False, self.need - 1, against=name), self.own.legal)
            for name in leaders
        ]
        self.holds = {
            place: next(code for part, code in self.own.legal[place] if part.kind == OrderKind.HOLD)
            for place in self.own.units
        }

    @property
    def nodes(self) -> int:
        """The nodes of a search that take as long as this work."""
        return sum(planner.prover.asked for planner in (self.own, *self.leaders)) // ASKED_PER_NODE

    @contextmanager
    def _allowing(self, prover: Prover, share: float, limit: int = PLAN_LIMIT) -> Iterator[None]:
        """Allow a prover a share of the rest, and a number of replies for one question."""
        before = prover.asked
        prover.allow(share * self.left, self.late, limit)
        yield
        self.left -= prover.asked - before

    def sets(self, others: Sequence[bytes] = ()) -> list[bytes]:
        """Complete sets (bytes of codes) that force something, or keep all centres. Units that are not needed
        have their orders of one of some other sets, or hold."""
        rests = [self._fixed(orders) for orders in others]
        forcing_sets: dict[bytes, None] = {}
        planners = (self.own, *self.leaders)
        kept = (1 - LOOKING) * self.left
        self.left -= kept
        for number, planner in enumerate(planners):
            part = 1 / (len(planners) - number)
            with self._allowing(planner.prover, PLANNING * part):
                plans = list(itertools.islice(planner.plans(), COMPLETED))
            starts: list[Orders] = [{}, *plans]
            for done, start in enumerate(starts):
                with self._allowing(planner.prover, part / (len(starts) - done), PLAN_LIMIT):
                    orders, _ = planner.complete(start)
                    full = [planner.filled(orders, start, rest) for rest in rests]
                if orders or not full:
                    full.append(orders)
                forcing_sets |= {as_bytes({**self.holds, **plan}.values()): None for plan in full}
        self.left += kept
        return list(forcing_sets)

    def _fixed(self, orders: bytes) -> Orders:
        province_of = self.own.prover.field.province_of
        return {parts(code, province_of).unit: code for code in codes_in(orders)}

    def points(self, sets: Sequence[bytes]) -> dict[bytes, float]:
        """The value of what each of some sets forces: certain own centres, a certain victory, a prevented
        victory.

        All sets get the same questions, with few replies first. A question counts once it has been answered
        for all; with more replies, what is proved of some sets counts for these. A proved or prevented
        victory counts in any case, as it matters more; it is tested for the sets with most certain centres
        first.
        """
        fixed = [self._fixed(orders) for orders in sets]
        own = self.own.prover
        questions = [(own, self._centres), (own, self._victory), (own, self._together)]
        questions += [(leader.prover, partial(self._stopped, leader.prover)) for leader in self.leaders]
        by_count = (self._centres, self._together)
        answers = [[0.0] * len(sets) for _ in questions]
        answered = [False] * len(questions)
        order = list(range(len(sets)))
        for depth, (number, (prover, question)) in itertools.product(DEPTHS, enumerate(questions)):
            points: dict[int, float] = {}
            if self.left <= 0:
                break
            with self._allowing(prover, JUDGED, depth):
                for index in order:
                    points[index] = question(fixed[index])
                    if prover.tired:
                        break
                    if answered[number] or (points[index] and question not in by_count):
                        answers[number][index] = max(points[index], answers[number][index])
                else:
                    answers[number] = [points[index] for index in range(len(sets))]
                    answered[number] = True
            if max(answers[VICTORIES], default=0.0) >= self.stakes.victory:
                break
            order.sort(key=lambda index: (-answers[0][index], sets[index]))
        # Both count centres, perhaps with different depths, and what is safe alone is safe together.
        singly, victory, together, *stopped = answers
        rows = zip(map(max, singly, together), victory, *stopped, strict=True)
        return {orders: math.fsum(row) for orders, row in zip(sets, rows, strict=True)}

    def _centres(self, orders: Orders) -> float:
        """The value of the centres that nobody can take, each tested alone."""
        return self.stakes.centre * len(self.own.prover.safe(orders))

    def _victory(self, orders: Orders) -> float:
        """The value of a certain victory."""
        prover = self.own.prover
        enough = len(prover.stakes(orders)) >= self.need
        return self.stakes.victory * (enough and prover.judge(orders, self.need).holds)

    def _together(self, orders: Orders) -> float:
        """The value of the centres that are left after the worst reply: some can be lost singly, but not all
        at once."""
        prover = self.own.prover
        sure, stakes = len(prover.safe(orders)), len(prover.stakes(orders))
        more = 0
        while sure + more < stakes and prover.judge(orders, sure + more + 1).holds:
            more += 1
        return self.stakes.centre * (sure + more)

    def _stopped(self, prover: Prover, orders: Orders) -> float:
        return self.stakes.stopped * prover.judge(orders).holds

    def worth(self, orders: bytes) -> float:
        """The value of what one set forces, by a short test that is possible after the limit."""
        self.left, self.late = LAST * ASKED_PER_NODE, None
        return self.points([orders])[orders]
