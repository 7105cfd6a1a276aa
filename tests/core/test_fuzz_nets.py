"""Learnt policies, given positions, orders and weights that may make no sense: refused or put up with."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bordeaux import Position
from bordeaux._ext.memory import Memory
from bordeaux._ext.net import Net
from bordeaux._ext.net_policy import NetPolicy
from bordeaux._ext.rollout import Rollout
from tests.core.nets import FACTS, MAP, NAMELESS, weights
from tests.core.test_fuzz_rollouts import sets
from tests.rubbish import EVALUATOR, NUMBERS, POSITIONS, RELAXED, codes, or_odd, packed_codes, refusing

WEIGHTS = weights(4)
NET = Net(WEIGHTS)
POLICIES = [NetPolicy(MAP.tables, NET, seed=1), NetPolicy(MAP.tables, NET, names=False, temperature=0.2)]
ROLLOUTS = [Rollout(EVALUATOR, policy) for policy in POLICIES]
PHASES = or_odd(
    st.lists(st.tuples(or_odd(NUMBERS), or_odd(st.lists(codes(), max_size=8).map(packed_codes))), max_size=8)
)


@given(st.data(), st.sampled_from(POSITIONS), st.sampled_from(POLICIES), or_odd(NUMBERS))
@RELAXED
def test_policies(data: st.DataObject, position: Position, policy: NetPolicy, power: Any) -> None:
    packed = position.packed
    with refusing():
        policy.orders(packed, power)
    with refusing():
        assert len(policy.scores(packed, power)[0]) == len(policy.probabilities(packed, power))
    with refusing():
        assert policy.log_probability(packed, power, data.draw(sets(position))) <= 1e-3
    with refusing():
        drawn = policy.sets(packed, power, data.draw(or_odd(st.integers(-1, 70))))
        assert all(len(orders) % 8 == 0 for orders, _ in drawn)


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
    name = data.draw(st.sampled_from([*WEIGHTS]))
    shape = data.draw(st.lists(st.integers(0, 70), min_size=1, max_size=3))
    odd = data.draw(or_odd(st.sampled_from([np.zeros(shape, np.float32), np.ones(shape), bytes(12)])))
    with refusing():
        Net(WEIGHTS | {name: odd})
