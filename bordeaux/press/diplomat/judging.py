"""The effect of a turn on one deal: who kept its part, who broke it towards whom, and the rest of the
deal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from bordeaux.board.order import Order
from bordeaux.press.diplomat import facts as f
from bordeaux.press.diplomat.deeds import follow, outcome_of, tempted
from bordeaux.press.diplomat.queasels import sly
from bordeaux.press.diplomat.turn import ObservedTurn
from bordeaux.press.language import messages as p
from bordeaux.press.language.terms import among, atoms, kind_of, while_on

__all__ = ["DealVerdict", "judge", "promised"]


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
        f.Breach(deal.number, power, phase, _together(others.values()), tuple(others))
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


def _together(sets: Iterable[tuple[Order, ...]]) -> tuple[Order, ...]:
    return tuple(dict.fromkeys(order for orders in sets for order in orders))
