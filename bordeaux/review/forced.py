"""The gains that a power could have forced in a Fall, and the orders that could have prevented another's
victory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from bordeaux.board.code import as_bytes, codes_in, unit_of
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import texts
from bordeaux.review.record import owned_after
from bordeaux.search.forcing import Planner
from bordeaux.search.proof import Goal
from bordeaux.search.sets import from_orders, in_full

__all__ = ["forced_captures", "stops"]

ALLOWED = 60_000
"""Replies that are tried for one power in one phase: some hundredths of a second."""
PLANNED, COMPLETED = 0.5, 4
"""Part of that for plans, and the plans that are completed."""


def forced_captures(position: Position, power: str, played: bytes) -> tuple[int, tuple[str, ...]]:
    """The largest number of centres that a power can certainly own after a Fall movement, whatever all others
    order, if it exceeds the present number; and the orders that force it. 0 and no orders if none is found.
    Units that are not needed keep their orders of the `played` set, unless these reduce the result."""
    owned = position.owners.count(power)
    planner = Planner(position, power, Goal(power, True, owned + 1))
    planner.prover.allow(PLANNED * ALLOWED)
    plans = list(islice(planner.plans(), COMPLETED))
    province_of = planner.prover.field.province_of
    rest = {province_of[unit_of(code)]: code for code in codes_in(played)}
    most, by = owned, played
    for start in plans:
        planner.prover.allow((1 - PLANNED) * ALLOWED / len(plans))
        orders, _ = planner.complete(start)
        planner.prover.allow(ALLOWED / len(plans))
        orders = planner.filled(orders, start, rest)
        more = most
        while more < len(planner.prover.stakes(orders)) and planner.prover.judge(orders, more + 1).holds:
            more += 1
        if more > most:
            most, by = more, as_bytes(orders.values())
    if most == owned:
        return 0, ()
    return most, texts(position.map, as_bytes(in_full(position, power, by).values()))


def stops(
    position: Position,
    power: str,
    winner: str,
    orders: Mapping[str, Sequence[Order]],
    sets: Iterable[bytes],
) -> tuple[str, ...]:
    """Orders of a power that would have prevented another's victory, given the actual orders of all others,
    with as few changes as the search finds. It tries other orders of one unit, all defences of one centre,
    the orders of a proof, and the first of some other sets. None if nothing is found."""
    map = position.map
    need = len(map.centres) // 2 + 1
    planner = Planner(position, power, Goal(winner, False, need - 1, against=winner))
    planner.prover.allow(ALLOWED)
    province_of = planner.prover.field.province_of
    given = in_full(position, power, from_orders(position, power, orders[power])).values()
    played = {province_of[unit_of(code)]: code for code in given}

    def stopped(tried: Mapping[int, int]) -> bool:
        after = position.next({**orders, power: texts(map, as_bytes(tried.values()))})
        return len(owned_after(after, winner)) < need

    for changed in _defences(planner, winner, position.next(orders), sets):
        tried = played | changed
        if not stopped(tried):
            continue
        # What need not be changed is left as it was.
        for place, code in played.items():
            spared = tried | {place: code}
            if stopped(spared):
                tried = spared
        return texts(map, as_bytes(tried.values()))
    return ()


def _defences(
    planner: Planner, winner: str, after: Position, sets: Iterable[bytes]
) -> Iterator[dict[int, int]]:
    """The possible defences of a planner's units against a victory, by province, the simplest first."""
    for place in planner.units:
        for _, code in planner.legal[place]:
            yield {place: code}
    map = planner.position.map
    for centre in sorted(map.province(tag).index for tag in owned_after(after, winner)):
        for part, code in planner.moves_to(centre):
            yield {part.unit: code, **planner.helps(part)}
    for plan in islice(planner.plans(), COMPLETED):
        yield planner.complete(plan)[0]
    province_of = planner.prover.field.province_of
    for defence in sets:
        yield {province_of[unit_of(code)]: code for code in codes_in(defence)}
