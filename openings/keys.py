"""Keys by which a book finds positions, and the views of one power."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from bordeaux.board.position import Position

__all__ = ["KEY_LENGTH", "UnitView", "position_key", "unit_view", "view_key"]

KEY_LENGTH = 16
"""Hexadecimal digits of a key: 64 bits."""


class UnitView(NamedTuple):
    """A power's view of a phase: its key, and its contents: the units, and in Winter the centres."""

    key: str
    units: tuple[str, ...]
    centres: tuple[str, ...]


def position_key(position: Position) -> str:
    """The key of a position: 64 bits in 16 hexadecimal digits, the same on every machine.

    It depends only on the map, the phase, the units, the owners of centres and the open retreats, so that
    transpositions have the same key.
    """
    parts = [position.map.name, str(position.phase)]
    parts += [f"{power} {kind} {location}" for power, kind, location in position.units]
    parts.append(",".join(owner or "-" for owner in position.owners))
    parts += [f"{unit.power} {unit}:{' '.join(retreats)}" for unit, retreats in position.dislodged]
    return _hashed(parts)


def view_key(map: str, phase: str, power: str, units: Iterable[str], centres: Sequence[str]) -> str:
    """The key of a power's view, in the same form: its own units, given as ``A PAR``, and `centres`, which
    count only in Winter and are empty in other phases."""
    return _hashed([map, phase, power, *sorted(units), ",".join(sorted(centres))])


def unit_view(position: Position, power: str) -> UnitView:
    """A power's view of a position; not meant for retreat phases."""
    units = tuple(sorted(str(unit) for unit in position.units_of(power)))
    centres = tuple(sorted(position.centres.get(power, ()))) if position.phase.kind == "A" else ()
    return UnitView(view_key(position.map.name, str(position.phase), power, units, centres), units, centres)


def _hashed(parts: list[str]) -> str:
    return blake2b("\n".join(parts).encode(), digest_size=KEY_LENGTH // 2).hexdigest()
