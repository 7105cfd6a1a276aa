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
from bordeaux.board.pieces import read_unit
from bordeaux.board.position import Position
from bordeaux.formats.hobby.assembly import Sheet, SheetEntry, Story
from bordeaux.formats.hobby.markup import Page, pages_of

_VARIABLE = re.compile(
    r"\b(stage|territories|unitsByPlayer|retreatOptions|orders)\b[\"']?\s*[=:]\s*(?=[{\"'])"
)
_TOKEN = re.compile(
    r"\s+|//[^\n]*|/\*.*?\*/|(?P<mark>[{}\[\]:,])"
    r"|(?P<text>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')|(?P<word>[\w$.+-]+)|(?P<wrong>.)",
    re.DOTALL,
)
_WORDS = {"null": "null", "undefined": "null", "true": "true", "false": "false"}
_DEEPEST = 20
_ADDRESS = re.compile(r"/(?P<year>\d{3,4})/(?P<season>spring|fall|autumn|winter)\b", re.IGNORECASE)
_NUMBER = re.compile(r"/(?:game|sandbox)/(?:[^/\s\"'?#]{1,200}/)?(?P<number>\d{6,20})\b")
_NO_GOAL = frozenset({"", "DISBAND", "NONE", "NULL"})


def orders_from_backstabbr(
    text: str, position: Position, notes: list[str] | None = None
) -> dict[str, list[Order]]:
    """Read the orders in a page's script for a position. With `notes`, unreadable ones are added to them.
    Otherwise raises OrderError, FormatError or MapError."""
    given = _variables(text)
    orders: dict[str, list[Order]] = {
        position.map.power(name): [] for name in _table(given.get("orders"), "orders")
    }
    for power, where, value in _placed(given, "orders", position.map):
        try:
            orders[power].append(parse_order(_order(where, value), position.map, position))
        except BordeauxError as error:
            if notes is None:
                raise type(error)(f"{power}: {error}") from None
            notes.append(f"{power}, {quote(where)}: {error}; left out")
    return orders


def position_from_backstabbr(text: str, map: Map | None = None) -> Position:
    """Read the position in a page's script, by default on the standard map. Raises FormatError, MapError or
    PositionError."""
    if not (pages := pages_of(text)):
        raise FormatError("there is nothing in it")
    season = _Season(pages[0], map or Map.standard())
    return Position(season.map, season.phase, season.standing, season.centres(), season.dislodged)


def story_of_backstabbr(pages: Sequence[Page], map: Map) -> Story:
    """The seasons of the pages. A page that is broken, or without a season, gives a note. Raises FormatError
    if none is readable."""
    seasons: list[_Season] = []
    notes: list[str] = []
    number = None
    for at, page in enumerate(pages, 1):
        try:
            seasons.append(_Season(page, map))
        except BordeauxError as error:
            notes.append(f"{quote(page.title or page.address or f'page {at}')} is left out: {error}")
        number = number or _NUMBER.search(page.address + " " + page.source[:100_000])
    if not seasons:
        raise FormatError(notes[0] if notes else "there is no page of a game in it")
    seasons.sort(key=lambda season: order_of_play(season.phase))
    sheets = [
        sheet
        for season, following in zip(seasons, [*seasons[1:], None], strict=True)
        for sheet in season.sheets(following)
    ]
    notes += [note for season in seasons for note in season.notes]
    return Story("Backstabbr", f"Backstabbr {number['number']}" if number else "Backstabbr", sheets, notes)


class _Season:
    """The content of one page: the first phase of its season, the variables of its script, notes. Raises
    FormatError, MapError or PositionError."""

    def __init__(self, page: Page, map: Map) -> None:
        self.given = given = _variables(page.source)
        if not isinstance(given.get("unitsByPlayer"), dict):
            raise FormatError("there is no 'unitsByPlayer' in it, where Backstabbr's pages have the units")
        self.map = map
        self.phase = _phase_of(page)
        stage = str(given.get("stage", "")).upper()
        if self.phase.kind == "M" and ("RETREAT" in stage or (not stage and given.get("retreatOptions"))):
            self.phase = self.phase._replace(kind="R")
        self.notes: list[str] = []
        self.standing = [self._unit(*placed) for placed in _placed(given, "unitsByPlayer", map)]
        self.dislodged = list(self._dislodged()) if self.phase.kind == "R" else []
        driven_out = {unit for unit, _ in self.dislodged}
        self.standing = [unit for unit in self.standing if unit not in driven_out]

    def sheets(self, following: _Season | None) -> list[Sheet]:
        if self.phase.kind == "R":
            return []  # The season is not over yet: its moves are on the page once it is.
        entries: list[SheetEntry] = []
        retreats: list[SheetEntry] = []
        for power, where, value in _placed(self.given, "orders", self.map):
            entry = _fields(value)
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
        first = Sheet(self.phase, entries, self.standing, self.centres() or None)
        return [first, Sheet(self.phase._replace(kind="R"), retreats)] if retreats else [first]

    def centres(self) -> dict[str, list[str]]:
        centres: dict[str, list[str]] = {}
        for where, name in _table(self.given.get("territories"), "territories").items():
            tag = self.map.province(where).name
            if name and tag in self.map.centres:
                centres.setdefault(self.map.power(str(name)), []).append(tag)
        return centres

    def _dislodged(self) -> Iterator[Dislodged]:
        """The dislodged units, by power and place, or by place. Then the attacker may stand there too: it is
        the one that can go to fewer of the options."""
        for name, value in _table(self.given.get("retreatOptions"), "retreatOptions").items():
            if isinstance(value, dict):
                power = self.map.power(name)
                for where, entry in value.items():
                    options = entry.get("to") if isinstance(entry, dict) else ()
                    yield self._driven_out(self._unit(power, where, entry), options)
            else:
                tag = self._location(name).partition("/")[0]
                there = [self._driven_out(unit, value) for unit in self.standing if unit.province == tag]
                if not there:
                    raise FormatError(f"there is no unit in {quote(name)}, which has options for retreats")
                yield max(there, key=lambda each: len(each.retreats))

    def _driven_out(self, unit: Unit, options: object) -> Dislodged:
        """A unit with the options that it can reach."""
        listed = options if isinstance(options, list) else ()
        wanted = {self._location(option) for option in listed if option}
        near = self.map.adjacent(unit.kind, unit.location)
        return Dislodged(unit, tuple(place for place in near if wanted & {place, place.partition("/")[0]}))

    def _location(self, where: object) -> str:
        tag, slash, coast = _place(where).partition("/")
        return f"{self.map.province(tag).name}{slash}{coast.upper()}"

    def _unit(self, power: str, where: str, value: object) -> Unit:
        fields = _fields(value)
        kind = str(fields.get("type", ""))[:1]
        return read_unit(f"{kind} {_place(where, fields.get('coast'))}", power, f"units of {power}", self.map)

    def _built(self, where: str, following: _Season | None) -> str:
        """A unit that was built, from the next page or from this one."""
        tag = self._location(where).partition("/")[0]
        for unit in [*(following.standing if following is not None else ()), *self.standing]:
            if unit.province == tag:
                return str(unit)
        raise FormatError(
            "the page does not say which unit is built; save the page of the next Spring as well"
        )


