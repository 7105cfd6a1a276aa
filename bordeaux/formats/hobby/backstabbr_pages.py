"""Pages of Backstabbr, one for each season of a game: ``/game/NAME/NUMBER/1901/spring``, ``fall``,
``winter``.

A page's script has ``stage``, ``territories``, ``unitsByPlayer`` and ``orders``; an order has ``type``,
``from``, ``to``, ``to_coast``, ``result`` (SUCCEEDS or FAILS) and, where its unit was dislodged, ``retreat``:
its destination, or null if it was disbanded. The units are those before the orders. The season is in the
title, the address, or anywhere in the text.

If the script does not give the kind of a built unit, it follows from the next page's units. The formats are
those that public programs read; no actual page was available.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.phase import Phase
from bordeaux.board.unit import Unit
from bordeaux.formats.hobby.markup import Page
from bordeaux.formats.hobby.sheet import Sheet, SheetEntry, Story, phase_key

__all__ = ["is_backstabbr", "story_of_backstabbr"]

_VARIABLE = re.compile(
    r"\b(?P<name>stage|territories|unitsByPlayer|retreatOptions|orders)\b[\"']?\s*[=:]\s*(?=[{\"'])"
)
_STAGE = re.compile(r"\s*[\"'](\w*)[\"']")
_BARE_KEY = re.compile(r"([{,]\s*)([A-Za-z_]\w*)\s*:")
_QUOTED = re.compile(r"'([^'\\]*)'")
_SEASON = re.compile(r"\b(?P<season>spring|fall|autumn|winter)\s*,?\s*(?P<year>\d{3,4})\b", re.IGNORECASE)
_ADDRESS = re.compile(
    r"/(?:game|sandbox)/(?P<path>[^\s\"'?#]+?)/(?P<year>\d{3,4})/(?P<season>spring|fall|autumn|winter)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"/(?:game|sandbox)/(?:[^/\s\"'?#]+/)?(?P<number>\d{6,20})\b")
_LETTERS = {"spring": "S", "fall": "F", "autumn": "F", "winter": "W"}


def is_backstabbr(page: Page) -> bool:
    """Whether a page has the script of a game on Backstabbr, with its units."""
    return any("unitsByPlayer" in script for script in page.scripts)


def story_of_backstabbr(pages: Sequence[Page], map: Map) -> Story:
    """The seasons of the pages. A page that is broken, or without a season, gives a note. Raises FormatError
    if none is readable."""
    seasons: list[_Season] = []
    notes: list[str] = []
    number = ""
    for at, page in enumerate(pages, 1):
        called = page.title or page.address or f"page {at}"
        try:
            seasons.append(_Season.read(page, map))
        except BordeauxError as error:
            notes.append(f"{quote(called)} is left out: {error}")
        if not number and (match := _NUMBER.search(page.address + " " + page.source[:100_000])) is not None:
            number = match["number"]
    if not seasons:
        raise FormatError(notes[0] if notes else "there is no page of a game in it")
    seasons.sort(key=lambda season: phase_key(season.phase))
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
        self.standing = self._standing()

    @classmethod
    def read(cls, page: Page, map: Map) -> _Season:
        """Read a page. Raises FormatError, MapError or OrderError."""
        script = max(page.scripts, key=lambda text: "unitsByPlayer" in text)
        given = _variables(script)
        if not isinstance(given.get("unitsByPlayer"), dict):
            raise FormatError("there are no units in its script")
        return cls(_phase_of(page, str(given.get("stage", ""))), given, map)

    def sheets(self, following: _Season | None) -> list[Sheet]:
        """The phases of the season."""
        centres: dict[str, list[str]] = {}
        for where, name in _table(self.given.get("territories")).items():
            tag = self._place(where)
            if name and tag in self.map.centres:
                centres.setdefault(self.map.power(str(name)), []).append(tag)
        orders = _table(self.given.get("orders"))
        if self.phase.kind == "A":
            return [Sheet(self.phase, self._adjustments(orders, following))]
        if self.phase.kind == "R":
            return []  # The season is not over yet: its moves are on the page once it is.
        moves: list[SheetEntry] = []
        retreats: list[SheetEntry] = []
        for name, by_place in orders.items():
            power = self.map.power(name)
            for where, order in _table(by_place).items():
                try:
                    moves.append(self._move(power, where, _table(order)))
                    if "retreat" in order:
                        retreats.append(self._retreat(power, where, order["retreat"]))
                except BordeauxError as error:
                    self.notes.append(f"{self.phase}: {power}, {quote(where)}: {error}; left out")
        first = Sheet(self.phase, moves, self.standing, centres or None)
        return [first, Sheet(self.phase._replace(kind="R"), retreats)] if retreats else [first]

    def _standing(self) -> list[Unit]:
        driven_out = {self._place(where) for where in _table(self.given.get("retreatOptions"))}
        units = []
        for name, by_place in self.given["unitsByPlayer"].items():
            power = self.map.power(name)
            for where, value in _table(by_place).items():
                unit = self._unit(power, where, value)
                if self.phase.kind != "R" or unit.province not in driven_out:
                    units.append(unit)
        return units

    def _unit(self, power: str, where: str, value: object) -> Unit:
        fields = value if isinstance(value, dict) else {"type": value}
        kind = str(fields.get("type", ""))[:1].upper()
        place = self._place(where, fields.get("coast"))
        if kind not in ("A", "F"):
            raise FormatError(f"{quote(where)}: no unit is of the kind {quote(fields.get('type'))}")
        return Unit(power, kind, self.map.location(kind, place).name)

    def _place(self, where: object, coast: object = None) -> str:
        """A location in our notation from ``Spa``, ``Spa/sc``, ``Spa.sc``, or a place with its coast beside
        it."""
        tag, _, edge_named = str(where).replace(".", "/").partition("/")
        edge = str(coast or edge_named).upper()
        return self.map.province(tag).name + (f"/{edge}" if edge else "")

    def _at(self, where: object) -> Unit | None:
        province = self._place(where).partition("/")[0]
        return next((unit for unit in self.standing if unit.province == province), None)

    def _named(self, where: object) -> str:
        """The unit in a place, or the place alone."""
        unit = self._at(where)
        return str(unit) if unit is not None else self._place(where)

    def _move(self, power: str, where: str, order: Mapping[str, Any]) -> SheetEntry:
        type, to, origin = str(order.get("type", "")).upper(), order.get("to"), order.get("from")
        unit = self._named(where)
        goal = self._place(to, order.get("to_coast")) if to else ""
        if type == "HOLD":
            does = "H"
        elif type == "MOVE" and goal:
            does = f"- {goal}{' VIA' if order.get('via_convoy') or order.get('convoy') else ''}"
        elif type == "SUPPORT" and (origin or goal):
            helped = self._named(origin if origin else to)
            moves = origin and to and self._place(origin)[:3] != self._place(to)[:3]
            does = f"S {helped} - {goal}" if moves else f"S {helped}"
        elif type == "CONVOY" and origin and goal:
            does = f"C {self._named(origin)} - {goal}"
        else:
            raise FormatError(f"no order is of the type {quote(order.get('type'))}")
        result = str(order.get("result", "")).upper()
        words: list[str] = []
        if result.startswith("FAIL"):
            words += [word] if (word := {"MOVE": "bounce", "SUPPORT": "cut"}.get(type)) else []
        if "retreat" in order:
            words.append("dislodged")
        return SheetEntry(power, f"{unit} {does}", tuple(words) if result or words else None)

    def _retreat(self, power: str, where: str, value: object) -> SheetEntry:
        fields = value if isinstance(value, dict) else {"to": value}
        goal = fields.get("to")
        unit = self._named(where)
        if not goal or str(goal).upper() in ("DISBAND", "NONE", "NULL"):
            return SheetEntry(power, f"{unit} D", ())
        return SheetEntry(
            power, f"{unit} R {self._place(goal, fields.get('to_coast') or fields.get('coast'))}", ()
        )

    def _adjustments(self, orders: Mapping[str, Any], following: _Season | None) -> list[SheetEntry]:
        entries = []
        for name, by_place in orders.items():
            power = self.map.power(name)
            for where, value in _table(by_place).items():
                try:
                    entries.append(self._adjustment(power, where, _table(value), following))
                except BordeauxError as error:
                    self.notes.append(f"{self.phase}: {power}, {quote(where)}: {error}; left out")
        return entries

    def _adjustment(
        self, power: str, where: str, order: Mapping[str, Any], following: _Season | None
    ) -> SheetEntry:
        type = str(order.get("type", "")).upper()
        if type == "WAIVE":
            return SheetEntry(power, "WAIVE")
        if type in ("REMOVE", "DISBAND", "DESTROY"):
            return SheetEntry(power, f"remove {self._named(where)}", ())
        if type != "BUILD":
            raise FormatError(f"no order is of the type {quote(order.get('type'))}")
        kind = order.get("unit") or order.get("unit_type") or order.get("unitType")
        if kind:
            unit: Unit | None = self._unit(power, where, {"type": kind, "coast": order.get("coast")})
        else:
            unit = (following._at(where) if following is not None else None) or self._at(where)
        if unit is None:
            raise FormatError(
                "the page does not say which unit is built; save the page of the next Spring as well"
            )
        return SheetEntry(power, f"{unit} B", ())


def _phase_of(page: Page, stage: str) -> Phase:
    """The phase of a page. Raises FormatError."""
    match = _ADDRESS.search(page.address) or _SEASON.search(page.title) or _SEASON.search(page.text)
    match = match or _ADDRESS.search(page.source)
    if match is None:
        raise FormatError("the page names no season, like 'Spring 1901'")
    season = _LETTERS[match["season"].lower()]
    upper = stage.upper()
    kind = "A" if season == "W" else "R" if "RETREAT" in upper else "M"
    return Phase(int(match["year"]), season, kind)


def _variables(script: str) -> dict[str, Any]:
    """The values that a script sets. Raises FormatError for invalid syntax."""
    variables: dict[str, Any] = {}
    for match in _VARIABLE.finditer(script):
        if (stage := _STAGE.match(script, match.end())) is not None:
            variables.setdefault(match["name"], stage[1])
            continue
        try:
            value, _ = json.JSONDecoder().raw_decode(script, match.end())
        except (ValueError, RecursionError):
            value = _loose(script, match.end(), match["name"])
        variables.setdefault(match["name"], value)
    return variables


def _loose(script: str, begin: int, name: str) -> Any:
    """An object in script syntax: names without quotes, texts in single quotes."""
    end = script.find("};", begin)
    text = script[begin : end + 1 if end >= 0 else len(script)]
    mended = _BARE_KEY.sub(r'\1"\2":', _QUOTED.sub(r'"\1"', text))
    try:
        return json.JSONDecoder().raw_decode(mended.lstrip())[0]
    except (ValueError, RecursionError):
        raise FormatError(f"cannot read the value of {name}: no JSON") from None


def _table(value: object) -> Mapping[str, Any]:
    """An object, or an empty one."""
    if value is None or value == []:
        return {}
    if not isinstance(value, dict):
        raise FormatError(f"expected an object, not {quote(value)}")
    return value
