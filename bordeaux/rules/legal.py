"""The legal orders of a position, as text."""

from __future__ import annotations

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import decode


def legal_codes(position: Position) -> dict[str, dict[str, list[int]]]:
    """Legal orders as codes of the core: power, then location to be ordered, then orders."""
    map = position.map
    named: dict[str, dict[str, list[int]]] = {}
    for power, units in position.packed.legal().items():
        of_power = named.setdefault(map.powers[power], {})
        for location, codes in units.items():
            # An army and a fleet to be built in one home are two locations of one name.
            of_power.setdefault(map.locations[location].name, []).extend(codes)
    return named


def legal_orders(position: Position, power: str | None = None) -> dict[str, list[str]]:
    """Legal orders for every location that can be ordered, ``{"PAR": ["A PAR H", ...]}``.

    With a `power` (name or tag), for its locations only. In Winter every build comes with
    ``WAIVE``, keyed by province. Raises MapError for an unknown power.
    """
    map = position.map
    wanted = None if power is None else map.power(power)
    listed: dict[str, list[str]] = {}
    for owner, units in legal_codes(position).items():
        if wanted is not None and owner != wanted:
            continue
        for location, codes in units.items():
            orders = [decode(map, code) for code in codes]
            builds = orders[0].kind == OrderKind.BUILD
            place = location.partition("/")[0] if builds else location
            listed.setdefault(place, []).extend(str(order) for order in orders)
    if position.phase.kind == "A":
        for orders_here in listed.values():
            if orders_here[0].endswith(" B"):
                orders_here.append(str(Order(OrderKind.WAIVE)))
    return listed
