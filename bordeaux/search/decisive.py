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
from bordeaux.search.forcing import ASKED_PER_NODE, Orders, Planner
from bordeaux.search.proof import Goal, OrderParts, Prover, parts

__all__ = ["Certainty", "Decisive", "certain", "deciding_goals"]

#: The number of missing centres from which on a victory is looked for.
MISSING = 4
#: Replies for one question in the search, and in the successive proofs of sets that no known reply refutes.
LIMIT, DEPTHS, DEEP_LIMIT = 600, (60, 600), 20_000
#: Replies for one question, and for one set, in the proofs of what is shown to people.
SHOWN_LIMIT, SHOWN = 20_000, 60_000
#: The changed sets of one set that are kept, and the losses of a set that is close to its goal.
KEPT, CLOSE = 12, 3
#: Supports that are tried together for one attack.
TOGETHER = 2
#: The shares of the budget for the search, for the proofs of sets that no known reply refutes, and for the
#: orders of units that a found set does not need.
SEEKING, SETTLING, REFINING = 0.18, 0.25, 0.1


def deciding_goals(position: Position, power: str) -> list[Goal]:
    """What a power may be able to force in a Fall movement: its own victory, and that a leader has none.

    Left out are powers with too few centres, and victories for which too few centres are in reach, even if
    nobody resisted.
    """
    map = position.map
    need = len(map.centres) // 2 + 1
    goals = []
    for name in map.powers:
        owned = {centre for centre, owner in zip(map.centres, position.owners, strict=True) if owner == name}
        if not need - MISSING <= len(owned) < need:
            continue
        units = [unit for unit in position.units if unit.power == name]
        more = _in_reach(position, name) - owned
        if len(owned) + min(len(more), len(units)) < need:
            continue
        mine = name == power
        goals.append(Goal(name, mine, need if mine else need - 1, "" if mine else name))
    return goals


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


def _in_reach(position: Position, power: str) -> set[str]:
    """The centres that units of a power stand on or can move to."""
    packed, map = position.packed, position.map
    province_of = [location.province for location in map.locations]
    places = {map.province(unit.province).index for unit in position.units if unit.power == power}
    for codes in packed.legal()[map.powers.index(power)].values():
        places |= {part.goal for code in codes if (part := parts(code, province_of)).kind == OrderKind.MOVE}
    return {name for name in map.centres if map.province(name).index in places}


