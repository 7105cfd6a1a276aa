"""Properties of terms: when they apply, their parts, their kind for statistics, and which exclude each
other."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import singledispatch
from typing import TypeAlias

from bordeaux.board.order import HELPS, Order, OrderKind
from bordeaux.board.phase import Phase, order_of_play
from bordeaux.press.language import messages as p

# Source: LANGUAGE.md, sections 8 and 10. Plain arrangements last one turn, and plans last long. Peace,
# alliances and demilitarised provinces last until they are ended.

_PHASE_KINDS = {
    OrderKind.RETREAT: "R",
    OrderKind.DISBAND: "R",
    OrderKind.BUILD: "A",
    OrderKind.WAIVE: "A",
}


def slot(kind: OrderKind, phase: Phase) -> Phase:
    """The next phase of the calendar, including this one, in which an order of a kind can be due. A disband
    order is for the retreats, in Winter for the adjustments. Phases that are skipped do not count."""
    wanted = _PHASE_KINDS.get(kind, "M")
    if phase.kind in (wanted, "-") or (kind == OrderKind.DISBAND and phase.kind == "A"):
        return phase
    if wanted == "A":
        return Phase(phase.year, "W", "A")
    if wanted == "R" and phase.kind == "M":
        return phase._replace(kind="R")
    if phase.season == "S":
        return Phase(phase.year, "F", wanted)
    return Phase(phase.year + 1, "S", wanted)


@singledispatch
def timed(term: p.Term, phase: Phase) -> p.Term:
    """A term said in a phase, with explicit phases for its parts that last one turn."""
    return term


@timed.register
def _(term: p.Promise, phase: Phase) -> p.Term:
    return p.During(slot(term.order.kind, phase), None, term)


@timed.register
def _(term: p.Pass, phase: Phase) -> p.Term:
    return p.During(phase, None, term)


@timed.register
def _(term: p.Not, phase: Phase) -> p.Term:
    return p.Not(timed(term.term, phase))  # type: ignore[arg-type]


@timed.register
def _(term: p.All | p.Some, phase: Phase) -> p.Term:
    return type(term)(tuple(timed(part, phase) for part in term.parts))


@timed.register
def _(term: p.Choice, phase: Phase) -> p.Term:
    return p.Choice(term.least, term.most, tuple(timed(part, phase) for part in term.parts))


def first_phases(term: object) -> Iterator[Phase]:
    """The phases with which parts of a timed term begin, if they have one."""
    match term:
        case p.During(first):
            yield first
        case p.Not(term=inner):
            yield from first_phases(inner)
        case p.All(parts=inside) | p.Some(parts=inside) | p.Choice(parts=inside):
            for part in inside:
                yield from first_phases(part)


@singledispatch
def last_phase(term: object) -> Phase | None:
    """The last phase of a timed term; None if a part lasts until it is ended."""
    return None


@last_phase.register
def _(term: p.During) -> Phase | None:
    return term.last or term.first


@last_phase.register
def _(term: p.Not) -> Phase | None:
    return last_phase(term.term)


@last_phase.register
def _(term: p.All | p.Some | p.Choice) -> Phase | None:
    phases = [last_phase(part) for part in term.parts]
    known = [phase for phase in phases if phase is not None]
    return max(known, key=order_of_play) if known and len(known) == len(phases) else None


_KINDS: dict[type, str] = {
    p.Peace: "peace",
    p.Alliance: "alliance",
    p.Demilitarised: "demilitarised",
    p.Draw: "draw",
}


def kind_of(term: p.Term) -> str:
    """The kind of a term for the statistics of reliability: peace, alliance, promise, demilitarised, support
    (a promised support or convoy), draw, or other."""
    match term:
        case p.During(term=inner):
            return kind_of(inner)
        case p.Promise(order=order):
            return "support" if order.kind in HELPS else "promise"
        case p.Not(term=p.During(term=p.Promise()) | p.Promise()):
            return "promise"
    return _KINDS.get(type(term), "other")


def parts(term: p.Term) -> Iterator[p.Term]:
    """The terms that must all be kept to keep a term."""
    if isinstance(term, p.All):
        for part in term.parts:
            yield from parts(part)
    else:
        yield term


def atoms(term: p.Term) -> Iterator[p.Term]:
    """All elementary terms within a term; `Not` and `NoDeal` are returned whole."""
    match term:
        case p.All(parts=inside) | p.Some(parts=inside) | p.Choice(parts=inside):
            for part in inside:
                yield from atoms(part)
        case p.During(term=inner):
            yield from atoms(inner)
        case _:
            yield term


def among(term: p.Term, powers: Collection[str], parties: Collection[str]) -> p.Term:
    """A term restricted to some of the parties of a deal: the others are left out of a peace."""
    match term:
        case p.All(parts=inside) | p.Some(parts=inside):
            return type(term)(tuple(among(part, powers, parties) for part in inside))
        case p.Choice(least, most, inside):
            return p.Choice(least, most, tuple(among(part, powers, parties) for part in inside))
        case p.During(first, last, inner):
            return p.During(first, last, among(inner, powers, parties))
        case p.Not(term=p.Ask()):
            return term
        case p.Not(term=inner):
            return p.Not(among(inner, powers, parties))  # type: ignore[arg-type]
        case p.Peace(named) | p.Alliance(named):
            left = tuple(power for power in named if power in powers or power not in parties)
            if len(left) < 2:
                return p.NoDeal(term)
            return term if left == named else replace(term, powers=left)
    return term


def while_on(term: p.Term, phase: Phase) -> p.Term:
    """The content of a timed term for one phase; a term for another time has none."""
    match term:
        case p.All(parts=inside) | p.Some(parts=inside):
            return type(term)(tuple(while_on(part, phase) for part in inside))
        case p.Choice(least, most, inside):
            return p.Choice(least, most, tuple(while_on(part, phase) for part in inside))
        case p.During(first, last, inner):
            within = order_of_play(first) <= order_of_play(phase) <= order_of_play(last or first)
            return inner if within else p.NoDeal(inner)
        case p.Not(term=p.During() as inner):
            return p.Not(while_on(inner, phase))
    return term


def keeps_peace(term: p.Term, first: str, second: str) -> bool:
    """Whether two powers are at peace by a term: an alliance contains a peace."""
    return any(
        isinstance(part, p.Peace | p.Alliance) and first in part.powers and second in part.powers
        for part in parts(term)
    )


def undone(term: p.Term) -> p.Term | None:
    """The term that a term negates, or about which it ends an agreement; None for others."""
    if isinstance(term, p.NoDeal) or (
        isinstance(term, p.Not) and not isinstance(term.term, p.Ask | p.Not | p.NoDeal)
    ):
        return term.term  # type: ignore[return-value]
    return None


def contains(term: p.Term, part: p.Term) -> bool:
    """Whether a term includes another: an alliance includes a peace of the same powers, a zone each part of
    its provinces. Neither the order nor the timing of the listed items matters."""
    return all(any(_covers(atom, one, some=True) for atom in atoms(term)) for one in atoms(part))


def entails(term: p.Term, part: p.Term) -> bool:
    """Whether keeping a term implies keeping another, elementary one."""
    return any(_covers(own_part, part, some=False) for own_part in parts(term))


def _covers(term: p.Term, part: p.Term, *, some: bool) -> bool:
    match term, part:
        case p.Peace(powers) | p.Alliance(powers), p.Peace(asked):
            return set(asked) <= set(powers)
        case p.Alliance(powers, against), p.Alliance(asked, foes):
            return set(asked) <= set(powers) and set(foes) <= set(against)
        case p.Demilitarised(powers, provinces), p.Demilitarised(asked, places):
            shared = set(places) & set(provinces)
            return set(asked) <= set(powers) and (bool(shared) if some else shared == set(places))
        case p.Promise(power, order), p.Promise(asker, other):
            return power == asker and order == other
    return term == part


def conflict(earlier: p.Term, later: p.Term) -> bool:
    """Whether two timed terms exclude each other in some phase: one negates the other, or they promise
    different orders for one unit, or an order into a demilitarised province."""
    return any(
        _at_once(first, second) and _excludes(one, other)
        for one, first in _spans(earlier)
        for other, second in _spans(later)
    )


def _excludes(earlier: p.Term, later: p.Term) -> bool:
    for first, second in ((earlier, later), (later, earlier)):
        gone = undone(second)
        if gone is not None and contains(first, gone):
            return True
    match earlier, later:
        case p.Promise(power, order), p.Promise(other, instead):
            return power == other and order != instead and _unit(order) == _unit(instead) != ""
        case p.Promise(power, order), p.Demilitarised(powers, provinces):
            return power in powers and order.destination.partition("/")[0] in provinces
        case p.Division(shares), p.Division(others):
            # A later plan of the same owners is in place of the earlier.
            return {share.owner for share in shares} == {share.owner for share in others}
    return False


#: The first and the last phase of a term with a limited duration.
_Span: TypeAlias = tuple[Phase, Phase] | None


def _spans(term: p.Term) -> Iterator[tuple[p.Term, _Span]]:
    """The terms of `atoms` of a timed term, each with its time."""
    match term:
        case p.All(parts=inside) | p.Some(parts=inside) | p.Choice(parts=inside):
            for part in inside:
                yield from _spans(part)
        case p.During(first, last, inner):
            for atom in atoms(inner):
                yield atom, (first, last or first)
        case p.Not(term=p.During(first, last, inner)):
            yield p.Not(inner), (first, last or first)
        case _:
            yield term, None


def _at_once(first: _Span, second: _Span) -> bool:
    if first is None or second is None:
        return True
    (begin, end), (other, last) = (map(order_of_play, span) for span in (first, second))
    return begin <= last and other <= end


def _unit(order: Order) -> str:
    return order.location.partition("/")[0]
