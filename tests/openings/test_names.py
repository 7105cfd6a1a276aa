"""Openings are called what players call them."""

import csv
from pathlib import Path

import pytest

from bordeaux import Position
from bordeaux.board.errors import MapError
from bordeaux.openings import Name, alliances_of, canonical, name_of, names


def test_every_collected_opening_has_its_name(shared_data: Path) -> None:
    with (shared_data / "openings" / "named.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 59
    for row in rows:
        name = name_of(row["power"], [order.strip() for order in row["orders"].split(";")])
        assert name is not None and name.exact, row


def test_names_are_canonical_and_told_once() -> None:
    start = Position.start()
    for opening in names():
        assert opening.orders <= set(canonical(start, opening.power, opening.orders)), opening
    assert len({(opening.power, opening.orders) for opening in names()}) == len(names())
    assert len({(opening.power, opening.name) for opening in names()}) == len(names())


@pytest.mark.parametrize(
    ("power", "orders", "expected"),
    [
        ("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"], Name("Maginot", True, 1.0)),
        ("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE H"], Name("Maginot", False, 0.6667)),
        ("ENGLAND", ["F LON - NTH", "F EDI - NWG", "A LVP - EDI"], Name("Churchill", True, 1.0)),
        ("ENGLAND", ["F LON - NTH", "F EDI - NWG"], Name("Northern Opening", True, 1.0)),
        ("AUSTRIA", ["F TRI - VEN", "A VIE - GAL", "A BUD - RUM"], Name("Hedgehog", True, 1.0)),
        ("ENGLAND", [], None),
    ],
)
def test_what_a_set_is_called(power: str, orders: list[str], expected: Name | None) -> None:
    assert name_of(power, orders) == expected


def test_a_near_one_says_so() -> None:
    assert str(name_of("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR"])) == "near Maginot"


def test_only_first_moves_have_names() -> None:
    assert name_of("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"], "S1902M") is None
    with pytest.raises(MapError):
        name_of("NOBODY", [])


def test_two_powers_may_have_a_name_together() -> None:
    russia = ["F SEV - RUM", "A MOS - UKR"]
    turkey = ["A CON - BUL", "F ANK - CON"]
    assert alliances_of({"RUSSIA": russia, "TURKEY": turkey}) == ["Juggernaut"]
    assert alliances_of({"RUSSIA": russia}) == []
