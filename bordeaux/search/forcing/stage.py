"""The stage of a search that looks for what can be forced: in a Fall movement, before rollouts have a say.

A mean over orders that others may give says nothing about the orders that hurt most. What no reply takes
away needs no guess about anybody, so sets that force something join the candidates, and every centre that is
sure counts beside what is expected.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from bordeaux.board.code import as_bytes, codes_in
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.search.forcing.field import parts
from bordeaux.search.forcing.planner import Orders, Planner
from bordeaux.search.forcing.proof import Goal, Prover

__all__ = ["Forcing"]

#: Plans that are completed.
COMPLETED = 4
#: Points for each centre that is sure, for a victory that is, and for another's victory that surely does not
#: come.
SURE, VICTORY, STOPPED = 150.0, 10_000.0, 1_000.0
#: What `Prover.asked` counts to a node of the search.
ASKED_PER_NODE = 12
#: Share of what is allowed that goes to looking for sets, and the part of that for plans; the rest of the
#: one is for judging, of the other for completing.
LOOKING, PLANNING = 0.7, 0.6
#: How many times as much is allowed where somebody is near a victory: nothing is worth as much as that, or as
#: preventing it. Centres that are missing then.
NEAR, WITHIN = 1.6, 5
#: Nodes for a last look at one set, when all else is spent.
LAST = 100


class Forcing:
    """What one power can force in a Fall movement position.

    `allowed` are the nodes that looking and judging may take together, `late` says when it is time to end
    in any case; `nodes` is what was taken.
    """

    def __init__(
        self, position: Position, power: str, allowed: float, late: Callable[[], bool] | None = None
    ) -> None:
        map = position.map
        self.position = position
        self.late = late
        self.need = len(map.centres) // 2 + 1
        owned = {name: position.owners.count(name) for name in map.powers}
        near = max(owned.values()) >= self.need - WITHIN
        self.left = allowed * ASKED_PER_NODE * (NEAR if near else 1.0)
        """What may still be asked."""
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
        """Nodes of a search that take as long as what was tried."""
        return sum(each.prover.asked for each in (self.own, *self.leaders)) // ASKED_PER_NODE

    @contextmanager
    def _allowing(self, prover: Prover, share: float) -> Iterator[None]:
        """Let a prover ask for a share of what is left."""
        before = prover.asked
        prover.allow(share * self.left, self.late)
        yield
        self.left -= prover.asked - before

    def sets(self) -> list[bytes]:
        """Complete sets (bytes of codes) that force something, or keep what there is."""
        found: dict[bytes, None] = {}
        planners = (self.own, *self.leaders)
        kept = (1 - LOOKING) * self.left
        self.left -= kept
        for number, planner in enumerate(planners):
            part = 1 / (len(planners) - number)
            with self._allowing(planner.prover, PLANNING * part):
                plans = list(itertools.islice(planner.plans(), COMPLETED))
            starts: list[Orders] = [{}, *plans]
            for done, start in enumerate(starts):
                with self._allowing(planner.prover, part / (len(starts) - done)):
                    orders, _ = planner.complete(start)
                found[as_bytes({**self.holds, **orders}.values())] = None
        self.left += kept
        return list(found)

    def points(self, sets: Sequence[bytes]) -> dict[bytes, float]:
        """Points for what each of some sets forces: own centres that are sure, a sure victory, a victory
        prevented. What is asked of one set is asked of all; what could not be told of all counts for none, so
        that it does not matter who comes first."""
        province_of = self.own.prover.field.province_of
        fixed: list[Orders] = [
            {parts(code, province_of).unit: code for code in codes_in(orders)} for orders in sets
        ]
        total = [0.0] * len(sets)
        questions = (self._centres, self._victory, *(partial(self._stopped, each) for each in self.leaders))
        for number, question in enumerate(questions):
            prover = self.own.prover if number < 2 else self.leaders[number - 2].prover
            points = []
            with self._allowing(prover, 1 / (len(questions) - number)):
                for orders in fixed:
                    points.append(question(orders))
                    if prover.tired:
                        break
                else:
                    total = [one + more for one, more in zip(total, points, strict=True)]
        return dict(zip(sets, total, strict=True))

    def _centres(self, orders: Orders) -> float:
        """Points for the centres that nobody can take each by itself: where that is not yet a victory, all
        that one takes if they cannot take enough at once."""
        return SURE * len(self.own.prover.safe(orders))

    def _victory(self, orders: Orders) -> float:
        """Points for a victory that is sure, and for the centres that it takes."""
        prover = self.own.prover
        sure = len(prover.safe(orders))
        if sure >= self.need:
            return VICTORY
        if self.need <= len(prover.stakes(orders)) and prover.judge(orders, self.need).holds:
            return VICTORY + SURE * (self.need - sure)
        return 0.0

    def _stopped(self, leader: Planner, orders: Orders) -> float:
        return STOPPED * leader.prover.judge(orders).holds

    def worth(self, orders: bytes) -> float:
        """The points of one set, with a little more patience when all is spent; -inf where that does not
        tell."""
        self.left, self.late = max(self.left, LAST * ASKED_PER_NODE), None
        points = self.points([orders])[orders]
        return -math.inf if self.own.prover.tired else points
