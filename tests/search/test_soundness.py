"""Whether orders of one power fit together."""

from __future__ import annotations

import pytest

from bordeaux import Map, Position
from bordeaux.search.seeds import from_orders
from bordeaux.search.soundness import fits

MAP = Map.standard()
UNITS = {"ENGLAND": ["A LON", "F NTH", "F ENG", "A WAL"], "FRANCE": ["A BUR", "F BRE"]}
BOARD = Position.from_json({"name": "S1902M", "units": UNITS, "centers": {"ENGLAND": ["LON"]}})


@pytest.mark.parametrize(
    ("orders", "sound"),
    [
        ("A LON - BEL VIA, F NTH C A LON - BEL, F ENG S A LON - BEL, A WAL - LON", True),
        ("A LON H, F NTH H, F ENG H, A WAL H", True),
        ("A LON S A WAL, A WAL H", True),
        # Help for others, and of it nobody knows whether it fits.
        ("F NTH S A BUR - BEL, F ENG C A LON - BRE, A LON - BRE VIA", True),
        ("F ENG S F BRE", True),
        # A chain, and a place that is left.
        ("A WAL - LON, A LON - YOR", True),
        ("A LON - BEL VIA, F NTH C A LON - HOL", False),
        ("A LON - BEL VIA, F NTH H", False),
        ("F NTH S A LON - BEL, A LON H", False),
        ("A LON S A WAL, A WAL - YOR", False),
        ("A LON - YOR, A WAL - YOR", False),
        ("A WAL - LON, A LON H", False),
        ("F NTH S F ENG, F ENG - IRI", False),
    ],
)
def test_orders_that_are_at_odds_do_not_fit(orders: str, sound: bool) -> None:
    codes = from_orders(BOARD, "ENGLAND", orders.split(", "))
    assert fits(MAP, codes) is sound
