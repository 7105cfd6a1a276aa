"""webDiplomacy's public board as JSON: ``history.json`` (all phases), ``game.json`` (the current board), and
the answer of ``api.php?route=game/status`` until 2026.

A phase has ``turn`` (0 is Spring of the first year, 1 its Autumn), ``phase``, ``units``, ``centers`` and
``orders``. Territories and countries are numbers of the variant. The numbers here are those of its variant
Classic, the standard map. A file without orders in its last phase is of a running game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bordeaux.board.errors import BordeauxError, FormatError, MapError, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Unit
from bordeaux.board.phase import Phase
from bordeaux.board.pieces import table
from bordeaux.formats.hobby.assembly import Sheet, SheetEntry, Story, game_of_story

_ROWS = (
    "CLY EDI LVP YOR WAL LON POR SPA NAF TUN NAP ROM",
    "TUS PIE VEN APU GRE ALB SER BUL RUM CON SMY ANK",
    "ARM SYR SEV UKR WAR LVN MOS STP FIN SWE NWY DEN",
    "KIE BER PRU SIL MUN RUH HOL BEL PIC BRE PAR BUR",
    "MAR GAS BAR NWG NTH SKA HEL BAL BOT NAO IRI ENG",
    "MAO WES LYO TYS ION ADR AEG EAS BLA TYR BOH VIE",
    "TRI BUD GAL SPA/NC SPA/SC STP/NC STP/SC BUL/NC BUL/SC",
)
TERRITORIES = tuple(tag for row in _ROWS for tag in row.split())
"""The territories of Classic, the first being number 1; the site's north coast of Bulgaria is our east
coast."""
COUNTRIES = ("ENGLAND", "FRANCE", "ITALY", "GERMANY", "AUSTRIA", "TURKEY", "RUSSIA")
"""The countries of Classic, the first being number 1."""
CLASSIC = 1
TWO_POWERS = {15: ("FRANCE", "AUSTRIA"), 23: ("GERMANY", "ITALY")}
"""The countries of variants on the same board, by the number of the variant."""

_RENAMED = {"BUL/NC": "BUL/EC"}
_LETTERS = {"Army": "A", "Fleet": "F"}
_STAGES = {"Diplomacy": "M", "Retreats": "R", "Builds": "A"}
_UNORDERED = frozenset({"Finished", "Pre-game"})
MOST = 5000


def game_of_webdiplomacy(document: Mapping[str, Any]) -> dict[str, Any]:
    """The saved game of a document, in JSON with ``notes``. Raises FormatError."""
    map = Map.standard()
    return game_of_story(story_of_json(document, map), map)


def story_of_json(document: Mapping[str, Any], map: Map) -> Story:
    """The phases of a document. Raises FormatError for another variant, or another format."""
    variant = document.get("variantID")
    named = document.get("variant")
    if isinstance(named, dict):
        variant = named.get("id", variant)
    if variant not in (None, CLASSIC, *TWO_POWERS):
        called = named.get("name", variant) if isinstance(named, dict) else f"number {variant}"
        raise FormatError(
            f"a game of the variant {quote(called)}; only Classic and its games for two powers are known"
        )
    given = document.get("phases")
    two = TWO_POWERS.get(variant) if isinstance(variant, int) else None
    try:
        if isinstance(given, list):
            listed = [table(phase, "a phase") for phase in given]
            if len(listed) > MOST:
                raise FormatError(f"more than {MOST:,} phases; no game has that many")
            reader = _Reader(map, two or _countries(listed), two is not None)
            sheets = [sheet for phase in listed if (sheet := reader.sheet(phase)) is not None]
        else:
            reader = _Reader(map, two or COUNTRIES, two is not None)
            sheets = [reader.board(document)]
    except (TypeError, ValueError, AttributeError) as error:
        if isinstance(error, BordeauxError):
            raise
        raise FormatError("the board of webDiplomacy in it is not in the form that the site writes") from None
    number = document.get("gameID")
    return Story("webDiplomacy", f"webDiplomacy {number}" if number else "webDiplomacy", sheets, reader.notes)


def _countries(phases: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The names of the countries by number, from the first owners of the homes."""
    if not phases or phases[0].get("turn") != 0 or phases[0].get("phase") != "Diplomacy":
        return COUNTRIES
    homes = {"LON": "ENGLAND", "PAR": "FRANCE", "ROM": "ITALY", "BER": "GERMANY", "VIE": "AUSTRIA"}
    homes |= {"CON": "TURKEY", "MOS": "RUSSIA"}
    countries = list(COUNTRIES)
    for unit in _list(phases[0], "units"):
        number, place = unit.get("countryID"), unit.get("terrID")
        if isinstance(place, int) and 0 < place <= len(TERRITORIES) and isinstance(number, int):
            power = homes.get(TERRITORIES[place - 1])
            if power is not None and 0 < number <= len(countries):
                countries[number - 1] = power
    return tuple(countries) if len(set(countries)) == len(countries) else COUNTRIES


