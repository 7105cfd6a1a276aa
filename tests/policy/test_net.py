"""The file of a learnt policy: what is read of it, and what is refused, in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bordeaux._ext.net.weights import SHAPES
from bordeaux.policy.net import PolicyError, header, load_net
from tests.core.nets import FACTS, weights
from tests.policy.weights import HEADER, write

ARRAYS: dict[str, Any] = {
    name: array.astype(np.float16) for name, array in weights(a=8, b=8, c=8, k=8).items()
}


def refused(path: Path) -> str:
    """What is said of a file."""
    with pytest.raises(PolicyError) as caught:
        load_net(path)
    (line,) = str(caught.value).splitlines()
    assert path.name in line
    return line


def test_a_file_gives_a_net_and_what_it_says_of_itself(tmp_path: Path) -> None:
    described = {**HEADER, "games": 12, "figures": {"units": 0.5}}
    path = write(tmp_path / "net.npz", ARRAYS, described)
    assert load_net(path).n_rows == FACTS.n_rows
    assert header(path) == described
    whole = write(tmp_path / "whole.npz", {name: array.astype(np.float32) for name, array in ARRAYS.items()})
    assert load_net(whole).n_rows == load_net(path).n_rows


@pytest.mark.parametrize("name", list(SHAPES)[::8])
def test_a_net_that_lacks_an_array_or_has_it_in_another_shape(name: str, tmp_path: Path) -> None:
    rest = {key: array for key, array in ARRAYS.items() if key != name}
    assert name in refused(write(tmp_path / "lacks.npz", rest))
    assert name in refused(write(tmp_path / "flat.npz", rest | {name: ARRAYS[name].ravel()[None, None]}))


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((15, 5), np.int32),
        np.zeros((15, 5)),
        np.full((15, 5), np.nan, np.float16),
        np.full((15, 5), np.inf, np.float32),
        np.array([["word"] * 5] * 15),
        np.array([[{}] * 5] * 15, object),
    ],
    ids=lambda position: str(position.dtype),
)
def test_numbers_that_are_none(array: Any, tmp_path: Path) -> None:
    refused(write(tmp_path / "net.npz", ARRAYS | {"second": array}))


@pytest.mark.parametrize(
    "header",
    [
        None,
        3,
        "words",
        [],
        {},
        {**HEADER, "format": 2},
        {**HEADER, "kind": "value"},
        {**HEADER, "map": "pure"},
    ],
)
def test_a_header_of_something_else(header: object, tmp_path: Path) -> None:
    assert "header" in refused(write(tmp_path / "net.npz", ARRAYS, header))


def test_a_header_that_is_no_text(tmp_path: Path) -> None:
    for number, array in enumerate((np.arange(9.0), np.array([0xFF, 0xFE], np.uint8), np.array(["{}"]))):
        np.savez(tmp_path / f"{number}.npz", header=array, **ARRAYS)
        assert "header" in refused(tmp_path / f"{number}.npz")
    np.savez(tmp_path / "none.npz", **ARRAYS)
    assert "header" in refused(tmp_path / "none.npz")


def test_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    refused(path)
    whole = write(path, ARRAYS).read_bytes()
    for content in (b"", b"PK", b"words", whole[:200], whole[:-30], whole[: len(whole) // 2]):
        path.write_bytes(content)
        refused(path)
    # One byte of the packed numbers is another.
    for place in range(100, len(whole), len(whole) // 40):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x5A]) + whole[place + 1 :])
        try:
            load_net(path)
        except PolicyError as error:
            assert len(str(error).splitlines()) == 1
    np.save(tmp_path / "lone.npy", ARRAYS["input"])
    refused(tmp_path / "lone.npy")
    (tmp_path / "text.json").write_text(json.dumps(HEADER))
    refused(tmp_path / "text.json")
    refused(tmp_path)