def _phase_of(page: Page) -> Phase:
    """The phase of a page. Raises FormatError or PositionError."""
    match = _ADDRESS.search(page.address)
    said = (page.title, *(line for _, line in page.lines)) if match is None else ()
    heading = next(filter(None, map(read_heading, said)), None)
    if heading is None and (match := match or _ADDRESS.search(page.source)) is not None:
        heading = Heading(match["season"].upper(), match["year"], "", ())
    if heading is None:
        raise FormatError("the page names no season, like 'Spring 1901'")
    return heading._replace(kind="R" if heading.kind == "R" else "").phase()


def _place(where: object, coast: object = None) -> str:
    """``Spa/sc`` from ``Spa``, ``Spa/sc``, ``Spa.sc``, or a place with its coast beside it."""
    tag, _, named = str(where or "").replace(".", "/").partition("/")
    return f"{tag}/{coast or named}" if coast or named else tag


def _fields(value: object) -> Mapping[str, Any]:
    """A unit or an order of which only the type may be given."""
    return value if isinstance(value, dict) else {"type": value}


def _kind_built(entry: Mapping[str, Any]) -> Any:
    return entry.get("unit") or entry.get("unit_type") or entry.get("unitType")


def _order(where: str, value: object) -> str:
    entry = _fields(value)
    type, unit = str(entry.get("type", "")).upper(), _place(where)
    origin, goal = _place(entry.get("from")), _place(entry.get("to"), entry.get("to_coast"))
    match type:
        case "MOVE":
            return f"{unit} - {goal}{' VIA' if entry.get('via_convoy') or entry.get('convoy') else ''}"
        case "SUPPORT" if not origin or not goal or origin.partition("/")[0] == goal.partition("/")[0]:
            return f"{unit} S {origin or goal}"
        case "SUPPORT" | "CONVOY":
            return f"{unit} {type} {origin} - {goal}"
        case "RETREAT":
            return _retreat(where, entry)
        case "WAIVE":
            return type
        case "BUILD":
            kind = str(_kind_built(entry) or "")
            return f"build {kind}" if " " in kind else f"build {kind} {_place(where, entry.get('coast'))}"
    return f"{unit} {type}"


def _retreat(where: str, value: object) -> str:
    fields = value if isinstance(value, dict) else {"to": value}
    goal = _place(fields.get("to"), fields.get("to_coast") or fields.get("coast"))
    return f"{_place(where)} D" if goal.upper() in _NO_GOAL else f"{_place(where)} R {goal}"


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
    depth = 0
    for match in _TOKEN.finditer(text, begin):
        said, kind = match[0], match.lastgroup
        if kind is None:
            continue  # Blanks and comments.
        if kind == "word":
            number = str(int(said)) if said.isdecimal() and len(said) < 19 else json.dumps(said)
            said = _WORDS.get(said, number)
        elif kind == "text" and said[0] == "'":
            said = json.dumps(re.sub(r"\\(.)", r"\1", said[1:-1]))
        elif said in ("}", "]") and parts[-1:] == [","]:
            parts.pop()
        elif said == ":" and parts and parts[-1][0] != '"':
            parts[-1] = json.dumps(parts[-1])
        parts.append(said)
        depth += (said in ("{", "[")) - (said in ("}", "]"))
        if depth > _DEEPEST or kind == "wrong":
            break
        if depth <= 0:
            return json.loads("".join(parts), strict=False), match.end()
    raise ValueError("no value")


def _placed(given: Mapping[str, Any], name: str, map: Map) -> Iterator[tuple[str, str, Any]]:
    """The values of a variable by power and place. Raises FormatError or MapError."""
    for power, by_place in _table(given.get(name), name).items():
        for where, value in _table(by_place, power).items():
            yield map.power(power), where, value


def _table(value: object, name: str) -> Mapping[str, Any]:
    """An object, or an empty one. Raises FormatError."""
    if value is None or value == []:
        return {}
    if not isinstance(value, dict):
        raise FormatError(f"what {quote(name)} has is {quote(value)}, and no object with places")
    return value
