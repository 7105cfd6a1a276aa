"""Divide and conquer: fronts that do not interact are searched separately (Hall and Loeb 1995, section
4.3.5).

A unit touches its own province and the goals of its orders: the destinations of its moves (convoys included)
and of its supports, and both ends of its convoys. The result of an order depends only on orders that touch a
common province: attacks, help, cuts, units that leave or stay, disrupted convoys. So own units that no chain
of common provinces joins, over own and foreign units, cannot affect each other in this phase, whatever their
orders. Others touch the provinces of all their orders.

This criterion is strict, and on a full board there is usually one front. A weaker criterion is more useful:
no chain of common provinces joins them that others touch as well. Own units can then still obstruct each
other, but only where nobody else is. The search detects that, since the other fronts keep the orders of the
best set so far, and every set is evaluated whole.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence

from bordeaux._ext.search.expand import Expander
from bordeaux.board.code import destination_of, kind_of, target_of, unit_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.search.bestfirst import SAME, AgendaNode, Maxims, best_first, candidates

#: Sets kept for every front, and evaluated combinations of them.
KEPT = 4
RECOMBINED = 32


def fronts(position: Position, power: str, maxims: Maxims) -> list[tuple[int, ...]]:
    """The units of a power in groups, one for each front in a movement phase, the smallest first.

    Groups do not interact where others are involved. Units are numbered as in the power's `Expander`.
    """
    map = position.map
    number = map.powers.index(power)
    legal = position.packed.legal()
    own = candidates(position, power, legal.get(number, {}), maxims)
    touched = [_touched(position, codes) for codes in own]
    foreign = [
        _touched(position, codes) for who, units in legal.items() if who != number for codes in units.values()
    ]
    contested = set().union(*foreign)
    touched = [area & contested or area - contested for area in touched]
    joined = _joined([*touched, *foreign])
    groups: dict[int, list[int]] = {}
    for unit in range(len(own)):
        groups.setdefault(joined[unit], []).append(unit)
    return sorted((tuple(group) for group in groups.values()), key=lambda group: (len(group), group))


def _touched(position: Position, codes: Iterable[int]) -> set[int]:
    """Numbers of the provinces that a unit's orders touch."""
    province = [place.province for place in position.map.locations]
    provinces = set()
    for code in codes:
        kind = kind_of(code)
        provinces.add(province[unit_of(code)])
        if kind in (OrderKind.MOVE, OrderKind.SUPPORT_HOLD, OrderKind.CONVOY):
            provinces.add(province[target_of(code)])
        if kind in (OrderKind.SUPPORT_MOVE, OrderKind.CONVOY):
            provinces.add(province[destination_of(code)])
    return provinces


def _joined(areas: Sequence[set[int]]) -> list[int]:
    """For every area the number of the first area to which a chain of overlaps joins it."""
    parts: list[tuple[set[int], list[int]]] = []
    for number, area in enumerate(areas):
        beside = [part for part in parts if part[0] & area]
        parts = [part for part in parts if not part[0] & area]
        covered = area.union(*(part[0] for part in beside))
        parts.append((covered, sorted([number, *itertools.chain(*(part[1] for part in beside))])))
    first = {number: part[1][0] for part in parts for number in part[1]}
    return [first[number] for number in range(len(areas))]


def by_fronts(
    space: Expander,
    groups: Sequence[Sequence[int]],
    seed: bytes,
    stop: Callable[[], bool],
    patience: int,
    beside: list[AgendaNode] | None = None,
) -> Iterator[AgendaNode]:
    """Complete sets, each better than all before, found by searching each group of units separately.

    While one group is searched, best first, the others keep the orders of the best set so far; the groups
    take turns until nothing improves. Then the best few sets of every group are recombined and evaluated
    whole, since values are not exactly additive. A search of all units from there ends it. `stop`, `patience`
    and `beside` are those of `best_first`.
    """
    space.set_seed(seed)
    best = AgendaNode(space.value(seed), seed)
    kept: dict[int, dict[bytes, float]] = {number: {} for number in range(len(groups))}
    better = len(groups) > 1
    try:
        while better and not stop():
            better = False
            for number, group in enumerate(groups):
                space.freeze([unit for unit in range(space.n_units) if unit not in group])
                before = best.value
                for node in best_first(space, best.choices, stop, patience, beside):
                    kept[number][_of(node.choices, group)] = node.value - before
                    if node.value > best.value + SAME:
                        best, better = node, True
                        yield node
    finally:
        space.freeze(())
    for choices in _recombined(best.choices, groups, kept) if len(groups) > 1 else ():
        if stop():
            return
        node = AgendaNode(space.value(choices), choices)
        if node.value > best.value + SAME:
            best = node
            yield node
    better = True
    while better and not stop():
        better = False
        for node in best_first(space, best.choices, stop, patience, beside):
            if node.value > best.value + SAME:
                best, better = node, True
                yield node


def _of(choices: bytes, group: Sequence[int]) -> bytes:
    """The orders of a complete set for the units of a group."""
    return b"".join(choices[2 * unit : 2 * unit + 2] for unit in group)


def _recombined(
    choices: bytes, groups: Sequence[Sequence[int]], kept: dict[int, dict[bytes, float]]
) -> list[bytes]:
    """Whole sets from the best few of every group, the most promising first."""
    sets: list[tuple[float, bytes]] = [(0.0, choices)]
    for number, group in enumerate(groups):
        best = sorted(kept[number].items(), key=lambda part: (-part[1], part[0]))[:KEPT]
        made = []
        for value, whole in sets:
            for part, gain in best or [(_of(whole, group), 0.0)]:
                mixed = bytearray(whole)
                for place, unit in enumerate(group):
                    mixed[2 * unit : 2 * unit + 2] = part[2 * place : 2 * place + 2]
                made.append((value + gain, bytes(mixed)))
        sets = sorted(made, key=lambda scored: (-scored[0], scored[1]))[:RECOMBINED]
    return [whole for _, whole in sets if whole != choices]
