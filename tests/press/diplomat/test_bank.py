"""The bank of favours: accounts, credit, interest, and auctions; what a favour is worth."""

from __future__ import annotations

import random

import pytest

from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.press.diplomat.bank import MOST_NOTES, Bank, Bid, favour_value

from .accounts import BALKANS, MAP, SERBIA


def order(text: str) -> Order:
    return parse_order(text, MAP, BALKANS)


def phases(count: int) -> list[Phase]:
    """So many movement phases."""
    return [Phase(1901 + number // 2, "SF"[number % 2], "M") for number in range(count)]


def test_lending_and_repaying() -> None:
    bank = Bank(MAP, "AUSTRIA", interest=0.0)
    bank.begin(Phase(1902, "S", "M"))
    assert bank.balance("ITALY") == 0
    assert bank.lend("ITALY", 60, order("A VIE S A VEN - TYR")) == 60
    (note,) = bank.notes("ITALY")
    assert (note.creditor, note.debtor, note.value, note.phase) == (
        "AUSTRIA",
        "ITALY",
        60,
        Phase(1902, "S", "M"),
    )
    assert bank.repay("ITALY", 40) == 20
    # What goes beyond the debt is our debt.
    assert bank.repay("ITALY", 50) == -30
    (note,) = bank.notes("ITALY")
    assert (note.creditor, note.debtor) == ("ITALY", "AUSTRIA")
    assert bank.lend("ITALY", 30) == 0 and bank.notes("ITALY") == ()
    assert bank.balance("FRANCE") == 0


def test_who_pays_back_gets_more_credit_and_who_does_not_gets_less() -> None:
    bank = Bank(MAP, "AUSTRIA")
    before, price = bank.limit("ITALY"), bank.price("ITALY", 100)
    for phase in phases(6):
        bank.begin(phase)
        bank.lend("ITALY", 50)
        bank.repay("ITALY", 60)
        if bank.balance("FRANCE") <= 0:
            bank.lend("FRANCE", 50)
        bank.refused("FRANCE")
    assert bank.rating("ITALY") > 0.7 > 0.3 > bank.rating("FRANCE")
    assert bank.limit("ITALY") > before > bank.limit("FRANCE")
    assert bank.price("ITALY", 100) < price < bank.price("FRANCE", 100)
    assert bank.worth("ITALY", 100) > bank.worth("FRANCE", 100)


def test_grants() -> None:
    bank = Bank(MAP, "AUSTRIA", limit=100)
    assert bank.grants("ITALY", 50, cost=10)
    assert not bank.grants("ITALY", 50, cost=60)  # An IOU of middling credit is worth half of it.
    assert not bank.grants("ITALY", 150)
    assert bank.grants("ITALY", 150, closeness=1.0)
    assert not bank.grants("ITALY", 1, closeness=-1.0)
    assert not bank.grants("ITALY", 0, cost=1) and bank.grants("ITALY", 0, cost=-1)
    bank.lend("ITALY", 60)
    assert not bank.grants("ITALY", 50)
    # What we owe we pay, to an enemy too, and whatever its credit is.
    bank.repay("FRANCE", 80)
    assert bank.grants("FRANCE", 70, cost=60, closeness=-1.0)
    assert not bank.grants("FRANCE", 70, cost=75, closeness=-1.0)


def test_the_same_unit_goes_to_who_offers_most() -> None:
    bank = Bank(MAP, "AUSTRIA")
    bids = [
        Bid("ITALY", order("A VIE S A VEN - TYR"), 50),
        Bid("GERMANY", order("A VIE S A MUN - TYR"), 80),
        Bid("RUSSIA", order("A BUD S A RUM"), 30, cost=5),
        Bid("TURKEY", order("A SER S A BUL"), 20, cost=30),
    ]
    awards = bank.auction(bids)
    assert [award.bid.asker for award in awards] == ["GERMANY", "RUSSIA"]
    # The second price: what Italy would have had to be beaten by.
    assert awards[0].price == pytest.approx(50)
    assert awards[1].price == pytest.approx(15)
    assert awards == bank.auction(reversed(bids))
    # Credit decides as well: a bid is worth what is paid back of it.
    bank.begin(Phase(1902, "S", "M"))
    for _ in range(4):
        bank.lend("GERMANY", 10)
        bank.refused("GERMANY")
        bank.lend("ITALY", 10)
        bank.repay("ITALY", 12)
    assert bank.auction(bids)[0].bid.asker == "ITALY"
    assert bank.auction(bids, {"ITALY": -1.0})[0].bid.asker != "ITALY" or bank.balance("ITALY") < 0
    assert bank.auction([]) == []


def test_notes_are_bounded_and_nothing_is_lost() -> None:
    bank = Bank(MAP, "AUSTRIA", interest=0.0)
    for _ in range(3 * MOST_NOTES):
        bank.lend("ITALY", 2)
    assert len(bank.notes("ITALY")) == MOST_NOTES
    assert bank.balance("ITALY") == pytest.approx(6 * MOST_NOTES)


def test_any_course_of_business_keeps_the_books() -> None:
    chance = random.Random(5)
    trust = {power: chance.random() for power in MAP.powers}
    bank = Bank(MAP, "AUSTRIA", reliability=lambda power, kind: trust[power])
    others = [power for power in MAP.powers if power != "AUSTRIA"]
    granted = dict.fromkeys(others, 0.0)
    for phase in phases(400):
        bank.begin(phase)
        for power in others:
            value = chance.choice((0.0, 0.1, 5.0, 60.0, 400.0))
            close = chance.uniform(-1, 1)
            if bank.grants(power, value, cost=chance.choice((0.0, 3.0)), closeness=close):
                before = bank.balance(power)
                bank.lend(power, value)
                granted[power] += value
                # Nobody owes more than its limit once something has been lent.
                if bank.balance(power) > max(0.0, before) + 1:
                    assert bank.balance(power) <= bank.limit(power, close) + 1
            if chance.random() < trust[power]:
                bank.repay(power, chance.choice((5.0, 60.0)))
            elif chance.random() < 0.3:
                bank.refused(power)
            notes = bank.notes(power)
            assert len(notes) <= MOST_NOTES and all(note.value > 0 for note in notes)
            assert len({note.creditor for note in notes}) <= 1
            assert abs(bank.balance(power)) < 100_000
            assert 0 <= bank.rating(power) <= 1 and 0 <= bank.limit(power) < 10_000
            assert bank.price(power, 10) >= 10
    # Who is reliable gets more than who is not.
    ranked = sorted(others, key=lambda power: trust[power])
    assert granted[ranked[-1]] > granted[ranked[0]]


def test_a_bank_takes_no_nonsense() -> None:
    with pytest.raises(ValueError, match="below 0"):
        Bank(MAP, "AUSTRIA", interest=-1)
    assert Bank(MAP, "aus").power == "AUSTRIA"


def test_a_support_that_takes_a_centre_is_worth_most() -> None:
    bank = Bank(MAP, "AUSTRIA")
    into = order("A BUD S A TRI - SER")
    value = favour_value(SERBIA, "ITALY", into, expected={"TURKEY": ["A SER H", "A CON H"]})
    assert value > 100
    assert (
        favour_value(SERBIA, "ITALY", order("A BUD S A TRI - VIE"), expected={"TURKEY": ["A SER H"]}) < value
    )
    assert bank.favour_value(SERBIA, "ITALY", into) == favour_value(SERBIA, "ITALY", into)
    # What no unit can give is worth nothing.
    assert favour_value(SERBIA, "ITALY", order("A GRE S A TRI - SER")) == 0
    assert favour_value(SERBIA, "ITALY", order("A BUD S A TRI - VEN")) == 0
