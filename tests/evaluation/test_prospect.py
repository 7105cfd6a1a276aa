"""What powers may expect of the end, by the weights that come with Bordeaux, and the file of them."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bordeaux import BordeauxError, Engine, Map, Phase, Position, Unit
from bordeaux._ext.value.prospect import N_NOBODY, EndValue
from bordeaux.evaluation import end_value, evaluator, prospect, share_value
from bordeaux.evaluation.prospect import (
    WIDEST,
    compiled,
    is_value_net,
    laid_out,
    learnt_value,
    load_value_net,
    load_weights,
    prospect_value,
    write_value_net,
    write_weights,
)
from tests.core.test_value_net import made, net, without

MAP = Map.standard()
SHIPPED = load_weights()


def owning(**owned: int) -> Position:
    """A position in which powers own so many centres, taken in turn, with an army or a fleet in each."""
    free = list(MAP.centres)
    centres = {power: [free.pop(0) for _ in range(count)] for power, count in owned.items()}
    units = [
        Unit(power, place.kind, place.name)
        for power, names in centres.items()
        for place in (MAP.locations_in("A", name)[0] for name in names)
    ]
    return Position(MAP, Phase(1906, "S", "M"), units, centres)


def test_shares_are_the_softmax_of_the_sums_of_the_terms() -> None:
    for position in (Position.start(), owning(FRANCE=9, TURKEY=7, RUSSIA=6, ITALY=1)):
        expected = prospect(position)
        living = {power: prospects for power, prospects in expected.items() if prospects.share}
        grown = {power: math.exp(sum(prospects.terms.values())) for power, prospects in living.items()}
        for power, prospects in living.items():
            assert prospects.share == pytest.approx(grown[power] / sum(grown.values()), abs=1e-4)
        for term in living["FRANCE"].terms:
            assert sum(prospects.terms[term] for prospects in living.values()) == pytest.approx(0, abs=1e-4)
        for power in set(expected) - set(living):
            assert (expected[power].share, expected[power].solo) == (0, 0)
            assert not any(expected[power].terms.values())


@pytest.mark.parametrize("name", ["gulfs", "pure", "capitals"])
def test_other_maps_know_no_names(name: str) -> None:
    map = Map.load(name)
    assert not {"power", "place", "posts"} & set(prospect_value(map).first_rows)
    assert {"power", "place", "posts"} < set(prospect_value(MAP).first_rows)
    expected = prospect(Position.start(map))
    assert sum(prospects.share for prospects in expected.values()) == pytest.approx(1, abs=1e-5)


def test_shares_sum_up_and_large_ones_are_less_than_they_seem() -> None:
    for position in (Position.start(), owning(FRANCE=14, TURKEY=7), owning(FRANCE=9, TURKEY=7, RUSSIA=6)):
        raw, _ = prospect_value(MAP).judged(position.packed)
        expected = prospect(position)
        assert sum(prospects.share for prospects in expected.values()) == pytest.approx(1)
        assert all(prospects.solo <= prospects.share for prospects in expected.values())
        assert expected["FRANCE"].share < raw[MAP.powers.index("FRANCE")] or position == Position.start()


def test_rollouts_end_in_it_only_where_an_evaluation_says_so() -> None:
    plain = evaluator(MAP, "hand")
    assert end_value(MAP, "hand", plain) is plain
    judge = evaluator(MAP, "prospect")
    position = owning(FRANCE=9, TURKEY=8, RUSSIA=3)
    mixed = end_value(MAP, "prospect", judge)
    for number in range(len(MAP.powers)):
        hand_made = judge.points(position.packed, number)
        assert hand_made == plain.points(position.packed, number)
        half = (hand_made + prospect_value(MAP).points(position.packed, number)) / 2
        assert mixed.points(position.packed, number) == pytest.approx(half, rel=1e-4)


def test_the_header_says_what_the_weights_were_fitted_to() -> None:
    header = SHIPPED.header
    assert {"format", "kind", "map", "made", "command", "phases", "held_out", "scale", "figures"} == set(
        header
    )
    figures = header["figures"]
    for head in ("share_log", "share_brier"):
        for naive in ("squares", "centres", "centres and year"):
            assert figures["prospect"][head] < figures["without names"][head] < figures[naive][head]
    for head in ("solo_log", "solo_brier"):
        assert figures["prospect"][head] < figures["centres and year"][head] < figures["centres"][head]


def test_weights_come_back_as_they_were_written(tmp_path: Path) -> None:
    write_weights(tmp_path / "again.npz", SHIPPED)
    again = load_weights(tmp_path / "again.npz")
    assert again.header == SHIPPED.header
    for one, other in zip(again[:-1], SHIPPED[:-1], strict=True):
        assert np.array_equal(one, other)
    assert list(tmp_path.iterdir()) == [tmp_path / "again.npz"]
    shares = compiled(MAP, again).shares(Position.start().packed)
    assert shares == prospect_value(MAP).shares(Position.start().packed)


# Files of value nets: what is written is read, rubbish is one line, the engine takes one.


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("value") / "value.npz"
    write_value_net(path, net(), {"games": 12, "scale": 2000.0})
    return path


def test_what_is_written_is_read(file: Path) -> None:
    weights = load_value_net(file)
    assert (weights.header["games"], weights.header["format"], weights.header["kind"]) == (12, 1, "value")
    for name, array in made().items():
        assert weights.arrays[name].dtype == np.float32
        assert (weights.arrays[name] == array.astype(np.float16)).all()
    start = Position.start().packed
    core = laid_out(MAP, weights)
    assert core.shares(start) == pytest.approx(net().shares(start), abs=1e-3)
    assert sum(core.all(start)) == pytest.approx(2000)
    assert sum(laid_out(MAP, weights, scale=1.0).all(start)) == pytest.approx(1)
    assert not list(file.parent.glob("*.part"))


@pytest.mark.parametrize("name", ["gulfs", "pure", "capitals"])
def test_other_maps_are_judged_without_names(file: Path, name: str) -> None:
    map = Map.load(name)
    core = laid_out(map, load_value_net(file), scale=1.0)
    assert "posts" not in core.first_rows
    assert sum(core.all(Position.start(map).packed)) == pytest.approx(1)


def test_a_file_is_an_evaluation(file: Path) -> None:
    assert is_value_net(file)
    judge = evaluator(MAP)
    value = end_value(MAP, str(file), judge)
    start = Position.start().packed
    assert value.all(start) == pytest.approx(learnt_value(MAP, str(file)).all(start))
    with Engine(evaluation=str(file), seed=1) as engine:
        assert len(engine.search(Position.start(), "FRANCE", nodes=600).orders) == 3


@pytest.mark.parametrize("name", ["standard", "gulfs"])
def test_sets_are_measured_by_the_middle_in_odds_of_the_prospect_and_a_net(file: Path, name: str) -> None:
    map = Map.load(name)
    start = Position.start(map)
    of_people = prospect_value(map, scale=1.0)
    for evaluation, learnt in (
        (str(file), str(file)),
        *((name, "league") for name in ("default", "hand", "centres")),
    ):
        measured, taught = share_value(map, evaluation), learnt_value(map, learnt, 1.0)
        assert isinstance(measured, EndValue) and isinstance(taught, EndValue)
        for packed in (start.packed, without(start, map.powers[:1]).packed):
            shown, wanted = measured.judged(packed), []
            for one, other in zip(of_people.judged(packed), taught.judged(packed), strict=True):
                # Of solos the rest is that of nobody.
                rest = max(0.0, 1 - sum(one)), max(0.0, 1 - sum(other))
                wanted.append(
                    [math.sqrt(a * b) for a, b in zip((*one, rest[0]), (*other, rest[1]), strict=True)]
                )
            shares = wanted[0][:-1]
            assert shown[0] == pytest.approx([part / sum(shares) for part in shares], rel=1e-4)
            assert shown[1] == pytest.approx([part / sum(wanted[1]) for part in wanted[1][:-1]], rel=1e-4)


def test_the_sums_of_a_net_leave_room_for_the_middle(tmp_path: Path) -> None:
    for width in (WIDEST, WIDEST + 8):
        write_value_net(tmp_path / f"{width}.npz", net(made(width=width)), {})
    assert sum(
        share_value(MAP, str(tmp_path / f"{WIDEST}.npz")).all(Position.start().packed)
    ) == pytest.approx(1)
    with pytest.raises(
        BordeauxError, match=r"72\.npz holds no weights of a value: its sums are 72 numbers wide"
    ):
        share_value(MAP, str(tmp_path / "72.npz"))


def test_the_prospect_as_an_evaluation_measures_alone(tmp_path: Path) -> None:
    file = tmp_path / "people.toml"
    # Weights that it names are not read.
    file.write_text('base = "hand"\nprospect = 1.0\nfile = "a file of somebody else"\n')
    assert share_value(MAP, str(file)) is prospect_value(MAP, scale=1.0)


def changed(content: bytes, **changes: Any) -> bytes:
    """A file with other arrays, or without those that are None; a dict is a header as JSON."""
    with np.load(io.BytesIO(content)) as read:
        arrays = {name: read[name] for name in read.files} | changes
    if isinstance(arrays["header"], dict):
        arrays["header"] = np.frombuffer(json.dumps(arrays["header"]).encode(), np.uint8)
    held = io.BytesIO()
    np.savez(held, **{name: array for name, array in arrays.items() if array is not None})
    return held.getvalue()


RUBBISH: list[dict[str, Any]] = [
    {"header": None},
    {"header": {}},
    {"header": {"format": 2, "kind": "value"}},
    {"header": {"format": 2, "kind": "prospect"}},
    {"header": {"format": 1, "kind": "prospect"}},
    {"header": {"format": 1, "kind": "prospect", "scale": 10**400}},
    {"rows": None},
    {"rows": np.zeros((3, 16), np.float16)},
    {"rows": np.array([None, {}], object)},
    {"nobody": np.full(N_NOBODY, np.nan, np.float16)},
    {"nobody": np.zeros(N_NOBODY, "U3")},
]


@pytest.mark.parametrize("load", [load_weights, load_value_net])
def test_rubbish_is_refused_in_one_line(load: Callable[[Path], Any], file: Path, tmp_path: Path) -> None:
    shipped = resources.files("bordeaux.evaluation") / "weights" / "prospect.npz"
    sound = (shipped if load is load_weights else file).read_bytes()
    for number, broken in enumerate(
        [b"", sound[:-50], sound[:5000], *(changed(sound, **changes) for changes in RUBBISH)]
    ):
        path = tmp_path / f"bad{number}.npz"
        path.write_bytes(broken)
        for read in (load, lambda bad: learnt_value(MAP, str(bad))):
            with pytest.raises(BordeauxError) as raised:
                read(path)
            assert path.name in str(raised.value) and len(str(raised.value).splitlines()) == 1
    with pytest.raises(BordeauxError, match=r"missing\.npz"):
        load(tmp_path / "missing.npz")
