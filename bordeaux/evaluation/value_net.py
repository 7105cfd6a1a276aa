"""Values learnt from self-play: reads and checks the file of a small net, and lays it out for a map.

The file is a NumPy archive (``.npz``). It has arrays of 16 or 32 bits with the names in
`bordeaux._ext.value.value_net`, and ``header``, a JSON text as bytes. The header gives the run, the number of
games, the command that made the net, and its accuracy on unseen games.
"""

from __future__ import annotations

import functools
import io
import json
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bordeaux._ext.value.value_net import ARRAYS, ValueNet
from bordeaux._ext.value.valuer import Valuer
from bordeaux.board.errors import BordeauxError, name_of
from bordeaux.board.map import Map
from bordeaux.evaluation.prospect import INVALID, known_weights, knows_names, prospect_value
from bordeaux.formats.source import read_arrays

FORMAT, KIND = 1, "value"
"""The format and kind in the header; files with others are refused."""
SCALE = 3000.0
"""Points of a share of 1 if the header has none. The whole game has about as many by the hand-made
evaluation."""
BUNDLED = ("league",)
"""Values that come with the package, by name."""


class ValueWeights(NamedTuple):
    """The arrays of a net, float32 by name (`bordeaux._ext.value.value_net.ARRAYS`), and its header."""

    arrays: dict[str, npt.NDArray[np.float32]]
    header: dict[str, Any]


@functools.cache
def load_value_net(path: str | Path) -> ValueWeights:
    """Read a file, once. Raises BordeauxError with the file's name for one that cannot be read, is damaged,
    or whose arrays make no net."""
    shown = name_of(path)
    try:
        read = read_arrays(path)
        header = json.loads(read["header"].tobytes())
        if (header["format"], header["kind"]) != (FORMAT, KIND):
            raise ValueError(f"its kind is {(header['format'], header['kind'])}, not {(FORMAT, KIND)}")
        arrays = {name: np.ascontiguousarray(read[name], np.float32) for name in ARRAYS}
        weights = ValueWeights(arrays, header)
        laid_out(Map.standard(), weights)
    except OSError as error:
        raise BordeauxError(f"{shown}: {error.strerror or error}") from None
    except INVALID as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise BordeauxError(f"{shown} holds no weights of a value: {said[:100]}") from None
    return weights


def laid_out(map: Map, weights: ValueWeights, scale: float | None = None) -> ValueNet:
    """Weights laid out for a map: with names on the standard map, without them on others. A whole share is
    `scale` points, by default those of the header. Raises ValueError for arrays that do not fit."""
    points = float(weights.header.get("scale", SCALE)) if scale is None else scale
    return ValueNet(map.tables, weights.arrays, knows_names(map), map.start_phase.year, points)


def is_value_net(path: str | Path) -> bool:
    """Whether a file claims to be a value net, valid or not."""
    try:
        header = read_arrays(path, only=("header",))["header"]
        return bool(json.loads(header.tobytes())["kind"] == KIND)
    except (OSError, *INVALID):
        return False


@functools.cache
def learnt_value(map: Map, path: str, scale: float | None = None) -> Valuer:
    """A learnt value for rollouts on a map: the net or the prospect of a file, or one of `BUNDLED`. A whole
    share is `scale` points, by default those of the file. Raises BordeauxError for a file that is neither."""
    path = _file(path)
    if is_value_net(path):
        return laid_out(map, load_value_net(path), scale)
    return prospect_value(map, path, scale)


@functools.cache
def points_of_share(path: str) -> float:
    """The points that people see for a share of 1 by a learnt value, named as for `learnt_value`. Raises
    BordeauxError for a file that is none."""
    path = _file(path)
    header = load_value_net(path).header if is_value_net(path) else known_weights(path).header
    return float(header.get("scale", SCALE))


def _file(path: str) -> str:
    """The file of a learnt value."""
    return (
        str(resources.files("bordeaux.evaluation") / "weights" / f"{path}.npz") if path in BUNDLED else path
    )


def write_value_net(path: Path, net: ValueNet, header: dict[str, Any]) -> None:
    """Write a net in half precision, atomically. Raises OSError."""
    arrays: dict[str, Any] = {
        name: np.frombuffer(data, np.float32).reshape(shape).astype(np.float16)
        for name, (shape, data) in net.arrays().items()
    }
    text = json.dumps({"format": FORMAT, "kind": KIND, **header})
    held = io.BytesIO()
    np.savez_compressed(held, header=np.frombuffer(text.encode(), np.uint8), **arrays)
    part = path.with_name(path.name + ".part")
    part.write_bytes(held.getvalue())
    part.replace(path)
