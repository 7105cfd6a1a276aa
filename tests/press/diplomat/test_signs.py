"""What orders say by themselves of peace or war between two powers."""

from __future__ import annotations

import pytest

from bordeaux.press.diplomat.intentions import ATTACK, CLASH, HELP, Signs
from tests.search.paper.boards import board

BOARD = board(
    "F1902M",
    {"FRANCE": ["PAR", "BEL"], "GERMANY": ["MUN", "HOL"], "ITALY": ["VEN"]},
    {"FRANCE": ["A BUR", "A BEL", "F ENG"], "GERMANY": ["A RUH", "F NTH"], "ITALY": ["A TYR", "A PIE"]},
)


def sign(power: str, other: str, **orders: list[str]) -> str:
    return Signs(BOARD, {name.upper(): given for name, given in orders.items()}).of(power, other)


@pytest.mark.parametrize(
    "order", ["A BUR - MUN", "A BUR - RUH", "A BEL - HOL", "A BUR S A TYR - MUN", "F ENG - NTH"]
)
def test_who_goes_where_another_is_attacks_it(order: str) -> None:
    assert sign("FRANCE", "GERMANY", france=[order]) == ATTACK


@pytest.mark.parametrize("order", ["F ENG S F NTH", "A BUR S A RUH - MUN", "A BEL S F NTH - HOL"])
def test_who_supports_another_helps_it(order: str) -> None:
    assert sign("FRANCE", "GERMANY", france=[order]) == HELP
    assert sign("GERMANY", "FRANCE", france=[order]) == ""


def test_an_attack_counts_before_help() -> None:
    assert sign("FRANCE", "GERMANY", france=["A BUR - MUN", "F ENG S F NTH"]) == ATTACK


def test_friends_may_pass_over_ground_that_is_left_but_not_into_centres() -> None:
    leaving = ["A RUH - KIE"]
    assert sign("FRANCE", "GERMANY", france=["A BUR - RUH"], germany=leaving) == ""
    assert sign("FRANCE", "GERMANY", france=["A BUR - RUH"], germany=["A RUH H"]) == ATTACK
    assert sign("FRANCE", "GERMANY", france=["A BUR - MUN"], germany=leaving) == ATTACK


def test_two_that_want_the_same_province_clash() -> None:
    orders = {"france": ["A BUR - MAR"], "italy": ["A PIE - MAR"]}
    assert sign("FRANCE", "ITALY", **orders) == sign("ITALY", "FRANCE", **orders) == CLASH


def test_what_is_far_away_illegal_or_not_there_says_nothing() -> None:
    assert sign("FRANCE", "ITALY", france=["A BUR - MUN"]) == ""
    assert sign("FRANCE", "GERMANY", france=["A BUR - BER", "A PAR - MUN"]) == ""
    assert sign("FRANCE", "GERMANY") == ""
