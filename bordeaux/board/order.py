"""Provinces, units and orders as values; `bordeaux.board.notation` reads orders from text."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

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


class OrderKind(IntEnum):
    """The kind of an order; the numbers are those of the packed form in the core."""

    HOLD = 1
    MOVE = 2
    SUPPORT_HOLD = 3
    SUPPORT_MOVE = 4
    CONVOY = 5
    RETREAT = 6
    DISBAND = 7
    BUILD = 8
    WAIVE = 9


HELPS = (OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE, OrderKind.CONVOY)
"""Orders that help another unit, of the same power or of another."""


class Order(NamedTuple):
    """One order for one unit.

    `unit` and `location` are the ordered unit's kind (A, F) and place; `target_unit` and `target` those of
    the unit that is supported or convoyed. `destination` is that of a move or retreat, or of the supported or
    convoyed move. `via` marks a move that requires its convoy. `route` names the seas of that convoy in the
    order of travel, for DAIDE only; the text form omits it. A waived build has only its kind.
    """

    kind: OrderKind
    unit: str = ""
    location: str = ""
    target_unit: str = ""
    target: str = ""
    destination: str = ""
    via: bool = False
    route: tuple[str, ...] = ()

    @property
    def province(self) -> str:
        """The tag of the ordered unit's province, without a coast."""
        return self.location.partition("/")[0]

    def __str__(self) -> str:
        match self.kind:
            case OrderKind.HOLD:
                tail = "H"
            case OrderKind.MOVE:
                tail = f"- {self.destination}" + (" VIA" if self.via else "")
            case OrderKind.SUPPORT_HOLD:
                tail = f"S {self.target_unit} {self.target}"
            case OrderKind.SUPPORT_MOVE:
                tail = f"S {self.target_unit} {self.target} - {self.destination}"
            case OrderKind.CONVOY:
                tail = f"C {self.target_unit} {self.target} - {self.destination}"
            case OrderKind.RETREAT:
                tail = f"R {self.destination}"
            case OrderKind.DISBAND:
                tail = "D"
            case OrderKind.BUILD:
                tail = "B"
            case _:
                return "WAIVE"
        return f"{self.unit} {self.location} {tail}"
