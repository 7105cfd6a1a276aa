"""The effect of a turn's orders on a term: kept, broken, or still open, and by which orders.

A term is followed from turn to turn: after each turn the rest of the obligation is a term again. Attacks are
moves, and supports and convoys of moves, to provinces with a unit or a centre of a partner. Sources:
LANGUAGE.md, section 10; Hall and Loeb 1995, section 5. Illegal orders count as holds, since their units hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from bordeaux.board.order import HELPS, Order, OrderKind
from bordeaux.board.phase import Phase, order_of_play
from bordeaux.press.diplomat.turn import Deed, ObservedTurn, can_give, province_of, suits
from bordeaux.press.language import messages as p
from bordeaux.press.language.terms import among, atoms, kind_of, while_on
from bordeaux.rules.rulesets import DATC
from bordeaux.search.agreements import Agreement, Bond

Pair: TypeAlias = tuple[str, str]
"""Two powers, in the order of the map."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A term that its parties have agreed upon. Its number is the order of conclusion. `made` is the phase of
    the proposal, `until` the last phase of the deal, None if it lasts until it is ended."""

    number: int
    term: p.Term
    parties: tuple[str, ...]
    proposer: str
    made: Phase
    until: Phase | None


class Judgement(NamedTuple):
    """The judgement on a power's part in a deal in one phase: whether it was kept, by which orders, or which
    orders broke it. `kind` is that of `bordeaux.press.language.terms.kind_of`."""

    deal: Deal
    power: str
    kind: str
    kept: bool
    orders: tuple[Order, ...]


class TermOutcome(NamedTuple):
    """The effect of a turn on a term: whether it is settled and how, by which orders, and the rest of the
    term. Without a rest and unsettled if it has become impossible, or has no duties."""

    kept: bool | None
    deeds: tuple[Deed, ...] = ()
    rest: p.Term | None = None

    def of(self, power: str) -> tuple[Order, ...]:
        """The orders of a power that have settled the term."""
        return tuple(order for who, order in self.deeds if who == power)


NOTHING = TermOutcome(None)


def follow(term: p.Term, turn: ObservedTurn) -> TermOutcome:
    """The effect of a turn on a term. Terms about other things than orders stay open."""
    match term:
        case p.NoDeal():
            return NOTHING
        case p.Promise():
            return _promise(term, turn)
        case p.Peace() | p.Alliance():
            return _lasting(term, _barred(term, turn))
        case p.Demilitarised():
            return _lasting(term, (*_barred(term, turn), *_staying(term, turn)))
        case p.Division():
            return _lasting(term, _trespasses(term, turn))
        case p.Not(inner):
            outcome = follow(inner, turn)  # type: ignore[arg-type]
            if outcome.kept is None:
                return TermOutcome(None, (), p.Not(outcome.rest) if outcome.rest else None)
            return TermOutcome(not outcome.kept, outcome.deeds)
        case p.During():
            return _during(term, turn)
        case p.All():
            return _all(term, turn)
        case p.Some(parts):
            return _choice(p.Choice(1, len(parts), parts), turn)
        case p.Choice():
            return _choice(term, turn)
    return TermOutcome(None, (), term)


def _promise(term: p.Promise, turn: ObservedTurn) -> TermOutcome:
    if not suits(term.order, turn.before):
        return TermOutcome(None, (), term)
    if not can_give(turn.before, term.power, term.order):
        return NOTHING
    given = turn.given(term.power, term.order)
    deeds = (given,) if given else turn.instead(term.power, term.order)
    return TermOutcome(given is not None, tuple((term.power, order) for order in deeds))


def _staying(term: p.Demilitarised, turn: ObservedTurn) -> Iterator[Deed]:
    """Orders of units that do not leave a zone, or help others there, even partners."""
    for power, order in turn.deeds(term.powers) if turn.before.phase.kind == "M" else ():
        stays = order.kind != OrderKind.MOVE and province_of(order.location) in term.provinces
        helped = province_of(order.destination or order.target) if order.kind in HELPS else ""
        if stays or helped in term.provinces:
            yield power, order


def _trespasses(term: p.Division, turn: ObservedTurn) -> Iterator[Deed]:
    """In Autumn, when centres change hands, no party enters a centre that the plan assigns to another or to
    nobody."""
    if turn.before.phase.season != "F":
        return
    due = {centre: share.owner for share in term.shares for centre in share.centres}
    for power, order in turn.deeds(dict.fromkeys(share.owner for share in term.shares if share.owner)):
        goes = order.kind in (OrderKind.MOVE, OrderKind.RETREAT)
        if goes and due.get(province_of(order.destination), power) != power:
            yield power, order


def _during(term: p.During, turn: ObservedTurn) -> TermOutcome:
    now, last = order_of_play(turn.before.phase), order_of_play(term.last or term.first)
    if now < order_of_play(term.first):
        return TermOutcome(None, (), term)
    if now > last:
        return NOTHING
    outcome = follow(term.term, turn)
    if outcome.kept is False or now == last:
        through = outcome.kept is None and outcome.rest is not None and not isinstance(term.term, p.Promise)
        return TermOutcome(True if through else outcome.kept, outcome.deeds)
    return TermOutcome(None, (), term)


def _all(term: p.All, turn: ObservedTurn) -> TermOutcome:
    outcomes = [follow(part, turn) for part in term.parts]
    rests = tuple(outcome.rest for outcome in outcomes if outcome.rest is not None)
    rest = p.All(rests) if len(rests) > 1 else rests[0] if rests else None
    if broken := [outcome for outcome in outcomes if outcome.kept is False]:
        return TermOutcome(False, _together(broken), rest)
    done = [outcome for outcome in outcomes if outcome.kept]
    return TermOutcome(True if done and rest is None else None, _together(done), rest)


def _choice(term: p.Choice, turn: ObservedTurn) -> TermOutcome:
    outcomes = [follow(part, turn) for part in term.parts]
    done = [outcome for outcome in outcomes if outcome.kept]
    broken = [outcome for outcome in outcomes if outcome.kept is False]
    # One part or else not another: what was not left undone is the condition, and blamed on nobody.
    pairs = zip(term.parts, outcomes, strict=True)
    blamed = [
        outcome for part, outcome in pairs if outcome in broken and not isinstance(part, p.Not)
    ] or broken
    rests = tuple(outcome.rest for outcome in outcomes if outcome.kept is None and outcome.rest is not None)
    least, most = max(0, term.least - len(done)), term.most - len(done)
    if most < 0:
        return TermOutcome(False, _together(done))
    if least > len(rests):
        return TermOutcome(False, _together(blamed)) if broken else NOTHING
    if not rests or (least == 0 and most >= len(rests)):
        return TermOutcome(True if done else None, _together(done))
    return TermOutcome(None, (), p.Choice(least, most, rests))


def tempted(term: p.Term, power: str, turn: ObservedTurn) -> bool:
    """Whether a power could have broken a lasting term with an order of a movement phase."""
    match term:
        case p.Peace() | p.Alliance() | p.Demilitarised() if power in term.powers:
            bond = Bond(turn.before, power, _places(term), DATC)
            return turn.before.phase.kind == "M" and any(map(bond.breaks, turn.options(power)))
    return False


def _places(term: p.Peace | p.Alliance | p.Demilitarised) -> Agreement:
    """The places that a term closes, in the form of the search."""
    if isinstance(term, p.Demilitarised):
        return Agreement("demilitarised", term.powers, provinces=term.provinces)
    return Agreement("peace", term.powers)


def _barred(term: p.Peace | p.Alliance | p.Demilitarised, turn: ObservedTurn) -> Iterator[Deed]:
    """Orders of powers that enter a barred place, or support or convoy such a move."""
    agreement = _places(term)
    for power in dict.fromkeys(agreement.parties):
        bond = Bond(turn.before, power, agreement, DATC)
        yield from (deed for deed in turn.deeds([power]) if bond.breaks(turn.code(*deed)))


def _lasting(term: p.Term, given: Iterable[Deed]) -> TermOutcome:
    deeds = tuple(dict.fromkeys(given))
    return TermOutcome(False if deeds else None, deeds, term)


def _together(outcomes: Iterable[TermOutcome]) -> tuple[Deed, ...]:
    return tuple(dict.fromkeys(deed for outcome in outcomes for deed in outcome.deeds))


class DealVerdict(NamedTuple):
    """The judgement on a deal in a turn: who has broken it to whom (`wronged`), and the terms that are still
    owed."""

    judgements: list[Judgement]
    wronged: list[tuple[str, str]]
    rests: tuple[p.Term, ...]


def judge(
    deal: Deal,
    rests: Iterable[p.Term],
    pairs: Collection[Pair],
    turn: ObservedTurn,
    excused: Mapping[Pair, Collection[Deed]],
) -> DealVerdict:
    """Judge the rest of a deal for the pairs of its parties that it binds.

    A term is broken only towards the powers concerned: peace towards the attacked power. Exceptions that two
    have agreed upon elsewhere are `excused` between them. Keeping a lasting term is reported only in turns in
    which it could have been broken.
    """
    phase = turn.before.phase
    judgements: list[Judgement] = []
    wronged: list[tuple[str, str]] = []
    left: list[p.Term] = []
    for part in rests:
        whole = follow(part, turn)
        if whole.rest is not None:
            left.append(whole.rest)
        broken: dict[str, dict[Order, None]] = {}
        for pair in pairs:
            one = follow(among(part, pair, deal.parties), turn.excusing(excused.get(pair, ())))
            for power, other in (pair, pair[::-1]) if one.kept is False else ():
                if orders := one.of(power):
                    broken.setdefault(power, {}).update(dict.fromkeys(orders))
                    wronged.append((power, other))
        for power in deal.parties:
            partners = {other for pair in pairs if power in pair for other in pair}
            if power in broken:
                judgements.append(Judgement(deal, power, kind_of(part), False, tuple(broken[power])))
            elif partners:
                bound = while_on(among(part, partners, deal.parties), phase)
                orders = whole.of(power) if whole.kept else ()
                if orders or (whole.rest is not None and tempted(bound, power, turn)):
                    judgements.append(Judgement(deal, power, kind_of(part), True, orders))
    return DealVerdict(judgements, wronged, tuple(left))


def promised(rests: Iterable[p.Term], pair: Pair, turn: ObservedTurn) -> Iterator[Deed]:
    """The orders of one of two powers that they have agreed upon."""
    for rest in rests:
        for atom in atoms(while_on(rest, turn.before.phase)):
            if not isinstance(atom, p.Promise) or atom.power not in pair:
                continue
            if can_give(turn.before, atom.power, atom.order):
                given = turn.given(atom.power, atom.order)
                if given is not None:
                    yield atom.power, given
