"""Arrays, lists and whole maps for the core: what does not fit is refused, never dropped or overrun."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from bordeaux import Position
from bordeaux._ext.rules.batch import adjudicate_many, count_legal
from bordeaux._ext.rules.packed import STATE_SIZE, Packed
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
    rows = np.stack([np.frombuffer(few.tobytes(), np.uint8)])
    listed = few.legal()[0]
    assert count_legal(few.tables, rows) == sum(map(len, listed.values()))
    middle = FIRST // 2
    # Every army may be carried through the middle but from one coast of a sea to another of the same.
    assert len([code for code in listed[middle] if code & 0xFF == 5]) > FIRST * COASTS
    with pytest.raises(ValueError, match="legal orders for one unit or power, more than 8192"):
        many.legal()
    # To count them no buffer is needed.
    assert count_legal(many.tables, np.stack([np.frombuffer(many.tobytes(), np.uint8)])) > 8192


def arrays(memory: np.ndarray, place: int) -> np.ndarray:
    return memory[place : place + STATE_SIZE].reshape(1, STATE_SIZE)


@pytest.mark.parametrize("shift", [0, 8, 400, -8, STATE_SIZE - 4])
def test_a_result_that_would_lie_over_its_source_is_refused(shift: int) -> None:
    memory = np.zeros(3 * STATE_SIZE, np.uint8)
    positions = arrays(memory, STATE_SIZE)
    positions[0] = np.frombuffer(START.tobytes(), np.uint8)
    starts, orders = np.zeros(2, np.int64), np.zeros(0, np.uint64)
    with pytest.raises(ValueError, match="out lies over"):
        adjudicate_many(TABLES, positions, starts, orders, arrays(memory, STATE_SIZE + shift))
    assert (positions[0] == np.frombuffer(START.tobytes(), np.uint8)).all()
    beside = arrays(memory, 2 * STATE_SIZE)
    adjudicate_many(TABLES, positions, starts, orders, beside)
    assert beside[0].any()


def test_a_result_over_the_orders_or_where_they_start_is_refused() -> None:
    positions = np.frombuffer(START.tobytes(), np.uint8).reshape(1, STATE_SIZE)
    memory = np.zeros(2 * STATE_SIZE, np.uint8)
    # The place of a unit that stands: its order is to hold.
    memory.view(np.uint64)[:2] = 0, 1 | (START.units()[0] & 0x3FF) << 16
    numbers, out = memory.view(np.int64), arrays(memory, 0)
    for starts, orders in (
        (numbers[:2], np.zeros(0, np.uint64)),
        (np.array([0, 1], np.int64), memory.view(np.uint64)[1:2]),
    ):
        with pytest.raises(ValueError, match=r"out lies over|starts must run"):
            adjudicate_many(TABLES, positions, starts, orders, out)


def test_starts_that_lie_askew_are_refused() -> None:
    positions = np.frombuffer(START.tobytes(), np.uint8).reshape(1, STATE_SIZE)
    askew = np.zeros(17, np.uint8)[1:].view(np.int64)
    with pytest.raises(ValueError, match="starts must lie at a multiple of 8"):
        adjudicate_many(TABLES, positions, askew, np.zeros(0, np.uint64), np.zeros_like(positions))


@given(or_odd(NUMBERS))
@RELAXED
def test_distances_from_nowhere(place: Any) -> None:
    with refusing():
        assert len(TABLES.distances(place)) == N_PROVINCES and 0 <= place < N_LOCATIONS
    with refusing():
        assert len(TABLES.steps(place)) == N_PROVINCES and 0 <= place < N_PROVINCES


class Longer(list[Any]):
    """A list that says it is shorter than what comes out of it."""

    def __len__(self) -> int:
        return 1


def test_lists_are_taken_by_what_is_in_them() -> None:
    one: tuple[int, bool, list[int]] = (0, False, [])
    land = (0, False, 0)
    with pytest.raises(ValueError, match="300 provinces"):
        Tables(1, Longer([land] * 300), [one], [0])
    with pytest.raises(ValueError, match="2000 locations"):
        Tables(1, [land], Longer([one] * 2000), [0])
    with pytest.raises(ValueError, match="100 neighbours"):
        Tables(1, [land], [(0, False, Longer([0] * 100))], [0])
    power, places = next(iter(START.legal().items()))
    holds = [[listed[0]] for listed in places.values()]
    space = Expander(START, EVALUATOR, power, [Longer(listed * 40_000) for listed in holds], 0)
    assert space.counts() == [40_000] * len(holds)
    with pytest.raises(ValueError, match="100 backgrounds"):
        space.set_backgrounds(Longer([b""] * 100), Longer([1.0] * 100))


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
