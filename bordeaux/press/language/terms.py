"""Properties of terms: when they apply, their parts, their kind for statistics, and which exclude each
other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
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


Package: TypeAlias = p.All | p.Some | p.Choice


def _of_parts(package: Package, change: Callable[[p.Term], p.Term]) -> p.Term:
    """A package with every part changed."""
    return replace(package, parts=tuple(map(change, package.parts)))


def timed(term: p.Term, phase: Phase) -> p.Term:
    """A term said in a phase, with explicit phases for its parts that last one turn."""
    match term:
        case p.Promise(order=order):
            return p.During(slot(order.kind, phase), None, term)
        case p.Pass():
            return p.During(phase, None, term)
        case p.Not(inner):
            return p.Not(timed(inner, phase))  # type: ignore[arg-type]
        case p.All() | p.Some() | p.Choice():
            return _of_parts(term, lambda part: timed(part, phase))
    return term


def last_phase(term: object) -> Phase | None:
    """The last phase of a timed term; None if a part lasts until it is ended."""
    match term:
        case p.During(first, last):
            return last or first
        case p.Not(inner):
            return last_phase(inner)
        case p.All(parts) | p.Some(parts) | p.Choice(parts=parts):
            phases = [last_phase(part) for part in parts]
            known = [phase for phase in phases if phase is not None]
            return max(known, key=order_of_play) if known and len(known) == len(phases) else None
    return None


def kind_of(term: p.Term) -> str:
    """The kind of a term for the statistics of reliability: peace, alliance, promise, demilitarised, support
    (a promised support or convoy), draw, or other."""
    match term:
        case p.During(term=inner):
            return kind_of(inner)
        case p.Promise(order=order):
            return "support" if order.kind in HELPS else "promise"
        case p.Not(p.During(term=p.Promise()) | p.Promise()):
            return "promise"
        case p.Peace() | p.Alliance() | p.Demilitarised() | p.Draw():
            return type(term).__name__.lower()
    return "other"


def parts(term: p.Term) -> Iterator[p.Term]:
    """The terms that must all be kept to keep a term."""
    if isinstance(term, p.All):
        for part in term.parts:
            yield from parts(part)
    else:
        yield term


def atoms(term: p.Term) -> Iterator[p.Term]:
    """All elementary terms within a term; `Not` and `NoDeal` are returned whole."""
    return (atom for atom, _ in _spans(term))


def among(term: p.Term, powers: Collection[str], parties: Collection[str]) -> p.Term:
    """A term restricted to some of the parties of a deal: the others are left out of a peace."""
    match term:
        case p.All() | p.Some() | p.Choice():
            return _of_parts(term, lambda part: among(part, powers, parties))
        case p.During(term=inner):
            return replace(term, term=among(inner, powers, parties))
        case p.Not(p.Ask()):
            return term
        case p.Not(inner):
            return p.Not(among(inner, powers, parties))  # type: ignore[arg-type]
        case p.Peace(named) | p.Alliance(named):
            left = tuple(power for power in named if power in powers or power not in parties)
            return replace(term, powers=left) if len(left) > 1 else p.NoDeal(term)
    return term


def while_on(term: p.Term, phase: Phase) -> p.Term:
    """The content of a timed term for one phase; a term for another time has none."""
    match term:
        case p.All() | p.Some() | p.Choice():
            return _of_parts(term, lambda part: while_on(part, phase))
        case p.During(first, last, inner):
            within = order_of_play(first) <= order_of_play(phase) <= order_of_play(last or first)
            return inner if within else p.NoDeal(inner)
        case p.Not(p.During() as inner):
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


def equivalent(one: p.Term, other: p.Term) -> bool:
    """Whether two terms imply each other, as a peace of the same powers in another order does."""
    pairs = ((one, other), (other, one))
    return all(entails(whole, part) for whole, said in pairs for part in parts(said))


def _covers(term: p.Term, part: p.Term, *, some: bool) -> bool:
    match term, part:
        case p.Peace(powers) | p.Alliance(powers), p.Peace(asked):
            return set(asked) <= set(powers)
        case p.Draw(powers), p.Draw(asked):
            return set(powers) == set(asked)
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
    """The elementary terms within a timed term, each with its time."""
    match term:
        case p.All(parts) | p.Some(parts) | p.Choice(parts=parts):
            for part in parts:
                yield from _spans(part)
        case p.During(first, last, inner):
            for atom, _ in _spans(inner):
                yield atom, (first, last or first)
        case p.Not(p.During(first, last, inner)):
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
