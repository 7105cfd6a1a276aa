"""Files of value nets: what is written is read, rubbish is one line, the engine takes one."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bordeaux import BordeauxError, Engine, Map, Position
from bordeaux.evaluation import end_value, evaluator, scaled_value
from bordeaux.evaluation.prospect import (
    is_value_net,
    laid_out,
    learnt_value,
    load_value_net,
    points_of_share,
    write_value_net,
)
from tests.core.test_value_net import made, net

MAP = Map.standard()


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
        assert len(engine.search(Position.start(), "FRANCE", nodes=6000).orders) == 3


def test_inside_a_search_a_learnt_value_gives_chances(file: Path) -> None:
    start = Position.start().packed
    for name, points in ((str(file), 2000.0), ("default", points_of_share("league"))):
        judge = evaluator(MAP, name)
        scaled, outside = scaled_value(MAP, name, judge), end_value(MAP, name, judge)
        chances = scaled.valuer.all(start)
        assert scaled.points == points and sum(chances) == pytest.approx(1)
        assert [chance * points for chance in chances] == pytest.approx(outside.all(start))
        assert [scaled.share(chance) for chance in chances] == chances


def changed(header: dict[str, Any] | None = None, **arrays: Any) -> Callable[[Path], bytes]:
    """The file with other content."""

    def make(file: Path) -> bytes:
        with np.load(file) as read:
            content = {name: read[name] for name in read.files} | arrays
        if header is not None:
            content["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
        held = io.BytesIO()
        np.savez(held, **{name: value for name, value in content.items() if value is not None})
        return held.getvalue()

    return make


@pytest.mark.parametrize(
    "broken",
    [
        lambda file: b"",
        lambda file: b"none",
        lambda file: file.read_bytes()[:-50],
        changed({"format": 2, "kind": "value"}),
        changed({"format": 1, "kind": "policy"}),
        changed({}),
        changed(rows=np.zeros((3, 16), np.float16)),
        changed(bias=np.full(8, np.nan, np.float16)),
        changed(out=np.zeros((8, 2), "U3")),
        changed(layer=np.zeros(3, np.float16)),
    ],
)
def test_rubbish_is_one_line(broken: Callable[[Path], bytes], file: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.npz"
    bad.write_bytes(broken(file))
    with pytest.raises(BordeauxError) as raised:
        load_value_net(bad)
    assert "bad.npz" in str(raised.value) and len(str(raised.value).splitlines()) == 1
    with pytest.raises(BordeauxError, match=r"bad\.npz"):
        learnt_value(MAP, str(bad))
    with pytest.raises(BordeauxError, match=r"missing\.npz"):
        load_value_net(tmp_path / "missing.npz")
