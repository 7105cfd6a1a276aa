"""Orders in DAIDE's form, each class named by its token.

Movement: HLD MTO SUP CVY CTO; retreats: RTO DSB; adjustments: BLD REM WVE. Source: DAIDE Message Syntax
0.178, section on orders (LANGUAGE.md, sections 1 and 6).
"""

from __future__ import annotations

from typing import TypeAlias

from bordeaux.daide.language.values import Place, Unit, Value

__all__ = ["BLD", "CTO", "CVY", "DSB", "HLD", "MTO", "REM", "RTO", "SUP", "VIA", "WVE", "Order"]


class HLD(Value):
    """Hold: ``(ENG FLT LON) HLD``."""

    unit: Unit


class MTO(Value):
    """Move: ``(ENG FLT LON) MTO NTH``; a fleet's destination with coasts needs a coast."""

    unit: Unit
    place: Place


class SUP(Value):
    """Support of `other` to hold or, with a province, to move there: ``(...) SUP (...) MTO BEL``."""

    unit: Unit
    other: Unit
    province: str | None = None


class CVY(Value):
    """Convoy: ``(ENG FLT NTH) CVY (ENG AMY YOR) CTO NWY``."""

    unit: Unit
    other: Unit
    province: str


class CTO(Value):
    """Move by convoy: ``(ENG AMY YOR) CTO NWY VIA (NTH)``; `via` lists the fleets' provinces in order."""

    unit: Unit
    province: str
    via: tuple[str, ...]


class RTO(Value):
    """Retreat: ``(ITA AMY TYR) RTO VEN``."""

    unit: Unit
    place: Place


class DSB(Value):
    """Disband instead of a retreat: ``(ITA FLT ION) DSB``."""

    unit: Unit


class BLD(Value):
    """Build: ``(RUS FLT (STP NCS)) BLD``."""

    unit: Unit


class REM(Value):
    """Remove: ``(RUS AMY WAR) REM``."""

    unit: Unit


class WVE(Value):
    """Waive one build: ``RUS WVE``."""

    power: str


class VIA(Value):
    """A move by convoy without a destination; only read, and only leniently (``(...) MTO VIA``).

    The PyPI package `diplomacy` omits the destination in the ORD of a convoyed move.
    """

    unit: Unit


Order: TypeAlias = HLD | MTO | SUP | CVY | CTO | RTO | DSB | BLD | REM | WVE
