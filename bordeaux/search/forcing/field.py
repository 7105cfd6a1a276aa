"""A movement position for the proof of forced results, and decoded order codes."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import NamedTuple

from bordeaux._ext import field
from bordeaux.board.code import destination_of, is_via, kind_of, target_of, unit_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position

__all__ = ["Field", "OrderParts", "parts"]


class OrderParts(NamedTuple):
    """A decoded order code; `unit`, `helped` and `goal` are numbers of provinces.

    `helped` is the unit that is supported or convoyed (the ordered unit for other orders). `goal` is the
    destination of a move, or of the move that is helped; for a hold or its support it is the place of the
    unit.
    """

    kind: int
    via: bool
    unit: int
    helped: int
    goal: int


def parts(code: int, province_of: list[int]) -> OrderParts:
    """Decode an order code (see `bordeaux._ext.packed`)."""
    kind, via = kind_of(code), is_via(code)
    unit = province_of[unit_of(code)]
    target = province_of[target_of(code)]
    if kind == OrderKind.MOVE:
        return OrderParts(kind, via, unit, unit, target)
    if kind == OrderKind.SUPPORT_HOLD:
        return OrderParts(kind, via, unit, target, target)
    if kind in (OrderKind.SUPPORT_MOVE, OrderKind.CONVOY):
        return OrderParts(kind, via, unit, target, province_of[destination_of(code)])
    return OrderParts(kind, via, unit, unit, unit)


class Field:
    """A movement position and the repliers: the units of some powers. Units are identified by the numbers of
    their provinces.

    `core` has the possible orders of the repliers, and finds those that can matter (`bordeaux._ext.closure`
    says why no others can).
    """

    def __init__(self, position: Position, repliers: Collection[str]) -> None:
        map = position.map
        self.position = position
        self.province_of = [location.province for location in map.locations]
        self.owners = {map.province(unit.province).index: unit.power for unit in position.units}
        self.core = field.Field(position.packed, {map.powers.index(power) for power in repliers})
        self.repliers = frozenset(self.core.repliers())

    @cached_property
    def legal(self) -> dict[int, list[int]]:
        """Legal codes by province of the unit."""
        return {
            self.province_of[location]: codes
            for units in self.position.packed.legal().values()
            for location, codes in units.items()
        }
