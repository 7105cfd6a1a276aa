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


def is_phase_line(line: str) -> bool:
    """Whether a line looks like the first of a position in text."""
    return _phase_in(line.partition("#")[0].strip()) is not None


def _phase_in(line: str) -> str | None:
    """The phase in a line that names one, right or wrong; None for other lines."""
    before, _, rest = line.partition(":")
    said = rest.strip() if rest and before.strip().lower() == "phase" else line
    heading = read_heading(said)
    if not said[:1].isalnum():
        return None
    named = said.upper() == "COMPLETED" or _CODE.fullmatch(said) is not None
    return said if named or (heading is not None and not heading.rest) else None


def position_from_text(text: str, map: Map | None = None) -> Position:
    """Read a position, by default on the standard map.

    Raises FormatError or PositionError, with the line.
    """
    reader = _Reader(Map.standard() if map is None else Map.load(map))
    for number, line in enumerate(of_kind("text", text, str, "a text").splitlines(), 1):
        content = line.partition("#")[0].strip()
        if content:
            try:
                reader.read(content)
            except BordeauxError as error:
                kind = PositionError if isinstance(error, PositionError) else FormatError
                raise kind(f"line {number}: {str(error).removeprefix('order ')}") from None
    return reader.position()


class _Reader:
    """Collects the lines of one position."""

    def __init__(self, map: Map) -> None:
        self.map = map
        self.phase: Phase | None = None
        self.units: list[Unit] = []
        self.centres: dict[str, list[str]] = {}
        self.dislodged: list[tuple[Unit, tuple[str, ...] | None]] = []

    def read(self, line: str) -> None:
        """Process one line that is not empty."""
        words = line.replace(":", " ", 1).split(None, 2)
        phase = _phase_in(line)
        if len(words) == 2 and words[0].lower() == "map":
            if words[1].casefold() != self.map.name.casefold():
                self.map = named_map(words[1])
        elif self.phase is None:
            if phase is None:
                raise FormatError(f"expected the phase first, like 'S1901M', not {quote(line)}")
            self.phase = Phase.parse(phase, self.map.start_phase.year)
        elif phase is not None:
            raise FormatError(f"a second phase {quote(line)}; give one position")
        else:
            self.power_line(line)

    def power_line(self, line: str) -> None:
        """Process ``POWER: part; part``."""
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
        rest = rest.strip()
        if word in ("centres", "centers", "centre", "center"):
            self.centres.setdefault(power, []).extend(self.places(rest))
            return
        if part.upper() in ("NO CENTRES", "NO CENTERS"):
            self.centres.setdefault(power, [])
        for item in self.items(rest if word in ("units", "unit", "dislodged") else part):
            bare = _DISLODGED.sub("", item)
            if word == "dislodged" or bare != item:
                self.dislodged.append(self.driven_out(power, bare))
                continue
            cursor = Cursor(item, self.map)
            self.units.append(self.unit(power, cursor))
            self.end(cursor)

    def items(self, text: str) -> list[str]:
        """The texts between commas."""
        if text.upper() in _NOTHING:
            return []
        return [item.strip() for item in text.split(",")]

    def places(self, text: str) -> list[str]:
        """Tags of provinces in sequence, with or without commas."""
        tags: list[str] = []
        for item in self.items(text):
            cursor = Cursor(item, self.map)
            while cursor.rest():
                tags.append(cursor.place().province.name)
                cursor.take_any(_SEPARATORS)
        return tags

    def driven_out(self, power: str, text: str) -> tuple[Unit, tuple[str, ...] | None]:
        """A dislodged unit, and its retreats if given."""
        cursor = Cursor(text, self.map)
        unit = self.unit(power, cursor)
        if not (cursor.take("TO") or cursor.take("-")):
            self.end(cursor)
            return unit, None
        if cursor.rest() in ("NOWHERE", "NONE", ""):
            return unit, ()
        retreats = []
        while cursor.rest():
            retreats.append(self.location(unit.kind, cursor.place(), cursor))
            cursor.take_any(_SEPARATORS)
        return unit, tuple(retreats)

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

    def end(self, cursor: Cursor) -> None:
        """Raise an error if words are left over, those of results too."""
        if rest := " ".join(filter(None, [cursor.rest(), *reversed(cursor.came)])):
            raise FormatError(f"{quote(cursor.text)}: cannot read {quote(rest)} at its end")

    def position(self) -> Position:
        """The position from all lines."""
        if self.phase is None:
            raise FormatError("there is no position: expected the phase first, like 'S1901M'")
        taken = {unit.province for unit in self.units}
        driven_out = [
            Dislodged(unit, open_retreats(self.map, unit, taken) if retreats is None else retreats)
            for unit, retreats in self.dislodged
        ]
        position = Position(self.map, self.phase, self.units, self.centres, driven_out)
        if self.centres or not self.units or self.phase.kind == "-":
            return position
        owners = self.following_owners()
        owned = "; ".join(f"{power} {' '.join(tags)}" for power, tags in owners.items() if tags)
        tell([f"no centres are given, so the owners follow from units and homes: {owned}"], "position")
        return Position(self.map, self.phase, self.units, owners, driven_out)

    def following_owners(self) -> dict[str, list[str]]:
        """The owners of centres where none are given: whoever stands there, else the power of the home, if it
        has units."""
        playing = {unit.power for unit in self.units} | {unit.power for unit, _ in self.dislodged}
        owners = {tag: power for power in sorted(playing) for tag in self.map.homes[power]}
        owners |= {unit.province: unit.power for unit in self.units if unit.province in self.map.centres}
        return {power: [tag for tag in owners if owners[tag] == power] for power in sorted(playing)}
