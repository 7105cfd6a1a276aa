"""The learnt policy in the core, held against plain NumPy; sets drawn, listed and told the probability of."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from bordeaux import Map, Position
from bordeaux._ext.learn.net_learner import NetLearner
from bordeaux._ext.net.facts import Facts
from bordeaux._ext.net.memory import Memory
from bordeaux._ext.net.net_policy import VECTORS, NetPolicy
from bordeaux._ext.net.weights import SHAPES, WIDE_SHAPES, Net
from bordeaux.board.code import as_bytes, codes_in
from bordeaux.board.order import Unit
from bordeaux.board.submission import submit
from tests.core.nets import FACTS, MAP, NAMELESS, Arrays, options, remembered, weights
from tests.policy.reference import base_scores, passes, scores, set_probability, words
from tests.rubbish import POSITIONS

MOVEMENTS = [position for position in POSITIONS if position.phase.kind == "M"]
OTHERS = [position for position in POSITIONS if position.phase.kind in "RA"]
WEIGHTS = weights()
WIDE = weights(4, 0.15, n=3, k=8)
NET = Net(WEIGHTS)
FRANCE = MAP.powers.index("FRANCE")
NETS = pytest.mark.parametrize("arrays", [pytest.param(WEIGHTS, id="plain"), pytest.param(WIDE, id="wide")])
"""The same of a plain net, and of one with further rounds."""


def borders() -> np.ndarray:
    """Which provinces touch for any unit."""
    places = {location.name: location.province for location in MAP.locations}
    touching = np.zeros((len(MAP.provinces),) * 2, bool)
    for location in MAP.locations:
        for name in MAP.adjacent(location.kind, location.name):
            touching[location.province, places[name]] = True
    return touching


def seen(position: Position, power: int, memory: Memory | None, facts: Facts) -> np.ndarray:
    return np.frombuffer(facts.seen(position.packed, power, memory), np.uint16)


def compare_movement(arrays: Arrays, position: Position, names: bool, vectors: int = VECTORS) -> None:
    """Hold the scores of all powers in a movement phase against the reference."""
    facts = FACTS if names else NAMELESS
    memory = remembered(position) if names else None
    chooser = NetPolicy(MAP.tables, Net(arrays), names)
    chooser.vectors = vectors
    chooser.remember(memory)
    powers = [
        (power, seen(position, power, memory, facts), options(position, power, memory, facts))
        for power, name in enumerate(MAP.powers)
        if position.units_of(name)
    ]
    expected = scores(arrays, borders(), powers)
    for power, _, _ in powers:
        base, score = chooser.scores(position.packed, power)
        assert base == pytest.approx(expected[power][0].tolist(), rel=1e-4, abs=2e-3)
        assert score == pytest.approx(expected[power][1].tolist(), rel=1e-4, abs=4e-3)


@NETS
@pytest.mark.parametrize("names", [True, False])
@pytest.mark.parametrize("position", MOVEMENTS[::6], ids=lambda position: str(position.phase))
def test_scores_of_movement_are_those_of_the_reference(
    position: Position, names: bool, arrays: Arrays
) -> None:
    compare_movement(arrays, position, names)


@NETS
@pytest.mark.parametrize("position", OTHERS[::5], ids=lambda position: str(position.phase))
def test_scores_of_other_phases_are_those_of_the_reference(position: Position, arrays: Arrays) -> None:
    chooser = NetPolicy(MAP.tables, Net(arrays))
    for power in range(len(MAP.powers)):
        listed = options(position, power)
        base, score = chooser.scores(position.packed, power)
        assert base == score
        expected = base_scores(arrays, borders(), seen(position, power, None, FACTS), listed)
        assert base == pytest.approx(expected.tolist(), rel=1e-4, abs=2e-3)


@pytest.mark.parametrize(
    "widths", [{}, {"a": 8, "b": 64, "c": 16, "k": 24, "e": 16}, {"n": 2, "c": 40, "b": 104, "q": 8}]
)
def test_all_processors_give_the_same_scores(widths: dict[str, int]) -> None:
    arrays, by_vectors = weights(3, 0.15, **widths), []
    chooser = NetPolicy(MAP.tables, Net(arrays))
    assert chooser.vectors == VECTORS
    for vectors in range(VECTORS + 1):
        chooser.vectors = vectors
        by_vectors.append([chooser.scores(p.packed, power) for p in POSITIONS[::5] for power in range(7)])
        compare_movement(arrays, MOVEMENTS[1], True, vectors)
    assert all(scores == by_vectors[0] for scores in by_vectors)
    for wrong in (-1, VECTORS + 1):
        with pytest.raises(ValueError, match=f"0 to {VECTORS}"):
            chooser.vectors = wrong


@pytest.mark.parametrize(
    ("arrays", "names"),
    [
        pytest.param(WEIGHTS, True, id="plain"),
        *(pytest.param(WIDE, names, id="wide") for names in (True, False)),
    ],
)
def test_probabilities_of_sets_are_those_of_the_reference(arrays: Arrays, names: bool) -> None:
    facts = FACTS if names else NAMELESS
    chooser = NetPolicy(MAP.tables, Net(arrays), names)
    for position in MOVEMENTS[::14]:
        listed = {
            power: options(position, power, None, facts)
            for power, name in enumerate(MAP.powers)
            if position.units_of(name)
        }
        scored = {power: chooser.scores(position.packed, power) for power in listed}
        helps = passes({power: np.array(base) for power, (base, _) in scored.items()}, listed)
        for power, rows in listed.items():
            chance = np.random.default_rng(power)
            spoken = (
                words(arrays, borders(), seen(position, power, None, facts), rows) if arrays is WIDE else None
            )
            for _ in range(2):
                chosen = [
                    int(chance.choice(np.flatnonzero(rows["unit"] == unit)))
                    for unit in np.unique(rows["unit"])
                ]
                expected = set_probability(
                    arrays, rows, np.array(scored[power][1]), helps[power][:, 0], chosen, spoken
                )
                orders = as_bytes(rows["code"][chosen].tolist())
                log = chooser.log_probability(position.packed, power, orders)
                assert log == pytest.approx(math.log(expected), rel=1e-3, abs=0.02)


def sparse(units: list[Unit]) -> Position:
    """A board with few units."""
    start = Position.start()
    return Position(start.map, start.phase, units, start.centres)


FEW = sparse([Unit("FRANCE", "A", "PAR"), Unit("FRANCE", "A", "BUR"), Unit("GERMANY", "A", "MUN")])


@NETS
def test_probabilities_of_all_sets_add_up_to_1(arrays: Arrays) -> None:
    chooser = NetPolicy(MAP.tables, Net(arrays), temperature=1.5)
    by_unit = FEW.packed.legal()[FRANCE].values()
    total = sum(
        math.exp(chooser.log_probability(FEW.packed, FRANCE, as_bytes(orders)))
        for orders in itertools.product(*by_unit)
    )
    assert total == pytest.approx(1, abs=1e-4)


def test_draws_come_as_often_as_they_are_told() -> None:
    chooser = NetPolicy(MAP.tables, NET, seed=11)
    draws = 20000
    drawn = Counter(as_bytes(sorted(chooser.orders(FEW.packed, FRANCE))) for _ in range(draws))
    for orders, count in drawn.most_common(12):
        expected = math.exp(chooser.log_probability(FEW.packed, FRANCE, orders))
        assert count / draws == pytest.approx(expected, abs=4 * math.sqrt(expected / draws))


def test_sets_are_listed_likeliest_first() -> None:
    chooser = NetPolicy(MAP.tables, NET)
    sets = chooser.sets(FEW.packed, FRANCE, 64)
    chances = [chance for _, chance in sets]
    assert chances == sorted(chances, reverse=True)
    by_unit = FEW.packed.legal()[FRANCE].values()
    every = {
        as_bytes(sorted(orders)): chooser.log_probability(FEW.packed, FRANCE, as_bytes(orders))
        for orders in itertools.product(*by_unit)
    }
    best = max(every.values())
    assert chances[0] == pytest.approx(best, abs=1e-4)
    for orders, chance in sets:
        assert chance == pytest.approx(every[as_bytes(sorted(codes_in(orders)))], abs=1e-4)


def test_a_low_temperature_plays_the_likeliest() -> None:
    cold = NetPolicy(MAP.tables, NET, temperature=0.01, seed=3)
    best, _ = cold.sets(FEW.packed, 2, 1)[0]
    assert sorted(cold.orders(FEW.packed, 2)) == sorted(codes_in(best))


def test_what_is_remembered_changes_scores_and_can_be_forgotten() -> None:
    position = MOVEMENTS[0]
    chooser = NetPolicy(MAP.tables, NET)
    before = chooser.scores(position.packed, 0)
    chooser.remember(remembered(position))
    assert chooser.scores(position.packed, 0) != before
    chooser.remember()
    assert chooser.scores(position.packed, 0) == before


@NETS
@pytest.mark.parametrize("name", ["gulfs", "pure", "capitals"])
def test_other_maps_are_played_without_names(name: str, arrays: Arrays) -> None:
    map = Map.load(name)
    chooser = NetPolicy(map.tables, Net(arrays), names=False, seed=2)
    position = Position.start(map)
    for power, units in position.packed.legal().items():
        assert sorted(code >> 16 & 0xFFFF for code in chooser.orders(position.packed, power)) == sorted(units)


@pytest.mark.parametrize("name", sorted({*SHAPES, *WIDE_SHAPES} - {"round_own"}))
def test_weights_that_lack_something_or_have_another_shape_are_refused(name: str) -> None:
    arrays = WIDE if name in WIDE_SHAPES else WEIGHTS
    with pytest.raises(ValueError, match=f"no array '{name}'"):
        Net({key: value for key, value in arrays.items() if key != name})
    longer = np.zeros([size + 1 for size in arrays[name].shape], np.float32)
    with pytest.raises(ValueError, match=r"shape|width"):
        Net(arrays | {name: longer})
    with pytest.raises(ValueError, match="32-bit floats"):
        Net(arrays | {name: arrays[name].astype(np.float64)})


@pytest.mark.parametrize("wrong", [math.nan, math.inf, 1e9])
def test_weights_that_are_no_numbers_are_refused(wrong: float) -> None:
    spoilt = WEIGHTS["far"].copy()
    spoilt[0, 0] = wrong
    with pytest.raises(ValueError, match="no number"):
        Net(WEIGHTS | {"far": spoilt})


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="temperature"):
        NetPolicy(MAP.tables, NET, temperature=0.0)
    with pytest.raises(ValueError, match="rows"):
        NetPolicy(MAP.tables, Net(weights(0, r=NAMELESS.n_rows)))
    with pytest.raises(ValueError, match="3 rounds of 24 numbers, and 64 rows"):
        Net(WIDE | {name: WIDE[name][:-8] for name in ("round_own", "round_near", "round_whole")})
    with pytest.raises(ValueError, match="a wide net"):
        NetLearner(MAP.tables, WIDE)
    chooser = NetPolicy(MAP.tables, NET)
    with pytest.raises(ValueError, match="beam"):
        chooser.sets(FEW.packed, 2, 0)
    with pytest.raises(ValueError, match="cannot give"):
        chooser.log_probability(FEW.packed, 2, as_bytes([1]))
    winter = next(position for position in POSITIONS if position.phase.kind == "A")
    with pytest.raises(ValueError, match="units are ordered"):
        chooser.sets(winter.packed, 0, 5)


def test_a_coast_matters_for_moves_alone() -> None:
    units = [Unit("FRANCE", "F", "POR"), Unit("FRANCE", "F", "MAO"), Unit("FRANCE", "A", "GAS")]
    position = sparse(units)
    chooser = NetPolicy(MAP.tables, NET)

    def told(target: str, kind: str) -> float:
        given = submit(position, {"FRANCE": ["F POR - SPA/SC", f"F MAO S F POR - SPA{target}", "A GAS H"]})
        codes = [code for _, code in given.codes()]
        assert len(codes) == 3, kind
        return chooser.log_probability(position.packed, FRANCE, as_bytes(codes))

    # Supports are for the province: with the coast, with another, or with none.
    assert told("", "none") == told("/SC", "south") == told("/NC", "north")
    legal = position.packed.legal()[FRANCE]
    fleets = {code for codes in legal.values() for code in codes}
    for code in fleets:
        assert math.isfinite(chooser.log_probability(position.packed, FRANCE, as_bytes([code])))


@pytest.mark.parametrize("position", MOVEMENTS[::6], ids=lambda position: str(position.phase))
def test_chances_of_orders_are_their_units_probabilities(position: Position) -> None:
    chooser = NetPolicy(MAP.tables, NET, seed=3)
    for power, units in position.packed.legal().items():
        by_code = {code: chance for _, code, chance in chooser.probabilities(position.packed, power)}
        drawn = chooser.orders(position.packed, power)
        chances = chooser.chances(position.packed, power, as_bytes(drawn))
        assert sorted(chances) == sorted(by_code[code] for code in drawn)
        held = [code for codes in units.values() for code in codes if code & 0xFF == 1]
        assert chooser.chances(position.packed, power, b"") == [by_code[code] for code in held]


def test_thousands_of_options_are_scored() -> None:
    """Fleets and armies of one power by the dozen: each unit has its options."""
    seas = [province.name for province in MAP.provinces if province.kind == "sea"]
    coasts = [province.name for province in MAP.provinces if province.kind == "coastal"][:24]
    position = sparse(
        [Unit("FRANCE", "F", name) for name in seas] + [Unit("FRANCE", "A", name) for name in coasts]
    )
    chooser = NetPolicy(MAP.tables, NET, seed=1)
    legal = position.packed.legal()[2]
    assert sum(map(len, legal.values())) > 6144
    assert len(chooser.scores(position.packed, 2)[0]) == sum(map(len, legal.values()))
    assert len(chooser.orders(position.packed, 2)) == len(legal)
    last = as_bytes([list(legal.values())[-1][-1]])
    assert math.isfinite(chooser.log_probability(position.packed, 2, last))


def test_the_arrays_of_a_net_come_back_as_they_were() -> None:
    net = Net(WIDE)
    arrays = net.arrays()
    assert arrays.keys() == WIDE.keys() and net.rounds == 3
    for name, (shape, data) in arrays.items():
        array = np.frombuffer(data, np.float32).reshape(shape)
        skipped = 1 if name == "input" else 0
        assert np.array_equal(array[skipped:], WIDE[name][skipped:])
