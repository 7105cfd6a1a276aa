"""The book that comes with Bordeaux."""

from importlib import resources
from pathlib import Path

from bordeaux import Position
from bordeaux.openings import Book, name_of

FILE = resources.files("bordeaux.openings") / "data" / "standard.jsonl"
MOST = 2_000_000


def test_it_is_text_that_shows_its_differences() -> None:
    data = FILE.read_bytes()
    assert len(data) < MOST
    lines = data.decode("utf-8").splitlines()
    assert data.endswith(b"\n") and all(line.startswith("{") for line in lines)
    assert max(map(len, lines)) < 6000


def test_writing_it_again_changes_nothing(tmp_path: Path) -> None:
    place = tmp_path / "again.jsonl"
    Book.load().save(place)
    assert place.read_bytes() == FILE.read_bytes()


def test_it_holds_what_people_open_with() -> None:
    book = Book.load()
    named = set()
    for power, entries in book.root.powers.items():
        assert sum(entry.games for entry in entries) > 4000, power
        assert entries[0].value is not None and 0 < (entries[0].record.score or 0) < 1
        named |= {str(name) for entry in entries if (name := name_of(power, entry.orders))}
    assert {"Maginot", "Churchill", "Southern Hedgehog", "Russian Attack"} <= named


def test_it_goes_on_after_the_first_move() -> None:
    book = Book.load()
    position = Position.start()
    for phase in ("S1901M", "F1901M"):
        assert str(position.phase) == phase
        orders = {}
        for power in position.map.powers:
            entries = book.entries(position, power)
            assert entries, (phase, power)
            orders[power] = entries[0].orders
        position = position.next(orders)
