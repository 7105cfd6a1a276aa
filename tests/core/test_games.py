"""Many games in the core: random play against `Packed.adjudicate`, rubbish, and ranges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bordeaux import Map, Position
from bordeaux._ext.rules.games import Games
from bordeaux._ext.rules.order_numbers import OrderNumbers
from bordeaux.env import Batch, order_table
from tests.env.play import differences
from tests.rubbish import ODD, RELAXED, or_odd, refusing

TABLE = order_table()
START = Position.start().packed


@pytest.mark.parametrize("map", ["standard", "capitals"])
def test_random_play_is_as_adjudicate_has_it(map: str) -> None:
    """`tests.env.play` says what is compared; 100,000 phases of it were played once."""
    last = Map.load(map).start_phase.year + 9
    batch = Batch(5, map, seed=11, until=last, autoreset=True, threads=2)
    kinds: set[int] = set()
    while batch.observe().years.max() < last - 1:
        assert differences(batch, absent=5)[1] == []
        kinds |= set(batch.observe().phases[:, 1].tolist())
    assert kinds >= {0, 2}


def test_codes_in_any_sequence_are_as_indices() -> None:
    """By indices in one batch, and by codes, shuffled, in another."""
    one, other = Batch(6, seed=3, until=1906, autoreset=True), Batch(6, until=1906, autoreset=True)
    chance = np.random.default_rng(0)
    for _ in range(40):
        legal, choices = one.legal(), one.random()
        codes = np.zeros((6, 7, 34), np.uint64)
        # Of builds and removals the sequence counts.
        winter = one.observe().phases[:, 1] == 2
        for place in range(42):
            rows = np.arange(legal.rows[place], legal.rows[place + 1])
            mixed = np.arange(34) if winter[place // 7] else chance.permutation(34)
            given = one.table.codes[legal.orders[legal.starts[rows] + choices[rows]]]
            codes[place // 7, place % 7, mixed[: len(rows)]] = given
        steps = one.step(choices), other.step(codes)
        seen = one.observe(), other.observe()
        for array in range(len(seen[0])):
            assert np.array_equal(seen[0][array], seen[1][array])
        assert np.array_equal(steps[0].scores, steps[1].scores)
        assert np.array_equal(steps[0].ended, steps[1].ended)


WHOLE = or_odd(st.integers(-2, 8))


def short(kind: Any, most: int = 60) -> st.SearchStrategy[Any]:
    """Short arrays of one dimension, and what is none."""
    numbers = st.lists(st.integers(0, most), max_size=60).map(lambda listed: np.array(listed, kind))
    return st.one_of(numbers, ODD)


@given(st.data())
@RELAXED
def test_rubbish_is_refused_or_put_up_with(data: st.DataObject) -> None:
    games = Games(TABLE.core, START, 2)
    for _ in range(4):
        with refusing():
            games.reset(data.draw(short(np.int64, 3)))
        with refusing():
            games.legal(
                data.draw(WHOLE),
                data.draw(WHOLE),
                data.draw(st.sampled_from([np.empty(44, np.uint8), np.empty(3, np.uint8)])),
                data.draw(st.sampled_from([np.empty(44, np.int64), np.empty(3, np.int64)])),
                np.empty(data.draw(st.integers(0, 900)), np.int32),
                data.draw(WHOLE),
            )
        with refusing():
            starts = np.array(data.draw(st.lists(st.integers(-3, 99), min_size=45, max_size=45)))
            orders = np.array(data.draw(st.lists(st.integers(-3, 20_000), max_size=60)), np.int32)
            choices = np.array(data.draw(st.lists(st.integers(-3, 99), min_size=44, max_size=44)))
            games.choose(starts, orders, choices)
        with refusing():
            codes = data.draw(st.lists(st.integers(0, 2**64 - 1), min_size=14, max_size=14))
            games.take(np.array(codes, np.uint64).reshape(2, 7, 1))
        votes, scores = np.zeros((2, 7), np.uint8), np.empty((2, 7), np.float32)
        with refusing():
            how = data.draw(WHOLE), data.draw(WHOLE)
            games.step(
                *how,
                votes,
                np.zeros(2, np.uint8),
                1905,
                data.draw(WHOLE),
                False,
                scores,
                np.empty(2, np.uint8),
            )
        games.renew()
    assert games.packed(1).legal() is not None


def test_a_table_takes_codes_once_and_on_the_map() -> None:
    for codes, said in (([1, 1], "twice in the table"), ([2**63], "not on the map")):
        with pytest.raises(ValueError, match=said):
            OrderNumbers(Map.standard().tables, np.array(codes, np.uint64))
    with pytest.raises(ValueError, match="on another map"):
        Games(TABLE.core, Position.start(Map.load("pure")).packed, 1)


def test_ranges_and_shapes_are_checked() -> None:
    games = Games(TABLE.core, START, 2)
    votes, scores, ends = np.zeros((2, 7), np.uint8), np.empty((2, 7), np.float32), np.empty(2, np.uint8)
    for low, high, how, said in (
        (0, 3, 0, "games 0 to 3 of 2"),
        (2, 1, 0, "games 2 to 1 of 2"),
        (0, 2, 3, "no scoring 3"),
    ):
        with pytest.raises(ValueError, match=said):
            games.step(low, high, votes, np.zeros(2, np.uint8), 1905, how, False, scores, ends)
    with pytest.raises(ValueError, match="ends: 1, and 2 are needed"):
        games.step(0, 2, votes, np.zeros(2, np.uint8), 1905, 0, False, scores, ends[:1])
    with pytest.raises(ValueError, match="there is no game 2"):
        games.packed(2)
