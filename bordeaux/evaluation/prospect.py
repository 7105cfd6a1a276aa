"""What powers may expect of the end of a game, learnt from recorded games: shares of it and chances of a solo."""

from __future__ import annotations

import functools
import io
import json
import zipfile
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bordeaux._ext.prospect import N_GENERAL, N_NOBODY, Prospect, count_rows
from bordeaux.board.errors import BordeauxError, name_of
from bordeaux.board.map import Map
from bordeaux.board.position import Position

__all__ = ["FORMAT", "Prospects", "Weights", "load_weights", "prospect", "prospect_value", "write_weights"]

FORMAT = 1
"""Of the file of weights; a file of another one is refused."""


class Prospects(NamedTuple):
    """What a power may expect: its `share` of the end (its square of centres in all squares, a solo being 1), its
    chance of a `solo`, and the `terms` of the share's logit, each as what it has beyond the mean of the living
    powers. Shares are the softmax of the sums of the terms."""

    share: float
    solo: float
    terms: dict[str, float]


class Weights(NamedTuple):
    """Weights as they are shipped: `rows` float32[n, 2], for shares and solos, `nobody` float32[m], and the
    `header` that says what they were fitted to."""

    rows: npt.NDArray[np.float32]
    nobody: npt.NDArray[np.float32]
    header: dict[str, Any]


def load_weights(path: str | Path | None = None) -> Weights:
    """Read a file of weights, the one that comes with Bordeaux if none is named. Raises BordeauxError for one that
    cannot be read, is damaged, or has another shape, with its name."""
    shipped = resources.files("bordeaux.evaluation") / "weights" / "prospect.npz"
    shown = "prospect.npz" if path is None else name_of(path)
    try:
        data = shipped.read_bytes() if path is None else Path(path).read_bytes()
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            rows, nobody, header = (np.asarray(arrays[name]) for name in ("rows", "nobody", "header"))
        said = json.loads(header.tobytes())
        known = (said["format"], said["kind"])
    except OSError as error:
        raise BordeauxError(f"{shown}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, NotImplementedError) as error:
        raise BordeauxError(f"{shown} holds no weights of a prospect: {_first_line(error)}") from None
    if known != (FORMAT, "prospect"):
        raise BordeauxError(f"{shown} holds weights of format {known}, not {(FORMAT, 'prospect')}")
    wanted = (count_rows(Map.standard().tables, True), 2), (N_NOBODY,)
    if (rows.shape, nobody.shape) != wanted or rows.dtype.kind != "f" or nobody.dtype.kind != "f":
        raise BordeauxError(f"{shown} holds weights of shape {(rows.shape, nobody.shape)}, not {wanted}")
    rows, nobody = rows.astype(np.float32), nobody.astype(np.float32)
    if not (np.isfinite(rows).all() and np.isfinite(nobody).all()):
        raise BordeauxError(f"{shown} holds weights that are no numbers")
    return Weights(rows, nobody, said)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:100]


def write_weights(path: Path, weights: Weights) -> None:
    """Write weights in half precision, beside their place and then moved there. Raises OSError."""
    held = io.BytesIO()
    header = np.frombuffer(json.dumps(weights.header).encode(), np.uint8)
    np.savez_compressed(
        held, rows=weights.rows.astype(np.float16), nobody=weights.nobody.astype(np.float16), header=header
    )
    part = path.with_name(path.name + ".part")
    part.write_bytes(held.getvalue())
    part.replace(path)


@functools.cache
def _shipped() -> Weights:
    return load_weights()


@functools.cache
def prospect_value(map: Map) -> Prospect:
    """The compiled prospect of a map, in the points of the hand-made evaluation. Rows that know the standard map by
    its names count there alone. Raises BordeauxError where the weights that come with Bordeaux are damaged."""
    return compiled(map, _shipped())


def compiled(map: Map, weights: Weights) -> Prospect:
    """Weights laid out for a map, without the names of the standard map on any other."""
    standard = Map.standard()
    named = (
        map.powers == standard.powers
        and map.provinces == standard.provinces
        and map.locations == standard.locations
    )
    rows = weights.rows if named else weights.rows[:N_GENERAL]
    scale = float(weights.header.get("scale", 1.0))
    return Prospect(map.tables, rows.tobytes(), weights.nobody.tobytes(), named, map.start_phase.year, scale)


def prospect(position: Position) -> dict[str, Prospects]:
    """What every power may expect in a position. It is fitted to movement phases; what follows Fall moves is
    looked at as the next Spring."""
    core = prospect_value(position.map)
    shares, solos = core.judged(position.packed)
    terms = [core.terms(position.packed, number) for number in range(len(shares))]
    living = [each for each, share in zip(terms, shares, strict=True) if any(each.values()) or share > 0]
    mean = {name: sum(each[name] for each in living) / max(1, len(living)) for name in core.first_rows}
    return {
        power: Prospects(
            share, solo, {name: part - mean[name] if each in living else 0.0 for name, part in each.items()}
        )
        for power, share, solo, each in zip(position.map.powers, shares, solos, terms, strict=True)
    }