class _Reader:
    """Reads phases with the countries of a game."""

    def __init__(self, map: Map, countries: Sequence[str], coasts_behind: bool = False) -> None:
        self.map = map
        # These variants number each coast behind its province, Classic all coasts behind all provinces.
        behind = sorted(TERRITORIES, key=lambda tag: TERRITORIES.index(tag.partition("/")[0]))
        self.territories = behind if coasts_behind else TERRITORIES
        self.countries = countries
        self.notes: list[str] = []

    def sheet(self, given: Mapping[str, Any]) -> Sheet | None:
        """A phase; None for the end of a game, which has no orders."""
        if given.get("phase") in _UNORDERED:
            return None
        phase = self._phase(given)
        units = [
            self._unit(unit) for unit in _list(given, "units") if unit.get("retreating") not in (True, "Yes")
        ]
        entries = []
        for order in _list(given, "orders"):
            try:
                entries.append(self._entry(order, phase))
            except BordeauxError as error:
                self.notes.append(f"{phase}: an order of {quote(order.get('type'))} is left out: {error}")
        # Units of retreats and builds are told only where the game is in that phase now.
        standing = units if phase.kind == "M" or not entries else None
        return Sheet(phase, entries, standing or None, self._centres(_list(given, "centers"), "countryID"))

    def board(self, document: Mapping[str, Any]) -> Sheet:
        """The current board, of ``game.json``."""
        if document.get("phase") in _UNORDERED:
            raise FormatError(
                "this file has the board of a game that is over, or has not begun; open its history.json"
            )
        phase = self._phase(document)
        units = [self._unit(unit) for unit in _list(document, "units") if not unit.get("retreating")]
        if phase.kind == "R":
            raise FormatError(
                "the game is in a retreat phase, which game.json does not tell whole; open history.json"
            )
        return Sheet(phase, (), units, self._centres(_list(document, "territories"), "ownerCountryID"))

    def _phase(self, given: Mapping[str, Any]) -> Phase:
        turn, stage = given.get("turn"), given.get("phase")
        if not isinstance(turn, int) or turn < 0 or stage not in _STAGES:
            raise FormatError(f"no phase: turn {quote(turn)}, {quote(stage)}")
        kind = _STAGES[stage]
        season = "W" if kind == "A" else "SF"[turn % 2]
        return Phase(self.map.start_phase.year + turn // 2, season, kind)

    def _power(self, number: object) -> str:
        if not isinstance(number, int) or not 0 < number <= len(self.countries):
            raise FormatError(f"country {quote(number)} is none of Classic; a game of another variant?")
        return self.countries[number - 1]

    def _place(self, number: object) -> str:
        if not isinstance(number, int) or not 0 < number <= len(TERRITORIES):
            raise FormatError(f"territory {quote(number)} is none of Classic; a game of another variant?")
        name = self.territories[number - 1]
        return _RENAMED.get(name, name)

    def _unit(self, unit: Mapping[str, Any]) -> Unit:
        kind = _LETTERS.get(str(unit.get("unitType") or unit.get("type")), "")
        place = self._place(unit.get("terrID"))
        try:
            return Unit(self._power(unit.get("countryID")), kind, self.map.location(kind, place).name)
        except (MapError, KeyError):
            raise FormatError(f"no unit: {quote(kind)} in {place}") from None

    def _centres(self, listed: Sequence[Mapping[str, Any]], key: str) -> dict[str, list[str]] | None:
        """The owned centres by power; the site lists every occupied territory."""
        centres: dict[str, list[str]] = {}
        for territory in listed:
            place, owner = self._place(territory.get("terrID") or territory.get("id")), territory.get(key)
            if place in self.map.centres and owner:
                centres.setdefault(self._power(owner), []).append(place)
        return centres or None

    def _entry(self, order: Mapping[str, Any], phase: Phase) -> SheetEntry:
        power, type = self._power(order.get("countryID")), str(order.get("type"))
        if type == "Wait":
            return SheetEntry(power, "WAIVE")
        where = self._place(order.get("terrID"))
        if phase.kind == "A":
            kind = {"Build Army": "A", "Build Fleet": "F"}.get(type)
            return SheetEntry(power, f"{kind} {where} B" if kind else f"remove {where}", ())
        unit = f"{_LETTERS[str(order.get('unitType'))]} {where}"
        goal = self._place(order["toTerrID"]) if order.get("toTerrID") else ""
        origin = self._place(order["fromTerrID"]) if order.get("fromTerrID") else ""
        via = " VIA" if order.get("viaConvoy") in (True, "Yes") else ""
        does = {
            "Hold": "H",
            "Move": f"- {goal}{via}",
            "Support hold": f"S {goal}",
            "Support move": f"S {origin} - {goal}",
            "Convoy": f"C {origin} - {goal}",
            "Retreat": f"R {goal}",
            "Disband": "D",
        }.get(type)
        if does is None:
            raise FormatError(f"no order is of the type {quote(type)}")
        words = ["fail"] if order.get("success") in (False, "No") and type not in ("Hold", "Disband") else []
        words += ["dislodged"] if order.get("dislodged") in (True, "Yes") else []
        return SheetEntry(power, f"{unit} {does}", tuple(words))


def _list(parent: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    value = parent.get(key) or []
    if not isinstance(value, list):
        raise FormatError(f"{key} are {quote(value)}, not a list")
    return [table(item, f"one of {key}") for item in value]
