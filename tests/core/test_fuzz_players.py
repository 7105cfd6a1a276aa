"""What DumbBot's family is made of, with numbers that may make no sense."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bordeaux import Position
from bordeaux._ext.net.dumbbot import DumbBotPolicy
from bordeaux._ext.net.policy import Chooser
from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.search.rollout import Rollout
from bordeaux.policy.dumbbot import DUMBBOT
from tests.rubbish import (
    EVALUATOR,
    MAP,
    N_POWERS,
    N_PROVINCES,
    NUMBERS,
    POSITIONS,
    POWERS,
    RELAXED,
    TABLES,
    or_odd,
    refusing,
)

#: Weights of all sizes that the core can hold, so that sums and products of them are beyond it.
WEIGHTS = st.one_of(st.integers(-5, 2000), st.integers(-(2**63), 2**63 - 1))
STEPS = st.lists(WEIGHTS, min_size=1, max_size=16)
SCHEMES = st.tuples(WEIGHTS, WEIGHTS, WEIGHTS, WEIGHTS, WEIGHTS, STEPS)
ODD_SCHEMES = st.tuples(*[or_odd(WEIGHTS)] * 5, or_odd(st.lists(or_odd(WEIGHTS), max_size=18)))
THREE = st.tuples(SCHEMES, SCHEMES, SCHEMES)
SIZES = st.tuples(WEIGHTS, WEIGHTS, WEIGHTS)
WALKS = st.tuples(st.integers(0, 100), st.integers(0, 2**31 - 1), st.tuples(*[st.integers(0, 40)] * 3))


def use(chooser: DumbBotPolicy, position: Position, power: int) -> None:
    """Have orders, which must be legal whatever the numbers were."""
    for code in chooser.orders(position.packed, power):
        assert position.packed.is_legal(code, power)


@given(
    or_odd(st.lists(or_odd(ODD_SCHEMES), max_size=4)),
    or_odd(st.lists(or_odd(WEIGHTS), max_size=4)),
    or_odd(WEIGHTS),
    or_odd(st.booleans()),
    or_odd(st.integers(-1, 2**64)),
    st.tuples(or_odd(st.integers(-1, 101)), or_odd(WEIGHTS), or_odd(st.lists(or_odd(NUMBERS), max_size=4))),
    or_odd(NUMBERS),
)
@RELAXED
def test_choosers_of_rubbish(
    schemes: Any, size: Any, neutral: Any, weak_variant: Any, seed: Any, walk: Any, helps: Any
) -> None:
    with refusing():
        use(
            DumbBotPolicy(TABLES, schemes, size, neutral, weak_variant, seed, *(*walk, helps)),
            POSITIONS[0],
            0,
        )


@given(st.data(), THREE, SIZES, WEIGHTS, st.booleans(), WALKS, st.sampled_from(POSITIONS))
@RELAXED
def test_choosers_of_any_numbers(
    data: st.DataObject,
    schemes: Any,
    size: Any,
    neutral: int,
    weak_variant: bool,
    walk: Any,
    position: Position,
) -> None:
    helps = data.draw(st.integers(-(2**31), 2**31 - 1))
    chooser = DumbBotPolicy(TABLES, schemes, size, neutral, weak_variant, 7, *(*walk, helps))
    with refusing():
        chooser.set_percentages(
            data.draw(or_odd(st.lists(or_odd(WEIGHTS), max_size=N_PROVINCES))),
            data.draw(or_odd(st.lists(or_odd(WEIGHTS), max_size=N_POWERS))),
            100,
        )
    if data.draw(st.booleans()):
        percentages = data.draw(st.lists(WEIGHTS, min_size=3, max_size=3))
        chooser.set_percentages(
            [percentages[place % 3] for place in range(N_PROVINCES)],
            [percentages[power % 3] for power in range(N_POWERS)],
            data.draw(st.integers(-(2**31), 2**31 - 1)),
        )
    for power in range(N_POWERS):
        use(chooser, position, power)
        survey = chooser.survey(position.packed, power)
        assert len(survey["values"]) == len(MAP.locations) and len(survey["strength"]) == N_PROVINCES
    for values in (data.draw(st.lists(WEIGHTS, min_size=1, max_size=256)), [2**63 - 1, -(2**63), 0, -1]):
        assert 0 <= chooser.walked(values, data.draw(st.integers(0, 300))) < len(values)
    (end,) = Rollout(EVALUATOR, chooser).ends(position.packed, b"", 2, [1])
    assert end.phase[2] in (0, 3)


@given(or_odd(st.lists(or_odd(WEIGHTS), max_size=300)), or_odd(NUMBERS), or_odd(POWERS))
@RELAXED
def test_walks_and_powers(values: Any, furthest: Any, power: Any) -> None:
    chooser = DUMBBOT.chooser(MAP)
    with refusing():
        chooser.walked(values, furthest)
    for position in POSITIONS[::5]:
        with refusing():
            use(chooser, position, power)
        with refusing():
            chooser.survey(position.packed, power)


def test_who_plays_on_another_map_is_refused() -> None:
    chooser = DUMBBOT.chooser(MAP)
    with pytest.raises(ValueError, match="another map"):
        chooser.orders(Packed.__new__(Packed), 0)
    with pytest.raises(ValueError, match="map of the evaluator"):
        Rollout(EVALUATOR, chooser).ends(Packed.__new__(Packed), b"", 1, [1])
    for policies in ((None,), (chooser, "x"), (chooser, None)):
        with pytest.raises(TypeError):
            Rollout(EVALUATOR, *policies)
    with pytest.raises(ValueError, match="another map"):
        Chooser(TABLES).orders(Packed.__new__(Packed), 0)
    for power in (-1, N_POWERS):
        with pytest.raises(ValueError, match="no power"):
            Chooser(TABLES).orders(POSITIONS[0].packed, power)


class Longer(list[int]):
    """A list that says it is shorter than what comes out of it."""

    def __len__(self) -> int:
        return 3


def test_lists_are_taken_by_what_is_in_them() -> None:
    chooser = DUMBBOT.chooser(MAP)
    long = Longer(range(1000))
    with pytest.raises(ValueError, match="1000 values"):
        chooser.walked(long, 1)
    with pytest.raises(ValueError, match="percentage"):
        chooser.set_percentages([100] * N_PROVINCES, long, 100)
    with pytest.raises(ValueError, match="1000 weights"):
        spring, *rest = DUMBBOT.schemes
        DUMBBOT._replace(schemes=(spring._replace(steps=long), *rest)).chooser(MAP)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no such walk"):
        DUMBBOT._replace(walk=DUMBBOT.walk._replace(furthest=long)).chooser(MAP)  # type: ignore[arg-type]
