"""Retreats, builds and removals by the values of places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bordeaux.board.code import kind_of, target_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.players.iterated.worth import Worth
from bordeaux.players.map_index import situation

__all__ = ["adjusted", "retreated"]

#: Factor on a place for a retreat where another dislodged unit could go as well.
SHARED = 0.5
#: Factor on a build near another build of this Winter with the same kind of unit.
ALIKE = 0.85


def retreated(position: Position, power: int, worth: Worth) -> list[int]:
    """The best retreats of a power (by number), as codes: no two to one province; the unit with the largest
    possible loss chooses first."""
    province = situation(position).ground.province
    legal = position.packed.legal()
    wanted: dict[int, int] = {}
    for units in legal.values():
        for codes in units.values():
            for goal in {province[target_of(code)] for code in codes if kind_of(code) == OrderKind.RETREAT}:
                wanted[goal] = wanted.get(goal, 0) + 1

    def value(code: int) -> float:
        if kind_of(code) != OrderKind.RETREAT:
            return 0.0
        location = target_of(code)
        shared = SHARED if wanted[province[location]] > 1 else 1.0
        return float(worth.place[power, location]) * shared + 1e-6

    orders: list[int] = []
    taken: set[int] = set()
    for codes in sorted(legal.get(power, {}).values(), key=lambda codes: -max(map(value, codes))):
        free = [
            code
            for code in codes
            if kind_of(code) != OrderKind.RETREAT or province[target_of(code)] not in taken
        ]
        best = max(free, key=value)
        if kind_of(best) == OrderKind.RETREAT:
            taken.add(province[target_of(best)])
        orders.append(best)
    return orders


def adjusted(position: Position, power: int, worth: Worth) -> list[int]:
    """The best builds, or the cheapest removals, of a power (by number), as codes. Builds are chosen one
    after the other, given the earlier ones; units on own centres in danger are removed last."""
    due = position.packed.due(power)
    ground = situation(position).ground
    codes: Mapping[int, Sequence[int]] = position.packed.legal().get(power, {})
    place = worth.place[power]
    if due < 0:
        owner = situation(position).owner
        home = float(worth.centre[power])

        def cost(location: int) -> float:
            return float(place[location]) + home * (owner[ground.province[location]] == power)

        return [codes[location][0] for location in sorted(codes, key=cost)[:-due]]
    orders: list[int] = []
    taken: set[int] = set()
    kinds = {"A": 1.0, "F": 1.0}
    while len(orders) < due:
        free = [location for location in codes if ground.province[location] not in taken]
        if not free:
            break
        best = max(free, key=lambda location: (place[location] * kinds[ground.kind[location]], -location))
        kinds[ground.kind[best]] *= ALIKE
        taken.add(ground.province[best])
        orders.append(codes[best][0])
    return orders
