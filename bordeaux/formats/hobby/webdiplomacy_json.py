"""webDiplomacy's public board as JSON: ``history.json``, with all phases.

A phase has ``turn`` (0 is Spring of the first year, 1 its Autumn), ``phase``, ``units``, ``centers`` and
``orders``. Territories and countries are numbers of the variant. The numbers here are those of its variant
Classic, the standard map. A file without orders in its last phase is of a running game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Unit
from bordeaux.board.phase import Phase
from bordeaux.board.pieces import read_unit, table
from bordeaux.formats.hobby.assembly import Sheet, SheetEntry, Story, game_of_story

_ROWS = (
    "CLY EDI LVP YOR WAL LON POR SPA NAF TUN NAP ROM TUS PIE VEN APU GRE ALB SER BUL RUM CON SMY ANK",
    "ARM SYR SEV UKR WAR LVN MOS STP FIN SWE NWY DEN KIE BER PRU SIL MUN RUH HOL BEL PIC BRE PAR BUR",
    "MAR GAS BAR NWG NTH SKA HEL BAL BOT NAO IRI ENG MAO WES LYO TYS ION ADR AEG EAS BLA TYR BOH VIE",
    "TRI BUD GAL SPA/NC SPA/SC STP/NC STP/SC BUL/NC BUL/SC",
)
TERRITORIES = tuple(" ".join(_ROWS).split())
"""The territories of Classic, the first being number 1; the site's north coast of Bulgaria is our east
coast."""
COUNTRIES = ("ENGLAND", "FRANCE", "ITALY", "GERMANY", "AUSTRIA", "TURKEY", "RUSSIA")
"""The countries of Classic, the first being number 1."""
CLASSIC = 1
TWO_POWERS = {15: ("FRANCE", "AUSTRIA"), 23: ("GERMANY", "ITALY")}
"""The countries of variants on the same board, by the number of the variant."""

_LETTERS = {"Army": "A", "Fleet": "F"}
_STAGES = {"Diplomacy": "M", "Retreats": "R", "Builds": "A"}
_UNORDERED = frozenset({"Finished", "Pre-game"})
MOST = 5000


def game_of_webdiplomacy(document: Mapping[str, Any]) -> dict[str, Any]:
    """The saved game of a document, in JSON with ``notes``. Raises FormatError, also for another variant."""
    number, variant, named = (document.get(key) for key in ("gameID", "variantID", "variant"))
    called: Any = f"number {variant}"
    if isinstance(named, dict):
        variant = named.get("id", variant)
        called = named.get("name", variant)
    if variant not in (None, CLASSIC, *TWO_POWERS):
        known = "only Classic and its games for two powers are known"
        raise FormatError(f"a game of the variant {quote(called)}; {known}")
    reader = _Reader(Map.standard(), TWO_POWERS.get(variant or CLASSIC))
    try:
        sheets = reader.sheets(_list(document, "phases"))
    except (TypeError, ValueError, AttributeError) as error:
        if isinstance(error, BordeauxError):
            raise
        raise FormatError("the board of webDiplomacy in it is not in the form that the site writes") from None
    site = "webDiplomacy"
    story = Story(site, f"{site} {number}" if number else site, sheets, reader.notes)
    return game_of_story(story, reader.map)


class _Reader:
    """Reads the phases of a game, which may be one for `two` powers."""

    def __init__(self, map: Map, two: tuple[str, str] | None) -> None:
        self.map = map
        self.two = two
        self.countries: Sequence[str] = two or COUNTRIES
        self.territories = [tag.replace("BUL/NC", "BUL/EC") for tag in TERRITORIES]
        if two is not None:
            # These variants number each coast behind its province, Classic all coasts behind all provinces.
            self.territories.sort(key=lambda tag: TERRITORIES.index(tag.partition("/")[0]))
        self.notes: list[str] = []

    def sheets(self, phases: Sequence[Mapping[str, Any]]) -> list[Sheet]:
        """All phases but the end of the game, which has no orders."""
        if len(phases) > MOST:
            raise FormatError(f"more than {MOST:,} phases; no game has that many")
        if (
            self.two is None
            and phases
            and (phases[0].get("turn"), phases[0].get("phase")) == (0, "Diplomacy")
        ):
            self._rename(_list(phases[0], "units"))
        return [self._sheet(phase) for phase in phases if phase.get("phase") not in _UNORDERED]

    def _rename(self, units: Sequence[Mapping[str, Any]]) -> None:
        """Take the names of the countries by number from the first owners of the homes."""
        numbers = {tag: number for number, tag in enumerate(TERRITORIES, 1)}
        homes = {numbers[tag]: power for power, tags in self.map.homes.items() for tag in tags}
        owners = {unit.get("countryID"): homes.get(unit.get("terrID", 0)) for unit in units}
        named = [owners.get(number) or power for number, power in enumerate(COUNTRIES, 1)]
        self.countries = named if len(set(named)) == len(named) else COUNTRIES

    def _sheet(self, given: Mapping[str, Any]) -> Sheet:
        phase = self._phase(given)
        units = [self._unit(unit) for unit in _list(given, "units") if unit.get("retreating") is not True]
        entries = []
        for order in _list(given, "orders"):
            try:
                entries.append(self._entry(order, phase))
            except BordeauxError as error:
                self.notes.append(f"{phase}: an order of {quote(order.get('type'))} is left out: {error}")
        # Units of retreats and builds are told only where the game is in that phase now.
        standing = units if phase.kind == "M" or not entries else None
        return Sheet(phase, entries, standing or None, self._centres(_list(given, "centers")))

    def _phase(self, given: Mapping[str, Any]) -> Phase:
        turn, stage = given.get("turn"), given.get("phase")
        if not isinstance(turn, int) or turn < 0 or stage not in _STAGES:
            raise FormatError(f"no phase: turn {quote(turn)}, {quote(stage)}")
        kind = _STAGES[stage]
        season = "W" if kind == "A" else "SF"[turn % 2]
        return Phase(self.map.start_phase.year + turn // 2, season, kind)

    def _power(self, number: object) -> str:
        return _numbered(number, self.countries, "country")

    def _place(self, number: object) -> str:
        return _numbered(number, self.territories, "territory")

    def _unit(self, unit: Mapping[str, Any]) -> Unit:
        kind = _LETTERS.get(str(unit.get("type")), "?")
        text = f"{kind} {self._place(unit.get('terrID'))}"
        return read_unit(text, self._power(unit.get("countryID")), "units", self.map)

    def _centres(self, listed: Sequence[Mapping[str, Any]]) -> dict[str, list[str]] | None:
        """The owned centres by power; the site lists every occupied territory."""
        centres: dict[str, list[str]] = {}
        for territory in listed:
            place, owner = self._place(territory.get("terrID")), territory.get("countryID")
            if place in self.map.centres and owner:
                centres.setdefault(self._power(owner), []).append(place)
        return centres or None

    def _entry(self, order: Mapping[str, Any], phase: Phase) -> SheetEntry:
        """An order in the words of the site's archive, which any reader of orders knows."""
        power, type = self._power(order.get("countryID")), str(order.get("type"))
        if type == "Wait":
            return SheetEntry(power, "WAIVE")
        where = self._place(order.get("terrID"))
        if phase.kind == "A":
            return SheetEntry(power, f"{type} {where}", ())
        text = f"{_LETTERS.get(str(order.get('unitType')), '')} {where} {type}"
        if type not in ("Hold", "Disband"):
            text += f" to {self._place(order.get('toTerrID'))}"
        if type in ("Support move", "Convoy"):
            text += f" from {self._place(order.get('fromTerrID'))}"
        if order.get("viaConvoy"):
            text += " via convoy"
        words = ["fail"] if order.get("success") is False and type not in ("Hold", "Disband") else []
        words += ["dislodged"] if order.get("dislodged") else []
        return SheetEntry(power, text.strip(), tuple(words))


def _numbered(number: object, names: Sequence[str], what: str) -> str:
    if not isinstance(number, int) or not 0 < number <= len(names):
        raise FormatError(f"{what} {quote(number)} is none of Classic; a game of another variant?")
    return names[number - 1]


def _list(parent: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    value = parent.get(key) or []
    if not isinstance(value, list):
        raise FormatError(f"{key} are {quote(value)}, not a list")
    return [table(item, f"one of {key}") for item in value]
