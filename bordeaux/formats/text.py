"""A position in plain text, readable and writable by hand; ``str(position)`` writes it.

The phase comes first; then each power has a line with its units, its centres and its dislodged units::

    F1902R
    AUSTRIA: A BUD, A TRI; centres BUD TRI VIE; dislodged F GRE to ALB, A SER to nowhere
    ITALY:   no units; centres NAP ROM

On input the parts may be in any order, on separate lines (``ITALY: centres NAP ROM``), and in any case. Full
names are read too (``Fall 1902 Retreats``, ``army Paris, fleet Spain (south coast)``). The words ``units``
and ``phase`` may precede the units and the phase. Text after ``#`` is a comment. A dislodged unit without
``to`` may go to every neighbour without a unit. Powers without a line have nothing. A map other than the
standard one is named in a line ``map NAME``.
"""

from __future__ import annotations

import re

from bordeaux.board.errors import (
    BordeauxError,
    FormatError,
    OrderError,
    PositionError,
    of_kind,
    placed,
    quote,
)
from bordeaux.board.map import Map
from bordeaux.board.notation_words import Cursor, Place
from bordeaux.board.order import Dislodged, Unit
from bordeaux.board.phase import Phase, read_heading
from bordeaux.board.pieces import named_map, open_retreats
from bordeaux.board.position import Position
from bordeaux.formats.order_lines import power_before
from bordeaux.formats.source import tell

_CODE = re.compile(r"[a-z]\d{1,9}[a-z]", re.IGNORECASE | re.ASCII)
_NOTHING = frozenset({"", "NO UNITS", "NONE", "NO CENTRES", "NO CENTERS", "NOTHING", "-"})
_DISLODGED = re.compile(r"^\*\s*|\s*\*$|\s*\(?\bdislodged\)?$", re.IGNORECASE)
"""The mark of a dislodged unit among the others, as tables print it."""
_SEPARATORS = frozenset({"OR", "AND", "/"})
_CENTRES = ("centres", "centers", "centre", "center")
_WORDS = (*_CENTRES, "units", "unit", "dislodged")
_PARTS = {
    **dict.fromkeys(("unit positions", "units", "position", "positions"), "units"),
    **dict.fromkeys(("supply centres", "supply centers", "supply-centres", "supply-centers"), "centres"),
    **dict.fromkeys(("dislodged units", "dislodged"), "dislodged"),
}
"""Headings over what follows, as playdiplomacy has them."""
_INSIDE = re.compile(r" ?\(((?:[^()]|\([^()]*\))*)\)\s*(?=,|$)")
_COAST = re.compile(r"(?:[nsew]c|(?:north|south|east|west) coast)", re.IGNORECASE)


def phase_in(line: str) -> str | None:
    """The phase in a line that names one, right or wrong; None for other lines."""
    before, _, rest = line.partition(":")
    said = rest.strip() if rest and before.strip().lower() == "phase" else line
    heading = read_heading(said)
    named = said.upper() == "COMPLETED" or _CODE.fullmatch(said) is not None
    return said if named or (said[:1].isalnum() and heading is not None and not heading.rest) else None


def position_from_text(text: str, map: Map | None = None) -> Position:
    """Read a position, by default on the standard map.

    Raises FormatError or PositionError, with the line.
    """
    reader = _Reader(Map.standard() if map is None else Map.load(map))
    for number, line in enumerate(of_kind("text", text, str, "a text").splitlines(), 1):
        content = " ".join(line.partition("#")[0].replace("|", " ").split())
        if content:
            try:
                reader.read(content)
            except BordeauxError as error:
                kind = PositionError if isinstance(error, PositionError) else FormatError
                raise kind(f"line {number}: {str(error).removeprefix('order ')}") from None
    return reader.position()


def _retreats(inside: re.Match[str]) -> str:
    """``to Spain or Burgundy`` for ``(Spain, Burgundy)`` behind a dislodged unit, but a coast as it is."""
    said = inside[1].strip()
    return inside[0] if _COAST.fullmatch(said) else f" to {said.replace(',', ' or') or 'nowhere'}"


