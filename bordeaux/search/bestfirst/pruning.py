"""Maxims that exclude bad orders before they are evaluated (paper 002, sections 3.2 and 4.3.3).

Order maxims look at the code of one order and the terrain; set maxims look at an order among those already
chosen and are applied by the core. Each has a name, so that a search can run without it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import NamedTuple

from bordeaux.board.code import destination_of, is_via, kind_of, target_of, unit_of
from bordeaux.board.errors import BordeauxError, nearest, quote
from bordeaux.board.map import Map
from bordeaux.board.order import HELPS, OrderKind
from bordeaux.board.position import Position

__all__ = ["ALL_MAXIMS", "ORDER_MAXIMS", "SET_MAXIMS", "Maxims", "Terrain"]


class Terrain(NamedTuple):
    """The input of maxims: the provinces (numbers) of a power's own units, and for every location (number)
    the provinces that border on it for a unit there."""

    own: frozenset[int]
    near: tuple[frozenset[int], ...]
    province: tuple[int, ...]

    @classmethod
    def of(cls, position: Position, power: str) -> Terrain:
        """The terrain of a power in a position."""
        map = position.map
        own = frozenset(map.province(unit.province).index for unit in position.units_of(power))
        return cls(own, *_borders(map))


@functools.cache
def _borders(map: Map) -> tuple[tuple[frozenset[int], ...], tuple[int, ...]]:
    near = tuple(
        frozenset(map.province(name.partition("/")[0]).index for name in map.adjacent(place.kind, place.name))
        for place in map.locations
    )
    return near, tuple(place.province for place in map.locations)


def _supports_own(terrain: Terrain, code: int) -> bool:
    """Help own units only: without a treaty others' orders are unknown."""
    return kind_of(code) not in HELPS or terrain.province[target_of(code)] in terrain.own


def _needs_the_convoy(terrain: Terrain, code: int) -> bool:
    """Convoy no army to a place that it can reach by land; a swap by sea is left to given orders."""
    kind = kind_of(code)
    if kind == OrderKind.MOVE and is_via(code):
        return terrain.province[target_of(code)] not in terrain.near[unit_of(code)]
    if kind == OrderKind.CONVOY:
        return terrain.province[destination_of(code)] not in terrain.near[target_of(code)]
    return True


OrderMaxim = Callable[[Terrain, int], bool]

ORDER_MAXIMS: dict[str, OrderMaxim] = {
    "help only your own": _supports_own,
    "walk where you can walk": _needs_the_convoy,
}

#: Maxims on sets, with their bits in the core.
SET_MAXIMS: dict[str, int] = {
    "never send two units to one province": 1,
    "never cut your own support": 2,
    "never swap places by land": 4,
}

ALL_MAXIMS = (*ORDER_MAXIMS, *SET_MAXIMS)


class Maxims(NamedTuple):
    """The maxims that a search applies: functions on orders, and bits for the core."""

    on_orders: tuple[OrderMaxim, ...]
    on_sets: int

    @classmethod
    def named(cls, names: Iterable[str] = ALL_MAXIMS) -> Maxims:
        """The maxims of these names. Raises BordeauxError for an unknown one."""
        chosen = list(names)
        for name in chosen:
            if name not in ALL_MAXIMS:
                raise BordeauxError(f"unknown maxim {quote(name)}{nearest(name, ALL_MAXIMS)}")
        return cls(
            tuple(ORDER_MAXIMS[name] for name in chosen if name in ORDER_MAXIMS),
            sum(SET_MAXIMS[name] for name in chosen if name in SET_MAXIMS),
        )
