"""Armies and fleets, dislodged or not."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Dislodged", "Unit"]


class Unit(NamedTuple):
    """A unit of `power`. `kind` is ``A`` or ``F``. `location` names the province and, for a fleet in a
    province with several coasts, the coast: ``PAR``, ``STP/SC``."""

    power: str
    kind: str
    location: str

    @property
    def province(self) -> str:
        """The tag of the unit's province, without a coast."""
        return self.location.partition("/")[0]

    def __str__(self) -> str:
        return f"{self.kind} {self.location}"


class Dislodged(NamedTuple):
    """A dislodged unit and its possible retreats, in the order of the map."""

    unit: Unit
    retreats: tuple[str, ...]
