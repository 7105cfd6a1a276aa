"""Reasons in words: one fact a line."""

from __future__ import annotations

import pytest

from bordeaux.board.phase import Phase
from bordeaux.press import facts as f
from bordeaux.press import language as p
from bordeaux.press.reasons import chain, in_words, named
from bordeaux.press.truth import Reason

from .accounts import order

PAIR = ("RUSSIA", "TURKEY")
SPRING = Phase.parse("S1901M")
WAR = f.Declared("RUSSIA", "TURKEY", SPRING)
TALE = f.Told("ITALY", "RUSSIA", p.Draw(), SPRING)


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (
            f.Deal(1, p.Peace(PAIR), ("AUSTRIA", *PAIR), "RUSSIA", SPRING, None),
            "deal 1 of AUSTRIA, RUSSIA and TURKEY in S1901M: peace RUSSIA TURKEY",
        ),
        (f.InForce(1, PAIR), "deal 1 binds RUSSIA and TURKEY"),
        (f.Left(1, "RUSSIA"), "RUSSIA no longer keeps deal 1"),
        (f.Out("RUSSIA"), "RUSSIA is out of the game"),
        (f.Over(1), "deal 1 is done, or has run out"),
        (f.Overridden(1, PAIR), "a later deal of RUSSIA and TURKEY says otherwise than deal 1"),
        (
            f.Breach(1, "RUSSIA", SPRING, (order("F SEV - BLA"), order("A WAR H")), ("TURKEY",)),
            "RUSSIA broke deal 1 with TURKEY in S1901M: F SEV - BLA; A WAR H",
        ),
        (
            f.Breach(1, "RUSSIA", SPRING, (), ("TURKEY",)),
            "RUSSIA broke deal 1 with TURKEY in S1901M: said nothing",
        ),
        (f.Void(1, PAIR), "deal 1 is void between RUSSIA and TURKEY"),
        (f.Treaty(PAIR), "RUSSIA and TURKEY have agreed to peace"),
        (
            f.Forgiven(WAR, PAIR),
            "RUSSIA and TURKEY have made peace since then: "
            "RUSSIA told TURKEY in S1901M that there is no peace",
        ),
        (WAR, "RUSSIA told TURKEY in S1901M that there is no peace"),
        (TALE, "ITALY told of RUSSIA in S1901M: draw"),
        (f.Proved(TALE), "orders have shown it: ITALY told of RUSSIA in S1901M: draw"),
        (f.Disproved(TALE), "orders have shown the contrary: ITALY told of RUSSIA in S1901M: draw"),
        (f.Hostile(*PAIR), "RUSSIA is expected to be hostile to TURKEY"),
        (f.AtPeace(PAIR), "RUSSIA and TURKEY are at peace"),
        ("anything else", "anything else"),
    ],
)
def test_every_kind_of_fact_in_words(fact: object, words: str) -> None:
    assert in_words(fact) == words


def test_terms_are_listed_by_their_names() -> None:
    term = p.During(SPRING, None, p.Not(p.All((p.Peace(PAIR), p.Promise("TURKEY", order("A CON - BUL"))))))
    assert named(term) == "during S1901M (not (all (peace RUSSIA TURKEY) (promise TURKEY A CON - BUL)))"


def test_a_chain_tells_nothing_twice() -> None:
    ground = Reason("B", (Reason("A"),))
    reason = Reason("D", (ground, Reason("C", (ground,))))
    assert chain(reason).splitlines() == ["D", "  B", "    A", "  C", "    B (as above)"]
