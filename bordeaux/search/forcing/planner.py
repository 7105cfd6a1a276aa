"""Finds what a power can force in a Fall: attacks with all help and with cuts, then safe orders for the rest.

For every centre that could be taken it tries a move with all supports of own units. If that is not enough, it
adds attacks on units that could resist. A plan that no reply defeats is reduced to the necessary orders. Two
plans with compatible orders are combined. The other units get orders that make most centres safe.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from bordeaux.board.code import kind_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.search.forcing.field import OrderParts, parts
from bordeaux.search.forcing.proof import Goal, Prover

__all__ = ["Orders", "Planner"]

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


class Planner:
    """Finds orders of a power that force a goal in one position, a Fall movement.

    `Prover.allow` limits the work. `legal` are the power's orders by province, if another planner has them
    already.
    """

    def __init__(
        self,
        position: Position,
        power: str,
        goal: Goal,
        legal: dict[int, list[tuple[OrderParts, int]]] | None = None,
    ) -> None:
        self.position, self.power, self.goal = position, power, goal
        self.prover = Prover(position, power, goal, limit=PLAN_LIMIT)
        field = self.prover.field
        self.units = [place for place, owner in field.owners.items() if owner == power]
        self.legal = legal or {
            place: [(parts(code, field.province_of), code) for code in field.legal[place]]
            for place in self.units
        }

    @property
    def tired(self) -> bool:
        """Whether the work limit for this position is reached."""
        return self.prover.tired

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
        for place in self.units:
            if place == move.unit or place in barred:
                continue
            for part, code in self.legal[place]:
                if (part.helped, part.goal) != (move.unit, move.goal) or place in given:
                    continue
                if part.kind == OrderKind.SUPPORT_MOVE or (part.kind == OrderKind.CONVOY and move.via):
                    given[place] = code
        return given

    def attacks(self, centre: int) -> Iterator[Orders]:
        """Orders that force a centre, with as few units as possible of each kind: with all help, then with
        cuts."""
        field = self.prover.field
        rivals = len(field.core.reachers(centre, by_land=True)) + (centre in field.repliers)
        for part, code in self.moves_to(centre):
            orders = {part.unit: code, **self.helps(part)}
            if self.tired:
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
                if count >= MOST_CUTS or self.tired:
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
                if place in start or self.tired:
                    continue
                for code in self.sensible(place, best):
                    tried = {**best, place: code}
                    # What is not safe yet is quickly refuted; only a gain is worth the rest.
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
            if len(self.prover.safe(tried)) >= score and not self.tired:
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
