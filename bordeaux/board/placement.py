"""The part of a position that orders and formats use, as a protocol below `Position`."""

from __future__ import annotations

from typing import Protocol

from bordeaux._ext.rules.packed import Packed
from bordeaux.board.map import Map
from bordeaux.board.phase import Phase
from bordeaux.board.unit import Dislodged, Unit

__all__ = ["Placement"]


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
