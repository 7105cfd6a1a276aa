"""Whether the orders of one power fit together."""

from __future__ import annotations

from bordeaux.board.code import codes_in, destination_of, is_via, kind_of, target_of, unit_of
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind

__all__ = ["fits"]


def fits(map: Map, orders: bytes) -> bool:
    """Whether no order of a power's movement phase (bytes of codes) is at odds with another one of it: help
    goes to what own units do, no two go to one place, none goes where another stays, and who goes by convoy
    has an own one. Of help for others, and of orders that are not there, nothing is asked."""

    def province(location: int) -> int:
        return map.locations[location].province

    codes = {province(unit_of(code)): code for code in codes_in(orders)}
    goals: set[int] = set()
    carried = {province(target_of(code)) for code in codes.values() if kind_of(code) == OrderKind.CONVOY}
    for place, code in codes.items():
        kind = kind_of(code)
        if kind == OrderKind.HOLD:
            continue
        aim = province(target_of(code))
        other = codes.get(aim)
        moving = other is not None and kind_of(other) == OrderKind.MOVE
        if kind == OrderKind.MOVE:
            blocked = other is not None and not moving
            if aim in goals or blocked or (is_via(code) and place not in carried):
                return False
            goals.add(aim)
        elif other is not None:
            there = moving and province(target_of(other)) == province(destination_of(code))
            if moving if kind == OrderKind.SUPPORT_HOLD else not there:
                return False
    return True
