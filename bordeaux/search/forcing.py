"""What a power can force in a Fall, with orders that no reply of the others defeats.

A mean over sampled orders of the others may miss their most harmful orders. A proof holds against all replies
and needs no beliefs.

For every centre that could be taken the `Planner` tries a move with all supports of own units. If that is not
enough, it adds attacks on units that could resist. A plan that no reply defeats is reduced to the necessary
orders. Two plans with compatible orders are combined. The other units get orders that make most centres
safe.

`Decisive` looks for orders that decide a Fall: a certain eighteenth centre, or that a leader certainly gets
none. Sets of orders are improved against a growing list of refuting replies. A set that no known reply
refutes is proved, or the proof gives a new reply. So most sets are dropped after a few adjudications.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from functools import cached_property
from heapq import heappop, heappush

from bordeaux.board.code import as_bytes, codes_in, in_order, kind_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.search.proof import Goal, OrderParts, Prover, parts
from bordeaux.search.sets import mended

__all__ = [
    "Certainty",
    "Decisive",
    "Orders",
    "Planner",
    "certain",
    "deciding_goals",
    "winning_tries",
]

Orders = dict[int, int]
"""Order codes by the province of the unit."""

#: The maximum number of sets of cuts for one attack, of cutting units, of expected cuts, and of cuts of one
#: unit.
MOST_CUTS = 24
CUTTERS = 5
CUTS = 2
CUTTABLE = 4
#: Replies for one centre or group during planning; goals that need more count as not proved.
PLAN_LIMIT = 5_000
#: The number of attacks on one centre that are kept, and of single and double plans.
KEPT, PLANS = 2, 3
#: Replies for one question in the search.
LIMIT = 600
#: Replies for one question, and for one set, in the proofs of what is shown to people.
SHOWN_LIMIT, SHOWN = 20_000, 60_000
#: The changed sets of one set that are kept in a search for one that decides.
VARIANTS = 12
#: Supports that are tried together for one attack.
TOGETHER = 2


class Planner:
    """Finds orders of a power that force a goal in one position, a Fall movement.

    `Prover.allow` limits the work.
    """

    def __init__(self, position: Position, power: str, goal: Goal) -> None:
        self.position, self.power, self.goal = position, power, goal
        self.prover = Prover(position, power, goal, limit=PLAN_LIMIT)
        field = self.prover.field
        self.units = [place for place, owner in field.owners.items() if owner == power]
        self.legal = {
            place: [(parts(code, field.province_of), code) for code in field.legal[place]]
            for place in self.units
        }

    def moves_to(self, goal: int) -> Iterator[tuple[OrderParts, int]]:
        """Own moves into a province, those over land first."""
        moves = [
            (part, code)
            for place in self.units
            for part, code in self.legal[place]
            if part.kind == OrderKind.MOVE and part.goal == goal
        ]
        yield from sorted(moves, key=lambda move: move[0].via)

    def helps(self, move: OrderParts, barred: Iterable[int] = ()) -> Orders:
        """All supports, and for a convoy all fleets, that other units can give a move."""
        given: Orders = {}
        for place, kind, code in self._helping.get((move.unit, move.goal), ()):
            if place not in barred and (kind == OrderKind.SUPPORT_MOVE or move.via):
                given.setdefault(place, code)
        return given

    @cached_property
    def _helping(self) -> dict[tuple[int, int], list[tuple[int, int, int]]]:
        """The supports and convoys by the moves of own units that they are for: place, kind and code."""
        helping: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        for place in self.units:
            for part, code in self.legal[place]:
                if part.kind in (OrderKind.SUPPORT_MOVE, OrderKind.CONVOY):
                    helping.setdefault((part.helped, part.goal), []).append((place, part.kind, code))
        return helping

    def attacks(self, centre: int) -> Iterator[Orders]:
        """Orders that force a centre, with as few units as possible of each kind: with all help, then with
        cuts."""
        field = self.prover.field
        rivals = len(field.core.reachers(centre, by_land=True)) + (centre in field.repliers)
        for part, code in self.moves_to(centre):
            orders = {part.unit: code, **self.helps(part)}
            if self.prover.tired:
                return
            strength = 1 + sum(kind_of(code) == OrderKind.SUPPORT_MOVE for code in orders.values())
            if strength + CUTS < rivals + 1:
                # So many of them support or bounce each other, or us, that no cuts make up for it.
                continue
            if self.prover.safe(orders, [centre]):
                yield self.lean(orders, centre, part.unit)
                continue
            for cut in self.cuts(centre, orders):
                both = {**orders, **cut}
                if self.prover.safe(both, [centre]):
                    yield self.lean(both, centre, part.unit)
                    break

    def cuts(self, centre: int, orders: Orders) -> Iterator[Orders]:
        """Attacks on repliers that could affect a centre, by units without another task."""
        field = self.prover.field
        near = set(field.core.reachers(centre)) - {centre}
        free = []
        for place in self.units:
            # A supporter may do more good by a cut.
            if place in orders and field.position.map.provinces[place].centre and len(orders) == 1:
                continue
            ways = [
                code
                for part, code in self.legal[place]
                if part.kind == OrderKind.MOVE and part.goal in near and not part.via and part.goal != centre
            ]
            if ways and not (place in orders and kind_of(orders[place]) == OrderKind.MOVE):
                free.append([None, *[(place, code) for code in ways[:CUTTABLE]]])
        count = 0
        for chosen in itertools.product(*free[:CUTTERS]):
            made = {cut[0]: cut[1] for cut in chosen if cut is not None}
            if made:
                yield made
                count += 1
                if count >= MOST_CUTS or self.prover.tired:
                    return

    def lean(self, orders: Orders, centre: int, mover: int) -> Orders:
        """The orders without unnecessary help."""
        kept = dict(orders)
        for place in list(orders):
            if place != mover:
                less = {other: code for other, code in kept.items() if other != place}
                if self.prover.safe(less, [centre]):
                    kept = less
        return kept

    def targets(self) -> list[int]:
        """Centres to attack: foreign ones, or own ones with foreign units; for a stop those of the power to
        be stopped."""
        field, prover = self.prover.field, self.prover
        if not self.goal.keeping:
            return sorted(prover.owned)
        return [
            centre
            for centre in prover.centres
            if centre not in self.units
            and (centre not in prover.owned or centre in field.repliers)
            and any(True for _ in self.moves_to(centre))
        ]

    def plans(self) -> Iterator[Orders]:
        """Attacks that force something, alone and combined."""
        single: list[tuple[int, Orders]] = []
        for centre in self.targets():
            for orders in itertools.islice(self.attacks(centre), KEPT):
                single.append((centre, orders))
        plans = [orders for _, orders in single]
        grown = sorted({self.grown(first, single) for first in range(len(single))}, reverse=True)
        yield from (dict(orders) for _, orders in grown[:PLANS])
        yield from plans[:PLANS]

    def grown(self, first: int, single: list[tuple[int, Orders]]) -> tuple[int, tuple[tuple[int, int], ...]]:
        """An attack combined with all compatible others, in turn: the number of centres, and the orders."""
        centres = {single[first][0]}
        orders = dict(single[first][1])
        for centre, other in single:
            fits = all(orders.get(place, code) == code for place, code in other.items())
            if centre not in centres and fits:
                centres.add(centre)
                orders |= other
        return len(centres), tuple(sorted(orders.items()))

    def complete(self, start: Orders, passes: int = 1) -> tuple[Orders, int]:
        """Give the other units the orders that make most centres safe, one unit after the other."""
        best = dict(start)
        safe = self.prover.safe(best)
        score = len(safe)
        for _ in range(passes):
            before = score
            for place in self.units:
                if place in start or self.prover.tired:
                    continue
                for code in self.sensible(place, best):
                    tried = {**best, place: code}
                    # A set that is not safe is quickly refuted. Only a gain is worth a full proof.
                    if not self.prover.safe(tried, self.prover.stakes(tried) - safe):
                        continue
                    now = self.prover.safe(tried)
                    if len(now) > score:
                        best, score, safe = tried, len(now), now
            if score == before:
                break
        return best, score

    def filled(self, orders: Orders, needed: Iterable[int], rest: Orders) -> Orders:
        """Give units that a plan does not need their orders of another set, together or one by one, if no
        fewer centres are safe."""
        best = dict(orders)
        score = len(self.prover.safe(best))
        free = [place for place in self.units if place not in needed and rest[place] != best.get(place)]
        for some in (free, *([place] for place in free)):
            tried = {**best, **{place: rest[place] for place in some}}
            if len(self.prover.safe(tried)) >= score and not self.prover.tired:
                best = tried
                if some is free:
                    break
        return best

    def sensible(self, place: int, orders: Orders) -> list[int]:
        """Orders of a unit that could make a centre safer."""
        centres = set(self.prover.centres)
        codes = []
        for part, code in self.legal[place]:
            if part.kind == OrderKind.MOVE and not part.via:
                if part.goal in centres or part.goal in self.prover.field.owners:
                    codes.append(code)
            elif part.kind == OrderKind.SUPPORT_HOLD and part.helped in self.units:
                other = orders.get(part.helped)
                if other is None or kind_of(other) != OrderKind.MOVE:
                    codes.append(code)
            elif part.kind == OrderKind.SUPPORT_MOVE and part.helped in orders:
                other_part = parts(orders[part.helped], self.prover.field.province_of)
                if other_part.kind == OrderKind.MOVE and other_part.goal == part.goal:
                    codes.append(code)
        return codes


#: The number of missing centres from which on a victory is looked for.
MISSING = 4


def deciding_goals(position: Position, power: str) -> list[Goal]:
    """What a power may be able to force in a Fall movement: its own victory, and that a leader has none.

    Its own comes first. In another phase there is nothing. Left out are powers with too few centres, and
    victories for which too few centres are in reach, even if nobody resisted.
    """
    map = position.map
    need = map.majority
    goals = []
    for name in map.powers if (position.phase.season, position.phase.kind) == ("F", "M") else ():
        owned = {*position.centres.get(name, ())}
        if not need - MISSING <= len(owned) < need:
            continue
        units = [unit for unit in position.units if unit.power == name]
        more = _in_reach(position, name) - owned
        if len(owned) + min(len(more), len(units)) < need:
            continue
        mine = name == power
        goals.append(Goal(name, mine, need if mine else need - 1, "" if mine else name))
    return sorted(goals, key=lambda goal: not goal.keeping)


def _in_reach(position: Position, power: str) -> set[str]:
    """The centres that units of a power stand on or can move to."""
    packed, map = position.packed, position.map
    province_of = [location.province for location in map.locations]
    places = {map.province(unit.province).index for unit in position.units if unit.power == power}
    for codes in packed.legal().get(map.powers.index(power), {}).values():
        places |= {part.goal for code in codes if (part := parts(code, province_of)).kind == OrderKind.MOVE}
    return {name for name in map.centres if map.province(name).index in places}


#: A power that lacks so few centres tries to win at once; of the ways to do so, so many are considered.
LACKING, WAYS = 2, 12


def winning_tries(position: Position, power: str, usual: bytes) -> list[bytes]:
    """Sets with which a power wins in a Fall movement if nobody stops it: attacks on the centres that it
    lacks, with all help. The other units keep their `usual` orders, or hold. None for a power that lacks more
    than two centres, and where too few are in reach."""
    map = position.map
    lacking = map.majority - position.owners.count(power)
    if (position.phase.season, position.phase.kind) != ("F", "M") or not 0 < lacking <= LACKING:
        return []
    planner = Planner(position, power, Goal(power, True, map.majority))
    rest = planner.prover.by_unit(codes_in(usual))
    ways = []
    for centres in itertools.combinations(planner.targets(), lacking):
        moves = [[move for move in planner.moves_to(centre) if not move[0].via] for centre in centres]
        for chosen in itertools.product(*moves):
            movers = {part.unit: code for part, code in chosen}
            if len(movers) < lacking:
                continue
            attack: Orders = dict(movers)
            for part, _ in chosen:
                attack = planner.helps(part, attack) | attack
            if _wins(position, power, attack):
                ways.append(attack)
    # The strongest first: with more help, and where the power does not leave a centre of its own.
    own = {map.province(name).index for name in position.centres.get(power, ())}
    ways.sort(
        key=lambda attack: (
            sum(place in own and kind_of(code) == OrderKind.MOVE for place, code in attack.items()),
            -len(attack),
        )
    )
    return list(
        dict.fromkeys(
            in_order(codes_in(mended(map, as_bytes({**rest, **attack}.values()), frozenset(attack.values()))))
            for attack in ways[:WAYS]
        )
    )


def _wins(position: Position, power: str, orders: Orders) -> bool:
    """Whether a power has a majority after orders, if all other units hold."""
    map, number = position.map, position.map.powers.index(power)
    after, *_ = position.packed.adjudicate([(number, code) for code in orders.values()])
    province = [location.province for location in map.locations]
    holders = {province[token & 1023]: map.powers[(token >> 10) - 1] for token in after.units()}
    held = [holders.get(map.province(name).index, owner) for name, owner in position.owner_of.items()]
    return held.count(power) >= map.majority


#: The number of questions (`Prover.asked`) in a node of the search.
ASKED_PER_NODE = 12


class Certainty(IntEnum):
    """What a set of orders is proved to decide: nothing, that a leader has no victory, an own victory."""

    OPEN = 0
    PREVENTED = 1
    WON = 2


def certain(
    position: Position, power: str, sets: Iterable[bytes], late: Callable[[], bool] | None = None
) -> Iterator[Certainty]:
    """What each of some sets of a power decides for certain, each in a short time, until it is `late`; in
    another phase than a Fall movement nothing."""
    goals = deciding_goals(position, power)
    provers = [Prover(position, power, goal, SHOWN_LIMIT) for goal in goals]
    for orders in sets:
        outcome = Certainty.OPEN
        for goal, prover in zip(goals, provers, strict=True):
            prover.allow(SHOWN, late)
            if prover.judge(prover.by_unit(codes_in(orders))).holds:
                outcome = max(outcome, Certainty.WON if goal.keeping else Certainty.PREVENTED)
        if outcome is Certainty.OPEN and goals and late is not None and late():
            # The proof may have been broken off.
            return
        yield outcome


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
            totals = self.prover.losses(orders, [change for _, change in changes], self.spare, most, VARIANTS)
            better = sorted((total, place) for place, total in enumerate(totals) if total <= most)
            if first and most < now:
                self._join(orders, now, [changes[place] for _, place in better])
            kept = 0
            for total, place in better:
                changed = self._changed(orders, changes[place][1])
                if changed not in self._seen:
                    self._push(total, changed)
                    kept += 1
                    if kept == VARIANTS:
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
