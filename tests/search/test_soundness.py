"""Whether orders of one power fit together."""

from __future__ import annotations

import pytest

from bordeaux import Map, Position
from bordeaux.board.code import as_bytes, codes_in
from bordeaux.search.sets import fits, from_orders, mended

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


@pytest.mark.parametrize(
    ("orders", "fixed", "left"),
    [
        ("A LON H, F NTH H, F ENG H, A WAL H", "", "A LON H, F NTH H, F ENG H, A WAL H"),
        # Who helps what is not done holds, and what was to come of it holds as well.
        ("A LON - BEL VIA, F NTH H, A WAL - LON", "", "A LON H, F NTH H, A WAL H"),
        ("A LON S A WAL, A WAL - YOR", "", "A LON H, A WAL - YOR"),
        ("F NTH S F ENG, F ENG - IRI, A LON H", "F NTH S F ENG", "F NTH S F ENG, F ENG - IRI, A LON H"),
        # What is fixed has its place, and the other makes room.
        ("A LON - YOR, A WAL - YOR", "A WAL - YOR", "A LON H, A WAL - YOR"),
        ("A LON - YOR, A WAL - YOR", "A LON - YOR", "A LON - YOR, A WAL H"),
    ],
)
def test_what_does_not_fit_holds(orders: str, fixed: str, left: str) -> None:
    def read(text: str) -> tuple[int, ...]:
        return codes_in(from_orders(BOARD, "ENGLAND", text.split(", ") if text else []))

    codes = codes_in(mended(MAP, as_bytes(read(orders)), read(fixed)))
    assert {*codes} == {*read(left)} and len(codes) == len(read(orders))
    assert fits(MAP, as_bytes(codes)) or fixed
