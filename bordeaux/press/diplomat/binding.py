"""Converts agreements to the form of the search (`bordeaux.search.agreements`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import decode, submit
from bordeaux.press.diplomat.facts import Pair
from bordeaux.press.diplomat.turn import province_of, suits
from bordeaux.press.language import messages as p
from bordeaux.press.language.terms import kind_of, while_on
from bordeaux.rules.legal import legal_codes
from bordeaux.search.agreements import Agreement

__all__ = ["Trust", "agreements"]

Trust: TypeAlias = Callable[[str, str], float]
"""Trust in a power, from 0 to 1, to keep a kind of promise."""


class _Duty(NamedTuple):
    """The content of one agreement of the search."""

    kind: str
    parties: tuple[str, ...]
    order: Order | None = None
    provinces: tuple[str, ...] = ()


def agreements(
    position: Position,
    power: str,
    owed: Iterable[tuple[p.Term, Collection[Pair]]],
    trust: Trust,
    free: Collection[str] = (),
) -> list[Agreement]:
    """The agreements that bind in a position, free of contradictions.

    `owed` are timed terms, the latest first, with the pairs that each binds. If two promise different orders
    for a unit, the later counts; a promise has precedence over the agreement to which it is an exception. Of
    terms with a choice the first possible part is used: it suffices to keep the term. `power` is the power
    whose trust is used: the trust in a pair is that in the other party, or the smaller of two. Parties in
    `free` may break their agreements.
    """
    duties = list(dict.fromkeys(duty for term, pairs in owed for duty in _duties(term, pairs, position)))
    listed = []
    for duty in _consistent(duties):
        others = [party for party in duty.parties if party != power] or [power]
        kind = duty.kind
        if duty.order is not None:
            kind = kind_of(p.Promise(duty.parties[0], duty.order)) if kind == "promise" else "promise"
        listed.append(
            Agreement(
                duty.kind,
                duty.parties,
                () if duty.order is None else (duty.order,),
                duty.provinces,
                trust=min(1.0, max(0.0, min(trust(party, kind) for party in others))),
                stabbed_by=tuple(party for party in duty.parties if party in free),
            )
        )
    return listed


def _consistent(duties: list[_Duty]) -> Iterator[_Duty]:
    """Duties that can all be kept: of promises for a unit the first, and nothing from which a promise
    exempts."""
    promised: dict[tuple[str, str], Order] = {}
    for duty in duties:
        if duty.kind == "promise" and duty.order is not None:
            # A waived build has no place, and is promised by each power for itself.
            whose = duty.parties[0] if duty.order.kind == OrderKind.WAIVE else ""
            promised.setdefault((whose, province_of(duty.order.location)), duty.order)
    kept = set(promised.values())
    goals = {
        (duty.parties, province_of(duty.order.destination or duty.order.location))
        for duty in duties
        if duty.order in kept and duty.order is not None and duty.kind == "promise"
    }
    allied = {duty.parties for duty in duties if duty.kind == "alliance"}
    for duty in duties:
        left = tuple(province for province in duty.provinces if (duty.parties, province) not in goals)
        if duty.kind == "demilitarised" and left:
            yield duty._replace(provinces=left)
        elif (
            (duty.kind == "promise" and duty.order in kept)
            or (duty.kind == "forbid" and duty.order not in kept)
            or duty.kind == "alliance"
            or (duty.kind == "peace" and duty.parties not in allied)
        ):
            yield duty


def _duties(term: p.Term, pairs: Collection[Pair], position: Position) -> Iterator[_Duty]:
    """The duties of the parties of a term in a position, as far as the search can express them."""
    parties = tuple(dict.fromkeys(power for pair in pairs for power in pair))
    match while_on(term, position.phase):
        case p.All(parts=inside):
            for part in inside:
                yield from _duties(part, pairs, position)
        case p.Some(parts=inside):
            # What is not to be done is a condition, and what depends on it is kept as if it held.
            listed = sorted(inside, key=lambda part: isinstance(part, p.Not))
            yield from next(_possible(listed, pairs, position), ())
        case p.Choice(least, _, inside):
            for some, _ in zip(_possible(inside, pairs, position), range(least), strict=False):
                yield from some
        case p.Peace(powers):
            yield from (_Duty("peace", pair) for pair in pairs if set(pair) <= set(powers))
        case p.Alliance(powers):
            yield from (_Duty("alliance", pair) for pair in pairs if set(pair) <= set(powers))
        case p.Demilitarised(powers, provinces):
            for party in parties:
                if party in powers:
                    yield _Duty("demilitarised", (party,), provinces=provinces)
                    yield from _leaving(position, party, provinces)
        case p.Division(shares):
            due = {centre: share.owner for share in shares for centre in share.centres}
            for party in parties:
                yield from _sharing(position, party, due)
        case p.Promise(party, order) if party in parties and _legal(position, party, order):
            yield _Duty("promise", (party,), order)
        case p.Not(p.Promise(party, order)) if party in parties and _legal(position, party, order):
            yield _Duty("forbid", (party,), order)


def _possible(parts: Iterable[p.Term], pairs: Collection[Pair], position: Position) -> Iterator[list[_Duty]]:
    """The duties of the possible terms that have any."""
    return filter(None, (list(_duties(part, pairs, position)) for part in parts))


def _leaving(position: Position, power: str, provinces: tuple[str, ...]) -> Iterator[_Duty]:
    """Units in provinces that are to be demilitarised do not stay."""
    for unit in position.units_of(power) if position.phase.kind == "M" else ():
        if unit.province in provinces:
            yield _Duty("forbid", (power,), Order(OrderKind.HOLD, unit.kind, unit.location))


def _sharing(position: Position, power: str, due: Mapping[str, str]) -> Iterator[_Duty]:
    """In Autumn units do not enter the centres that are assigned to others, or to nobody."""
    if position.phase.season != "F":
        return
    for codes in legal_codes(position).get(power, {}).values():
        for code in codes:
            order = decode(position.map, code)
            goes = order.kind in (OrderKind.MOVE, OrderKind.RETREAT)
            if goes and due.get(province_of(order.destination), power) != power:
                yield _Duty("forbid", (power,), order)


def _legal(position: Position, power: str, order: Order) -> bool:
    return suits(order, position) and not submit(position, {power: [order]}).orders[0].fault
