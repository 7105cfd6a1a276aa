"""Conversion between a `Position` and its packed form in the core: once per search, never per node."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import TypeAlias

from bordeaux._ext.rules.packed import Packed
from bordeaux.board.map import Map
from bordeaux.board.phase import Phase
from bordeaux.board.unit import Dislodged, Unit

__all__ = ["pack", "unpack"]

Parts: TypeAlias = tuple[
    Map, Phase, tuple[Unit, ...], tuple[str | None, ...], tuple[Dislodged, ...], Packed | None
]
"""The parts of a `Position`, in its order."""

NOBODY = 255
SEASONS = "SFW"
KINDS = "MRA-"


def pack(
    map: Map,
    phase: Phase,
    units: Iterable[Unit],
    owners: Iterable[str | None],
    dislodged: Iterable[Dislodged] = (),
) -> Packed:
    """Pack the parts of a position; they must already have been checked against the map."""
    numbers: dict[str | None, int] = {power: number for number, power in enumerate(map.powers)}
    numbers[None] = NOBODY
    tokens = map.tokens
    return Packed(
        map.tables,
        phase.year,
        max(0, SEASONS.find(phase.season)),
        KINDS.index(phase.kind),
        [tokens[unit] for unit in units],
        [tokens[dislodged_unit.unit] for dislodged_unit in dislodged],
        [_retreat_bits(map, dislodged_unit) for dislodged_unit in dislodged],
        [numbers[owner] for owner in owners],
    )


def _retreat_bits(map: Map, dislodged: Dislodged) -> int:
    neighbours = map.adjacent(dislodged.unit.kind, dislodged.unit.location)
    return sum(1 << neighbours.index(retreat) for retreat in dislodged.retreats)


@functools.cache
def _owner_names(powers: tuple[str, ...]) -> tuple[str | None, ...]:
    """The owner of a centre, by its number in the core."""
    return (*powers, *(None for _ in range(NOBODY + 1 - len(powers))))


def unpack(map: Map, packed: Packed) -> Parts:
    """The parts of the position of a packed form."""
    year, season, kind = packed.phase
    phase = Phase.COMPLETED if kind == 3 else Phase(year, SEASONS[season], KINDS[kind])
    by_token = map.units_by_token
    names = _owner_names(map.powers)
    dislodged = []
    for token, bits in packed.dislodged():
        unit = by_token[token]
        neighbours = map.adjacent(unit.kind, unit.location)
        dislodged.append(Dislodged(unit, tuple(n for k, n in enumerate(neighbours) if bits >> k & 1)))
    return (
        map,
        phase,
        tuple([by_token[token] for token in sorted(packed.units())]),
        tuple([names[owner] for owner in packed.owners()]),
        tuple(dislodged),
        # The end of a game has no year and season, so its packed form is made anew.
        None if phase is Phase.COMPLETED else packed,
    )
