"""The conditions that a map must meet, checked before one is built from any source.

A reader fills a `Draft` and has it `checked`. A violated condition is a `Contradiction`. It names the place
in the draft, so the reader can name the line or the message.
"""

from __future__ import annotations

import re
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
        checks = _check_head, _check_powers, _check_provinces, _check_borders, _check_homes, _check_start
        for check in checks:
            check(self)
        return self


def _require(holds: bool, said: str, *spot: str, word: str = "") -> None:
    if not holds:
        raise Contradiction(said, *spot, word=word)


def _check_head(draft: Draft) -> None:
    said = "is no name for a map; write one word of letters, digits, '-', '.' and '_'"
    _require(_NAME.fullmatch(draft.name) is not None, f"{quote(draft.name)} {said}", "name")
    said = f"a game cannot begin in {draft.phase}; write a phase like 'S1901M'"
    _require(draft.phase.kind in ("M", "A"), said, "phase")


def _check_powers(draft: Draft) -> None:
    _require(bool(draft.powers), "there are no powers", "powers")
    count, last = len(draft.powers), [*draft.powers][: MOST_POWERS + 1][-1]
    _require(count <= MOST_POWERS, f"{count} powers; a map has at most {MOST_POWERS}", "powers", last)
    used: dict[str, str] = {}
    for power, tag in draft.powers.items():
        said = f"{quote(power)} is no name for a power; write a word in capitals like 'FRANCE'"
        _require(_POWER.fullmatch(power) is not None and power not in RESERVED, said, "powers", power)
        spot = "powers", power, "tag"
        said = f"{quote(tag)} is no tag for {power}; give it a tag of three capitals"
        _require(_TAG.fullmatch(tag) is not None and tag not in RESERVED, said, *spot)
        for name in {power, tag}:
            other = used.setdefault(name, power)
            _require(other == power, f"both {other} and {power} go by {name}", *spot)


def _check_provinces(draft: Draft) -> None:
    _require(bool(draft.provinces), "there are no provinces", "provinces")
    count, last = len(draft.provinces), draft.provinces[: MOST_PROVINCES + 1][-1].name
    _require(
        count <= MOST_PROVINCES, f"{count} provinces; a map has at most {MOST_PROVINCES}", "provinces", last
    )
    names: dict[str, str] = {}
    tokens: dict[str, str] = {}
    for province in draft.provinces:
        tag, spot = province.name, ("provinces", province.name)
        for what, token in (("tag", tag), ("daide", province.daide)):
            fits = _TAG.fullmatch(token) is not None and token not in RESERVED | ORDER_WORDS
            said = f"{quote(token)} is no tag for a province; write three capitals, like 'PAR'"
            _require(fits, said, *spot, what)
        _require(province.kind in KINDS, f"{tag} has kind {quote(province.kind)}", *spot, "kind")
        _check_coasts(province)
        # Its token in DAIDE may be another's tag.
        listed = [("tag", tag), ("name", province.full), *(("aliases", alias) for alias in province.aliases)]
        for key, name in listed:
            _require(len(fold(name)) > 1, f"{quote(name)} is no name for {tag}", *spot, key, word=name)
            other = names.setdefault(fold(name), tag)
            _require(other == tag, f"both {other} and {tag} go by {quote(name)}", *spot, key, word=name)
        other = tokens.setdefault(province.daide, tag)
        _require(other == tag, f"both {other} and {tag} are {province.daide} in DAIDE", *spot, "daide")


def _check_coasts(province: Province) -> None:
    tag, spot, count = province.name, ("provinces", province.name, "fleet"), len(province.coasts)
    said = f"{tag} is {province.kind} and cannot have coasts of its own"
    _require(not count or province.kind == "coastal", said, *spot)
    _require(count <= MOST_COASTS, f"{tag} has {count} coasts; a province has at most {MOST_COASTS}", *spot)
    known = " ".join(COAST_TOKENS)
    for coast in province.coasts:
        _require(
            coast in COAST_TOKENS or _COAST.fullmatch(coast) is not None,
            f"{tag} has an unknown coast {quote(coast)}; write one of {known} or a word of four capitals or"
            " more",
            *spot,
            word=coast,
        )


def _check_borders(draft: Draft) -> None:
    provinces = {province.name: province for province in draft.provinces}
    for number, ((kind, location), neighbours) in enumerate(draft.borders.items()):
        tag, spot, place = location.partition("/")[0], _spot(kind, location), f"{kind} {location}"
        said = f"{len(draft.borders)} places for armies and fleets; a map has at most {MOST_LOCATIONS}"
        _require(number < MOST_LOCATIONS, said, *spot)
        said = f"{place} has {len(neighbours)} borders; at most {MOST_NEIGHBOURS}"
        _require(len(neighbours) <= MOST_NEIGHBOURS, said, *spot)
        for index, near in enumerate(neighbours):
            if (kind, near) not in draft.borders:
                why = _why_not(kind, near, provinces)
                raise Contradiction(f"{place} cannot border on {quote(near)}: {why}", *spot, word=near)
            _require(near.partition("/")[0] != tag, f"{place} borders on itself", *spot, word=near)
            said = f"{place} lists its border on {near} twice"
            _require(near not in neighbours[:index], said, *spot, word=near)
    for (kind, location), neighbours in draft.borders.items():
        for near in neighbours:
            said = f"{kind} {location} - {near} is a one-way border: {kind} {near} does not list {location}"
            _require(location in draft.borders[kind, near], said, *_spot(kind, location), word=near)


def _spot(kind: str, location: str) -> tuple[str, ...]:
    """The path of the borders of a location."""
    tag, _, coast = location.partition("/")
    return ("provinces", tag, "army") if kind == "A" else ("provinces", tag, "fleet", coast)


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
        tag = province.name
        for power in province.homes:
            spot = "powers", power, "homes"
            _require(power in draft.powers, f"{tag} is home to unknown power {quote(power)}", *spot)
            said = f"{tag} is a home of {power} but no supply centre"
            _require(province.centre, said, *spot, word=tag)
            said = f"{power} has its home {tag} twice"
            _require(province.homes.count(power) == 1, said, *spot, word=tag)
    said = "there are no supply centres; give a province 'centre = true'"
    _require(any(province.centre for province in draft.provinces), said, "provinces")


def _check_start(draft: Draft) -> None:
    provinces = {province.name: province for province in draft.provinces}
    owners: dict[str, str] = {}
    for power, centres in draft.centres.items():
        spot = "powers", power, "centres"
        for tag in centres:
            if tag not in provinces:
                said = f"unknown centre {quote(tag)} of {power}{nearest(tag, provinces)}"
                raise Contradiction(said, *spot, word=tag)
            said = f"{power} owns {tag}, which is no supply centre"
            _require(provinces[tag].centre, said, *spot, word=tag)
            said = f"{tag} is owned by {owners.get(tag)} and again by {power}"
            _require(tag not in owners, said, *spot, word=tag)
            owners[tag] = power
    standing: dict[str, Unit] = {}
    for unit in draft.units:
        spot = "powers", unit.power, "units"
        if (unit.kind, unit.location) not in draft.borders:
            why = _why_not(unit.kind, unit.location, provinces)
            raise Contradiction(f"{unit.power} cannot start with {unit}: {why}", *spot, word=str(unit))
        other = standing.setdefault(unit.province, unit)
        said = f"two units start in {unit.province}: {other.power} {other} and {unit.power} {unit}"
        _require(other is unit, said, *spot, word=str(unit))
