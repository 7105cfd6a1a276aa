"""Provinces, and the locations within them for units."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

KINDS = ("inland", "coastal", "sea")
STANDS = {"inland": "A", "coastal": "AF", "sea": "F"}
"""The kinds of units that can stand in each kind of province."""


@dataclass(frozen=True, slots=True)
class Province:
    """A province: its number, tag (``PAR``), full name, kind (inland, coastal, sea), and its separate coasts
    for fleets (``("NC", "SC")``, usually none). Also other names, whether it is a supply centre, the powers
    that build there, and its tag in DAIDE."""

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
        """The only power with a home centre here; None if there is none or more than one."""
        return self.homes[0] if len(self.homes) == 1 else None


@dataclass(frozen=True, slots=True)
class Location:
    """A province for one kind of unit: ``A SPA``, ``F SPA/SC``."""

    index: int
    name: str
    kind: str
    province: int


def fold(name: str) -> str:
    """A name without case, accents, blanks and punctuation, for comparison."""
    return "".join(char for char in plain(name) if char.isalnum())


def plain(text: str) -> str:
    """A text in capitals without accents."""
    upper = text.upper()
    if upper.isascii():
        return upper
    return "".join(char for char in unicodedata.normalize("NFKD", upper) if not unicodedata.combining(char))
