"""The ledger: deals concluded, kept, broken and void, what follows, and why."""

from __future__ import annotations

import pytest

from bordeaux import Map, Position, adjudicate
from bordeaux.board.notation import parse_order
from bordeaux.board.phase import Phase
from bordeaux.press import facts as f
from bordeaux.press import language as p
from bordeaux.press.ledger import Ledger
from bordeaux.press.letter import Letter

MAP = Map.standard()
START = Position.start()
PEACE = p.Peace(("RUSSIA", "TURKEY"))
BLACK_SEA = p.Demilitarised(("RUSSIA", "TURKEY"), ("BLA",))


def opened(power: str = "TURKEY", position: Position = START) -> Ledger:
    ledger = Ledger(MAP, power)
    ledger.begin(position)
    return ledger


def agree(ledger: Ledger, term: p.Term, proposer: str, *others: str) -> f.Deal:
    """A proposal and everybody's yes."""
    proposal = p.Propose(term)
    assert ledger.note(Letter(proposer, others, proposal)) == []
    found = []
    for other in others:
        to = (proposer, *(each for each in others if each != other))
        found += ledger.note(Letter(other, to, p.Accept(proposal)))
    (deal,) = found
    return deal


def orders(position: Position, **texts: list[str]):
    return {
        power: [parse_order(text, MAP, position) for text in texts.get(power, [])] for power in MAP.powers
    }


def play(ledger: Ledger, position: Position, **texts: list[str]):
    """A turn is played; the judgements and the next position."""
    given = orders(position, **texts)
    after = adjudicate(position, given).next
    judged = ledger.judge(position, given, after)
    ledger.begin(after)
    return judged, after


def test_russia_sails_to_the_black_sea_after_it_was_demilitarised() -> None:
    """The example of paper 002, section 5: the agreement is void, so is all else between the two, and hostile
    acts are to be expected; why tells the chain."""
    ledger = opened()
    zone = agree(ledger, BLACK_SEA, "RUSSIA", "TURKEY")
    peace = agree(ledger, PEACE, "TURKEY", "RUSSIA")
    assert ledger.deals("RUSSIA") == [zone, peace]
    assert ledger.at_peace("TURKEY", "RUSSIA") and not ledger.hostile("RUSSIA", "TURKEY")
    judged, _ = play(ledger, START, RUSSIA=["F SEV - BLA"], TURKEY=["A CON - BUL"])
    (broken,) = [each for each in judged if not each.kept]
    sailed = parse_order("F SEV - BLA", MAP, START)
    assert broken == f.Judgement(zone, "RUSSIA", "demilitarised", False, (sailed,), False)
    assert ledger.deals() == [] and not ledger.at_peace("RUSSIA", "TURKEY")
    assert ledger.hostile("RUSSIA", "TURKEY") and not ledger.hostile("TURKEY", "RUSSIA")
    reason = ledger.why(f.Hostile("RUSSIA", "TURKEY"))
    (breach,) = reason.because
    assert breach.fact == f.Breach(zone.number, "RUSSIA", Phase.parse("S1901M"), (sailed,))
    assert ledger.why(f.Void(peace.number, ("RUSSIA", "TURKEY"))).because == (breach,)


def test_what_is_owed_to_a_third_as_well_stands_after_a_breach() -> None:
    """The other half of the example: "unless there was another independant reason for keeping them"."""
    ledger = opened()
    agree(ledger, BLACK_SEA, "RUSSIA", "TURKEY")
    agree(ledger, PEACE, "TURKEY", "RUSSIA")
    league = agree(ledger, p.Peace(("AUSTRIA", "RUSSIA", "TURKEY")), "TURKEY", "RUSSIA", "AUSTRIA")
    play(ledger, START, RUSSIA=["F SEV - BLA"])
    assert ledger.deals() == [league]
    assert ledger.why(f.Treaty(("RUSSIA", "TURKEY"))).because[0].fact == f.InForce(
        league.number, ("RUSSIA", "TURKEY")
    )
    assert ledger.hostile("RUSSIA", "TURKEY")


def test_peace_is_broken_by_a_move_onto_a_partner_and_kept_otherwise() -> None:
    ledger = opened()
    peace = agree(ledger, PEACE, "RUSSIA", "TURKEY")
    judged, after = play(ledger, START, TURKEY=["F ANK - BLA", "A SMY - ARM"])
    judged, _ = play(ledger, after, TURKEY=["A ARM - SEV"])
    assert [(each.deal, each.power, each.kept) for each in judged] == [
        (peace, "RUSSIA", True),
        (peace, "TURKEY", False),
    ]


def test_a_promise_is_for_one_turn() -> None:
    ledger = opened()
    move = parse_order("A WAR - UKR", MAP, START)
    deal = agree(ledger, p.Promise("RUSSIA", move), "TURKEY", "RUSSIA")
    assert deal.until == Phase.parse("S1901M")
    judged, _ = play(ledger, START, RUSSIA=["A WAR - UKR"])
    assert judged == [f.Judgement(deal, "RUSSIA", "promise", True, (move,), False)]
    assert ledger.deals() == []
    assert ledger.why(f.Over(deal.number))


@pytest.mark.parametrize("trust", [0.25, 1.0])
def test_what_is_agreed_goes_into_a_search(trust: float) -> None:
    ledger = opened()
    agree(ledger, p.All((PEACE, BLACK_SEA)), "RUSSIA", "TURKEY")
    found = ledger.binding(START, lambda power, kind: trust if power == "RUSSIA" else 0.5)
    assert [(each.kind, each.parties, each.trust) for each in found] == [
        ("peace", ("RUSSIA", "TURKEY"), trust),
        ("demilitarised", ("RUSSIA",), trust),
        ("demilitarised", ("TURKEY",), 0.5),
    ]
