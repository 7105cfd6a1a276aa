"""The conditions that a map must meet, checked before one is built from any source.

A reader fills a `Draft` and has it `checked`. A violated condition is a `Contradiction`. It names the place
in the draft, so the reader can name the line or the message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bordeaux.board.errors import nearest, quote
from bordeaux.board.order import KINDS, Province, Unit, fold
from bordeaux.board.phase import Phase

# The sizes of the tables of the core, in _ext/rules/structures.pxd.
MOST_POWERS = 31
MOST_PROVINCES = 255
MOST_LOCATIONS = 1023
MOST_NEIGHBOURS = 32
MOST_COASTS = 4

COAST_TOKENS = {
    "NC": "NCS", "NEC": "NEC", "EC": "ECS", "SEC": "SEC", "SC": "SCS", "SWC": "SWC", "WC": "WCS", "NWC": "NWC"
}  # fmt: skip
"""The possible coasts of a province, with their tokens in DAIDE; a coast with another name has none."""

RESERVED = frozenset({"ALL", "AMY", "FLT", "MRT", "UNO", "THE", *COAST_TOKENS, *COAST_TOKENS.values()})
ORDER_WORDS = frozenset({"HLD", "MTO", "SUP", "CVY", "CTO", "VIA", "RTO", "DSB", "BLD", "REM", "WVE"})
_TAG = re.compile(r"[A-Z][A-Z0-9]{2}", re.ASCII)
_POWER = re.compile(r"[A-Z]{2,30}", re.ASCII)
_COAST = re.compile(r"(?!NORTH|SOUTH|EAST|WEST|COAST)[A-Z]{4,12}", re.ASCII)
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,60}", re.ASCII)

Borders = dict[tuple[str, str], tuple[str, ...]]
"""For every (kind of unit, name of a location) the names of its neighbours."""


class Contradiction(Exception):
    """The fault of a draft, and its place: `spot` is a path such as ``("provinces", "PAR", "army")``, `word`
    the wrong name there, if any."""

    def __init__(self, message: str, *spot: str, word: str = "") -> None:
        super().__init__(message)
        self.spot = spot
        self.word = word


@dataclass
class Draft:
    """The parts of a map as read: powers with their tags; provinces, homes included; borders; the units and
    centres of powers at the start, and other names of powers."""

    name: str
    powers: dict[str, str]
    provinces: list[Province]
    borders: Borders
    title: str = ""
    phase: Phase = field(default_factory=lambda: Phase(1901, "S", "M"))
    units: list[Unit] = field(default_factory=list)
    centres: dict[str, tuple[str, ...]] = field(default_factory=dict)
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def checked(self) -> Draft:
        """The draft, if it is valid. Raises Contradiction."""
        for check in (
            _check_head,
            _check_powers,
            _check_provinces,
            _check_borders,
            _check_both_ways,
            _check_homes,
            _check_start,
        ):
            check(self)
        return self


def _check_head(draft: Draft) -> None:
    if not _NAME.fullmatch(draft.name):
        raise Contradiction(
            f"{quote(draft.name)} is no name for a map; write one word of letters, digits, '-', '.' and '_'",
            "name",
        )
    if draft.phase.kind not in ("M", "A"):
        raise Contradiction(f"a game cannot begin in {draft.phase}; write a phase like 'S1901M'", "phase")


def _check_powers(draft: Draft) -> None:
    powers = list(draft.powers)
    if not powers:
        raise Contradiction("there are no powers", "powers")
    if len(powers) > MOST_POWERS:
        raise Contradiction(
            f"{len(powers)} powers; a map has at most {MOST_POWERS}", "powers", powers[MOST_POWERS]
        )
    used: dict[str, str] = {}
    for power, tag in draft.powers.items():
        if not _POWER.fullmatch(power) or power in RESERVED:
            raise Contradiction(
                f"{quote(power)} is no name for a power; write a word in capitals like 'FRANCE'",
                "powers",
                power,
            )
        if not _TAG.fullmatch(tag) or tag in RESERVED:
            raise Contradiction(
                f"{quote(tag)} is no tag for {power}; give it a tag of three capitals", "powers", power, "tag"
            )
        for name in {power, tag}:
            if used.setdefault(name, power) != power:
                raise Contradiction(f"both {used[name]} and {power} go by {name}", "powers", power, "tag")


def _check_provinces(draft: Draft) -> None:
    if not draft.provinces:
        raise Contradiction("there are no provinces", "provinces")
    if len(draft.provinces) > MOST_PROVINCES:
        first = draft.provinces[MOST_PROVINCES].name
        raise Contradiction(
            f"{len(draft.provinces)} provinces; a map has at most {MOST_PROVINCES}", "provinces", first
        )
    names: dict[str, str] = {}
    tokens: dict[str, str] = {}
    for province in draft.provinces:
        spot = "provinces", province.name
        for what, tag in (("tag", province.name), ("daide", province.daide)):
            if not _TAG.fullmatch(tag) or tag in RESERVED or tag in ORDER_WORDS:
                raise Contradiction(
                    f"{quote(tag)} is no tag for a province; write three capitals, like 'PAR'",
                    *spot,
                    what,
                )
        if province.kind not in KINDS:
            raise Contradiction(f"{province.name} has kind {quote(province.kind)}", *spot, "kind")
        _check_coasts(province)
        for key, name in _names(province):
            if len(fold(name)) < 2:
                raise Contradiction(f"{quote(name)} is no name for {province.name}", *spot, key, word=name)
            other = names.setdefault(fold(name), province.name)
            if other != province.name:
                raise Contradiction(
                    f"both {other} and {province.name} go by {quote(name)}", *spot, key, word=name
                )
        other = tokens.setdefault(province.daide, province.name)
        if other != province.name:
            raise Contradiction(
                f"both {other} and {province.name} are {province.daide} in DAIDE", *spot, "daide"
            )


def _names(province: Province) -> Iterator[tuple[str, str]]:
    """Every name of a province except its token in DAIDE, which may be another's tag; with its key."""
    yield "tag", province.name
    yield "name", province.full
    for alias in province.aliases:
        yield "aliases", alias


