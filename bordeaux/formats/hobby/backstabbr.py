"""Pages of Backstabbr: positions, orders, and games with a page for each season.

::

    var stage = "COMPLETE";
    var territories = {"Bre": "France", "Mun": "Germany"};
    var unitsByPlayer = {"France": {"Par": "A", "Spa": {"type": "F", "coast": "sc"}}};
    var orders = {"France": {"Par": {"type": "MOVE", "to": "Bur", "result": "SUCCEEDS"}}};
    var retreatOptions = {"Mar": ["Gas", "Bur"]};

The values are JSON or objects of a script. An order has ``type``, ``from``, ``to``, ``to_coast``, ``result``
and, where its unit was dislodged, ``retreat``: its destination, or null. A support without ``to`` is one to
hold. The units are those before the orders. Retreats stand by place, or by power and place. If the script
does not give the kind of a built unit, it follows from the next page. The season is in the address, the
title or the text. The formats are those that public programs read; no actual page was available.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Dislodged, Order, Unit
from bordeaux.board.phase import Heading, Phase, order_of_play, read_heading
from bordeaux.board.position import Position
from bordeaux.formats.hobby.assembly import Sheet, SheetEntry, Story
from bordeaux.formats.hobby.markup import Page, pages_of
from bordeaux.formats.site_pages import heading_of

_VARIABLE = re.compile(
    r"\b(stage|territories|unitsByPlayer|retreatOptions|orders)\b[\"']?\s*[=:]\s*(?=[{\"'])"
)
_TOKEN = re.compile(
    r"\s+|//[^\n]*|/\*.*?\*/|(?P<mark>[{}\[\]:,])"
    r"|(?P<text>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')|(?P<word>[\w$.+-]+)",
    re.DOTALL,
)
_WORDS = {"null": "null", "undefined": "null", "true": "true", "false": "false"}
_DEEPEST = 20
_ADDRESS = re.compile(r"/(?P<year>\d{3,4})/(?P<season>spring|fall|autumn|winter)\b", re.IGNORECASE)
_NUMBER = re.compile(r"/(?:game|sandbox)/(?:[^/\s\"'?#]{1,200}/)?(?P<number>\d{6,20})\b")


def orders_from_backstabbr(
    text: str, position: Position, notes: list[str] | None = None
) -> dict[str, list[Order]]:
    """Read the orders in a page's script for a position. With `notes`, unreadable ones are added to them.
    Otherwise raises OrderError, FormatError or MapError."""
    orders: dict[str, list[Order]] = {}
    for name, entries in _table(_variables(text).get("orders"), "orders").items():
        power = position.map.power(name)
        orders[power] = []
        for where, entry in _table(entries, name).items():
            try:
                orders[power].append(parse_order(_order(where, entry), position.map, position))
            except BordeauxError as error:
                if notes is None:
                    raise type(error)(f"{power}: {error}") from None
                notes.append(f"{power}, {quote(where)}: {error}; left out")
    return orders


def position_from_backstabbr(text: str, map: Map | None = None) -> Position:
    """Read the position in a page's script, by default on the standard map. Raises FormatError, MapError or
    PositionError."""
    pages = pages_of(text)
    if not pages:
        raise FormatError("there is nothing in it")
    return _Season.read(pages[0], map or Map.standard()).position()


def position_to_backstabbr(position: Position) -> str:
    """The phase and the variables of a page with a position."""

    def shown(unit: Unit, **more: object) -> object:
        coast = unit.location.partition("/")[2].lower()
        fields = {"type": unit.kind, **({"coast": coast} if coast else {}), **more}
        return fields if len(fields) > 1 else unit.kind

    units = {
        power.title(): {_short(unit.province): shown(unit) for unit in position.units_of(power)}
        for power in position.map.powers
    }
    driven: dict[str, dict[str, object]] = {}
    for unit, retreats in position.dislodged:
        entry = shown(unit, to=[_short(retreat) for retreat in retreats])
        driven.setdefault(unit.power.title(), {})[_short(unit.province)] = entry
    owned = {_short(tag): power.title() for power, tags in position.centres.items() for tag in tags}
    variables = {"territories": owned, "unitsByPlayer": units}
    variables |= {"retreatOptions": driven} if driven else {}
    lines = [f"var {name} = {json.dumps(value)};" for name, value in variables.items()]
    return "\n".join([heading_of(position.phase), *lines]) + "\n"


def story_of_backstabbr(pages: Sequence[Page], map: Map) -> Story:
    """The seasons of the pages. A page that is broken, or without a season, gives a note. Raises FormatError
    if none is readable."""
    seasons: list[_Season] = []
    notes: list[str] = []
    number = ""
    for at, page in enumerate(pages, 1):
        try:
            seasons.append(_Season.read(page, map))
        except BordeauxError as error:
            notes.append(f"{quote(page.title or page.address or f'page {at}')} is left out: {error}")
        if not number and (match := _NUMBER.search(page.address + " " + page.source[:100_000])) is not None:
            number = match["number"]
    if not seasons:
        raise FormatError(notes[0] if notes else "there is no page of a game in it")
    seasons.sort(key=lambda season: order_of_play(season.phase))
    sheets: list[Sheet] = []
    for at, season in enumerate(seasons):
        following = seasons[at + 1] if at + 1 < len(seasons) else None
        sheets += season.sheets(following)
        notes += season.notes
    return Story("Backstabbr", f"Backstabbr {number}" if number else "Backstabbr", sheets, notes)


class _Season:
    """The content of one page: the first phase of its season, the variables of its script, notes."""

    def __init__(self, phase: Phase, given: Mapping[str, Any], map: Map) -> None:
        self.phase = phase
        self.given = given
        self.map = map
        self.notes: list[str] = []
        self.standing = [
            self._unit(map.power(name), where, value)
            for name, by_place in _table(given.get("unitsByPlayer"), "unitsByPlayer").items()
            for where, value in _table(by_place, name).items()
        ]
        self.dislodged = [] if phase.kind != "R" else list(self._dislodged())
        driven_out = {unit for unit, _ in self.dislodged}
        self.standing = [unit for unit in self.standing if unit not in driven_out]

    @classmethod
    def read(cls, page: Page, map: Map) -> _Season:
        """Read a page. Raises FormatError, MapError or OrderError."""
        given = _variables(page.source)
        if not isinstance(given.get("unitsByPlayer"), dict):
            raise FormatError("there is no 'unitsByPlayer' in it, where Backstabbr's pages have the units")
        phase = _phase_of(page)
        stage = str(given.get("stage", "")).upper()
        if phase.kind == "M" and ("RETREAT" in stage or (not stage and given.get("retreatOptions"))):
            phase = phase._replace(kind="R")
        return cls(phase, given, map)

    def position(self) -> Position:
        """The position of the page. Raises PositionError."""
        return Position(self.map, self.phase, self.standing, self._centres(), self.dislodged)

    def sheets(self, following: _Season | None) -> list[Sheet]:
        """The phases of the season."""
        if self.phase.kind == "R":
            return []  # The season is not over yet: its moves are on the page once it is.
        given = _table(self.given.get("orders"), "orders")
        orders = [
            (self.map.power(name), where, entry if isinstance(entry, dict) else {"type": entry})
            for name, by_place in given.items()
            for where, entry in _table(by_place, name).items()
        ]
        entries: list[SheetEntry] = []
        retreats: list[SheetEntry] = []
        for power, where, entry in orders:
            try:
                if str(entry.get("type", "")).upper() == "BUILD" and not _kind_built(entry):
                    entry = {**entry, "unit": self._built(where, following)}
                entries.append(SheetEntry(power, _order(where, entry), _came(entry, self.phase)))
                if "retreat" in entry:
                    retreats.append(SheetEntry(power, _retreat(where, entry["retreat"]), ()))
            except BordeauxError as error:
                self.notes.append(f"{self.phase}: {power}, {quote(where)}: {error}; left out")
        if self.phase.kind == "A":
            return [Sheet(self.phase, entries)]
        first = Sheet(self.phase, entries, self.standing, self._centres() or None)
        return [first, Sheet(self.phase._replace(kind="R"), retreats)] if retreats else [first]

    def _centres(self) -> dict[str, list[str]]:
        centres: dict[str, list[str]] = {}
        for where, name in _table(self.given.get("territories"), "territories").items():
            tag = self.map.province(where).name
            if name and tag in self.map.centres:
                centres.setdefault(self.map.power(str(name)), []).append(tag)
        return centres

    def _dislodged(self) -> Iterator[Dislodged]:
        for name, value in _table(self.given.get("retreatOptions"), "retreatOptions").items():
            if isinstance(value, dict):
                power = self.map.power(name)
                for where, entry in value.items():
                    unit = self._unit(power, where, entry)
                    options = entry.get("to") if isinstance(entry, dict) else ()
                    yield Dislodged(unit, self._open_to(unit, options))
            else:
                yield self._driven_from(name, value)

    def _driven_from(self, where: str, options: object) -> Dislodged:
        """The dislodged unit of a place. Its attacker may stand there too: it is the one that can go to more
        of the options."""
        tag = self.map.province(_place(where).partition("/")[0]).name
        there = [
            Dislodged(unit, self._open_to(unit, options)) for unit in self.standing if unit.province == tag
        ]
        if not there:
            raise FormatError(f"there is no unit in {quote(where)}, which has options for retreats")
        return max(there, key=lambda dislodged: len(dislodged.retreats))

    def _open_to(self, unit: Unit, options: object) -> tuple[str, ...]:
        """The options that a unit can reach, in our notation."""
        listed = options if isinstance(options, list) else ()
        wanted = {self._location(str(option)) for option in listed if option}
        near = self.map.adjacent(unit.kind, unit.location)
        return tuple(place for place in near if place in wanted or place.partition("/")[0] in wanted)

    def _location(self, where: str) -> str:
        tag, _, coast = _place(where).partition("/")
        return self.map.province(tag).name + (f"/{coast.upper()}" if coast else "")

    def _unit(self, power: str, where: str, value: object) -> Unit:
        fields = value if isinstance(value, dict) else {"type": value}
        kind = str(fields.get("type", ""))[:1].upper()
        if kind not in ("A", "F"):
            raise FormatError(f"{quote(where)}: no unit is of the kind {quote(fields.get('type'))}")
        place = self._location(_place(where, fields.get("coast")))
        return Unit(power, kind, self.map.location(kind, place).name)

    def _built(self, where: str, following: _Season | None) -> str:
        """The kind of a unit that was built, from the next page or from this one."""
        tag = self.map.province(_place(where).partition("/")[0]).name
        for unit in [*(following.standing if following is not None else ()), *self.standing]:
            if unit.province == tag:
                coast = unit.location.partition("/")[2]
                return f"{unit.kind} {tag}{f'/{coast}' if coast else ''}"
        raise FormatError(
            "the page does not say which unit is built; save the page of the next Spring as well"
        )


def _phase_of(page: Page) -> Phase:
    """The phase of a page. Raises FormatError or PositionError."""
    match = _ADDRESS.search(page.address)
    said = (page.title, *(line.text for line in page.lines)) if match is None else ()
    heading = next(filter(None, map(read_heading, said)), None)
    if heading is None and (match := match or _ADDRESS.search(page.source)) is not None:
        heading = Heading(match["season"].upper(), match["year"], "", ())
    if heading is None:
        raise FormatError("the page names no season, like 'Spring 1901'")
    return heading._replace(kind="R" if heading.kind == "R" else "").phase()


def _place(where: object, coast: object = None) -> str:
    """``Spa/sc`` from ``Spa``, ``Spa/sc``, ``Spa.sc``, or a place with its coast beside it."""
    tag, _, named = str(where).replace(".", "/").partition("/")
    return f"{tag}/{coast or named}" if coast or named else tag


def _kind_built(entry: Mapping[str, Any]) -> Any:
    return entry.get("unit") or entry.get("unit_type") or entry.get("unitType")


def _order(where: str, value: object) -> str:
    """The text of an order. Raises FormatError."""
    entry = value if isinstance(value, dict) else {"type": value}
    type, to, origin = str(entry.get("type", "")).upper(), entry.get("to"), entry.get("from")
    goal = _place(to, entry.get("to_coast")) if to else ""
    unit = _place(where)
    if type == "HOLD":
        return f"{unit} H"
    if type == "MOVE" and goal:
        return f"{unit} - {goal}{' VIA' if entry.get('via_convoy') or entry.get('convoy') else ''}"
    if type == "SUPPORT" and (origin or goal):
        moves = origin and goal and _place(origin).partition("/")[0] != goal.partition("/")[0]
        return f"{unit} S {_place(origin)} - {goal}" if moves else f"{unit} S {_place(origin or to)}"
    if type == "CONVOY" and origin and goal:
        return f"{unit} C {_place(origin)} - {goal}"
    if type == "RETREAT":
        return _retreat(where, entry)
    if type in ("REMOVE", "DISBAND", "DESTROY"):
        return f"{unit} D"
    if type == "WAIVE":
        return "WAIVE"
    if type == "BUILD" and (kind := _kind_built(entry)):
        return f"build {kind}" if " " in str(kind) else f"build {kind} {_place(where, entry.get('coast'))}"
    raise FormatError(f"no order is of the type {quote(entry.get('type'))}")


def _retreat(where: str, value: object) -> str:
    fields = value if isinstance(value, dict) else {"to": value}
    goal = fields.get("to")
    if not goal or str(goal).upper() in ("DISBAND", "NONE", "NULL"):
        return f"{_place(where)} D"
    return f"{_place(where)} R {_place(goal, fields.get('to_coast') or fields.get('coast'))}"


def _came(entry: Mapping[str, Any], phase: Phase) -> tuple[str, ...] | None:
    """The result of an order, in our words; None if it is not given."""
    type, result = str(entry.get("type", "")).upper(), str(entry.get("result", "")).upper()
    if phase.kind == "A":
        return None if type == "WAIVE" else ()
    words = ["fail"] if result.startswith("FAIL") else []
    words += ["dislodged"] if "retreat" in entry else []
    return tuple(words) if result or words else None


def _variables(text: str) -> dict[str, Any]:
    """The values that a script sets. Raises FormatError with the line for invalid syntax."""
    variables: dict[str, Any] = {}
    at = 0
    while (match := _VARIABLE.search(text, at)) is not None:
        try:
            value, at = _value(text, match.end())
        except ValueError:
            line = text.count("\n", 0, match.start()) + 1
            raise FormatError(f"line {line}: cannot read the value of {match[1]}: no JSON") from None
        variables.setdefault(match[1], value)
    return variables


def _value(text: str, begin: int) -> tuple[Any, int]:
    """A value of a script, names without quotes included, and where it ends. Raises ValueError."""
    parts: list[str] = []
    depth, at = 0, begin
    while (match := _TOKEN.match(text, at)) is not None:
        at, mark = match.end(), match["mark"]
        if match.lastgroup is None:
            continue  # Blanks and comments.
        if mark in ("}", "]") and parts[-1:] == [","]:
            parts.pop()
        if mark == ":" and parts and parts[-1][0] != '"':
            parts[-1] = json.dumps(parts[-1])
        parts.append(mark or _scalar(match))
        depth += (mark in ("{", "[")) - (mark in ("}", "]"))
        if depth > _DEEPEST:
            break
        if depth <= 0:
            return json.loads("".join(parts), strict=False), at
    raise ValueError("no value")


def _scalar(match: re.Match[str]) -> str:
    """A text, a number or a name of a script in JSON."""
    text, word = match["text"], match["word"]
    if text:
        return json.dumps(re.sub(r"\\(.)", r"\1", text[1:-1])) if text[0] == "'" else text
    number = str(int(word)) if word.isdecimal() and len(word) < 19 else json.dumps(word)
    return _WORDS.get(word, number)


def _table(value: object, name: str) -> Mapping[str, Any]:
    """An object, or an empty one. Raises FormatError."""
    if value is None or value == []:
        return {}
    if not isinstance(value, dict):
        raise FormatError(f"what {quote(name)} has is {quote(value)}, and no object with places")
    return value


def _short(location: str) -> str:
    """``Spa/sc`` for SPA/SC."""
    tag, _, coast = location.partition("/")
    return tag.title() + (f"/{coast.lower()}" if coast else "")
