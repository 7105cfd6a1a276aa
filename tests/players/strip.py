"""A map small enough for values to be worked out by hand: three coastal centres in a row and two seas.

::

      AAA - BBB - CCC        armies
       \\   nc  sc  /
        SEA======SEA - sc - SOU

Fleets in SEA reach all three and both coasts of BBB; SOU touches the southern coast alone.
"""

from __future__ import annotations

from bordeaux import Map, Position, Unit
from bordeaux.board.map import parse_map

__all__ = ["STRIP", "position"]

STRIP: Map = parse_map("""
name = "strip"

[powers.REDS]
homes = "AAA"

[powers.BLUES]
homes = "CCC"

[provinces.AAA]
centre = true
kind = "coastal"
army = "BBB"
fleet = "SEA"

[provinces.BBB]
centre = true
kind = "coastal"
army = "AAA CCC"
fleet = { NC = "SEA", SC = "SEA SOU" }

[provinces.CCC]
centre = true
kind = "coastal"
army = "BBB"
fleet = "SEA"

[provinces.SEA]
kind = "sea"
fleet = "AAA BBB/NC BBB/SC CCC"

[provinces.SOU]
kind = "sea"
fleet = "BBB/SC"
""")

OWNERS = {"REDS": ["AAA"], "BLUES": ["CCC"]}


def position(phase: str, *units: str, owners: dict[str, list[str]] | None = None) -> Position:
    """A position from ``"REDS A AAA"`` and the like; centres as at the start unless given."""
    standing = [Unit(*unit.split()) for unit in units]
    return Position(STRIP, phase, standing, OWNERS if owners is None else owners)
