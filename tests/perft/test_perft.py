"""Legal orders are counted and states hashed as the file says; an enumeration agrees with the counts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.perft.book import Entry, measure, read_book, write_book

ENTRIES = read_book()
NAMES = [entry.name for entry in ENTRIES]


@pytest.mark.parametrize("entry", ENTRIES, ids=NAMES)
def test_positions(entry: Entry) -> None:
    assert measure(entry.name, entry.position) == entry


def test_the_file_holds_all_kinds_of_positions(tmp_path: Path) -> None:
    assert len(ENTRIES) >= 30
    assert len(set(NAMES)) == len(NAMES)
    assert Counter(entry.position.phase.kind for entry in ENTRIES).keys() == {"M", "R", "A"}
    write_book(ENTRIES, tmp_path / "again.txt")
    assert read_book(tmp_path / "again.txt") == ENTRIES
