"""Maxims that weed out stupid orders before they are evaluated (paper 002, sections 3.2 and 4.3.3).

Order maxims look at one order in its position; set maxims look at an order among those already
chosen and are applied by the core. Each has a name, so that a search can be run without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError, nearest, quote
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position

__all__ = ["ALL_MAXIMS", "ORDER_MAXIMS", "SET_MAXIMS", "Maxims"]


def _own(position: Position, power: str, location: str) -> bool:
    unit = position.unit_at(location.partition("/")[0])
    return unit is not None and unit.power == power


def _supports_own(position: Position, power: str, order: Order) -> bool:
    """Help own units only: without a treaty nobody else's orders are known."""
    helping = order.kind in (OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE, OrderKind.CONVOY)
    return not helping or _own(position, power, order.target)


def _needs_the_convoy(position: Position, power: str, order: Order) -> bool:
    """Convoy no army to where it can walk; a swap by sea is left to orders given from outside."""
    if order.kind == OrderKind.MOVE and order.via:
        return order.destination not in position.map.adjacent(order.unit, order.location)
    if order.kind == OrderKind.CONVOY:
        return order.destination not in position.map.adjacent("A", order.target)
    return True


OrderMaxim = Callable[[Position, str, Order], bool]

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
    """The maxims that a search obeys: functions on orders, and bits for the core."""

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
