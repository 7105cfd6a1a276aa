"""What the engine is said to think of sets that its search did not list."""

import random

import pytest

from bordeaux import Position
from bordeaux.openings import Book
from bordeaux.openings.making.combine import judge
from tests.openings.conftest import tiny_search

START = Position.start()


def test_sets_that_the_search_did_not_list_are_worth_no_more_than_its_best() -> None:
    chance = random.Random(0)
    sets = {power: [entry.orders for entry in entries] for power, entries in Book.load().root.powers.items()}
    searched = tiny_search(START)
    judged = judge(START, sets, searched)
    power = chance.choice(START.map.powers)
    best = max(value for _, value, _ in searched[power])
    assert set(judged[power]) >= set(sets[power])
    assert all(verdict.value <= best for verdict in judged[power].values())
    assert sum(verdict.probability for verdict in judged[power].values()) == pytest.approx(1, abs=1e-3)


def test_a_useless_difference_is_one_set_to_the_judge() -> None:
    idle = ("F BRE - MAO", "A MAR H", "A PAR - PIC")
    useless = ("F BRE - MAO", "A MAR S A PAR - BUR", "A PAR - PIC")
    judged = judge(START, {}, {"FRANCE": [(idle, 5.0, 0.5), (useless, 7.0, 0.25)]})
    assert list(judged["FRANCE"]) == [idle]
    assert judged["FRANCE"][idle] == (7.0, 0.75)
