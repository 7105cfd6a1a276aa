"""The parts of DAIDE messages, and the base of all their typed values.

A value is a tuple with named fields. It unpacks, prints as the call that makes it, becomes DAIDE text with
``str``, and works in ``match``. Unlike plain tuples, two values are equal only if they are of one class:
``YES(x) != REJ(x)``. Powers, provinces, coasts and unit types are DAIDE's tokens of three letters ('AUS',
'TRI', 'SCS', 'FLT'). Source: DAIDE Message Syntax 0.178, sections 1 and 2.
"""

from __future__ import annotations

from bordeaux.daide.language.fields import Fields
from bordeaux.daide.language.writing import text
from bordeaux.daide.tokens import Token, Tokens

__all__ = ["Place", "SeasonYear", "Token", "Tokens", "Unit", "UnitAt", "Value"]


class Value(Fields):
    """The base of all values, which print as DAIDE text."""

    def __str__(self) -> str:
        """The value as DAIDE text."""
        return text(self)


class SeasonYear(Value):
    """A turn: ``SPR 1901``. Seasons: SPR and FAL movement, SUM and AUT retreats, WIN adjustments."""

    season: str
    year: int


class Place(Value):
    """The place or destination of a unit: ``TRI``, or ``(SPA SCS)`` with the coast."""

    province: str
    coast: str | None = None


class Unit(Value):
    """A unit: ``AUS FLT TRI``. `kind` is AMY or FLT, within OCC also UNT (either)."""

    power: str
    kind: str
    place: Place


class UnitAt(Value):
    """A unit as NOW and MIS list it.

    `retreats` is None for an undislodged unit; for a dislodged one the possible retreats (``MRT``), empty for
    a unit that can only be disbanded.
    """

    unit: Unit
    retreats: tuple[Place, ...] | None = None
