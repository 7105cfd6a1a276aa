"""The part of a position that orders and formats use, as a protocol below `Position`; and its packed form
for the core."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Protocol, TypeAlias

from bordeaux._ext.rules.packed import Packed
from bordeaux.board.map import Map
from bordeaux.board.order import Dislodged, Unit
from bordeaux.board.phase import Phase


class Placement(Protocol):
    """The units, the owners, and the phase. A `bordeaux.board.position.Position` is one: it calls functions
    that read and check orders, which therefore must not import it."""

    @property
    def map(self) -> Map:
        """The map of all names."""

    @property
    def phase(self) -> Phase:
        """The phase."""

    @property
    def units(self) -> tuple[Unit, ...]:
        """The undislodged units, by power and location."""

    @property
    def dislodged(self) -> tuple[Dislodged, ...]:
        """The dislodged units with their retreats."""

    @property
    def centres(self) -> dict[str, tuple[str, ...]]:
        """Centres of every power that owns any."""

    @property
    def packed(self) -> Packed:
        """The packed form for the core."""

    def unit_at(self, province: str) -> Unit | None:
        """The undislodged unit in a province."""

    def units_of(self, power: str) -> tuple[Unit, ...]:
        """The undislodged units of a power."""

    def adjustments(self, power: str) -> int:
        """Builds (positive) or removals (negative) due for a power."""


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
