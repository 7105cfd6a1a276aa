"""Regions of a map without a regions file: its distance graph clustered (paper 002, section 4.3.4).

The method is agglomerative. Every province begins as a region of its own. The two most strongly connected
neighbouring regions are joined, until there are few enough. Land regions are neighbours if an army can
pass, sea regions if a fleet can pass, so regions are either land or sea.
"""

from __future__ import annotations

import numpy as np

from bordeaux.board.map import Map

__all__ = ["clustered"]

#: Provinces to a region, on the average.
SIZE = 4
#: What it costs, in steps, to join homes of different powers.
HOMES_APART = 3.0


def clustered(map: Map, size: int = SIZE, mixed: bool = False) -> list[list[int]]:
    """Province numbers in groups of about `size`, in order; with `mixed`, land and sea together.

    The cost of joining two groups is the mean distance within the result. It rises with provinces and centres
    above the average, and for homes of different powers. Ties go to the groups with the lowest numbers, so
    that the same map always gives the same groups.
    """
    n = len(map.provinces)
    steps = np.minimum(np.array([map.tables.steps(place) for place in range(n)], dtype=float), n)
    centres = np.array([province.centre for province in map.provinces], dtype=float)
    fair = max(1.0, size * centres.sum() / n)
    groups: dict[int, list[int]] = {place: [place] for place in range(n)}
    links = {place: _neighbours(map, place, mixed) for place in range(n)}
    homes = {place: set(map.provinces[place].homes) for place in range(n)}
    while len(groups) > max(2, -(-n // size)):
        costs = []
        for one, beside in links.items():
            for other in beside:
                if one < other:
                    joined = groups[one] + groups[other]
                    within = steps[np.ix_(joined, joined)].sum() / (len(joined) * (len(joined) - 1))
                    cost = within + len(joined) / size + centres[joined].sum() / fair
                    apart = homes[one] and homes[other] and homes[one] != homes[other]
                    costs.append((round(cost + (HOMES_APART if apart else 0.0), 9), one, other))
        if not costs:
            break
        _, one, other = min(costs)
        groups[one] = sorted(groups[one] + groups.pop(other))
        homes[one] |= homes.pop(other)
        links[one] = (links[one] | links.pop(other)) - {one, other}
        for beside in links.values():
            if other in beside:
                beside.discard(other)
                beside.add(one)
        links[one].discard(one)
    return [groups[place] for place in sorted(groups)]


def _neighbours(map: Map, place: int, mixed: bool) -> set[int]:
    """Provinces that can be added to this one's group."""
    province = map.provinces[place]
    neighbours = set()
    for kind in "AF":
        for location in map.locations_in(kind, province.name):
            for name in map.adjacent(kind, location.name):
                other = map.province(name.partition("/")[0])
                at_sea = {province.kind, other.kind} == {"sea"}
                on_land = kind == "A"
                if mixed or at_sea or on_land:
                    neighbours.add(other.index)
    return neighbours