class _Reader:
    def __init__(self, map: Map) -> None:
        self.map = map
        self.phase: Phase | None = None
        self.headed = ""
        self.units: list[Unit] = []
        self.centres: dict[str, list[str]] = {}
        self.dislodged: list[tuple[Unit, list[str] | None]] = []

    def read(self, line: str) -> None:
        words = line.replace(":", " ", 1).split(None, 2)
        phase = phase_in(line)
        if len(words) == 2 and words[0].lower() == "map":
            if words[1].casefold() != self.map.name.casefold():
                self.map = named_map(words[1])
        elif self.phase is None:
            if phase is None:
                raise FormatError(f"expected the phase first, like 'S1901M', not {quote(line)}")
            self.phase = Phase.parse(phase, self.map.start_phase.year)
        elif (headed := _PARTS.get(line.rstrip(" :").lower())) is not None:
            self.headed = headed
        elif phase is not None:
            raise FormatError(f"a second phase {quote(line)}; give one position")
        else:
            power, parts = power_before(line, self.map)
            if not power:
                words = line.replace(":", " ", 1).split(None, 1)
                if len(words) < 2 or not words[0].isalpha():
                    wanted = "expected a power and units, like 'FRANCE: A PAR, F BRE'"
                    raise FormatError(f"{wanted}, not {quote(line)}")
                power, parts = self.map.power(words[0]), words[1]
            for part in parts.split(";"):
                self.part(power, part.strip())

    def part(self, power: str, part: str) -> None:
        """Process units, ``centres ...`` or ``dislodged ...``."""
        word, _, rest = part.partition(" ")
        word = word.rstrip(":").casefold()
        listed, word = (rest.strip(), word) if word in _WORDS else (part, self.headed)
        if word == "dislodged":
            listed = _INSIDE.sub(_retreats, listed)
        items = [] if listed.upper() in _NOTHING else [item.strip() for item in listed.split(",")]
        if word in _CENTRES or part.upper() in ("NO CENTRES", "NO CENTERS"):
            owned = self.centres.setdefault(power, [])
            for item in items:
                owned += self.places(Cursor(item, self.map))
            return
        for item in items:
            bare = _DISLODGED.sub("", item)
            cursor = Cursor(bare, self.map)
            unit = self.unit(power, cursor)
            driven_out = word == "dislodged" or bare != item
            retreats = None
            if driven_out and (cursor.take("TO") or cursor.take("-")):
                nowhere = cursor.rest() in ("NOWHERE", "NONE")
                retreats = [] if nowhere else self.places(cursor, unit.kind)
            elif rest := " ".join(filter(None, [cursor.rest(), *reversed(cursor.came)])):
                raise FormatError(f"{quote(bare)}: cannot read {quote(rest)} at its end")
            if driven_out:
                self.dislodged.append((unit, retreats))
            else:
                self.units.append(unit)

    def places(self, cursor: Cursor, kind: str = "") -> list[str]:
        """Tags of provinces in sequence, or locations of a kind of unit."""
        places = []
        while cursor.rest():
            place = cursor.place()
            places.append(self.location(kind, place, cursor) if kind else place.province.name)
            cursor.take_any(_SEPARATORS)
        return places

    def unit(self, power: str, cursor: Cursor) -> Unit:
        """A unit, whose kind must be given."""
        place = cursor.unit()
        if not place.kind:
            tag = place.province.name
            raise OrderError(f"{quote(cursor.text)}: an army or a fleet? write 'A {tag}' or 'F {tag}'")
        return Unit(power, place.kind, self.location(place.kind, place, cursor))

    def location(self, kind: str, place: Place, cursor: Cursor) -> str:
        """The name of the location in the text, for a unit of `kind`."""
        name = f"{place.province.name}/{place.coast}" if place.coast else place.province.name
        with placed(quote(cursor.text), PositionError):
            return self.map.location(kind, name).name

    def position(self) -> Position:
        """The position from all lines. Where no centres are given, whoever stands there owns them, else the
        power of the home, if it has units."""
        if self.phase is None:
            raise FormatError("there is no position: expected the phase first, like 'S1901M'")
        taken = {unit.province for unit in self.units}
        driven_out = [
            Dislodged(unit, open_retreats(self.map, unit, taken) if retreats is None else tuple(retreats))
            for unit, retreats in self.dislodged
        ]
        position = Position(self.map, self.phase, self.units, self.centres, driven_out)
        if self.centres or not self.units or self.phase.kind == "-":
            return position
        playing = sorted({unit.power for unit in self.units} | {unit.power for unit, _ in self.dislodged})
        owners = {tag: power for power in playing for tag in self.map.homes[power]}
        owners |= {unit.province: unit.power for unit in self.units if unit.province in self.map.centres}
        centres = {power: [tag for tag in owners if owners[tag] == power] for power in playing}
        owned = "; ".join(f"{power} {' '.join(tags)}" for power, tags in centres.items() if tags)
        tell([f"no centres are given, so the owners follow from units and homes: {owned}"], "position")
        return Position(self.map, self.phase, self.units, centres, driven_out)
