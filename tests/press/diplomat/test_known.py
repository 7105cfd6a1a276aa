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


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
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


LONGEST = 60
"""Phases until the board is set up anew: the ledger hears of one long game."""
HEARD = 30


class Storm:
    """A ledger in random games; `letters`, `deals`, `breaches` and `games` are counts of what it has seen,
    `most` the largest size that it had."""

    def __init__(self, seed: int, per_turn: int) -> None:
        self.random = Random(seed)
        self.per_turn = per_turn
        self.position = Position.start()
        self.letters = self.deals = self.breaches = self.most = 0
        self.games, self.phases = 1, 0
        self.ledger = Ledger(self.position.map, self.random.choice(self.position.map.powers))

    def phase(self) -> None:
        """One phase of letters and orders, with all checks at its end."""
        self.ledger.begin(self.position)
        talk = Talk(self.position, self.random)
        heard: list[Letter] = []
        for _ in range(self.per_turn):
            letter = talk.letter(self.random.choice(LEVELS[1:]), heard[-HEARD:])
            if self.random.random() < 0.05:
                self.note(nonsense(self.random, letter))
                continue
            heard.append(letter)
            self.note(letter)
            if isinstance(letter.message, p.Propose | p.Insist | p.If) and self.random.random() < 0.5:
                for reply in talk.agreement(letter):
                    self.note(reply)
        check(self.ledger, self.position)
        orders = {
            power: [decode(self.position.map, self.random.choice(codes)) for codes in units.values()]
            for power, units in legal_codes(self.position).items()
        }
        after = adjudicate(self.position, orders).after
        judged = self.ledger.judge(self.position, orders)
        self.breaches += sum(not judgement.kept for judgement in judged)
        self.most = max(self.most, self.ledger.size())
        check(self.ledger, self.position)
        self.phases += 1
        if after.phase.kind != "-":
            self.position = after
        if after.phase.kind == "-" or self.phases % LONGEST == 0:
            start = Position.start()
            phase = start.phase._replace(year=self.position.phase.year + 1)
            self.position = Position(start.map, phase, start.units, start.centres)
            self.games += 1

    def note(self, letter: Letter) -> None:
        """One letter is heard."""
        self.deals += len(self.ledger.note(letter))
        self.letters += 1


def check(ledger: Ledger, position: Position) -> None:
    """Nothing contradicts itself, and a search can read what is agreed."""
    for power, other in permutations(position.map.powers, 2):
        peace, war = ledger.at_peace(power, other), ledger.hostile(power, other)
        assert not (peace and war) and peace == ledger.at_peace(other, power)
    Bonds(position, agreed(position, ledger.binding(position, lambda power, kind: 0.5)))
