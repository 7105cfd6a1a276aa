"""What a ledger knows of a term, and which statements it believes."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from bordeaux import Position, adjudicate
from bordeaux.board.phase import Phase
from bordeaux.board.submission import decode
from bordeaux.press.diplomat.ledger import Ledger
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter
from bordeaux.press.language.levels import LEVELS
from bordeaux.rules.adjudication import legal_codes
from bordeaux.search.agreements import Bonds, agreed
from tests.press.language.messages import Talk, nonsense

from .accounts import MAP, START, agree, opened, play, say

PEACE = p.Peace(("RUSSIA", "TURKEY"))
STRANGE = p.Peace(("FRANCE", "ITALY"))
ZONE = p.Demilitarised(("RUSSIA", "TURKEY"), ("BLA",))


@pytest.fixture
def at_peace() -> Ledger:
    """Turkey's, at peace with Russia."""
    ledger = opened()
    agree(ledger, PEACE, "TURKEY", "RUSSIA")
    return ledger


@pytest.mark.parametrize(
    ("term", "known"),
    [
        (PEACE, True),
        (p.Not(PEACE), False),
        (STRANGE, None),
        (p.Not(STRANGE), None),
        (p.Not(p.Not(PEACE)), True),
        (p.Not(p.Ask(PEACE)), None),
        (ZONE, None),
        (p.Peace(("RUSSIA", "TURKEY", "ITALY")), None),
        (p.All((PEACE, PEACE)), True),
        (p.All((PEACE, STRANGE)), None),
        (p.All((STRANGE, p.Not(PEACE))), False),
        (p.Some((STRANGE, PEACE)), True),
        (p.Some((STRANGE, p.Not(PEACE))), None),
        (p.Some((p.Not(PEACE), p.Not(PEACE))), False),
    ],
)
def test_a_term_is_known_to_hold_or_not_to_or_nothing_is_known(
    at_peace: Ledger, term: p.Term, known: bool | None
) -> None:
    assert at_peace.known(term) is known


def test_a_deal_in_force_is_known_and_a_breach_ends_the_peace(at_peace: Ledger) -> None:
    agree(at_peace, ZONE, "RUSSIA", "TURKEY")
    assert at_peace.known(ZONE) is True
    play(at_peace, START, RUSSIA=["F SEV - BLA"])
    assert at_peace.known(PEACE) is False and at_peace.known(p.Not(PEACE)) is True
    assert at_peace.known(p.Peace(("RUSSIA", "TURKEY", "ITALY"))) is False
    assert at_peace.known(ZONE) is None


def test_thousands_of_messages_between_random_turns_leave_the_ledger_sound() -> None:
    random, position = Random(0), START
    ledger = Ledger(MAP, random.choice(MAP.powers))
    letters = deals = breaches = 0
    while letters < 1000:
        ledger.begin(position)
        talk = Talk(position, random)
        heard: list[Letter] = []
        for _ in range(40):
            letter = talk.letter(random.choice(LEVELS[1:]), heard[-30:])
            said = [letter]
            if random.random() < 0.05:
                said = [nonsense(random, letter)]
            else:
                heard.append(letter)
                offers = isinstance(letter.message, p.Propose | p.Insist | p.If)
                said += talk.agreement(letter) if offers and random.random() < 0.5 else []
            for one in said:
                deals += len(ledger.note(one))
            letters += len(said)
        check(ledger, position)
        orders = {
            power: [decode(MAP, random.choice(codes)) for codes in units.values()]
            for power, units in legal_codes(position).items()
        }
        breaches += sum(not judgement.kept for judgement in ledger.judge(position, orders))
        check(ledger, position)
        position = adjudicate(position, orders).after
    assert deals > 10 and breaches > 3


def check(ledger: Ledger, position: Position) -> None:
    """Nothing contradicts itself, and a search can read what is agreed."""
    for power, other in permutations(MAP.powers, 2):
        peace, war = ledger.at_peace(power, other), ledger.hostile(power, other)
        assert not (peace and war) and peace == ledger.at_peace(other, power)
    Bonds(position, agreed(position, ledger.binding(position, lambda power, kind: 0.5)))


def test_a_flood_of_proposals_deals_and_tales_is_forgotten_as_it_comes() -> None:
    ledger = opened()
    sizes = []
    for year in range(1, 301):
        term = p.During(Phase(1901 + year, "S", "M"), None, p.Solo("RUSSIA"))
        say(ledger, "RUSSIA", "TURKEY", p.Propose(p.During(Phase(1901 + year, "F", "M"), None, p.Draw())))
        say(ledger, "RUSSIA", "TURKEY", p.State(p.Solo(MAP.powers[year % 7])))
        say(ledger, "RUSSIA", "TURKEY", p.State(term))
        say(ledger, "RUSSIA", "TURKEY", p.If(term, p.Propose(p.Draw())))
        agree(ledger, term, "RUSSIA", "TURKEY")
        sizes.append(ledger.size())
    assert max(sizes) == max(sizes[:100])
    assert len(ledger.deals()) == 30 and ledger.deals()[-1].number == 300


def test_what_has_been_broken_outlasts_a_flood() -> None:
    ledger = opened()
    agree(ledger, ZONE, "RUSSIA", "TURKEY")
    play(ledger, START, RUSSIA=["F SEV - BLA"])
    for year in range(1, 60):
        agree(ledger, p.During(Phase(1901 + year, "S", "M"), None, p.Draw()), "RUSSIA", "TURKEY")
    assert ledger.hostile("RUSSIA", "TURKEY")
