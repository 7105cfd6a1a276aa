"""What is agreed upon, as a search takes it (`bordeaux.search.agreements`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import combinations

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.press import language as p
from bordeaux.press.deeds import suits
from bordeaux.press.terms import kind_of
from bordeaux.press.timing import moment
from bordeaux.search.agreements import Agreement

__all__ = ["agreements"]

#: Trust in a power, from 0 to 1, to keep a kind of promise.
Trust = Callable[[str, str], float]


def agreements(
    position: Position,
    power: str,
    owed: Iterable[tuple[p.Term, tuple[str, ...]]],
    trust: Trust,
    free: Collection[str] = (),
) -> list[Agreement]:
    """Agreements that bind in a position, each one that the search can read, none twice.

    `owed` are timed terms, the latest first, with the powers that are bound by each; where two promise
    different orders for a unit, the later counts. `power` is the one whose trust it is. Of terms that leave
    a choice the first part that can be done stands for all: its giver keeps its word with it.
    """
    found: dict[tuple[object, ...], Agreement] = {}
    for term, parties in owed:
        for each in _of(term, parties, position):
            key: tuple[object, ...] = each.kind, each.parties, each.provinces, each.orders
            if each.kind == "promise" and position.phase.kind != "A":
                key = "promise", *(str(order).split()[1].partition("/")[0] for order in each.orders)
            others = [party for party in each.parties if party != power] or [power]
            kind = kind_of(term)
            found.setdefault(
                key,
                Agreement(
                    each.kind,
                    each.parties,
                    each.orders,
                    each.provinces,
                    trust=min(1.0, max(0.0, min(trust(party, kind) for party in others))),
                    stabbed_by=tuple(party for party in each.parties if party in free),
                ),
            )
    return list(found.values())


def _of(term: p.Term, parties: tuple[str, ...], position: Position) -> Iterator[Agreement]:
    """What a term asks of its parties in a position, as far as a search can be told."""
    match term:
        case p.During(first, last, inner):
            if moment(first) <= moment(position.phase) <= moment(last or first):
                yield from _of(inner, parties, position)
        case p.All(parts=inside):
            for part in inside:
                yield from _of(part, parties, position)
        case p.Some(parts=inside):
            yield from next((some for part in inside if (some := list(_of(part, parties, position)))), ())
        case p.Choice(least, _, inside):
            possible = [some for part in inside if (some := list(_of(part, parties, position)))]
            for some in possible[:least]:
                yield from some
        case p.Peace(powers) | p.Alliance(powers):
            kind = "alliance" if isinstance(term, p.Alliance) else "peace"
            for pair in combinations([party for party in parties if party in powers], 2):
                yield Agreement(kind, pair)
        case p.Demilitarised(powers, provinces):
            for party in parties:
                if party in powers:
                    yield Agreement("demilitarised", (party,), provinces=provinces)
                    yield from _leave(position, party, provinces)
        case p.Promise(party, order) if party in parties and suits(order, position):
            (checked,) = submit(position, {party: [order]}).orders
            if not checked.fault:
                yield Agreement("promise", (party,), (order,))
        case p.Not(p.Promise(party, order)) if party in parties and suits(order, position):
            (checked,) = submit(position, {party: [order]}).orders
            if not checked.fault:
                yield Agreement("forbid", (party,), (order,))
        case p.Not(p.During(_, _, p.Promise() as promise) as span):
            if moment(span.first) <= moment(position.phase) <= moment(span.last or span.first):
                yield from _of(p.Not(promise), parties, position)


def _leave(position: Position, power: str, provinces: tuple[str, ...]) -> Iterator[Agreement]:
    """Units in provinces that are to be demilitarised do not stay."""
    if position.phase.kind == "M":
        for unit in position.units_of(power):
            if unit.province in provinces:
                hold = Order(OrderKind.HOLD, unit.kind, unit.location)
                yield Agreement("forbid", (power,), (hold,))
