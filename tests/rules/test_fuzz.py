"""Rubbish at the edges: refused with a reason or put up with, never read out of bounds.

What is out of bounds shows on a core built with sanitizers, on which continuous integration runs
these tests as well (`make sanitize`). Whatever is accepted is used, so that harm would show.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bordeaux import Position
from bordeaux._ext.rules.batch import adjudicate_many
from bordeaux._ext.rules.packed import STATE_SIZE, Packed
from bordeaux._ext.rules.tables import Tables
from bordeaux._ext.search.expand import Expander
from bordeaux._ext.value.influence import WEIGHTS as NAMES
from bordeaux._ext.value.influence import Evaluator
from tests.rubbish import (
    ALTITUDES,
    EVALUATOR,
    MAP,
    N_POWERS,
    NUMBERS,
    ODD,
    POSITIONS,
    RELAXED,
    TABLES,
    TOKENS,
    WEIGHTS,
    codes,
    or_odd,
    packed_codes,
    refusing,
    use,
)


@given(
    st.tuples(
        or_odd(st.integers(-1, 10_000)),
        or_odd(st.integers(-1, 3)),
        or_odd(st.integers(-1, 4)),
        or_odd(st.lists(or_odd(TOKENS), max_size=20)),
        or_odd(st.lists(or_odd(TOKENS), max_size=3)),
        or_odd(st.lists(or_odd(st.integers(-1, 2**33)), max_size=3)),
        or_odd(st.lists(st.one_of(st.integers(0, 7), st.just(255)), min_size=34, max_size=34)),
    )
)
@RELAXED
def test_positions(parts: tuple[Any, ...]) -> None:
    with refusing():
        use(Packed(TABLES, *parts))


FEW_TOKENS = st.lists(TOKENS.filter(lambda token: token >> 10 <= N_POWERS), max_size=30)


@given(FEW_TOKENS, st.integers(0, 2), st.data())
@RELAXED
def test_positions_that_might_be(tokens: list[int], kind: int, data: st.DataObject) -> None:
    owners = data.draw(st.lists(st.sampled_from([*range(N_POWERS), 255]), min_size=34, max_size=34))
    driven_out = data.draw(st.lists(TOKENS, max_size=4)) if kind == 1 else []
    ways = [data.draw(st.integers(0, 255)) for _ in driven_out]
    with refusing():
        use(Packed(TABLES, 1901, kind, kind, tokens, driven_out, ways, owners))


def test_what_never_was_made() -> None:
    empty = Packed.__new__(Packed)
    assert empty.units() == empty.dislodged() == empty.owners() == []
    assert (empty.legal(), empty.victor(), empty.due(0)) == ({}, -1, 0)
    assert empty.adjudicate([])[0] != empty
    with pytest.raises(ValueError, match="another map"):
        EVALUATOR.evaluate(empty, 0)


#: What no type allows.
NOTHING: Any = None


@pytest.mark.parametrize(
    "call",
    [
        lambda: Packed(NOTHING, 1901, 0, 0, [], [], [], [255] * 34),
        lambda: Evaluator(NOTHING, WEIGHTS, ALTITUDES),
        lambda: Evaluator(TABLES, NOTHING, ALTITUDES),
        lambda: EVALUATOR.evaluate(NOTHING, 0),
        lambda: Expander(NOTHING, EVALUATOR, 0, [], 0),
        lambda: Expander(POSITIONS[0].packed, NOTHING, 0, [], 0),
        lambda: adjudicate_many(NOTHING, *arrays(1, [])),
    ],
)
def test_nothing_in_the_place_of_something(call: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        call()


@given(
    st.sampled_from(POSITIONS),
    or_odd(st.lists(or_odd(st.tuples(or_odd(st.integers(-1, 8)), or_odd(codes()))), max_size=40)),
    or_odd(st.integers(0, 3)),
    st.none() | st.dictionaries(NUMBERS, or_odd(st.lists(or_odd(NUMBERS), max_size=4)), max_size=3),
)
@RELAXED
def test_orders(position: Position, orders: Any, rules: Any, routes: Any) -> None:
    packed = position.packed
    with refusing():
        for power, code in orders:
            packed.is_legal(code, power)
    with refusing():
        use(packed.adjudicate(orders, rules, routes)[0])


@given(st.sampled_from(POSITIONS), st.data())
@RELAXED
def test_orders_for_units_that_are_there(position: Position, data: st.DataObject) -> None:
    """None of them need be legal: armies that convoy, moves across the board, supports of nobody."""
    orders = []
    for unit in position.units:
        place = MAP.location(unit.kind, unit.location).index
        orders.append((MAP.powers.index(unit.power), data.draw(codes(st.just(place)))))
    with refusing():
        use(position.packed.adjudicate(orders)[0])


def arrays(n: int, orders: list[int]) -> tuple[Any, Any, Any, Any]:
    rows = np.array([np.frombuffer(POSITIONS[0].packed.tobytes(), np.uint8)] * n).reshape(n, STATE_SIZE)
    return rows, np.array([0] * n + [len(orders)], np.int64), np.array(orders, np.uint64), np.zeros_like(rows)


BYTES = st.lists(st.tuples(st.integers(0, STATE_SIZE - 1), st.integers(0, 255)), max_size=20)


@given(st.sampled_from(POSITIONS), BYTES, st.lists(codes(), max_size=10), st.data())
@RELAXED
def test_batches(
    position: Position, changes: list[tuple[int, int]], orders: list[int], data: st.DataObject
) -> None:
    rows, starts, given_orders, out = arrays(2, orders)
    rows[0] = np.frombuffer(position.packed.tobytes(), np.uint8)
    for place, value in changes:
        rows[0, place] = value
    starts[data.draw(st.integers(0, 2))] += data.draw(st.sampled_from([0, 0, 1, -1, 2**40, -(2**40)]))
    with refusing():
        adjudicate_many(TABLES, rows, starts, given_orders, out, data.draw(st.integers(0, 3)))


ODD_ARRAYS = st.one_of(
    ODD,
    st.builds(
        np.zeros,
        st.sampled_from([0, 1, STATE_SIZE, (0, 0), (0, STATE_SIZE), (1, STATE_SIZE), (2, 7), (1, 1, 1)]),
        st.sampled_from([np.uint8, np.int8, np.int64, np.uint64, np.float64, object]),
    ),
)


@given(st.lists(ODD_ARRAYS, min_size=4, max_size=4), st.integers(0, 15))
@RELAXED
def test_arrays_of_the_wrong_shape(odd: list[Any], which: int) -> None:
    right = arrays(1, [])
    with refusing():
        adjudicate_many(TABLES, *[odd[k] if which >> k & 1 else right[k] for k in range(4)])


@given(
    st.sampled_from(POSITIONS),
    or_odd(st.integers(-1, 7)),
    or_odd(st.integers(-1, 7)),
    st.integers(0, 3),
    st.data(),
)
@RELAXED
def test_search_spaces(position: Position, power: Any, maxims: Any, spoil: int, data: st.DataObject) -> None:
    legal = position.packed.legal().get(power if isinstance(power, int) else 0, {})
    candidates: list[Any] = [list(listed) for listed in legal.values()]
    for _ in range(spoil):
        wrong = data.draw(or_odd(st.lists(or_odd(codes()), max_size=5)))
        candidates.insert(data.draw(st.integers(0, len(candidates))), wrong)
        if isinstance(wrong, list) and candidates[0] and isinstance(candidates[0], list):
            candidates[0] += wrong
    with refusing():
        space = Expander(position.packed, EVALUATOR, power, candidates, maxims)
        drive(space, data)


def drive(space: Expander, data: st.DataObject) -> None:
    """Ask a search space for everything, with nodes that may be none."""
    sets = data.draw(st.lists(or_odd(st.lists(codes(), max_size=8).map(packed_codes)), max_size=34))
    with refusing():
        space.set_backgrounds(sets, data.draw(or_odd(st.lists(or_odd(st.floats()), max_size=34))))
    with refusing():
        space.set_backgrounds([b""] * len(sets), [1] * len(sets))
    numbers = st.one_of(st.integers(0, 3), st.just(0xFFFF), st.integers(0, 0xFFFF))
    for _ in range(3):
        size = space.n_units + data.draw(st.sampled_from([0, 0, 0, 1, -1]))
        node = np.array(data.draw(st.lists(numbers, min_size=max(0, size), max_size=max(0, size))), np.uint16)
        for choices in (node.tobytes(), data.draw(ODD)):
            calls: tuple[Callable[[Any], object], ...] = (
                space.set_seed,
                space.value,
                space.orders,
                space.completed,
                space.node_of,
                lambda node: space.values(node, sets),
                lambda node: space.expand(node, data.draw(or_odd(NUMBERS))),
            )
            for call in calls:
                with refusing():
                    call(choices)
    value, best = (space.expand(space.root_node(), 5) or [(0.0, space.root_node())])[0]
    assert len(space.orders(best)) == 8 * space.n_units and value == value


LANDS = st.tuples(or_odd(st.integers(-1, 3)), or_odd(st.booleans()), or_odd(st.integers(-1, 2**32)))
SITES = st.tuples(or_odd(NUMBERS), or_odd(st.booleans()), or_odd(st.lists(or_odd(NUMBERS), max_size=34)))


@given(
    or_odd(st.integers(-1, 33)),
    or_odd(st.lists(or_odd(LANDS), max_size=12)),
    or_odd(st.lists(or_odd(SITES), max_size=14)),
    or_odd(st.lists(or_odd(NUMBERS), max_size=14)),
)
@RELAXED
def test_maps(powers: Any, provinces: Any, locations: Any, ranks: Any) -> None:
    with refusing():
        Tables(powers, provinces, locations, ranks)


@given(st.lists(st.integers(0, 2), min_size=1, max_size=10), st.integers(1, 31), st.data())
@RELAXED
def test_maps_that_might_be(terrain: list[int], powers: int, data: st.DataObject) -> None:
    """Any borders, of one way or to itself, and units all over."""
    fitting = {0: (False,), 1: (False, True), 2: (True,)}
    sites = [(place, fleet) for place, kind in enumerate(terrain) for fleet in fitting[kind]]
    near = {
        fleet: st.sampled_from([n for n, (_, other) in enumerate(sites) if other == fleet])
        for fleet in {fleet for _, fleet in sites}
    }
    locations = [(place, fleet, data.draw(st.lists(near[fleet], max_size=6))) for place, fleet in sites]
    lands = [(kind, data.draw(st.booleans()), data.draw(st.integers(0, 2**powers - 1))) for kind in terrain]
    with refusing():
        tables = Tables(powers, lands, locations, list(range(len(terrain))))
        standing: dict[int, int] = {}
        for number, (place, _) in enumerate(sites):
            standing.setdefault(place, (data.draw(st.integers(1, powers))) << 10 | number)
        centres = sum(centre for _, centre, _ in lands)
        packed = Packed(tables, 1901, 1, 0, list(standing.values()), [], [], [0] * centres)
        Evaluator(tables, WEIGHTS, [[[1.0] * len(lands)] * powers] * 2).evaluate(packed, powers - 1)
        orders = []
        for power, places in packed.legal().items():
            for listed in places.values():
                orders.append((power, data.draw(st.sampled_from(listed))))
                assert packed.is_legal(orders[-1][1], power)
        after, *_ = packed.adjudicate(orders)
        after.legal()


@given(
    st.dictionaries(st.sampled_from([*NAMES, "no such weight"]), or_odd(st.floats())),
    or_odd(st.lists(or_odd(st.lists(or_odd(st.lists(or_odd(st.floats()))))), max_size=3)),
)
@RELAXED
def test_evaluators(weights: dict[str, Any], altitudes: Any) -> None:
    with refusing():
        Evaluator(TABLES, WEIGHTS | weights, altitudes)
    with refusing():
        whole = Evaluator(TABLES, WEIGHTS | weights, ALTITUDES)
        for position in POSITIONS:
            whole.raised(ALTITUDES[0]).evaluate(position.packed, 0)
    with refusing():
        EVALUATOR.raised(altitudes)
