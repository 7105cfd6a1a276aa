"""What a ledger knows of a term, and which statements it believes."""

from __future__ import annotations

import pytest

from bordeaux.board.phase import Phase
from bordeaux.press.diplomat import facts as f
from bordeaux.press.diplomat.ledger import Ledger
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter

from .accounts import MAP, START, agree, opened, play, say
from .storm import Storm

PEACE = p.Peace(("RUSSIA", "TURKEY"))
STRANGE = p.Peace(("FRANCE", "ITALY"))
ZONE = p.Demilitarised(("RUSSIA", "TURKEY"), ("BLA",))


@pytest.fixture
def at_peace() -> Ledger:
    """Turkey's, at peace with Russia."""
    ledger = opened()
    agree(ledger, PEACE, "TURKEY", "RUSSIA")
    return ledger


@pytest.fixture
def betrayed(at_peace: Ledger) -> Ledger:
    """The same when Russia has sailed where it must not."""
    agree(at_peace, ZONE, "RUSSIA", "TURKEY")
    play(at_peace, START, RUSSIA=["F SEV - BLA"])
    return at_peace


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


def test_a_deal_in_force_is_known_and_a_breach_ends_the_peace(at_peace: Ledger, betrayed: Ledger) -> None:
    assert betrayed.known(PEACE) is False and betrayed.known(p.Not(PEACE)) is True
    assert betrayed.known(p.Peace(("RUSSIA", "TURKEY", "ITALY"))) is False
    assert betrayed.known(ZONE) is None
    ledger = opened()
    agree(ledger, ZONE, "RUSSIA", "TURKEY")
    assert ledger.known(ZONE) is True


def test_the_size_is_that_of_all_that_is_kept() -> None:
    ledger = opened()
    assert ledger.size() == 0
    proposal = Letter("RUSSIA", ("TURKEY",), p.Propose(PEACE))
    ledger.note(proposal)
    waiting = ledger.size()
    assert waiting > 0
    ledger.note(Letter("TURKEY", ("RUSSIA",), p.Accept(proposal.message)))
    assert ledger.size() > waiting


@pytest.mark.parametrize("seed", range(2))
def test_thousands_of_messages_between_random_turns_leave_the_ledger_sound(seed: int) -> None:
    storm = Storm(seed, per_turn=40)
    while storm.letters < 1000:
        storm.phase()
    assert storm.deals > 10 and storm.breaches > 3


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
    agree(ledger, p.Demilitarised(("RUSSIA", "TURKEY"), ("BLA",)), "RUSSIA", "TURKEY")
    play(ledger, START, RUSSIA=["F SEV - BLA"])
    for year in range(1, 60):
        agree(ledger, p.During(Phase(1901 + year, "S", "M"), None, p.Draw()), "RUSSIA", "TURKEY")
    assert ledger.hostile("RUSSIA", "TURKEY")
    assert ledger.why(f.Hostile("RUSSIA", "TURKEY")).because[0].because
