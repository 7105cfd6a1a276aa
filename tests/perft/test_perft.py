"""Legal orders are counted and states hashed as the file says; an enumeration agrees with the counts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bordeaux import Position, legal_orders
from tests.oracle import Unit
from tests.oracle.conceivable import adjustments, movements, retreats
from tests.perft.book import Entry, measure, read_book, write_book
from tests.rules.bridge import board

ENTRIES = read_book()
NAMES = [entry.name for entry in ENTRIES]


@pytest.mark.parametrize("entry", ENTRIES, ids=NAMES)
def test_positions(entry: Entry) -> None:
    assert measure(entry.name, entry.position) == entry


# To think of every order takes long: every other position is for continuous integration.
THOUGHT_OUT = [
    pytest.param(entry, id=entry.name, marks=[pytest.mark.slow] * (number % 2))
    for number, entry in enumerate(ENTRIES)
]


@pytest.mark.parametrize("entry", THOUGHT_OUT)
def test_legal_orders_are_those_that_the_rules_allow_of_all_conceivable_ones(entry: Entry) -> None:
    texts = [text for texts in legal_orders(entry.position).values() for text in texts if text != "WAIVE"]
    assert sorted(texts) == sorted(enumerated(entry.position))


def enumerated(position: Position) -> list[str]:
    ground = board(position.map)
    units = [Unit(unit.power, unit.kind, unit.location) for unit in position.units]
    if position.phase.kind == "M":
        return movements(ground, units)
    if position.phase.kind == "R":
        return retreats({Unit(*dislodged.unit): dislodged.retreats for dislodged in position.dislodged})
    return [
        text for power in position.map.powers for text in adjustments(ground, power, units, position.centres)
    ]


def test_the_file_holds_all_kinds_of_positions(tmp_path: Path) -> None:
    assert len(ENTRIES) >= 30
    assert len(set(NAMES)) == len(NAMES)
    assert Counter(entry.position.phase.kind for entry in ENTRIES).keys() == {"M", "R", "A"}
    write_book(ENTRIES, tmp_path / "again.txt")
    assert read_book(tmp_path / "again.txt") == ENTRIES
