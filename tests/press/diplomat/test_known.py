"""What a ledger knows of a term, and which statements it believes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bordeaux import Position, adjudicate
from bordeaux.board.phase import Phase
from bordeaux.board.submission import decode
from bordeaux.press.diplomat import facts as f
from bordeaux.press.diplomat.ledger import Ledger
from bordeaux.press.diplomat.truth import Reason, Truth
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter
from bordeaux.press.language.levels import LEVELS
from bordeaux.rules.adjudication import legal_codes
from bordeaux.search.agreements import Bonds, agreed
from tests.press.language.messages import Talk, nonsense

from .accounts import MAP, START, Ground, agree, opened, play, say, well_founded

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
    assert ledger.why(f.Hostile("RUSSIA", "TURKEY")).because[0].because


# Truth maintenance: what holds and why, compared with a naive computation of the well-founded model.

FACTS = st.sampled_from("ABCDEFGH")
GROUNDS = st.tuples(FACTS, st.lists(FACTS, max_size=3).map(tuple), st.lists(FACTS, max_size=2).map(tuple))
CHANGE = st.tuples(st.sampled_from(["add", "add", "add", "retract", "forget"]), GROUNDS)
CHANGES = st.lists(CHANGE, max_size=25)


def forgotten(grounds: set[Ground], fact: Hashable) -> set[Ground]:
    """The grounds that are left when a fact, and what has no other ground, is forgotten."""
    gone = {fact}
    while True:
        left = {ground for ground in grounds if ground[0] not in gone and not gone & set(ground[1])}
        lost = {ground[0] for ground in grounds} - {ground[0] for ground in left}
        if lost <= gone:
            return left
        gone |= lost


def leaves(reason: Reason) -> Iterable[Reason]:
    yield reason
    for premise in reason.because:
        yield from leaves(premise)


@given(CHANGES)
def test_what_holds_is_the_well_founded_model_after_every_change(changes: list[tuple[str, Ground]]) -> None:
    truth = Truth()
    grounds: set[Ground] = set()
    for change, (fact, because, unless) in changes:
        because, unless = tuple(dict.fromkeys(because)), tuple(dict.fromkeys(unless))
        if change == "add":
            truth.add(fact, because, unless)
            grounds.add((fact, because, unless))
        elif change == "retract":
            truth.retract(fact, because, unless)
            grounds.discard((fact, because, unless))
        else:
            truth.forget(fact)
            grounds = forgotten(grounds, fact)
        assert set(truth.facts()) == well_founded(grounds)
        assert len(truth) == len(grounds)
        for held in truth.facts():
            check_reason(truth, grounds, held)


def check_reason(truth: Truth, grounds: set[Ground], fact: Hashable) -> None:
    """A reason is made of grounds that were given, down to premises or what nothing defeats, in no circle."""
    reason = truth.why(fact)
    assert reason.fact == fact
    for leaf in leaves(reason):
        assert (leaf.fact, tuple(below.fact for below in leaf.because), leaf.unless) in grounds
        assert not any(truth.holds(defeater) for defeater in leaf.unless)
        assert leaf.fact not in {inner.fact for below in leaf.because for inner in leaves(below)}


def test_a_fact_falls_with_its_ground_unless_it_has_another() -> None:
    truth = Truth()
    truth.add("peace", ["treaty"])
    truth.add("peace", ["alliance"])
    truth.add("treaty")
    truth.add("alliance")
    truth.retract("treaty")
    assert truth.holds("peace") and truth.why("peace") == Reason("peace", (Reason("alliance"),))
    truth.retract("alliance")
    assert not truth.holds("peace")
    truth.add("treaty")
    assert truth.holds("peace")


def test_what_is_taken_for_granted_falls_when_the_contrary_is_learnt() -> None:
    truth = Truth()
    truth.add("kept", ["promised"], unless=["broken"])
    truth.add("promised")
    assert truth.why("kept") == Reason("kept", (Reason("promised"),), ("broken",))
    truth.add("broken", ["seen"])
    assert truth.holds("kept")
    truth.add("seen")
    assert not truth.holds("kept") and truth.holds("broken")


def test_facts_that_hold_up_each_other_fall_together() -> None:
    truth = Truth()
    truth.add("A", ["B"])
    truth.add("B", ["A"])
    assert not truth.holds("A")
    truth.add("A")
    assert truth.holds("B")
    truth.retract("A")
    assert not truth.holds("A") and not truth.holds("B")


def test_forgetting_leaves_nothing_of_what_rested_on_a_fact_alone() -> None:
    truth = Truth()
    truth.add("premise")
    truth.add("first", ["premise"])
    truth.add("second", ["first"], unless=["other"])
    truth.forget("premise")
    assert len(truth) == 0 and list(truth.facts()) == []


def test_a_long_chain_needs_no_recursion() -> None:
    truth = Truth()
    for number in range(1, 5001):
        truth.add(number, [number - 1])
    truth.add(0)
    reason, steps = truth.why(5000), 0
    while reason.because:
        reason, steps = reason.because[0], steps + 1
    assert steps == 5000


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
