"""Arrays, lists and whole maps for the core: what does not fit is refused, never dropped or overrun."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from bordeaux import Position
from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.rules.tables import Tables
from bordeaux._ext.search.expand import Expander
from tests.rubbish import EVALUATOR, N_LOCATIONS, N_PROVINCES, NUMBERS, RELAXED, TABLES, or_odd, refusing

START = Position.start().packed
CHAIN, COASTS, FIRST = 7, 28, 3


def coast_of_armies(seas: int) -> Packed:
    """A chain of seas with a fleet in each, and an army in each of 28 provinces along every one of them."""
    n_coasts = seas * COASTS
    lands = [(2, False, 0)] * seas + [(1, False, 0)] * n_coasts
    fleets = [
        (
            sea,
            True,
            [other for other in (sea - 1, sea + 1) if 0 <= other < seas]
            + [seas + n_coasts + sea * COASTS + k for k in range(COASTS)],
        )
        for sea in range(seas)
    ]
    armies: list[tuple[int, bool, list[int]]] = [(seas + coast, False, []) for coast in range(n_coasts)]
    ports = [(seas + coast, True, [coast // COASTS]) for coast in range(n_coasts)]
    tables = Tables(1, lands, fleets + armies + ports, list(range(len(lands))))
    return Packed(tables, 1901, 0, 0, [1 << 10 | place for place in range(seas + n_coasts)], [], [], [])


def test_orders_past_the_buffer_are_refused_not_dropped() -> None:
    few, many = coast_of_armies(FIRST), coast_of_armies(CHAIN)
    listed = few.legal()[0]
    middle = FIRST // 2
    # Every army may be carried through the middle but from one coast of a sea to another of the same.
    assert len([code for code in listed[middle] if code & 0xFF == 5]) > FIRST * COASTS
    with pytest.raises(ValueError, match="legal orders for one unit or power, more than 8192"):
        many.legal()


@given(or_odd(NUMBERS))
@RELAXED
def test_distances_from_nowhere(place: Any) -> None:
    with refusing():
        assert len(TABLES.distances(place)) == N_PROVINCES and 0 <= place < N_LOCATIONS
    with refusing():
        assert len(TABLES.steps(place)) == N_PROVINCES and 0 <= place < N_PROVINCES


def test_a_position_made_anew_in_its_place_is_a_whole_one_or_refused() -> None:
    packed = Packed(TABLES, 1901, 0, 0, START.units(), [], [], START.owners())
    space = Expander(packed, EVALUATOR, 0, [], 0)
    small = Tables(1, [(0, True, 1)], [(0, False, [])], [0])
    packed.__init__(small, 1902, 1, 0, [1 << 10], [], [], [0])  # type: ignore[misc]
    assert packed.legal() == {0: {0: [1]}} and packed.victor() == 0
    assert space.values(b"", [b""]) == [space.value(b"")]
    with pytest.raises(ValueError, match="owners"):
        packed.__init__(TABLES, 1901, 0, 0, START.units(), [], [], [])  # type: ignore[misc]
    assert packed.legal().keys() == START.legal().keys()
