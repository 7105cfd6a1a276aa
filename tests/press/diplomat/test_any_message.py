"""Whatever is said, by whomever: no exception, no contradiction, and no end of memory.
`tools/press_fuzz.py` runs the same for as long as is wanted."""

from __future__ import annotations

import pytest

from bordeaux.board.phase import Phase
from bordeaux.press.diplomat import facts as f
from bordeaux.press.language import messages as p

from .accounts import MAP, START, agree, opened, play, say
from .storm import Storm


@pytest.mark.parametrize("seed", range(3))
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
    assert len(ledger.told()) == 40


def test_what_has_been_broken_outlasts_a_flood() -> None:
    ledger = opened()
    agree(ledger, p.Demilitarised(("RUSSIA", "TURKEY"), ("BLA",)), "RUSSIA", "TURKEY")
    play(ledger, START, RUSSIA=["F SEV - BLA"])
    for year in range(1, 60):
        agree(ledger, p.During(Phase(1901 + year, "S", "M"), None, p.Draw()), "RUSSIA", "TURKEY")
    assert ledger.hostile("RUSSIA", "TURKEY")
    assert ledger.why(f.Hostile("RUSSIA", "TURKEY")).because[0].because
