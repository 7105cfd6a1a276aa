"""Builds and removals of HaAI (paper 001, section 3.2.5, at its end)."""

from __future__ import annotations

from collections.abc import Sequence

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.players.map_index import FAR_AWAY, MapIndex, map_index, situation

__all__ = ["builds", "removals"]


def removals(position: Position, power: int, values: Sequence[int]) -> list[Order]:
    """The due number of units, those in the places of least value."""
    ground, now = map_index(position.map), situation(position)
    units = sorted(now.units_of(power), key=lambda unit: values[now.location[unit]])
    due = -position.adjustments(position.map.powers[power])
    places = [now.location[unit] for unit in units[: max(0, due)]]
    return [Order(OrderKind.DISBAND, ground.kind[place], ground.name[place]) for place in places]


def builds(position: Position, power: int, values: Sequence[int]) -> list[Order]:
    """One unit after the other, of the kind that is needed more, at the best open home.

    The ratio of armies to fleets shall be that of the centres that each can reach, without own homes. "Reach"
    is taken here as: by any number of moves without convoy from some own home. A new unit is of the kind that
    brings the ratio nearer, an army if neither does. It is of the other kind if no home is open to the first.
    """
    ground, now = map_index(position.map), situation(position)
    name = position.map.powers[power]
    homes = set(now.open_homes(power))
    kinds = [ground.kind[now.location[unit]] for unit in now.units_of(power)]
    share = _army_share(ground, power)
    orders = []
    for _ in range(position.adjustments(name)):
        armies, all_units = kinds.count("A"), len(kinds) + 1
        needed = "A" if abs((armies + 1) / all_units - share) <= abs(armies / all_units - share) else "F"
        places = [place for home in sorted(homes) for place in ground.locations[home]]
        fitting = [place for place in places if ground.kind[place] == needed] or places
        best = max(fitting, key=lambda place: values[place])
        homes.remove(ground.province[best])
        kinds.append(ground.kind[best])
        orders.append(Order(OrderKind.BUILD, ground.kind[best], ground.name[best]))
    return orders


def _army_share(ground: MapIndex, power: int) -> float:
    """The share of armies that a power's surroundings require."""
    homes = ground.homes[power]
    starts = [place for home in homes for place in ground.locations[home]]
    reached = {
        kind: sum(
            centre not in homes
            and any(ground.distances(s)[centre] != FAR_AWAY for s in starts if ground.kind[s] == kind)
            for centre in ground.centres
        )
        for kind in "AF"
    }
    both = reached["A"] + reached["F"]
    return reached["A"] / both if both else 0.5
