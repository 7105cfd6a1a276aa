"""The expected result of a game for each power, learnt from recorded games: shares, and probabilities of a
solo."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from bordeaux._ext.value.prospect import N_GENERAL, N_NOBODY, Prospect, count_rows
from bordeaux._ext.value.value_net import ARRAYS, ValueNet
from bordeaux._ext.value.valuer import Valuer
from bordeaux.board.errors import BordeauxError, name_of
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.formats.source import read_arrays
from bordeaux.formats.whole_files import write_arrays

MOST_CHANCE = 0.99
"""The largest chance of a result that is not proved, as it is shown."""
CALM = 0.75
"""The power to which shares and chances of a solo are raised before they are shown, which draws them to even
ones. Fitted to games by the prospect (docs/search.md)."""
FORMAT = 1
"""The format of the file of weights; files of other formats are refused."""
SHIPPED = "prospect.npz"
#: Exceptions for arrays and headers of other types and names than those wanted.
INVALID = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)

Floats32: TypeAlias = npt.NDArray[np.float32]


class Prospects(NamedTuple):
    """A power's expectations, calibrated: its `share` of the final result (its square of centres in all
    squares, 1 for a solo), and its probability of a `solo`. `terms` are those of the share's logit, each
    relative to the mean of the living powers. Shares are the softmax of the sums of the terms."""

    share: float
    solo: float
    terms: dict[str, float]


class Weights(NamedTuple):
    """The bundled weights, for the standard map and for others without names: `rows` and `general_rows`
    float32[n, 2] and [N_GENERAL, 2], for shares and solos, `nobody` and `general_nobody` float32[N_NOBODY],
    and the `header` that describes the fit."""

    rows: Floats32
    nobody: Floats32
    general_rows: Floats32
    general_nobody: Floats32
    header: dict[str, Any]


def _shapes() -> tuple[tuple[int, ...], ...]:
    return (count_rows(Map.standard().tables, True), 2), (N_NOBODY,), (N_GENERAL, 2), (N_NOBODY,)


@contextmanager
def _reading(shown: str, what: str) -> Iterator[None]:
    """Errors inside become BordeauxErrors about the file `shown`, which should hold weights of `what`."""
    try:
        yield
    except OSError as error:
        raise BordeauxError(f"{shown}: {error.strerror or error}") from None
    except INVALID as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise BordeauxError(f"{shown} holds no weights of {what}: {said[:100]}") from None


def _header(read: Mapping[str, npt.NDArray[Any]], kind: str) -> dict[str, Any]:
    header: dict[str, Any] = json.loads(read["header"].tobytes())
    if (found := (header["format"], header["kind"])) != (FORMAT, kind):
        raise ValueError(f"its kind is {found}, not {(FORMAT, kind)}")
    return header


def load_weights(path: str | Path | None = None) -> Weights:
    """Read a file of weights, by default the bundled one. Raises BordeauxError with the file's name for one
    that cannot be read, is damaged, or has another shape."""
    shown = SHIPPED if path is None else name_of(path)
    with _reading(shown, "a prospect"):
        file = resources.files("bordeaux.evaluation") / "weights" / SHIPPED if path is None else Path(path)
        read = read_arrays(file)
        header = _header(read, "prospect")
        tables = [read[name] for name in Weights._fields[:-1]]
        shapes = tuple(table.shape for table in tables)
        if shapes != _shapes() or any(table.dtype.kind != "f" for table in tables):
            raise ValueError(f"its shapes are {shapes}, not {_shapes()}")
        if not (np.isfinite(float(header["scale"])) and all(np.isfinite(table).all() for table in tables)):
            raise ValueError("not all are finite numbers")
        rows, nobody, general_rows, general_nobody = (table.astype(np.float32) for table in tables)
    return Weights(rows, nobody, general_rows, general_nobody, header)


def write_weights(path: Path, weights: Weights) -> None:
    """Write weights in half precision, atomically. Raises OSError."""
    *tables, header = weights
    write_arrays(path, header, dict(zip(Weights._fields, tables, strict=False)), half=True)


known_weights = functools.cache(load_weights)
"""Weights of files; each file is read once."""


@functools.cache
def prospect_value(map: Map, path: str | None = None, scale: float | None = None) -> Prospect:
    """The compiled prospect of a map: a `Valuer` for rollouts. Weights are those of a file, or the bundled
    ones. A whole share is `scale` points, by default those of the weights, which make them points of the
    hand-made evaluation. Raises BordeauxError if they are damaged."""
    return compiled(map, known_weights(path), scale)


def compiled(map: Map, weights: Weights, scale: float | None = None) -> Prospect:
    """Weights laid out for a map: those with names for the standard map, the general ones for others.
    `scale` is as for `prospect_value`."""
    named = knows_names(map)
    rows, nobody = (weights.rows, weights.nobody) if named else (weights.general_rows, weights.general_nobody)
    year, points = map.start_phase.year, float(weights.header["scale"]) if scale is None else scale
    return Prospect(map.tables, rows.tobytes(), nobody.tobytes(), named, year, points)


def knows_names(map: Map) -> bool:
    """Whether a map equals the standard one in everything that names refer to."""
    return _places(map) == _places(Map.standard())


def _places(map: Map) -> tuple[object, ...]:
    """The places that names refer to, in the order of the tables."""
    return map.powers, map.homes, map.centres, [(place.kind, place.name) for place in map.locations]


def _calibrated(shares: Iterable[float]) -> list[float]:
    return [max(share, 0.0) ** CALM for share in shares]


def expected_shares(position: Position) -> dict[str, float]:
    """The expected share of every power in a position, 1 for one that has won."""
    victor = position.victor
    return {
        power: of_power.share if victor is None else float(power == victor)
        for power, of_power in prospect(position).items()
    }


def prospect(position: Position) -> dict[str, Prospects]:
    """The expectations of every power in a position. The model is fitted to movement phases; a phase after
    Fall moves is evaluated as the next Spring. Nothing is above `MOST_CHANCE` before a victory."""
    core = prospect_value(position.map)
    raw, solos = core.judged(position.packed)
    parts = _calibrated(raw)
    shares = [part / (sum(parts) or 1.0) for part in parts]
    if position.victor is None:
        shares = [min(share, MOST_CHANCE) for share in shares]
    *parts, _ = chances = _calibrated([*solos, 1 - sum(solos)])
    solos = [min(part / sum(chances), share) for part, share in zip(parts, shares, strict=True)]
    terms = [core.terms(position.packed, number) for number in range(len(shares))]
    living = [parts for parts, share in zip(terms, shares, strict=True) if any(parts.values()) or share > 0]
    mean = {name: sum(parts[name] for parts in living) / max(1, len(living)) for name in core.first_rows}
    return {
        power: Prospects(
            share,
            solo,
            {name: CALM * (part - mean[name]) if parts in living else 0.0 for name, part in parts.items()},
        )
        for power, share, solo, parts in zip(position.map.powers, shares, solos, terms, strict=True)
    }


# Values learnt from self-play. The file is a NumPy archive (``.npz``). It has arrays of 16 or 32 bits with
# the names in `bordeaux._ext.value.value_net`, and ``header``, a JSON text as bytes. The header gives the
# run, the number of games, the command that made the net, and its accuracy on unseen games.

KIND = "value"
"""The kind in the header of a net; files of others are refused."""
SCALE = 3000.0
"""Points of a share of 1 if the header has none. The whole game has about as many by the hand-made
evaluation."""
WIDTH_STEP = 8
"""The sums of a net are a multiple of so many numbers wide."""
WIDEST = 64
"""The widest sums of a net in a file: a step less than the core holds, for the own parts in a middle."""
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
    with _reading(name_of(path), "a value"):
        read = read_arrays(path)
        header = _header(read, KIND)
        weights = ValueWeights(
            {name: np.ascontiguousarray(read[name], np.float32) for name in ARRAYS}, header
        )
        laid_out(Map.standard(), weights)
        if (width := weights.arrays["rows"].shape[1]) > WIDEST:
            raise ValueError(f"its sums are {width} numbers wide, {WIDEST} at most")
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
def middle_value(map: Map, path: str) -> ValueNet:
    """The middle, in odds, between the prospect and a value net, named as for `learnt_value`; in shares of 1.
    Raises BordeauxError for a file that is no value net.

    Both begin with the same rows, and the first sums of a net are its logits' own parts, as those of the
    prospect are. Their means take these places. The net's own ones move behind the others, where its layer
    reads them, and what it adds to the logits is halved.
    """
    net, people = load_value_net(_file(path)).arrays, known_weights()
    named = knows_names(map)
    table, nobody = (people.rows, people.nobody) if named else (people.general_rows, people.general_nobody)
    width, heads, half = net["rows"].shape[1], table.shape[1], np.float32(0.5)
    rows = np.pad(net["rows"][: len(table)], ((0, 0), (0, WIDTH_STEP)))
    rows[:, width : width + heads] = rows[:, :heads]
    rows[:, :heads] = half * (rows[:, :heads] + table)
    layer = np.pad(net["layer"].reshape(2, width, -1), ((0, 0), (0, WIDTH_STEP), (0, 0)))
    layer[:, width : width + heads] = layer[:, :heads]
    layer[:, :heads] = 0
    changed: dict[str, Floats32] = {
        "rows": rows,
        "layer": layer.reshape(2 * rows.shape[1], -1),
        "out": half * net["out"],
        "nobody": half * (net["nobody"] + nobody),
    }
    return laid_out(map, ValueWeights(net | changed, {}), 1.0)


@functools.cache
def learnt_value(map: Map, path: str, scale: float | None = None) -> Valuer:
    """A learnt value for rollouts on a map: the net or the prospect of a file, or one of `BUNDLED`. A whole
    share is `scale` points, by default those of the file. Raises BordeauxError for a file that is neither."""
    path = _file(path)
    if is_value_net(path):
        return laid_out(map, load_value_net(path), scale)
    return prospect_value(map, path, scale)


def _file(path: str) -> str:
    """The file of a learnt value."""
    return (
        str(resources.files("bordeaux.evaluation") / "weights" / f"{path}.npz") if path in BUNDLED else path
    )


def write_value_net(path: Path, net: ValueNet, header: dict[str, Any]) -> None:
    """Write a net in half precision, atomically. Raises OSError."""
    arrays = {
        name: np.frombuffer(data, np.float32).reshape(shape) for name, (shape, data) in net.arrays().items()
    }
    write_arrays(path, {"format": FORMAT, "kind": KIND, **header}, arrays, half=True)
