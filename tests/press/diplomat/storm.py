"""Letters and turns at random for a ledger, and what must be true of it whatever comes."""

from __future__ import annotations

from random import Random

from bordeaux import Position, adjudicate
from bordeaux.board.submission import decode
from bordeaux.press.diplomat import facts as f
from bordeaux.press.diplomat.ledger import Ledger
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter
from bordeaux.press.language.levels import LEVELS
from bordeaux.rules.adjudication import legal_codes
from bordeaux.search.agreements import Bonds, agreed
from tests.press.language.messages import Talk, nonsense

from .accounts import well_founded

__all__ = ["Storm"]

LONGEST = 60
"""Phases until the board is set up anew: the ledger hears of one long game."""
HEARD = 30
FROM_SCRATCH = 20
"""Phases from one comparison of what holds with a naive computation of it to the next."""


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
        judged = self.ledger.judge(self.position, orders, after)
        self.breaches += sum(not judgement.kept for judgement in judged)
        self.most = max(self.most, self.ledger.size())
        check(self.ledger, self.position)
        if self.phases % FROM_SCRATCH == 0:
            grounds = set(self.ledger.grounds())
            assert set(self.ledger.facts()) == well_founded(grounds)
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
    """Nothing contradicts itself, everything has a reason, and a search can read what is agreed."""
    held = set(ledger.facts())
    for fact in held:
        reason = ledger.why(fact)
        assert reason.fact == fact
        assert all(below.fact in held for below in reason.because)
        assert not held.intersection(reason.unless)
    for fact in held:
        if isinstance(fact, f.AtPeace):
            first, second = fact.pair
            assert not ledger.hostile(first, second) and not ledger.hostile(second, first)
        if isinstance(fact, f.InForce):
            assert f.Over(fact.deal) not in held and f.Void(fact.deal, fact.pair) not in held
    Bonds(position, agreed(position, ledger.binding(position, lambda power, kind: 0.5)))
