"""The effect of a turn's orders on a term: kept, broken, or still open, and by which orders.

A term is followed from turn to turn: after each turn the rest of the obligation is a term again. Attacks are
moves, and supports and convoys of moves, to provinces with a unit or a centre of a partner. Sources:
LANGUAGE.md, section 10; Hall and Loeb 1995, section 5. Illegal orders count as holds, since their units hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import singledispatch
from typing import NamedTuple

from bordeaux.board.order import HELPS, Order, OrderKind
from bordeaux.board.phase import order_of_play
from bordeaux.board.position import Position
from bordeaux.press.diplomat import facts as f
from bordeaux.press.diplomat.turn import Deed, ObservedTurn, province_of, suits
from bordeaux.press.language import messages as p
from bordeaux.press.language.terms import among, atoms, kind_of, while_on
from bordeaux.rules.rulesets import DATC
from bordeaux.search.agreements import Agreement, Bond


def sly(term: p.Term, power: str, turn: ObservedTurn) -> tuple[Order, ...]:
    """The orders of a power that keep the letter of a term, but not its spirit, if it breaks none.

    One is an own move to the destination of a move that was promised a support or convoy. In peace, one is a
    support of a foreign unit in a partner's centre. Another is a move to a province adjacent to a centre of a
    partner without units in or beside it, from a province that was not adjacent.
    """
    return tuple(dict.fromkeys(_queasels(term, power, turn))) if turn.before.phase.kind == "M" else ()


@singledispatch
def _queasels(term: object, power: str, turn: ObservedTurn) -> Iterable[Order]:
    return ()


@_queasels.register
def _(term: p.All | p.Some | p.Choice, power: str, turn: ObservedTurn) -> Iterable[Order]:
    return [order for part in term.parts for order in _queasels(part, power, turn)]


@_queasels.register
def _(term: p.During, power: str, turn: ObservedTurn) -> Iterable[Order]:
    now = order_of_play(turn.before.phase)
    within = order_of_play(term.first) <= now <= order_of_play(term.last or term.first)
    return _queasels(term.term, power, turn) if within else ()


@_queasels.register
def _(term: p.Promise, power: str, turn: ObservedTurn) -> Iterable[Order]:
    """The help is given, and its purpose is spoilt."""
    order = term.order
    if term.power != power or order.kind not in (OrderKind.SUPPORT_MOVE, OrderKind.CONVOY):
        return ()
    goal = province_of(order.destination)
    return [
        move
        for _, move in turn.deeds([power])
        if move.kind == OrderKind.MOVE
        and province_of(move.destination) == goal
        and province_of(move.location) != province_of(order.target)
    ]


@_queasels.register
def _(term: p.Peace | p.Alliance, power: str, turn: ObservedTurn) -> Iterable[Order]:
    partners = set(term.powers) - {power}
    orders = []
    for _, order in turn.deeds([power] if power in term.powers else []):
        if order.kind == OrderKind.SUPPORT_HOLD:
            held = turn.holder(order.target)
            if held != turn.owner(province_of(order.target)) in partners and held not in partners:
                orders.append(order)
        elif order.kind == OrderKind.MOVE:
            open_now = _open_beside(turn, order.unit, order.destination, partners)
            if open_now - _open_beside(turn, order.unit, order.location, partners):
                orders.append(order)
    return orders


def _open_beside(turn: ObservedTurn, kind: str, location: str, partners: set[str]) -> set[str]:
    """Centres of partners adjacent to a location, with no unit of their owner in or beside them."""
    before = turn.before
    provinces = set()
    for province in {province_of(place) for place in before.map.adjacent(kind, location)}:
        owner = turn.owner(province)
        if owner in partners and not any(
            province in (unit.province, *map(province_of, before.map.adjacent(unit.kind, unit.location)))
            for unit in before.units_of(owner)
        ):
            provinces.add(province)
    return provinces


class TermOutcome(NamedTuple):
    """The effect of a turn on a term: whether it is settled and how, by which orders, and the rest of the
    term. Without a rest and unsettled if it has become impossible, or has no duties."""

    kept: bool | None
    deeds: tuple[Deed, ...] = ()
    rest: p.Term | None = None


NOTHING = TermOutcome(None)


def breaks(
    term: p.Term, power: str, before: Position, orders: Mapping[str, Sequence[Order]]
) -> tuple[Order, ...]:
    """The orders of a power that break a term; empty if it keeps the term, or has no duty yet.

    `orders` are those of all powers. A promised order that is not given is broken by the order that its unit
    has instead.
    """
    outcome = follow(term, ObservedTurn(before, orders))
    return outcome_of(outcome, power) if outcome.kept is False else ()


def queasels(
    term: p.Term, power: str, before: Position, orders: Mapping[str, Sequence[Order]]
) -> tuple[Order, ...]:
    """The orders of a power that keep the letter of a term, but not its spirit
    (`bordeaux.press.diplomat.deeds`); empty if it breaks the term."""
    return () if breaks(term, power, before, orders) else sly(term, power, ObservedTurn(before, orders))


def outcome_of(outcome: TermOutcome, power: str) -> tuple[Order, ...]:
    """The orders of a power that have settled a term."""
    return tuple(order for who, order in outcome.deeds if who == power and order is not None)


@singledispatch
def follow(term: object, turn: ObservedTurn) -> TermOutcome:
    """The effect of a turn on a term. Terms about other things than orders stay open."""
    return TermOutcome(None, (), term)  # type: ignore[arg-type]


@follow.register
def _(term: p.NoDeal, turn: ObservedTurn) -> TermOutcome:
    return NOTHING


@follow.register
def _(term: p.Promise, turn: ObservedTurn) -> TermOutcome:
    if not suits(term.order, turn.before):
        return TermOutcome(None, (), term)
    if not turn.can(term.power, term.order):
        return NOTHING
    given = turn.given(term.power, term.order)
    deeds = (given,) if given else turn.instead(term.power, term.order)
    return TermOutcome(given is not None, tuple((term.power, order) for order in deeds))


@follow.register
def _(term: p.Peace | p.Alliance, turn: ObservedTurn) -> TermOutcome:
    return _lasting(term, _barred(term, turn))


@follow.register
def _(term: p.Demilitarised, turn: ObservedTurn) -> TermOutcome:
    barred = dict.fromkeys(_barred(term, turn))
    if turn.before.phase.kind == "M":
        for power, order in turn.deeds(term.powers):
            # A unit that stands there must leave, and nobody may be helped there, not even a partner.
            stays = order.kind != OrderKind.MOVE and province_of(order.location) in term.provinces
            helped = province_of(order.destination or order.target) if order.kind in HELPS else ""
            if stays or helped in term.provinces:
                barred[power, order] = None
    return _lasting(term, barred)


@follow.register
def _(term: p.Division, turn: ObservedTurn) -> TermOutcome:
    """In Autumn, when centres change hands, no party enters a centre that the plan assigns to another or to
    nobody."""
    if turn.before.phase.season != "F":
        return TermOutcome(None, (), term)
    due = {centre: share.owner for share in term.shares for centre in share.centres}
    moves = [
        (power, order)
        for power, order in turn.deeds(dict.fromkeys(share.owner for share in term.shares if share.owner))
        if order.kind in (OrderKind.MOVE, OrderKind.RETREAT)
        and due.get(province_of(order.destination), power) != power
    ]
    return _lasting(term, moves)


@follow.register
def _(term: p.Stationing, turn: ObservedTurn) -> TermOutcome:
    """A plan is completed when all units are in their places."""
    for station in term.stations:
        unit = turn.before.unit_at(province_of(station.location))
        if (
            unit is None
            or unit.power != station.power
            or station.kind not in (p.ANY_UNIT, unit.kind)
            or ("/" in station.location and unit.location != station.location)
        ):
            return TermOutcome(None, (), term)
    return TermOutcome(True)


@follow.register
def _(term: p.Favour, turn: ObservedTurn) -> TermOutcome:
    """A favour is done with the first help to a unit of the creditor."""
    helped = [
        (term.debtor, order)
        for order in turn.orders.get(term.debtor, ())
        if order.kind in HELPS and turn.holder(order.target) == term.creditor
    ]
    return TermOutcome(True, tuple(helped)) if helped else TermOutcome(None, (), term)


@follow.register
def _(term: p.Pass, turn: ObservedTurn) -> TermOutcome:
    """The recipients know whether it was said; for others the term has no effect."""
    if turn.listener not in (term.sender, *term.to):
        return NOTHING
    heard: set[str] = set()
    for letter in turn.said:
        if letter.sender == term.sender and letter.message == term.message:
            heard |= set(letter.to)
    due = set(term.to) if turn.listener == term.sender else {turn.listener}
    return TermOutcome(due <= heard, ((term.sender, None),))


@follow.register
def _(term: p.Not, turn: ObservedTurn) -> TermOutcome:
    outcome = follow(term.term, turn)
    if outcome.kept is None:
        return TermOutcome(None, (), p.Not(outcome.rest) if outcome.rest else None)
    return TermOutcome(not outcome.kept, outcome.deeds)


@follow.register
def _(term: p.During, turn: ObservedTurn) -> TermOutcome:
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


@follow.register
def _(term: p.All, turn: ObservedTurn) -> TermOutcome:
    outcomes = [follow(part, turn) for part in term.parts]
    rests = tuple(outcome.rest for outcome in outcomes if outcome.rest is not None)
    rest = p.All(rests) if len(rests) > 1 else rests[0] if rests else None
    if broken := [outcome for outcome in outcomes if outcome.kept is False]:
        return TermOutcome(False, _together(broken), rest)
    done = [outcome for outcome in outcomes if outcome.kept]
    return TermOutcome(True if done and rest is None else None, _together(done), rest)


@follow.register
def _(term: p.Some, turn: ObservedTurn) -> TermOutcome:
    return follow(p.Choice(1, len(term.parts), term.parts), turn)


@follow.register
def _(term: p.Choice, turn: ObservedTurn) -> TermOutcome:
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


@singledispatch
def tempted(term: object, power: str, turn: ObservedTurn) -> bool:
    """Whether a power could have broken a lasting term with an order of a movement phase."""
    return False


@tempted.register
def _(term: p.Peace | p.Alliance | p.Demilitarised, power: str, turn: ObservedTurn) -> bool:
    if power not in term.powers or turn.before.phase.kind != "M":
        return False
    bond = Bond(turn.before, power, _places(term), DATC)
    return any(map(bond.breaks, turn.options(power)))


def _places(term: p.Peace | p.Alliance | p.Demilitarised) -> Agreement:
    """The places that a term closes, in the form of the search."""
    if isinstance(term, p.Demilitarised):
        return Agreement("demilitarised", term.powers, provinces=term.provinces)
    return Agreement("peace", term.powers)


def _barred(term: p.Peace | p.Alliance | p.Demilitarised, turn: ObservedTurn) -> list[tuple[str, Order]]:
    """Orders of powers that enter a barred place, or support or convoy such a move."""
    agreement = _places(term)
    barred: list[tuple[str, Order]] = []
    for power in dict.fromkeys(agreement.parties):
        bond = Bond(turn.before, power, agreement, DATC)
        barred += [deed for deed in turn.deeds([power]) if bond.breaks(turn.code(*deed))]
    return barred


def _lasting(term: p.Term, given: Iterable[Deed]) -> TermOutcome:
    deeds = tuple(given)
    return TermOutcome(False if deeds else None, deeds, term)


def _together(outcomes: Iterable[TermOutcome]) -> tuple[Deed, ...]:
    return tuple(dict.fromkeys(deed for outcome in outcomes for deed in outcome.deeds))


class DealVerdict(NamedTuple):
    """The judgement on a deal in a turn; `rests` are the terms that are still owed."""

    judgements: tuple[f.Judgement, ...]
    breaches: tuple[f.Breach, ...]
    rests: tuple[p.Term, ...]


def judge(
    deal: f.Deal,
    rests: Iterable[p.Term],
    pairs: Collection[f.Pair],
    turn: ObservedTurn,
    excused: Mapping[f.Pair, Collection[tuple[str, Order]]],
) -> DealVerdict:
    """Judge the rest of a deal for the pairs of its parties that it binds.

    A term is broken only towards the powers concerned: peace towards the attacked power. Exceptions that two
    have agreed upon elsewhere are `excused` between them. Keeping a lasting term is reported only in turns in
    which it could have been broken.
    """
    phase = turn.before.phase
    judgements: list[f.Judgement] = []
    wronged: dict[str, dict[str, tuple[Order, ...]]] = {}
    left: list[p.Term] = []
    for part in rests:
        whole = follow(part, turn)
        if whole.rest is not None:
            left.append(whole.rest)
        broken: dict[str, dict[Order, None]] = {}
        for pair in pairs:
            one = follow(among(part, pair, deal.parties), turn.excusing(excused.get(pair, ())))
            for power, other in (pair, pair[::-1]) if one.kept is False else ():
                if any(who == power for who, _ in one.deeds):
                    orders = outcome_of(one, power)
                    broken.setdefault(power, {}).update(dict.fromkeys(orders))
                    wronged.setdefault(power, {})[other] = orders
        for power in deal.parties:
            own = [pair for pair in pairs if power in pair]
            if not own:
                continue
            if power in broken:
                judgements.append(f.Judgement(deal, power, kind_of(part), False, tuple(broken[power]), False))
                continue
            bound = while_on(among(part, {other for pair in own for other in pair}, deal.parties), phase)
            orders = outcome_of(whole, power) if whole.kept else ()
            agreed = {deed for pair in own for deed in excused.get(pair, ())}
            queasled = sly(bound, power, turn.excusing(agreed))
            said = whole.kept is True and (power, None) in whole.deeds
            if orders or queasled or said or (whole.rest is not None and tempted(bound, power, turn)):
                shown = queasled or orders
                judgements.append(f.Judgement(deal, power, kind_of(part), True, shown, bool(queasled)))
    breaches = [
        f.Breach(deal.number, power, phase, _all_together(others.values()), tuple(others))
        for power, others in wronged.items()
    ]
    return DealVerdict(tuple(judgements), tuple(breaches), tuple(left))


def promised(rests: Iterable[p.Term], pair: f.Pair, turn: ObservedTurn) -> Iterator[tuple[str, Order]]:
    """The orders of one of two powers that they have agreed upon."""
    for rest in rests:
        for atom in atoms(while_on(rest, turn.before.phase)):
            if isinstance(atom, p.Promise) and atom.power in pair and turn.can(atom.power, atom.order):
                given = turn.given(atom.power, atom.order)
                if given is not None:
                    yield atom.power, given


def _all_together(sets: Iterable[tuple[Order, ...]]) -> tuple[Order, ...]:
    return tuple(dict.fromkeys(order for orders in sets for order in orders))
