"""A net with further rounds in the core, held against plain NumPy."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from bordeaux import Map, Position
from bordeaux._ext.learn.net_learner import NetLearner
from bordeaux._ext.net.net_policy import VECTORS, NetPolicy
from bordeaux._ext.net.weights import WIDE_SHAPES, Net
from bordeaux.board.code import as_bytes
from tests.core.nets import FACTS, MAP, NAMELESS, options, weights
from tests.core.test_net_policy import (
    FEW,
    MOVEMENTS,
    OTHERS,
    borders,
    compare_movement,
    compare_other_phase,
    compare_vectors,
    seen,
)
from tests.policy.reference import passes, set_probability, words
from tests.rubbish import POSITIONS

WEIGHTS = weights(4, 0.15, n=3, k=8)
NET = Net(WEIGHTS)


@pytest.mark.parametrize("names", [True, False])
@pytest.mark.parametrize("position", MOVEMENTS[::6], ids=lambda position: str(position.phase))
def test_scores_of_movement_are_those_of_the_reference(position: Position, names: bool) -> None:
    compare_movement(WEIGHTS, position, names)


@pytest.mark.parametrize("position", OTHERS[::4], ids=lambda position: str(position.phase))
def test_scores_of_other_phases_are_those_of_the_reference(position: Position) -> None:
    compare_other_phase(WEIGHTS, position)


@pytest.mark.parametrize("names", [True, False])
def test_probabilities_of_sets_are_those_of_the_reference(names: bool) -> None:
    facts = FACTS if names else NAMELESS
    chooser = NetPolicy(MAP.tables, NET, names)
    for position in MOVEMENTS[::8]:
        listed = {
            power: options(position, power, None, facts)
            for power, name in enumerate(MAP.powers)
            if position.units_of(name)
        }
        scored = {power: chooser.scores(position.packed, power) for power in listed}
        helps = passes(
            {power: np.array(options_scored[0]) for power, options_scored in scored.items()}, listed
        )
        for power, rows in listed.items():
            chance = np.random.default_rng(power)
            spoken = words(WEIGHTS, borders(), seen(position, power, None, facts), rows)
            chosen = [
                int(chance.choice(np.flatnonzero(rows["unit"] == unit))) for unit in np.unique(rows["unit"])
            ]
            expected = set_probability(
                WEIGHTS, rows, np.array(scored[power][1]), helps[power][:, 0], chosen, spoken
            )
            log = chooser.log_probability(position.packed, power, as_bytes(rows["code"][chosen].tolist()))
            assert log == pytest.approx(math.log(expected), rel=1e-3, abs=0.02)


def test_probabilities_of_all_sets_add_up_to_1() -> None:
    chooser = NetPolicy(MAP.tables, NET, temperature=1.5)
    france = MAP.powers.index("FRANCE")
    total = sum(
        math.exp(chooser.log_probability(FEW.packed, france, as_bytes(orders)))
        for orders in itertools.product(*FEW.packed.legal()[france].values())
    )
    assert total == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("widths", [{"c": 96, "k": 48, "e": 24}, {"c": 40, "b": 104, "q": 8}])
def test_all_processors_give_the_same_scores(widths: dict[str, int]) -> None:
    compare_vectors(weights(5, 0.15, n=2, **widths), POSITIONS[::3])


def test_sets_have_the_probability_of_their_units_one_after_the_other() -> None:
    """Listed sets, by each way to reckon: their probabilities are those that they have by themselves."""
    chooser = NetPolicy(MAP.tables, Net(weights(5, 0.15, n=2, c=96, k=48, e=24)))
    positions = [position for position in POSITIONS if position.phase.kind != "A"][::3]
    asked = [(position, power) for position in positions for power in range(len(MAP.powers))]
    by_vectors = []
    for vectors in range(VECTORS + 1):
        chooser.vectors = vectors
        by_vectors.append([chooser.sets(position.packed, power, 8) for position, power in asked])
    for (position, power), sets in zip(asked, by_vectors[0], strict=True):
        logs = [chooser.log_probability(position.packed, power, orders) for orders, _ in sets]
        assert logs == pytest.approx([log for _, log in sets], abs=1e-5)
    assert all(listed == by_vectors[0] for listed in by_vectors)
    assert any(len(sets) > 1 for sets in by_vectors[0])


@pytest.mark.parametrize("name", ["gulfs", "pure", "capitals"])
def test_other_maps_are_played_without_names(name: str) -> None:
    map = Map.load(name)
    chooser = NetPolicy(map.tables, NET, names=False, seed=2)
    position = Position.start(map)
    for power, units in position.packed.legal().items():
        assert sorted(code >> 16 & 0xFFFF for code in chooser.orders(position.packed, power)) == sorted(units)


@pytest.mark.parametrize("name", sorted(set(WIDE_SHAPES) - {"round_own"}))
def test_weights_that_lack_something_or_have_another_shape_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"no array '{name}'"):
        Net({key: value for key, value in WEIGHTS.items() if key != name})
    longer = np.zeros([size + 1 for size in WEIGHTS[name].shape], np.float32)
    with pytest.raises(ValueError, match=r"shape|width"):
        Net(WEIGHTS | {name: longer})


def test_rounds_that_are_not_as_wide_as_the_net_are_refused() -> None:
    rows = {name: WEIGHTS[name][:-8] for name in ("round_own", "round_near", "round_whole")}
    with pytest.raises(ValueError, match="3 rounds of 24 numbers, and 64 rows"):
        Net(WEIGHTS | rows)


def test_its_arrays_come_back_as_they_were() -> None:
    arrays = NET.arrays()
    assert arrays.keys() == WEIGHTS.keys() and NET.rounds == 3
    for name, (shape, data) in arrays.items():
        array = np.frombuffer(data, np.float32).reshape(shape)
        skipped = 1 if name == "input" else 0
        assert np.array_equal(array[skipped:], WEIGHTS[name][skipped:])


def test_self_play_does_not_learn_it() -> None:
    with pytest.raises(ValueError, match="a wide net"):
        NetLearner(MAP.tables, WEIGHTS)
