"""When terms apply: the order of phases, and the phase of a plain promise.

Source: LANGUAGE.md, sections 8 and 10. Plain arrangements last one turn, and plans last long. Peace,
alliances and demilitarised provinces last until they are ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch

from bordeaux.board.order import OrderKind
from bordeaux.board.phase import Phase
from bordeaux.press.language import messages as p

__all__ = ["first_phases", "last_phase", "moment", "slot", "timed"]

_KINDS = {
    OrderKind.RETREAT: "R",
    OrderKind.DISBAND: "R",
    OrderKind.BUILD: "A",
    OrderKind.WAIVE: "A",
}
_END = (10_000, 0, 0)


def moment(phase: Phase) -> tuple[int, int, int]:
    """A key that sorts phases by time; a game that is over is later than all."""
    return _END if phase.kind == "-" else (phase.year, "SFW".index(phase.season), "MRA".index(phase.kind))


def slot(kind: OrderKind, phase: Phase) -> Phase:
    """The next phase of the calendar, including this one, in which an order of a kind can be due. A disband
    order is for the retreats, in Winter for the adjustments. Phases that are skipped do not count."""
    wanted = _KINDS.get(kind, "M")
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
    return max(known, key=moment) if known and len(known) == len(phases) else None
