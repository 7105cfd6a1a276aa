"""Sets of orders of one power: as codes, as mixtures, and whether they are consistent."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

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
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.rules.rulesets import DATC, RuleSet

__all__ = [
    "Mixture",
    "by_owner",
    "distinct",
    "fits",
    "from_orders",
    "in_full",
    "likeliest",
    "mended",
    "mixed",
    "probabilities",
    "repeated",
    "unlike",
]


def from_orders(
    position: Position, power: str, orders: Iterable[str | Order], rules: RuleSet = DATC
) -> bytes:
    """The codes of suggested, promised or threatened orders; those that `rules` make illegal are left out."""
    submission = submit(position, {power: orders}, given_routes=rules.given_routes)
    return as_bytes([code for _, code in submission.codes()])


def in_full(position: Position, power: str, orders: bytes) -> dict[int, int]:
    """The codes of a power's orders in a movement phase by the location of the unit, in the order of the
    locations, with a hold for every unit without one."""
    units = position.units_of(power)
    locations = sorted(position.map.location(unit.kind, unit.location).index for unit in units)
    held = {location: make_code(OrderKind.HOLD, location) for location in locations}
    return held | {unit_of(code): code for code in codes_in(orders)}


def by_owner(
    position: Position, sets: Iterable[Iterable[str | Order]], rules: RuleSet = DATC
) -> dict[str, list[bytes]]:
    """Sets of orders as seeds for the powers whose units they order, each set one seed for each of them.

    A neighbour's promise is a seed for the neighbour. Orders for missing units are left out, like illegal
    ones. Raises OrderError for unreadable orders.
    """
    seeds: dict[str, list[bytes]] = {}
    for orders in sets:
        owned: dict[str, list[Order]] = {}
        for given in orders:
            order = given if isinstance(given, Order) else parse_order(given, position.map, position)
            unit = position.unit_at(order.location.partition("/")[0])
            if unit is not None:
                owned.setdefault(unit.power, []).append(order)
        for power, theirs in owned.items():
            seeds.setdefault(power, []).append(from_orders(position, power, theirs, rules))
    return seeds


def repeated(
    position: Position, previous: Mapping[str, Iterable[str | Order]], rules: RuleSet = DATC
) -> dict[str, bytes]:
    """For every power the last orders of the units that are still in the same place.

    `previous` are the orders of the movement phase before.
    """
    seeds = {}
    for power, orders in previous.items():
        name = position.map.power(power)
        again = [
            order
            for order in submit(position, {name: orders}, given_routes=rules.given_routes).orders
            if not order.fault and order.order.kind != OrderKind.CONVOY
        ]
        seeds[name] = as_bytes([order.code for order in again])
    return seeds


def fits(map: Map, orders: bytes) -> bool:
    """Whether a power's movement orders (bytes of codes) are consistent. Supports and convoys of own units
    are for their actual orders, and a convoyed army has an own fleet. No two units go to one place, none goes
    to a place where another stays, and no two change places without a convoy. Help for others, and missing
    orders, are not checked."""
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
            if other is not None and moving and not carried & {aim, province(unit_of(code))}:
                blocked = province(target_of(other)) == province(unit_of(code))
            if aim in goals or blocked or (is_via(code) and province(unit_of(code)) not in carried):
                yield i
            goals.add(aim)
        elif other is not None:
            there = moving and province(target_of(other)) == province(destination_of(code))
            if moving if kind == OrderKind.SUPPORT_HOLD else not there:
                yield i


#: Points that make one line e times as likely as another.
TEMPERATURE = 15.0
#: The number of sets of a power that others expect, and the lowest probability of all but the first.
RECKONED = 3
UNLIKELY = 0.02


def distinct(scores: Mapping[bytes, float], best: bytes, count: int) -> list[tuple[bytes, float]]:
    """The `best` set and then others by score, each with other moves than those before it.

    A set with the same moves and another useless support is not a separate line.
    """
    ranked = sorted(scores, key=lambda orders: (orders == best, scores[orders], orders), reverse=True)
    return [(orders, scores[orders]) for orders in itertools.islice(unlike(ranked), count)]


def unlike(sets: Iterable[bytes]) -> Iterator[bytes]:
    """The first sets, each with other moves than those before it."""
    seen: set[frozenset[int]] = set()
    for orders in sets:
        moves = frozenset(code for code in codes_in(orders) if kind_of(code) == OrderKind.MOVE)
        if moves not in seen:
            seen.add(moves)
            yield orders


def probabilities(values: list[float], temperature: float = TEMPERATURE) -> list[float]:
    """Shares of 1 that fall exponentially with the points behind the best: `temperature` points make a share
    e times as large as another."""
    if not values:
        return []
    top = max(values)
    weights = [math.exp((value - top) / temperature) for value in values]
    total = sum(weights)
    return [weight / total for weight in weights]


def likeliest(shares: list[float]) -> list[int]:
    """The indices of the few sets to be considered, the most probable first."""
    ranked = sorted(range(len(shares)), key=lambda place: -shares[place])
    return [place for place in ranked[:RECKONED] if place == ranked[0] or shares[place] >= UNLIKELY]


Mixture = Mapping[bytes, float]
"""A mixed strategy of one power: the share with which it plays each of its sets (bytes of codes), in the
order of its pool. The shares sum to 1."""


def mixed(one: Mixture, other: Mixture, part: float) -> Mixture:
    """A mixture with a part (0 to 1) of another one of the same sets."""
    return {orders: (1 - part) * share + part * other[orders] for orders, share in one.items()}
