"""Conditional messages: what depends on them is said, or binds, when they are decided."""

from __future__ import annotations

from bordeaux.press.diplomat import facts as f
from bordeaux.press.diplomat.ledger import Ledger
from bordeaux.press.language import messages as p

from .accounts import START, agree, opened, order, play, say

PAIR = ("RUSSIA", "TURKEY")
PEACE = p.Peace(PAIR)
ALLIANCE = p.Alliance(PAIR, ("AUSTRIA",))
ZONE = p.Demilitarised(PAIR, ("BLA", "ARM"))


def test_if_you_agree_to_ally_with_me_then_i_accept_your_proposal() -> None:
    """The third message in Hall and Loeb (1995), section 5."""
    ledger = opened()
    say(ledger, "RUSSIA", "TURKEY", p.Propose(ZONE))
    answer = p.If(ALLIANCE, p.Accept(p.Propose(ZONE)), p.Refuse(p.Propose(ZONE)))
    assert say(ledger, "TURKEY", "RUSSIA", answer) == []
    say(ledger, "TURKEY", "RUSSIA", p.Propose(ALLIANCE))
    concluded = say(ledger, "RUSSIA", "TURKEY", p.Accept(p.Propose(ALLIANCE)))
    assert [deal.term for deal in concluded] == [ALLIANCE, ZONE]


def test_the_other_branch_counts_when_it_is_known_that_it_does_not_hold() -> None:
    ledger = opened()
    say(ledger, "RUSSIA", "TURKEY", p.Propose(ZONE))
    say(ledger, "TURKEY", "RUSSIA", p.If(PEACE, p.Refuse(p.Propose(ZONE)), p.Accept(p.Propose(ZONE))))
    assert ledger.deals() == []
    say(ledger, "RUSSIA", "TURKEY", p.State(p.Not(PEACE)))
    assert [deal.term for deal in ledger.deals()] == [ZONE]


def test_a_conditional_proposal_that_is_agreed_to_binds_from_when_it_is_decided() -> None:
    ledger = opened()
    offer = p.If(p.Peace(("AUSTRIA", "TURKEY")), p.Propose(PEACE), p.Propose(ZONE))
    say(ledger, "RUSSIA", "TURKEY", offer)
    assert say(ledger, "TURKEY", "RUSSIA", p.Accept(offer)) == []
    say(ledger, "AUSTRIA", "TURKEY", p.Propose(p.Peace(("AUSTRIA", "TURKEY"))))
    concluded = say(ledger, "TURKEY", "AUSTRIA", p.Accept(p.Propose(p.Peace(("AUSTRIA", "TURKEY")))))
    assert [deal.term for deal in concluded] == [p.Peace(("AUSTRIA", "TURKEY")), PEACE]


def traded() -> tuple[Ledger, f.Deal]:
    """Turkey goes to Bulgaria if Russia goes to Galicia, agreed by both."""
    ledger = opened()
    offer = p.If(
        p.Promise("RUSSIA", order("A WAR - GAL")), p.Propose(p.Promise("TURKEY", order("A CON - BUL")))
    )
    say(ledger, "TURKEY", "RUSSIA", offer)
    (deal,) = say(ledger, "RUSSIA", "TURKEY", p.Accept(offer))
    return ledger, deal


def test_what_depends_on_orders_is_judged_with_them() -> None:
    ledger, deal = traded()
    assert not any(judgement.kept is False for judgement in play(ledger, START, TURKEY=["A CON H"])[0])
    assert ledger.deals() == [] and not ledger.hostile("TURKEY", "RUSSIA")
    ledger, deal = traded()
    judged, _ = play(ledger, START, RUSSIA=["A WAR - GAL"], TURKEY=["A CON H"])
    assert [(judgement.deal, judgement.power, judgement.kept) for judgement in judged] == [
        (deal, "TURKEY", False)
    ]
    assert ledger.hostile("TURKEY", "RUSSIA")
    ledger, deal = traded()
    judged, _ = play(ledger, START, RUSSIA=["A WAR - GAL"], TURKEY=["A CON - BUL"])
    assert all(judgement.kept for judgement in judged)


def test_who_was_to_say_something_and_did_not_has_broken_his_word() -> None:
    term = p.Pass("RUSSIA", ("AUSTRIA", "TURKEY"), p.Propose(p.Draw()))
    for says in (True, False):
        ledger = opened()
        deal = agree(ledger, term, "TURKEY", "RUSSIA")
        if says:
            say(ledger, "RUSSIA", "AUSTRIA TURKEY", p.Propose(p.Draw()))
        judged, _ = play(ledger, START)
        assert judged == [f.Judgement(deal, "RUSSIA", "other", says, (), False)]
        assert ledger.hostile("RUSSIA", "TURKEY") is not says
