"""Positions that the scripts put on the board."""

from __future__ import annotations

from bordeaux import Dislodged, Map, Position, Unit

STANDARD = Map.standard()
CENTRES = {"FRANCE": ["PAR", "MAR", "BRE", "SPA"], "RUSSIA": ["MOS", "WAR"], "GERMANY": ["BER", "MUN", "KIE"]}


def board(
    phase: str, units: dict[str, str], centres: dict[str, list[str]] | None = None, *dislodged: Dislodged
) -> Position:
    """A position of units such as ``{"FRANCE": "A PAR, F BRE"}``."""
    standing = [
        Unit(power, *text.split())
        for power, listed in units.items()
        for text in (part.strip() for part in listed.split(","))
    ]
    return Position(STANDARD, phase, standing, centres or CENTRES, dislodged)


FALL = board("F1901M", {"FRANCE": "A PAR, A MAR, F BRE", "RUSSIA": "A MOS", "GERMANY": "A MUN"})
RETREAT = board(
    "F1901R",
    {"FRANCE": "A PAR, F BRE", "GERMANY": "A MAR"},
    None,
    Dislodged(Unit("FRANCE", "A", "MAR"), ("GAS", "SPA")),
)
NOWHERE = board(
    "F1901R", {"FRANCE": "A PAR, F BRE", "GERMANY": "A MAR"}, None, Dislodged(Unit("FRANCE", "A", "MAR"), ())
)
OTHERS_RETREAT = board(
    "S1902R",
    {"FRANCE": "A PAR, F BRE", "GERMANY": "A MAR"},
    None,
    Dislodged(Unit("RUSSIA", "A", "MUN"), ("TYR",)),
)
BUILDS = board(
    "W1901A", {"FRANCE": "A PAR, F MAO", "GERMANY": "A MUN, A BER, A KIE", "RUSSIA": "A MOS, A WAR"}
)
REMOVALS = board(
    "W1901A",
    {
        "FRANCE": "A PAR, A MAR, F BRE, F MAO, A GAS, A BUR",
        "GERMANY": "A MUN, A BER, A KIE",
        "RUSSIA": "A MOS, A WAR",
    },
)
LOST = board("S1903M", {"RUSSIA": "A MOS", "GERMANY": "A MUN"}, {"RUSSIA": ["MOS"], "GERMANY": ["MUN"]})
