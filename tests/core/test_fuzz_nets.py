"""Learnt policies, given positions, orders and weights that may make no sense: refused or put up with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bordeaux import Position
from bordeaux._ext.net.memory import Memory
from bordeaux._ext.net.net_policy import NetPolicy
from bordeaux._ext.net.weights import Net
from bordeaux._ext.search.rollout import Rollout
from bordeaux.board.code import as_bytes, codes_in, unit_of
from tests.core.nets import FACTS, MAP, NAMELESS, weights
from tests.core.test_fuzz_rollouts import sets
from tests.rubbish import (
    EVALUATOR,
    N_POWERS,
    NUMBERS,
    POSITIONS,
    POWERS,
    RELAXED,
    codes,
    or_odd,
    packed_codes,
    refusing,
)

WEIGHTS, WIDE_WEIGHTS = weights(4), weights(4, 0.15, n=2, q=8)
NET, WIDE_NET = Net(WEIGHTS), Net(WIDE_WEIGHTS)
POLICIES = [
    NetPolicy(MAP.tables, NET, seed=1),
    NetPolicy(MAP.tables, NET, names=False, temperature=0.2),
    NetPolicy(MAP.tables, WIDE_NET, seed=2, temperature=0.02),
    NetPolicy(MAP.tables, WIDE_NET, names=False, temperature=3.0),
]
ROLLOUTS = [Rollout(EVALUATOR, policy) for policy in POLICIES]
PHASES = or_odd(
    st.lists(st.tuples(or_odd(NUMBERS), or_odd(st.lists(codes(), max_size=8).map(packed_codes))), max_size=8)
)


@given(st.data(), st.sampled_from(POSITIONS), st.sampled_from(POLICIES), or_odd(POWERS))
@RELAXED
def test_policies(data: st.DataObject, position: Position, policy: NetPolicy, power: Any) -> None:
    packed = position.packed
    with refusing():
        check_drawn(position, policy, power, policy.orders(packed, power))
    with refusing():
        assert len(policy.scores(packed, power)[0]) == len(policy.probabilities(packed, power))
    with refusing():
        assert policy.log_probability(packed, power, data.draw(sets(position))) <= 1e-3
    with refusing():
        beside = policy.beside(packed, power, data.draw(sets(position)))
        assert len(beside) == len(owed(position, power))
        assert all(0 <= chance <= 1 + 1e-5 for _, chance, _ in beside)
    with refusing():
        check_listed(
            position, policy, power, policy.sets(packed, power, data.draw(or_odd(st.integers(-1, 70))))
        )


@given(
    st.sampled_from(POSITIONS), st.sampled_from(POLICIES), st.integers(0, N_POWERS - 1), st.integers(1, 64)
)
@RELAXED
def test_what_powers_draw(position: Position, policy: NetPolicy, power: int, count: int) -> None:
    check_drawn(position, policy, power, policy.orders(position.packed, power))
    if position.phase.kind in "MR":
        check_listed(position, policy, power, policy.sets(position.packed, power, count))


def owed(position: Position, power: Any) -> list[int]:
    """The units of a power that need orders. The core cuts off a fraction of its number."""
    return list(position.packed.legal().get(int(power), ()))


def check_drawn(position: Position, policy: NetPolicy, power: int, codes: Sequence[int]) -> None:
    """A draw is legal and whole; the net gives it some probability."""
    legal = owed(position, power)
    assert all(position.packed.is_legal(code, power) for code in codes)
    if position.phase.kind == "A":
        due = position.packed.due(power)
        assert len(codes) == (due if due > 0 else min(-due, len(legal)))
    else:
        assert sorted(unit_of(code) for code in codes) == sorted(legal)
        assert policy.log_probability(position.packed, power, as_bytes(codes)) <= 1e-3


def check_listed(
    position: Position, policy: NetPolicy, power: int, listed: Sequence[tuple[bytes, float]]
) -> None:
    """Listed sets are whole, different and legal, come in order, and have their own probability."""
    units = sorted(owed(position, power))
    logs = [log for _, log in listed]
    assert logs == sorted(logs, reverse=True) and len({orders for orders, _ in listed}) == len(listed)
    assert sum(map(math.exp, logs)) <= 1 + 1e-3
    for orders, log in listed[:: max(1, len(listed) // 4)]:
        codes = codes_in(orders)
        assert sorted(map(unit_of, codes)) == units
        assert all(position.packed.is_legal(code, power) for code in codes)
        read = {code for code, _, _ in policy.beside(position.packed, power, orders)}
        # Of two supports that differ in the coast alone the first is read, which is another set.
        if read == set(codes):
            assert math.isclose(
                max(-60, policy.log_probability(position.packed, power, orders)), max(-60, log), abs_tol=0.01
            )
        assert sorted(map(unit_of, read)) == units


@given(st.sampled_from(POSITIONS), PHASES, PHASES, st.sampled_from(POLICIES))
@RELAXED
def test_memories(position: Position, last: Any, before: Any, policy: NetPolicy) -> None:
    with refusing():
        memory = Memory(MAP.tables, position.packed, last, before)
        policy.remember(memory)
        for power in range(len(MAP.powers)):
            for facts in (FACTS, NAMELESS):
                seen = np.frombuffer(facts.seen(position.packed, power, memory), np.uint16)
                assert seen.max() < facts.n_rows
            policy.orders(position.packed, power)
    policy.remember()


@given(st.data(), st.sampled_from(POSITIONS), st.sampled_from(ROLLOUTS), st.integers(0, 3))
@RELAXED
def test_rollouts(data: st.DataObject, position: Position, rollout: Rollout, movements: int) -> None:
    with refusing():
        rollout.compare(position.packed, 0, [data.draw(sets(position))], [b""], movements, [1])


@given(st.data())
@RELAXED
def test_weights_of_odd_shapes(data: st.DataObject) -> None:
    arrays = data.draw(st.sampled_from([WEIGHTS, WIDE_WEIGHTS]))
    name = data.draw(st.sampled_from([*arrays]))
    shape = data.draw(st.lists(st.integers(0, 70), min_size=1, max_size=3))
    odd = data.draw(or_odd(st.sampled_from([np.zeros(shape, np.float32), np.ones(shape), bytes(12)])))
    with refusing():
        Net(arrays | {name: odd})
