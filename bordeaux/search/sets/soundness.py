"""Consistency of the orders of one power, and holds in place of inconsistent ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from bordeaux.board.code import (
    as_bytes,
    codes_in,
    destination_of,
    is_via,
    kind_of,
    make_code,
    target_of,
    unit_of,
)
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind

__all__ = ["fits", "mended"]


def fits(map: Map, orders: bytes) -> bool:
    """Whether a power's movement orders (bytes of codes) are consistent. Supports and convoys of own units
    are for their actual orders, and a convoyed army has an own fleet. No two units go to one place, and none
    goes to a place where another stays. Help for others, and missing orders, are not checked."""
    return next(_at_odds(map, codes_in(orders)), None) is None


def mended(map: Map, orders: bytes, fixed: Collection[int] = ()) -> bytes:
    """A power's movement orders with a hold in place of each inconsistent one. Those of `fixed` (codes) are
    unchanged, and the others must be consistent with them."""
    codes = list(codes_in(orders))
    while odd := [place for place in _at_odds(map, codes, fixed) if codes[place] not in fixed]:
        for place in odd:
            codes[place] = make_code(OrderKind.HOLD, unit_of(codes[place]))
    return as_bytes(codes)


def _at_odds(map: Map, codes: Sequence[int], fixed: Collection[int] = ()) -> Iterator[int]:
    """The indices of inconsistent orders; of two moves to one place, that of the later one, unless it is
    `fixed`."""

    def province(location: int) -> int:
        return map.locations[location].province

    orders = {province(unit_of(code)): code for code in codes}
    carried = {province(target_of(code)) for code in codes if kind_of(code) == OrderKind.CONVOY}
    goals: set[int] = set()
    places = range(len(codes))
    for i in sorted(places, key=lambda place: codes[place] not in fixed) if fixed else places:
        code = codes[i]
        kind = kind_of(code)
        if kind == OrderKind.HOLD:
            continue
        aim = province(target_of(code))
        other = orders.get(aim)
        moving = other is not None and kind_of(other) == OrderKind.MOVE
        if kind == OrderKind.MOVE:
            blocked = other is not None and not moving
            if aim in goals or blocked or (is_via(code) and province(unit_of(code)) not in carried):
                yield i
            goals.add(aim)
        elif other is not None:
            there = moving and province(target_of(other)) == province(destination_of(code))
            if moving if kind == OrderKind.SUPPORT_HOLD else not there:
                yield i
