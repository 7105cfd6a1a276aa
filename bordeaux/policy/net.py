"""The file of a learnt policy: reads and checks it, and makes the net of the core; the orders remembered as
its input."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bordeaux._ext.net.memory import Memory
from bordeaux._ext.net.weights import Net
from bordeaux.board.code import as_bytes
from bordeaux.board.errors import BordeauxError, name_of, quote
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.formats.source import read_arrays

WIDE = "people-wide"
"""The wide net of people: it predicts better than the small one and takes about twenty times as long."""

BUNDLED = ("people", WIDE, "engines", "league")
"""Nets that come with the package: two have learnt from games of people, one from games of engines, one from
self-play."""

FORMAT = 1
HEADER = "header"
#: The required header; names of provinces apply to this map only.
WANTED = {"format": FORMAT, "kind": "policy", "map": "standard"}


class PolicyError(BordeauxError):
    """A file of weights that is missing, damaged, or of another kind or shape."""


def load_net(source: str | Path = "people") -> Net:
    """One of the bundled nets, by its name in `BUNDLED` (read once), or that of a file of weights. Raises
    PolicyError for a file that cannot be read, or whose arrays do not make a net."""
    return _bundled(str(source)) if source in BUNDLED else _read(Path(source), name_of(source))


@functools.cache
def _bundled(name: str) -> Net:
    with resources.as_file(resources.files("bordeaux.policy") / "data" / f"{name}.npz") as path:
        return _read(path, path.name)


def _read(path: Path, name: str) -> Net:
    try:
        arrays = read_arrays(path)
    except OSError as error:
        raise PolicyError(f"{name}: {error.strerror or 'damaged'}: no weights of a policy") from None
    except ValueError as error:
        raise PolicyError(f"{name}: {error}: no weights of a policy") from None
    _check_header(arrays.pop(HEADER, None), name)
    try:
        return Net({key: _floats(key, array) for key, array in arrays.items()})
    except ValueError as error:
        raise PolicyError(f"{name}: not the weights of a policy: {error}") from None


def _check_header(array: NDArray[Any] | None, name: str) -> None:
    """Raise PolicyError for a header that is not a policy's."""
    try:
        header = json.loads(bytes(np.asarray(array, np.uint8)).decode())
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise PolicyError(f"{name}: its header cannot be read: no weights of a policy") from None
    for key, wanted in WANTED.items():
        given = header.get(key) if isinstance(header, dict) else None
        if given != wanted:
            raise PolicyError(f"{name}: its header says {key} {quote(given)}, where {wanted!r} is wanted")


def _floats(name: str, array: NDArray[Any]) -> NDArray[np.float32]:
    """An array in the core's form. Raises ValueError unless it holds numbers of 16 or 32 bits."""
    if array.dtype not in (np.float16, np.float32):
        raise ValueError(f"array {quote(name)} is of {array.dtype}")
    if not np.isfinite(array).all():
        raise ValueError(f"array {quote(name)} has numbers that are not finite")
    return np.ascontiguousarray(array, np.float32)


Seen = Mapping[str, Mapping[str, tuple[int, Mapping[int, int]]]]
"""The year and the last observed orders of powers, by power and by season. Orders are codes by the location
of the unit, with a hold for a unit without one."""


def movements_before(phase: Phase) -> tuple[tuple[int, str], tuple[int, str]]:
    """Year and season of the last movement phase before another phase, and of the one before that."""
    spring, fall = (phase.year, "S"), (phase.year, "F")
    fall_before = phase.year - 1, "F"
    if phase.kind == "M" and phase.season == "S":
        return fall_before, (phase.year - 1, "S")
    if phase.season == "S" or phase.kind == "M":
        return spring, fall_before
    return fall, spring


def memory_of(position: Position, seen: Seen) -> Memory | None:
    """The orders of the powers in the last two movement phases before a position, None if unknown. `seen` is
    that of `bordeaux.search.beliefs.Beliefs`; older orders are left out."""
    powers = position.map.powers
    last, before = (
        [
            (powers.index(power), as_bytes(given[season][1].values()))
            for power, given in seen.items()
            if season in given and given[season][0] == year
        ]
        for year, season in movements_before(position.phase)
    )
    return Memory(position.map.tables, position.packed, last, before) if last else None
