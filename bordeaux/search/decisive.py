"""A search for orders that decide a Fall: a certain eighteenth centre, or that a leader certainly gets none.

Sets of orders are improved against a growing list of refuting replies. A set that no known reply refutes is
proved, or the proof gives a new reply. So most sets are dropped after a few adjudications, and the costly
proofs are few. `Forcing` looks for what else is certain.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from heapq import heappop, heappush

from bordeaux.board.code import as_bytes, codes_in, in_order, kind_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.search.forcing import ASKED_PER_NODE, Orders, Planner, deciding_goals
from bordeaux.search.proof import Goal, OrderParts, Prover, parts

#: Replies for one question in the search.
LIMIT = 600
#: Replies for one question, and for one set, in the proofs of what is shown to people.
SHOWN_LIMIT, SHOWN = 20_000, 60_000
#: The changed sets of one set that are kept.
KEPT = 12
#: Supports that are tried together for one attack.
TOGETHER = 2


class Certainty(IntEnum):
    """What a set of orders is proved to decide: nothing, that a leader has no victory, an own victory."""

    OPEN = 0
    PREVENTED = 1
    WON = 2


def certain(position: Position, power: str, sets: Iterable[bytes]) -> list[Certainty]:
    """What each of some sets of a power decides for certain, in a short time; in another phase than a Fall
    movement nothing."""
    made = list(sets)
    outcomes = [Certainty.OPEN] * len(made)
    if (position.phase.season, position.phase.kind) != ("F", "M"):
        return outcomes
    for goal in deciding_goals(position, power):
        prover = Prover(position, power, goal, SHOWN_LIMIT)
        for place, orders in enumerate(made):
            prover.allow(SHOWN)
            if prover.judge(prover.by_unit(codes_in(orders))).holds:
                outcomes[place] = max(outcomes[place], Certainty.WON if goal.keeping else Certainty.PREVENTED)
    return outcomes


class Decisive:
    """Looks for one set of orders that forces a goal of a power in a Fall movement.

    `allowed` are the nodes for the search, and as many again for the variants of what was found. `late` tells
    when to end in any case. `nodes` is the number used.
    """

    def __init__(
        self,
        position: Position,
        power: str,
        goal: Goal,
        allowed: float,
        late: Callable[[], bool] | None = None,
    ) -> None:
        self.goal = goal
        self.planner = Planner(position, power, goal)
        self.prover = self.planner.prover
        self.late = late
        self.allowed = allowed * ASKED_PER_NODE
        every = len(self.prover.centres)
        self.spare = every - goal.centres if goal.keeping else goal.centres
        """The centres that a reply may take (of a stop: that the leader may have)."""
        self.holds = {
            place: next(code for part, code in self.planner.legal[place] if part.kind == OrderKind.HOLD)
            for place in self.planner.units
        }
        self._singles, self._attacks = self._changes()
        self._seen: set[bytes] = set()
        self._open: list[tuple[int, int, bytes]] = []
        self._number = itertools.count()

    @property
    def nodes(self) -> int:
        """The nodes of a search that take as long as this work."""
        return self.prover.asked // ASKED_PER_NODE

    def found(self) -> bytes | None:
        """A complete set that forces the goal, or None. Units that it does not need hold, mostly."""
        self.prover.allow(self.allowed, self.late, LIMIT)
        self._push(0, in_order(self.holds.values()))
        while self._open and not self.prover.tired and not (self.late and self.late()):
            total, _, orders = heappop(self._open)
            now = self._losses(orders)
            if now > total and self._open and now > self._open[0][0]:
                # Replies that were found since then refute it.
                self._push(now, orders)
                continue
            if now % 2 == 0:
                if self._holds(orders):
                    return orders
                now = self._losses(orders)
            self._improve(orders, max(1, now))
        return None

    def forces(self, orders: bytes) -> bool:
        """Whether a set surely forces the goal, as far as the rest of the last budget allows to say."""
        return self.prover.judge(self._laid(orders)).holds

    def variants(self, found: bytes, others: Iterable[bytes]) -> list[bytes]:
        """A set that forces the goal with as many holds as possible, and variants that force it too: as many
        units as possible that it does not need have their orders of other sets."""
        self.prover.allow(self.allowed, self.late, LIMIT)
        laid = self._laid(found)
        for place, hold in self.holds.items():
            if laid[place] != hold and self.prover.judge({**laid, place: hold}).holds:
                laid = {**laid, place: hold}
        free = [place for place, hold in self.holds.items() if laid[place] == hold]
        made = [laid]
        for other in map(self._laid, others):
            best = laid
            for some in (free, *([place] for place in free)):
                tried = {**best, **{place: other[place] for place in some if place in other}}
                if tried != best and self.prover.judge(tried).holds:
                    best = tried
                    if some is free:
                        break
            made.append(best)
        return list(dict.fromkeys(in_order(orders.values()) for orders in made))

    def _holds(self, orders: bytes) -> bool:
        """Whether a set is proved. If not, its refutations are known afterwards."""
        laid = self._laid(orders)
        verdict = self.prover.judge(laid)
        if not verdict.holds and not self.prover.tired:
            self.prover.remember(self.prover.takers.values())
        return verdict.holds

    def _push(self, total: int, orders: bytes) -> None:
        self._seen.add(orders)
        heappush(self._open, (total, next(self._number), orders))

    def _losses(self, orders: bytes) -> int:
        return self.prover.losses(orders, [b""], self.spare, 4 * len(self.prover.centres), 1)[0]

    def _improve(self, orders: bytes, now: int) -> None:
        """Add changed sets that known replies refute less than `now`; if there are none, equally."""
        changes = list(self._changes_of(self._laid(orders)))
        first = len(self._seen) == 1
        for most in (now - 1, now):
            totals = self.prover.losses(orders, [change for _, change in changes], self.spare, most, KEPT)
            better = sorted((total, place) for place, total in enumerate(totals) if total <= most)
            if first and most < now:
                self._join(orders, now, [changes[place] for _, place in better])
            kept = 0
            for total, place in better:
                changed = self._changed(orders, changes[place][1])
                if changed not in self._seen:
                    self._push(total, changed)
                    kept += 1
                    if kept == KEPT:
                        return
            if kept:
                return

    def _join(self, orders: bytes, now: int, changes: Iterable[tuple[int, bytes]]) -> None:
        """Add the set with as many changes at once as make it better, one after the other: at most one about
        each province, and none of a unit that has been changed."""
        goals, units = set[int](), set[int]()
        for goal, change in changes:
            placed = self._laid(change).keys()
            if goal in goals or not units.isdisjoint(placed):
                continue
            goals.add(goal)
            total = self.prover.losses(orders, [change], self.spare, now - 1, 1)[0]
            if total < now:
                orders, now, units = self._changed(orders, change), total, units | placed
        if orders not in self._seen:
            self._push(now, orders)

    def _laid(self, orders: bytes) -> Orders:
        return self.prover.by_unit(codes_in(orders))

    def _changed(self, orders: bytes, change: bytes) -> bytes:
        return in_order({**self._laid(orders), **self._laid(change)}.values())

    def _changes(self) -> tuple[list[tuple[OrderParts, bytes]], list[tuple[int, bytes]]]:
        """Orders of one unit, and attacks with supports by their goals: all that do not depend on the other
        orders. They are about provinces where repliers stand or could go, or centres that are to be taken."""
        planner, field = self.planner, self.prover.field
        fixed = field.owners.keys() - field.repliers
        owned = self.prover.owned
        near = field.repliers | (set(self.prover.centres) - owned if self.goal.keeping else owned)
        near = near.union(*(field.core.moves(place) for place in field.repliers))
        singles = list[tuple[OrderParts, bytes]]()
        attacks = list[tuple[int, bytes]]()
        for place in planner.units:
            for part, code in planner.legal[place]:
                if part.goal not in near and part.kind in (OrderKind.MOVE, OrderKind.SUPPORT_HOLD):
                    continue
                if part.kind == OrderKind.MOVE:
                    attacks += ((part.goal, attack) for attack in self._attack(part, code))
                elif part.helped in fixed:
                    singles.append((part, as_bytes([code])))
        return singles, attacks

    def _attack(self, move: OrderParts, code: int) -> Iterator[bytes]:
        """A move with convoys, and with none, one, a few or all of the supports that own units can give."""
        helps = self.planner.helps(move)
        carried = [other for other in helps.values() if kind_of(other) == OrderKind.CONVOY]
        if move.via and not carried:
            return
        supports = [other for other in helps.values() if kind_of(other) != OrderKind.CONVOY]
        for size in {*range(min(TOGETHER, len(supports)) + 1), len(supports)}:
            for some in itertools.combinations(supports, size):
                yield as_bytes([code, *carried, *some])

    def _changes_of(self, laid: Orders) -> Iterator[tuple[int, bytes]]:
        """The changes that make sense with the other orders, by their goals: no support for a move that is
        not made."""
        province_of = self.prover.field.province_of
        made = {place: parts(code, province_of) for place, code in laid.items()}
        for part, change in self._singles:
            helped = made.get(part.helped)
            if part.kind == OrderKind.HOLD or helped is None:
                yield part.goal, change
            elif part.kind == OrderKind.SUPPORT_HOLD:
                if helped.kind != OrderKind.MOVE:
                    yield part.goal, change
            elif helped.kind == OrderKind.MOVE and helped.goal == part.goal:
                yield part.goal, change
        yield from self._attacks