def _check_coasts(province: Province) -> None:
    spot = "provinces", province.name, "fleet"
    if province.coasts and province.kind != "coastal":
        raise Contradiction(f"{province.name} is {province.kind} and cannot have coasts of its own", *spot)
    if len(province.coasts) > MOST_COASTS:
        raise Contradiction(
            f"{province.name} has {len(province.coasts)} coasts; a province has at most {MOST_COASTS}", *spot
        )
    for coast in province.coasts:
        if coast not in COAST_TOKENS and not _COAST.fullmatch(coast):
            raise Contradiction(
                f"{province.name} has an unknown coast {quote(coast)};"
                f" write one of {' '.join(COAST_TOKENS)} or a word of four capitals or more",
                *spot,
                word=coast,
            )


def _check_borders(draft: Draft) -> None:
    provinces = {province.name: province for province in draft.provinces}
    for number, ((kind, location), neighbours) in enumerate(draft.borders.items()):
        tag = location.partition("/")[0]
        spot = _spot(kind, location)
        place = f"{kind} {location}"
        if number == MOST_LOCATIONS:
            raise Contradiction(
                f"{len(draft.borders)} places for armies and fleets; a map has at most {MOST_LOCATIONS}",
                *spot,
            )
        if len(neighbours) > MOST_NEIGHBOURS:
            raise Contradiction(f"{place} has {len(neighbours)} borders; at most {MOST_NEIGHBOURS}", *spot)
        for index, neighbour in enumerate(neighbours):
            if (kind, neighbour) not in draft.borders:
                why = _why_not(kind, neighbour, provinces)
                raise Contradiction(
                    f"{place} cannot border on {quote(neighbour)}: {why}", *spot, word=neighbour
                )
            if neighbour.partition("/")[0] == tag:
                raise Contradiction(f"{place} borders on itself", *spot, word=neighbour)
            if neighbour in neighbours[:index]:
                raise Contradiction(f"{place} lists its border on {neighbour} twice", *spot, word=neighbour)


def _spot(kind: str, location: str) -> tuple[str, ...]:
    """The path of the borders of a location."""
    tag, _, coast = location.partition("/")
    return ("provinces", tag, "army") if kind == "A" else ("provinces", tag, "fleet", coast)


def _check_both_ways(draft: Draft) -> None:
    for (kind, location), neighbours in draft.borders.items():
        for neighbour in neighbours:
            if location not in draft.borders[kind, neighbour]:
                raise Contradiction(
                    f"{kind} {location} - {neighbour} is a one-way border:"
                    f" {kind} {neighbour} does not list {location}",
                    *_spot(kind, location),
                    word=neighbour,
                )


def _why_not(kind: str, place: str, provinces: dict[str, Province]) -> str:
    """The reason why a place is impossible for a kind of unit."""
    tag, slash, coast = place.partition("/")
    province = provinces.get(tag)
    if kind not in ("A", "F"):
        return f"unknown kind of unit {quote(kind)}; write A or F"
    if province is None:
        return f"there is no province {quote(tag)}{nearest(tag, provinces)}"
    if kind == "A":
        if province.kind == "sea":
            return f"{tag} is a sea, where no army can stand"
        return f"armies do not tell coasts apart; write {tag}"
    if province.kind == "inland":
        return f"{tag} is inland, where no fleet can stand"
    if province.coasts:
        return f"write {' or '.join(f'{tag}/{coast}' for coast in province.coasts)}"
    return f"{tag} has no coast {quote(coast)}; write {tag}" if slash else f"{tag} has no fleet borders"


def _check_homes(draft: Draft) -> None:
    for province in draft.provinces:
        for power in province.homes:
            spot = "powers", power, "homes"
            if power not in draft.powers:
                raise Contradiction(f"{province.name} is home to unknown power {quote(power)}", *spot)
            if not province.centre:
                raise Contradiction(
                    f"{province.name} is a home of {power} but no supply centre", *spot, word=province.name
                )
            if province.homes.count(power) > 1:
                raise Contradiction(f"{power} has its home {province.name} twice", *spot, word=province.name)


def _check_start(draft: Draft) -> None:
    provinces = {province.name: province for province in draft.provinces}
    owners: dict[str, str] = {}
    for power, centres in draft.centres.items():
        for tag in centres:
            spot = "powers", power, "centres"
            if tag not in provinces:
                raise Contradiction(
                    f"unknown centre {quote(tag)} of {power}{nearest(tag, provinces)}", *spot, word=tag
                )
            if not provinces[tag].centre:
                raise Contradiction(f"{power} owns {tag}, which is no supply centre", *spot, word=tag)
            if tag in owners:
                raise Contradiction(f"{tag} is owned by {owners[tag]} and again by {power}", *spot, word=tag)
            owners[tag] = power
    standing: dict[str, Unit] = {}
    for unit in draft.units:
        spot = "powers", unit.power, "units"
        if (unit.kind, unit.location) not in draft.borders:
            why = _why_not(unit.kind, unit.location, provinces)
            raise Contradiction(f"{unit.power} cannot start with {unit}: {why}", *spot, word=str(unit))
        other = standing.setdefault(unit.province, unit)
        if other is not unit:
            raise Contradiction(
                f"two units start in {unit.province}: {other.power} {other} and {unit.power} {unit}",
                *spot,
                word=str(unit),
            )
