"""What terms are made of: their parts, their kind for those who count what is kept, and which exclude each
other."""

from __future__ import annotations

from collections.abc import Iterator

from bordeaux.board.order import Order, OrderKind
from bordeaux.press import language as p

__all__ = ["atoms", "conflict", "contains", "keeps_peace", "kind_of", "parts", "undone"]

_HELP = (OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE, OrderKind.CONVOY)
_KINDS: dict[type, str] = {
    p.Peace: "peace",
    p.Alliance: "alliance",
    p.Demilitarised: "demilitarised",
    p.Draw: "draw",
}


def kind_of(term: p.Term) -> str:
    """The kind of a term by which reliability is counted: peace, alliance, promise, demilitarised, support (a
    promised support or convoy), draw, or other."""
    match term:
        case p.During(term=inner):
            return kind_of(inner)
        case p.Promise(order=order):
            return "support" if order.kind in _HELP else "promise"
        case p.Not(term=p.During(term=p.Promise()) | p.Promise()):
            return "promise"
    return _KINDS.get(type(term), "other")


def parts(term: p.Term) -> Iterator[p.Term]:
    """The terms that all have to be kept for a term to be."""
    if isinstance(term, p.All):
        for part in term.parts:
            yield from parts(part)
    else:
        yield term


def atoms(term: p.Term) -> Iterator[p.Term]:
    """All terms in a term that are not made of others, wherever they stand, and `Not` and `NoDeal` whole."""
    match term:
        case p.All(parts=inside) | p.Some(parts=inside) | p.Choice(parts=inside):
            for part in inside:
                yield from atoms(part)
        case p.During(term=inner):
            yield from atoms(inner)
        case _:
            yield term


def keeps_peace(term: p.Term, first: str, second: str) -> bool:
    """Whether two powers are at peace by a term: an alliance contains a peace."""
    return any(
        isinstance(part, p.Peace | p.Alliance) and first in part.powers and second in part.powers
        for part in parts(term)
    )


def undone(term: p.Term) -> p.Term | None:
    """The term that a term says the opposite of, or wants no agreement about; None for others."""
    if isinstance(term, p.NoDeal) or (
        isinstance(term, p.Not) and not isinstance(term.term, p.Ask | p.Not | p.NoDeal)
    ):
        return term.term  # type: ignore[return-value]
    return None


def contains(term: p.Term, part: p.Term) -> bool:
    """Whether a term has another in it, or contains it otherwise: an alliance contains a peace of the same
    powers, and neither order nor timing of what is listed matters."""
    wanted = list(atoms(part))
    return all(any(_covers(each, one) for each in atoms(term)) for one in wanted)


def _covers(term: p.Term, part: p.Term) -> bool:
    match term, part:
        case p.Peace(powers) | p.Alliance(powers), p.Peace(asked):
            return set(asked) <= set(powers)
        case p.Alliance(powers, against), p.Alliance(asked, foes):
            return set(asked) <= set(powers) and set(foes) <= set(against)
        case p.Demilitarised(powers, provinces), p.Demilitarised(asked, places):
            return set(asked) <= set(powers) and bool(set(places) & set(provinces))
        case p.Promise(power, order), p.Promise(asker, other):
            return power == asker and order == other
    return term == part


def conflict(earlier: p.Term, later: p.Term) -> bool:
    """Whether two timed terms exclude each other: one says the opposite of the other, or they promise
    different orders for one unit in one phase."""
    for first, span in _spans(earlier):
        for second, other in _spans(later):
            if (gone := undone(second)) is not None and contains(first, gone):
                return True
            if (gone := undone(first)) is not None and contains(second, gone):
                return True
            if (
                isinstance(first, p.Promise)
                and isinstance(second, p.Promise)
                and span == other
                and first.power == second.power
                and _unit(first.order) == _unit(second.order) != ""
                and first.order != second.order
            ):
                return True
    return False


def _spans(term: p.Term) -> Iterator[tuple[p.Term, p.During | None]]:
    match term:
        case p.All(parts=inside) | p.Some(parts=inside) | p.Choice(parts=inside):
            for part in inside:
                yield from _spans(part)
        case p.During(first, last, inner):
            for each in atoms(inner):
                yield each, p.During(first, last or first, p.Draw())
        case _:
            yield term, None


def _unit(order: Order) -> str:
    return order.location.partition("/")[0]
