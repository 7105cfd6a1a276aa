"""What a power could have forced in a Fall, and how another's victory could have been stopped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from bordeaux.board.code import as_bytes, codes_in, unit_of
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.review.record import owned_after
from bordeaux.search.answer import texts
from bordeaux.search.forcing import Goal, Planner
from bordeaux.search.seeds import from_orders, in_full

__all__ = ["forced_captures", "stops"]

ALLOWED = 60_000
"""Replies that are tried for one power in one phase: some hundredths of a second."""
PLANNED, COMPLETED = 0.5, 4
"""Part of that for plans, and the plans that are completed."""


def forced_captures(position: Position, power: str, played: bytes) -> tuple[int, tuple[str, ...]]:
    """How many centres a power can surely own after a Fall movement, whatever all others order, where that is
    more than it owns, and the orders that force it; 0 and none where nothing more is found. Units that are
    not needed do as in the set that was `played`, as far as that takes nothing away."""
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
    """Orders of a power that would have kept another from winning, as all others ordered what they did, with
    as few changes as are found: one unit that does something else, all that can be done about one centre,
    what a proof has found, and the first of some other sets. None where there are none."""
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
    """What units of a planner could do against a victory, by province, the simplest first."""
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
    for each in sets:
        yield {province_of[unit_of(code)]: code for code in codes_in(each)}
