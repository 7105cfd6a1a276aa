"""What is told of others: who says so, what it makes likely, and what the board shows."""

from __future__ import annotations

import pytest

from bordeaux.board.phase import Phase
from bordeaux.press.diplomat import facts as f
from bordeaux.press.language import messages as p
from tests.search.paper.boards import board

from .accounts import START, agree, grounds, opened, order, play, say

PAIR = ("AUSTRIA", "ITALY")
PEACE = p.Peace(PAIR)
SPRING = Phase.parse("S1901M")
#: Austria and Italy beside each other, so that they can help or attack each other.
NEAR = board(
    "S1901M",
    {"AUSTRIA": ["TRI", "VIE"], "ITALY": ["VEN", "ROM"], "TURKEY": ["CON"]},
    {"AUSTRIA": ["A TYR", "A TRI"], "ITALY": ["A VEN", "F ADR"], "TURKEY": ["F CON"]},
)


def test_italy_says_that_austria_has_declared_war_on_him() -> None:
    """``FRM ITA (FRM AUS (DWR))``, the first message in paper 002, section 5."""
    ledger = opened(position=NEAR)
    say(ledger, "ITALY", "TURKEY", p.Report("AUSTRIA", ("ITALY",), p.State(p.Not(PEACE))))
    statement = f.Told("ITALY", "AUSTRIA", p.Not(PEACE), SPRING)
    assert ledger.told() == ledger.told("ITALY") == [statement] and ledger.told("AUSTRIA") == []
    assert ledger.hostile("AUSTRIA", "ITALY") and ledger.hostile("ITALY", "AUSTRIA")
    hostile = f.Hostile("AUSTRIA", "ITALY")
    assert grounds(ledger.why(hostile)) == (hostile, [(statement, [])])
    assert ledger.proved(statement) is None


@pytest.mark.parametrize(
    ("orders", "proved"),
    [
        ({"AUSTRIA": ["A TYR - VEN"]}, True),
        ({"AUSTRIA": ["A TRI S A VEN"]}, False),
        ({"AUSTRIA": ["A TRI - SER"]}, None),
    ],
)
def test_the_board_shows_whether_a_war_is_one(orders: dict[str, list[str]], proved: bool | None) -> None:
    ledger = opened(position=NEAR)
    say(ledger, "ITALY", "TURKEY", p.Report("AUSTRIA", ("ITALY",), p.State(p.Not(PEACE))))
    play(ledger, NEAR, **orders)
    (statement,) = ledger.told()
    assert ledger.proved(statement) is proved
    assert ledger.hostile("AUSTRIA", "ITALY") is (proved is not False)


@pytest.mark.parametrize(
    ("orders", "proved"),
    [
        ({"AUSTRIA": ["A TYR - VEN"]}, False),
        ({"ITALY": ["F ADR S A TRI"]}, True),
        ({"AUSTRIA": ["A TYR - MUN"]}, None),
    ],
)
def test_the_board_shows_whether_a_peace_is_one(orders: dict[str, list[str]], proved: bool | None) -> None:
    ledger = opened(position=NEAR)
    say(ledger, "AUSTRIA", "TURKEY", p.Think(PEACE))
    assert ledger.at_peace("ITALY", "AUSTRIA")
    play(ledger, NEAR, **orders)
    assert ledger.proved(ledger.told()[0]) is proved
    assert ledger.at_peace("ITALY", "AUSTRIA") is (proved is not False)


def test_who_says_what_he_will_order_can_be_taken_at_his_word() -> None:
    ledger = opened()
    for text in ("A VIE - GAL", "A BUD - SER", "A PAR - BUR"):
        say(ledger, "AUSTRIA", "TURKEY", p.State(p.Promise("AUSTRIA", order(text))))
    play(ledger, START, AUSTRIA=["A VIE - GAL", "A BUD - RUM"])
    assert [ledger.proved(statement) for statement in ledger.told()] == [True, False, None]
    assert ledger.deals() == []


def test_an_alliance_of_others_is_a_danger_to_whom_it_is_against() -> None:
    ledger = opened()
    alliance = p.Alliance(PAIR, ("TURKEY",))
    say(ledger, "RUSSIA", "TURKEY", p.Report("ITALY", ("RUSSIA",), p.Accept(p.Propose(alliance))))
    assert ledger.hostile("AUSTRIA", "TURKEY") and ledger.at_peace("AUSTRIA", "ITALY")
    agree(ledger, p.Peace(("AUSTRIA", "TURKEY")), "TURKEY", "AUSTRIA")
    assert not ledger.hostile("AUSTRIA", "TURKEY") and ledger.hostile("ITALY", "TURKEY")


def test_who_says_otherwise_now_has_not_said_it_before() -> None:
    ledger = opened()
    say(ledger, "ITALY", "TURKEY", p.State(PEACE))
    say(ledger, "ITALY", "TURKEY", p.State(p.Not(PEACE)))
    assert [statement.term for statement in ledger.told()] == [p.Not(PEACE)]
    assert not ledger.at_peace("AUSTRIA", "ITALY")
    say(ledger, "ITALY", "TURKEY", p.State(PEACE))
    assert [statement.term for statement in ledger.told()] == [PEACE] and ledger.at_peace("AUSTRIA", "ITALY")
