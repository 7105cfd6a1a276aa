"""Provinces, and the locations within them for units."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["KINDS", "STANDS", "Location", "Province", "fold"]

KINDS = ("inland", "coastal", "sea")
STANDS = {"inland": "A", "coastal": "AF", "sea": "F"}
"""The kinds of units that can stand in each kind of province."""


@dataclass(frozen=True, slots=True)
class Province:
    """A province: its number, tag (``PAR``), full name, kind (inland, coastal, sea), the coasts
    that fleets tell apart (``("NC", "SC")``, mostly none), other names it goes by, whether it is a
    supply centre, the powers that build there, and its tag in DAIDE."""

    index: int
    name: str
    full: str
    kind: str
    coasts: tuple[str, ...]
    aliases: tuple[str, ...]
    centre: bool
    homes: tuple[str, ...]
    daide: str

    @property
    def home_of(self) -> str | None:
        """The power whose home centre this is; None where there is none or more than one."""
        return self.homes[0] if len(self.homes) == 1 else None


@dataclass(frozen=True, slots=True)
class Location:
    """A province as one kind of unit stands in it: ``A SPA``, ``F SPA/SC``."""

    index: int
    name: str
    kind: str
    province: int


def fold(name: str) -> str:
    """A name without case, blanks and punctuation, as names are compared."""
    return "".join(char for char in name.upper() if char.isalnum())
