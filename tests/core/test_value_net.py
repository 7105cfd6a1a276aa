"""The value net: what it reckons against NumPy, what it says of any position, what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bordeaux import Map, Position
from bordeaux._ext.value.prospect import N_NOBODY, Prospect, count_rows
from bordeaux._ext.value.value_net import ARRAYS, ValueNet
from tests.oracle.scenarios import Seeded
from tests.policy.reference import softmax
from tests.rules.playing import phases

MAP = Map.standard()
YEAR = MAP.start_phase.year
Arrays = dict[str, NDArray[np.float32]]


def made(map: Map = MAP, width: int = 16, middle: int = 8, seed: int = 0) -> Arrays:
    """Weights by chance."""
    random = np.random.default_rng(seed)
    shapes = {
        "rows": (count_rows(map.tables, True), width),
        "layer": (2 * width, middle),
        "bias": (middle,),
        "out": (middle, 2),
        "nobody": (N_NOBODY,),
    }
    return {name: random.normal(0, 0.1, shape).astype(np.float32) for name, shape in shapes.items()}


def net(arrays: Arrays | None = None, map: Map = MAP, names: bool = True, scale: float = 1.0) -> ValueNet:
    return ValueNet(map.tables, arrays or made(map), names, map.start_phase.year, scale)


@pytest.fixture(scope="module")
def positions() -> list[Position]:
    """Phases of a game, and some of them without one or two powers."""
    played = [position for position, _ in phases(Position.start(), Seeded(5), 60)]
    few = played[::12]
    return [*played, *(without(position, MAP.powers[: 1 + k % 2]) for k, position in enumerate(few))]


def without(position: Position, gone: tuple[str, ...]) -> Position:
    """The position, some powers eliminated."""
    return Position(
        position.map,
        position.phase,
        [unit for unit in position.units if unit.power not in gone],
        {power: owned for power, owned in position.centres.items() if power not in gone},
        [dislodged for dislodged in position.dislodged if dislodged.unit.power not in gone],
    )


@pytest.mark.parametrize(("width", "middle"), [(8, 8), (16, 8), (40, 16), (72, 32)])
def test_it_reckons_as_numpy_does(positions: list[Position], width: int, middle: int) -> None:
    arrays = made(width=width, middle=middle, seed=width)
    core = net(arrays)
    rows = Prospect(MAP.tables, bytes(8 * len(arrays["rows"])), bytes(4 * N_NOBODY), True, YEAR)
    for position in positions:
        listed, common = rows.features(position.packed)
        numbers = [np.frombuffer(listed_rows, np.uint16) for listed_rows in listed]
        alive = np.array([len(number) > 0 for number in numbers])
        sums = np.array([arrays["rows"][number].sum(0) for number in numbers])
        hidden = np.maximum(sums, 0) * alive[:, None]
        mean = hidden.sum(0) / alive.sum()
        both = np.concatenate([hidden, np.tile(mean, (7, 1))], 1)
        logits = sums[:, :2] + np.maximum(both @ arrays["layer"] + arrays["bias"], 0) @ arrays["out"]
        shares, solos = core.judged(position.packed)
        assert np.allclose(np.array(shares)[alive], softmax(logits[alive, 0]), atol=1e-4)
        nobody = arrays["nobody"][np.frombuffer(common, np.uint16)].sum()
        expected = softmax(np.append(logits[alive, 1], nobody))
        assert np.allclose(np.array(solos)[alive], expected[:-1], atol=1e-4)
        assert not np.array(shares)[~alive].any() and not np.array(solos)[~alive].any()


def test_points_are_shares_times_the_scale(positions: list[Position]) -> None:
    core, scaled = net(), net(scale=3000.0)
    for position in positions:
        shares = core.shares(position.packed)
        assert sum(shares) == pytest.approx(1)
        assert scaled.all(position.packed) == pytest.approx([3000 * share for share in shares], rel=1e-5)
        assert [scaled.points(position.packed, power) for power in range(7)] == scaled.all(position.packed)


def test_terms_are_what_is_lost_without_their_rows() -> None:
    """With nothing behind the sums a logit is the sum of its terms."""
    arrays = made()
    arrays["out"][:] = 0
    core = net(arrays)
    packed = Position.start().packed
    terms = [core.terms(packed, power) for power in range(7)]
    logits = np.array([sum(term.values()) for term in terms])
    assert core.shares(packed) == pytest.approx(softmax(logits).tolist(), abs=1e-4)
    assert {"centres", "place", "posts"} < set(terms[0])
    deeper = net(made())
    deeper_terms = deeper.terms(packed, 0)
    assert all(deeper_terms[name] != terms[0][name] for name in ("centres", "place", "posts"))


def test_a_game_that_is_over_is_as_it_ended() -> None:
    start = Position.start()
    position = Position(
        MAP, start.phase, start.units, {"FRANCE": MAP.centres[:18], "TURKEY": MAP.centres[18:]}
    )
    france = MAP.powers.index("FRANCE")
    shares, solos = net().judged(position.packed)
    assert shares[france] == solos[france] == sum(shares) == 1


def test_what_it_is_made_of_comes_back() -> None:
    arrays = made()
    stored = net(arrays).arrays()
    assert list(stored) == list(ARRAYS)
    for name, (shape, data) in stored.items():
        assert shape == arrays[name].shape and data == arrays[name].tobytes()


def test_other_maps_do_without_names(positions: list[Position]) -> None:
    arrays = made()
    with_names, without = net(arrays), net(arrays, names=False)
    packed = Position.start().packed
    assert with_names.shares(packed) != without.shares(packed)
    assert "posts" not in without.first_rows
    for name in ("gulfs", "pure", "capitals"):
        map = Map.load(name)
        start = Position.start(map)
        core = net(arrays, map, names=False)
        assert sum(core.shares(start.packed)) == pytest.approx(1)
        with pytest.raises(ValueError, match="another map"):
            core.shares(packed)


def test_arrays_that_do_not_fit_are_named() -> None:
    good = made()
    for name, array in good.items():
        with pytest.raises(ValueError, match=f"no array '{name}'"):
            net({key: value for key, value in good.items() if key != name})
        with pytest.raises(ValueError, match=name):
            net({**good, name: array.astype(np.float64)})
        broken = array.copy()
        broken.ravel()[0] = np.nan
        with pytest.raises(ValueError, match="no number"):
            net({**good, name: broken})
    with pytest.raises(ValueError, match="multiples of 8"):
        net(made(width=12))
    with pytest.raises(ValueError, match="multiples of 8"):
        net(made(width=80))
    with pytest.raises(ValueError, match="multiples of 8"):
        net(made(middle=40))
    with pytest.raises(ValueError, match="rows where the map needs"):
        net({**good, "rows": good["rows"][:-1].copy()})
    with pytest.raises(ValueError, match="layer has"):
        net({**good, "layer": good["layer"][:-8].copy()})
    with pytest.raises(IndexError):
        net().points(Position.start().packed, 7)
