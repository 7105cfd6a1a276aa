"""Small boards that tests of press share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bordeaux import Map, Position, Unit

MAP = Map.standard()


def board(phase: str, centres: Mapping[str, Sequence[str]], units: Mapping[str, Sequence[str]]) -> Position:
    """A position of the standard map, centres by tags in one text, units as ``A PAR``."""
    placed = [Unit(power, text[0], text[2:]) for power, given in units.items() for text in given]
    return Position(MAP, phase, placed, centres)


#: Spring 1902 as games go: Austria has Serbia, Russia Rumania, Turkey Bulgaria.
BALKANS = board(
    "S1902M",
    {
        "AUSTRIA": ["VIE", "BUD", "TRI", "SER"],
        "ENGLAND": ["LON", "EDI", "LVP", "NWY"],
        "FRANCE": ["PAR", "BRE", "MAR", "SPA", "POR"],
        "GERMANY": ["BER", "KIE", "MUN", "HOL", "DEN"],
        "ITALY": ["ROM", "VEN", "NAP", "TUN"],
        "RUSSIA": ["SEV", "MOS", "WAR", "STP", "RUM"],
        "TURKEY": ["CON", "SMY", "ANK", "BUL"],
    },
    {
        "AUSTRIA": ["A VIE", "A BUD", "A SER", "F TRI"],
        "ENGLAND": ["F NTH", "F NWY", "A LVP", "F LON"],
        "FRANCE": ["A SPA", "A PAR", "A MAR", "F POR", "F BRE"],
        "GERMANY": ["A MUN", "F DEN", "A HOL", "F KIE", "A BER"],
        "ITALY": ["A VEN", "F TUN", "F NAP", "A ROM"],
        "RUSSIA": ["A RUM", "F SEV", "A UKR", "A WAR", "F SWE"],
        "TURKEY": ["A BUL", "F ANK", "A CON", "A SMY"],
    },
)
#: Fall 1901: France, Germany and England all stand beside Belgium.
BELGIUM = board(
    "F1901M",
    {
        "ENGLAND": ["LON", "EDI", "LVP"],
        "FRANCE": ["PAR", "BRE", "MAR"],
        "GERMANY": ["BER", "KIE", "MUN"],
    },
    {
        "ENGLAND": ["F ENG", "F NTH", "A YOR"],
        "FRANCE": ["A BUR", "A SPA", "F MAO"],
        "GERMANY": ["A RUH", "F HOL", "A KIE"],
    },
)
#: A Turkish army in Serbia, with one Austrian and one Italian beside it: neither takes it alone.
SERBIA = board(
    "F1903M",
    {
        "AUSTRIA": ["BUD", "VIE"],
        "ITALY": ["VEN", "TRI", "NAP", "ROM"],
        "TURKEY": ["SER", "CON", "BUL"],
    },
    {"AUSTRIA": ["A BUD"], "ITALY": ["A TRI"], "TURKEY": ["A SER", "A CON"]},
)
#: France and Germany side by side, Italy beside both, England far from Italy.
SIDE = board(
    "S1902M",
    {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN", "BER"], "ITALY": ["VEN", "ROM"], "ENGLAND": ["LON"]},
    {"FRANCE": ["A BUR", "A MAR"], "GERMANY": ["A MUN", "A RUH"], "ITALY": ["A TYR"], "ENGLAND": ["F NTH"]},
)