class Decisive:
    """Looks for one set of orders that forces a goal of a power in a Fall movement.

    `allowed` are the nodes for all proofs of a decision. Less than a fifth of them is for the first search.
    The rest is for other sets (`among`). `late` tells when to end in any case. `nodes` is the number used.
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
        self._doubted: list[bytes] = []
        self._number = itertools.count()

    @property
    def nodes(self) -> int:
        """The nodes of a search that take as long as this work."""
        return self.prover.asked // ASKED_PER_NODE

    def found(self) -> bytes | None:
        """A complete set that forces the goal, or None. Units that it does not need hold, mostly."""
        self._allow(SEEKING)
        self._push(0, in_order(self.holds.values()))
        return self._search()

    def among(self, sets: Iterable[bytes]) -> bytes | None:
        """One of some sets, and of those that nothing known refutes, that forces the goal; or None. All get
        short proofs, then the search goes on if a set is close to the goal. The rest is for long proofs."""
        sets = list(dict.fromkeys([*sets, *self._doubted]))
        left = sets
        self._allow(SETTLING)
        for limit in DEPTHS:
            self.prover.adversary.limit = limit
            found, left = self._first(left)
            if found is not None:
                return found
        for orders in sets:
            if orders not in self._seen:
                self._push(self._losses(orders), orders)
        if self._open and self._open[0][0] <= CLOSE:
            self._allow(SETTLING)
            found = self._search()
            if found is not None:
                return found
        self._allow(1.0)
        self.prover.adversary.limit = DEEP_LIMIT
        return self._first(list(dict.fromkeys([*left, *self._doubted])))[0]

    def _first(self, sets: Iterable[bytes]) -> tuple[bytes | None, list[bytes]]:
        """The first of some sets that is proved, if any, and those that are neither proved nor refuted."""
        self._doubted = []
        found = next((orders for orders in sets if self._holds(orders)), None)
        return found, self._doubted

    def forces(self, orders: bytes) -> bool:
        """Whether a set surely forces the goal, as far as the rest of the last budget allows to say."""
        return self.prover.judge(self._laid(orders)).holds

    def variants(self, found: bytes, others: Iterable[bytes]) -> list[bytes]:
        """A set that forces the goal with as many holds as possible, and variants that force it too: as many
        units as possible that it does not need have their orders of other sets."""
        self._allow(REFINING)
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

    def _allow(self, share: float) -> None:
        """Allow a share of the budget, as far as it is not used."""
        left = max(0.0, self.allowed - self.prover.asked)
        self.prover.allow(min(share * self.allowed, left), self.late, LIMIT)

    def _search(self) -> bytes | None:
        """As `found`, without long proofs: the set that known replies refute least is improved."""
        while self._open and not self.prover.tired:
            total, _, orders = heappop(self._open)
            now = self._losses(orders)
            if now > total and self._open and now > self._open[0][0]:
                # Replies that were found since then refute it.
                self._push(now, orders)
                continue
            if now == 0:
                if self._holds(orders):
                    return orders
                now = self._losses(orders)
            self._improve(orders, max(1, now))
        return None

    def _holds(self, orders: bytes) -> bool:
        """Whether a set is proved. If not, its refutations are known afterwards."""
        laid = self._laid(orders)
        verdict = self.prover.judge(laid)
        if not verdict.holds and not self.prover.tired:
            self.prover.remember(self.prover.takers(laid).values())
            if not verdict.reply and orders not in self._doubted:
                self._doubted.append(orders)
        return verdict.holds

    def _push(self, total: int, orders: bytes) -> None:
        self._seen.add(orders)
        heappush(self._open, (total, next(self._number), orders))

    def _losses(self, orders: bytes) -> int:
        return self.prover.losses(orders, [b""], self.spare, len(self.prover.centres))[0]

    def _improve(self, orders: bytes, now: int) -> None:
        """Add changed sets that known replies refute less than `now`; if there are none, equally."""
        changes = list(self._changes_of(self._laid(orders)))
        for most in (now - 1, now):
            totals = self.prover.losses(orders, changes, self.spare, most)
            better = sorted((total, place) for place, total in enumerate(totals) if total <= most)
            kept = 0
            for total, place in better:
                changed = self._changed(orders, changes[place])
                if changed not in self._seen:
                    self._push(total, changed)
                    kept += 1
                    if kept == KEPT:
                        return
            if kept:
                return

    def _laid(self, orders: bytes) -> Orders:
        return self.prover.by_unit(codes_in(orders))

    def _changed(self, orders: bytes, change: bytes) -> bytes:
        return in_order({**self._laid(orders), **self._laid(change)}.values())

    def _changes(self) -> tuple[list[tuple[OrderParts, bytes]], list[bytes]]:
        """Orders of one unit, and attacks with supports: all that do not depend on the other orders."""
        planner, fixed = self.planner, self.prover.field.owners.keys() - self.prover.field.repliers
        singles = list[tuple[OrderParts, bytes]]()
        attacks = list[bytes]()
        for place in planner.units:
            for part, code in planner.legal[place]:
                if part.kind == OrderKind.MOVE:
                    attacks += self._attack(part, code)
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

    def _changes_of(self, laid: Orders) -> Iterator[bytes]:
        """The changes that make sense with the other orders: no support for a move that is not made."""
        province_of = self.prover.field.province_of
        for part, change in self._singles:
            other = laid.get(part.helped)
            if part.kind == OrderKind.HOLD or other is None:
                yield change
                continue
            helped = parts(other, province_of)
            moving = helped.kind == OrderKind.MOVE
            if part.kind == OrderKind.SUPPORT_HOLD:
                if not moving:
                    yield change
            elif moving and helped.goal == part.goal:
                yield change
        yield from self._attacks
