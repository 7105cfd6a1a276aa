"""Terms: their time, their kind, what they contain, and which exclude each other."""

from __future__ import annotations

from random import Random

import pytest

from bordeaux import Position
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.phase import Phase
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import is_sound
from bordeaux.press.language.levels import LEVELS
from bordeaux.press.language.terms import (
    among,
    conflict,
    contains,
    entails,
    kind_of,
    last_phase,
    slot,
    timed,
)

from .messages import Talk

START = Position.start()


def order(text: str) -> Order:
    """An order as text, in the first phase."""
    return parse_order(text, START.map, START)


PAIR = ("FRANCE", "ITALY")
PEACE = p.Peace(PAIR)
ALLIANCE = p.Alliance(PAIR, ("GERMANY",))
BURGUNDY, PICARDY = (p.Promise("FRANCE", order(f"A PAR - {goal}")) for goal in ("BUR", "PIC"))
SUPPORT = p.Promise("FRANCE", order("A PAR S A MAR - BUR"))
SPRING, AUTUMN = Phase.parse("S1901M"), Phase.parse("F1901M")


@pytest.mark.parametrize(
    ("kind", "phase", "due"),
    [
        (OrderKind.MOVE, "S1901M", "S1901M"),
        (OrderKind.SUPPORT_HOLD, "S1901R", "F1901M"),
        (OrderKind.HOLD, "F1901R", "S1902M"),
        (OrderKind.CONVOY, "W1901A", "S1902M"),
        (OrderKind.RETREAT, "S1901M", "S1901R"),
        (OrderKind.RETREAT, "F1901R", "F1901R"),
        (OrderKind.RETREAT, "W1901A", "S1902R"),
        (OrderKind.DISBAND, "F1901M", "F1901R"),
        (OrderKind.DISBAND, "W1901A", "W1901A"),
        (OrderKind.BUILD, "S1901M", "W1901A"),
        (OrderKind.WAIVE, "W1901A", "W1901A"),
        (OrderKind.MOVE, "COMPLETED", "COMPLETED"),
    ],
)
def test_an_order_is_due_in_the_next_phase_of_its_kind(kind: OrderKind, phase: str, due: str) -> None:
    assert slot(kind, Phase.parse(phase)) == Phase.parse(due)


@pytest.mark.parametrize(
    ("term", "until"),
    [
        (PEACE, None),
        (BURGUNDY, SPRING),
        (p.Not(BURGUNDY), SPRING),
        (p.All((PEACE, BURGUNDY)), None),
        (p.Some((BURGUNDY, p.During(AUTUMN, None, PICARDY))), AUTUMN),
        (p.Pass("FRANCE", ("ITALY",), p.Words("")), SPRING),
        (p.During(SPRING, AUTUMN, PEACE), AUTUMN),
    ],
)
def test_what_lasts_one_turn_gets_its_phase(term: p.Term, until: Phase | None) -> None:
    assert last_phase(timed(term, SPRING)) == until


@pytest.mark.parametrize(
    ("term", "kind"),
    [
        (PEACE, "peace"),
        (ALLIANCE, "alliance"),
        (p.Draw(), "draw"),
        (p.Demilitarised(PAIR, ("BUR",)), "demilitarised"),
        (timed(BURGUNDY, SPRING), "promise"),
        (timed(SUPPORT, SPRING), "support"),
        (timed(p.Not(BURGUNDY), SPRING), "promise"),
        (p.Not(PEACE), "other"),
        (p.Some((PEACE, ALLIANCE)), "other"),
    ],
)
def test_kinds_by_which_reliability_is_counted(term: p.Term, kind: str) -> None:
    assert kind_of(term) == kind


@pytest.mark.parametrize(
    ("term", "part", "about", "entailed"),
    [
        (ALLIANCE, p.Peace(PAIR[::-1]), True, True),
        (PEACE, ALLIANCE, False, False),
        (p.Peace((*PAIR, "RUSSIA")), PEACE, True, True),
        (p.Some((PEACE, p.Draw())), PEACE, True, False),
        (p.Demilitarised(PAIR, ("BUR", "PIE")), p.Demilitarised(PAIR, ("PIE",)), True, True),
        (p.Demilitarised(PAIR, ("PIE",)), p.Demilitarised(PAIR, ("BUR", "PIE")), True, False),
        (timed(BURGUNDY, SPRING), BURGUNDY, True, False),
        (p.Solo("FRANCE"), p.Solo("ITALY"), False, False),
    ],
)
def test_what_is_about_what(term: p.Term, part: p.Term, about: bool, entailed: bool) -> None:
    assert contains(term, part) is about
    assert entails(term, part) is entailed


@pytest.mark.parametrize(
    ("earlier", "later", "conflicts"),
    [
        (BURGUNDY, PICARDY, True),
        (BURGUNDY, BURGUNDY, False),
        (BURGUNDY, p.During(AUTUMN, None, PICARDY), False),
        (p.All((PEACE, BURGUNDY)), PICARDY, True),
        (BURGUNDY, p.Not(BURGUNDY), True),
        (p.Not(BURGUNDY), BURGUNDY, True),
        (BURGUNDY, p.NoDeal(BURGUNDY), True),
        (ALLIANCE, p.Not(PEACE), True),
        (PEACE, ALLIANCE, False),
        (BURGUNDY, p.Demilitarised(PAIR, ("BUR",)), True),
        (p.Demilitarised(PAIR, ("BUR",)), BURGUNDY, False),
        (p.Promise("FRANCE", Order(OrderKind.WAIVE)), p.Promise("FRANCE", order("A PAR B")), False),
    ],
)
def test_later_terms_that_exclude_earlier_ones(earlier: p.Term, later: p.Term, conflicts: bool) -> None:
    assert conflict(timed(earlier, SPRING), timed(later, SPRING)) is conflicts


def test_a_peace_among_some_of_those_who_agreed() -> None:
    three = p.Peace((*PAIR, "RUSSIA"))
    assert among(three, PAIR, three.powers) == PEACE
    assert among(p.All((three, BURGUNDY)), PAIR, three.powers) == p.All((PEACE, BURGUNDY))
    assert among(three, PAIR, PAIR) == three
    assert among(PEACE, ("ITALY", "RUSSIA"), three.powers) == p.NoDeal(PEACE)


@pytest.mark.parametrize("level", LEVELS[1:])
def test_all_that_the_language_can_say_is_sound(level: int) -> None:
    talk = Talk(Position.start(), Random(level))
    for _ in range(100):
        letter = talk.letter(level)
        assert is_sound(letter, START.map), letter
