"""Maps of other programs, as the tables of our map files (`bordeaux.board.mapfile`).

- The ``.map`` files of the PyPI package `diplomacy` and of the DPjudge, with what they include.
- jDip's ``variants.xml`` with the file of borders that it names; ``variants.xml#Fleet Rome`` is one variant.
- The Go source of a variant of godip.

A form brings its layout only: it fills a `Sketch` under the file's own names. The sketch finds tags, drops
clashing names, and gives the tables. What our rules cannot follow becomes a note of the sketch, or an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

from bordeaux.board.errors import MapError, quote
from bordeaux.board.mapcheck import MOST_POWERS, MOST_PROVINCES, ORDER_WORDS, RESERVED
from bordeaux.board.order import fold, plain

Beside = Callable[[str], str]
"""Gives the text of another file in the folder of a map. Raises MapError."""

MOST_FILES = 8
"""Most files that a ``.map`` file includes."""
LONGEST_NAME = 60
"""Most letters of a province in a list of borders of a ``.map`` file."""
_TAG = re.compile(r"[A-Z][A-Z0-9]{2}", re.ASCII)
_WHEN = re.compile(r"(SPRING|FALL|AUTUMN|WINTER)[\s,]+(\d{1,4})[\s,]+(?:GODIP\.)?([A-Z])", re.ASCII)
_TERRAIN = re.compile(r"^[ \t]*(?:LAND|COAST|WATER)[ \t]+\S+[ \t]+ABUTS\b", re.MULTILINE | re.IGNORECASE)
_INCLUDE = re.compile(r"^[ \t]*MAP[ \t]+[\w.-]+[ \t]*$", re.MULTILINE)
_GO = re.compile(r"^package \w+", re.MULTILINE)


@dataclass
class Sketch:
    """A map under its own names: provinces in small letters (``spa``), locations with their coast
    (``spa/nc``), both by the names that the file uses; powers as written."""

    title: str = ""
    phase: str = "S1901M"
    powers: dict[str, list[str]] = field(default_factory=dict)
    """Other names of each power."""
    names: dict[str, list[str]] = field(default_factory=dict)
    """The full name of each province, and others."""
    borders: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """By kind of unit and location."""
    homes: dict[str, list[str]] = field(default_factory=dict)
    """The powers that build in each centre."""
    owners: dict[str, str] = field(default_factory=dict)
    units: list[tuple[str, str, str]] = field(default_factory=list)
    """Power, kind, location."""
    build_any: bool = False
    """Each power builds in every centre that it owns."""
    winning: int | None = None
    notes: list[str] = field(default_factory=list)

    def set_phase(self, text: str) -> None:
        """Read the first phase: ``Spring, 1901, Movement``. Raises MapError."""
        if not (match := _WHEN.search(text.upper())):
            raise MapError(f"{quote(text)} is no first phase; expected one like Spring 1901 Movement")
        kind = match[3] if match[3] in "MRA" else "M"
        self.phase = f"{'W' if kind == 'A' else 'S' if match[1] == 'SPRING' else 'F'}{int(match[2])}{kind}"

    def tables(self) -> dict[str, Any]:
        """The tables of a map file. Raises MapError for a border on nothing."""
        places = self._places()
        if len(self.powers) > MOST_POWERS:
            raise MapError(f"{len(self.powers)} powers; a map has at most {MOST_POWERS}")
        if len(places) > MOST_PROVINCES:
            raise MapError(f"{len(places)} provinces; a map has at most {MOST_PROVINCES}")
        tags = _tags({key: self.names.get(key, [key])[0] for key in places}, places)
        names = self._listed(places, tags)
        powers = {power: _letters(power) for power in self.powers}
        if len(set(powers.values())) < len(powers):
            raise MapError(f"two powers have the same letters in {', '.join(powers)}")
        short = _tags(powers, (letters[:3] for letters in powers.values()))
        provinces = {
            tags[key]: self._province(key, coasts, names[key], tags) for key, coasts in places.items()
        }
        centres = [key for key in places if key in self.homes]
        need = len(centres) // 2 + 1
        if self.winning not in (None, need):
            self.notes.append(f"it is won with {self.winning} centres; Bordeaux wants more than half: {need}")
        changed = [f"{key.upper()} is {tag}" for key, tag in tags.items() if plain(key) != tag]
        if changed:
            self.notes.append(f"other tags here: {', '.join(changed)}")
        if self.build_any:
            self.notes.append("powers build in every centre they own: each centre is a home of all")
        tables = {
            powers[power]: {
                "tag": short[power],
                **({"aliases": aliases} if aliases else {}),
                "homes": " ".join(tags[key] for key in centres if self.build_any or power in self.homes[key]),
                "centres": " ".join(tags[key] for key in centres if self.owners.get(key) == power),
                "units": [
                    f"{kind} {self._shown(place, tags)}"
                    for owner, kind, place in self.units
                    if owner == power
                ],
            }
            for power, aliases in self.powers.items()
        }
        return {"title": self.title, "phase": self.phase, "powers": tables, "provinces": provinces}

    def _places(self) -> dict[str, list[str]]:
        """The provinces where units can stand, with their coasts."""
        places: dict[str, list[str]] = {}
        for kind, location in self.borders:
            key, slash, coast = location.partition("/")
            coasts = places.setdefault(key, [])
            if kind == "F" and slash:
                coasts.append(coast)
        for key, coasts in places.items():
            if coasts:
                self.borders.pop(("F", key), None)
        opened = {at.partition("/")[0] for (_, at), near in self.borders.items() if set(near) - {at}}
        return {key: coasts for key, coasts in places.items() if key in opened}

    def _listed(self, places: Iterable[str], tags: dict[str, str]) -> dict[str, list[str]]:
        """The full name and other names of each province, without those that another one has."""
        taken = {fold(tag): key for key, tag in tags.items()}
        listed: dict[str, list[str]] = {key: [] for key in places}
        for first in (True, False):
            for key in listed:
                given = self.names.get(key, [])
                for name in given[:1] if first else (*given[1:], key):
                    if len(fold(name)) > 1 and taken.setdefault(fold(name), key) == key:
                        listed[key].append(name)
                if first and not listed[key]:
                    listed[key].append(tags[key])
        return {
            key: [names[0], *(name for name in dict.fromkeys(names[1:]) if fold(name) != fold(tags[key]))]
            for key, names in listed.items()
        }

    def _province(
        self, key: str, coasts: list[str], names: list[str], tags: dict[str, str]
    ) -> dict[str, Any]:
        army = ("A", key) in self.borders
        fleet = bool(coasts) or ("F", key) in self.borders
        entry: dict[str, Any] = {"name": names[0]}
        if names[1:]:
            entry["aliases"] = names[1:]
        entry["kind"] = "coastal" if army and fleet else "inland" if army else "sea"
        if key in self.homes:
            entry["centre"] = True
        if army:
            entry["army"] = self._beside("A", key, tags)
        if coasts:
            entry["fleet"] = {coast.upper(): self._beside("F", f"{key}/{coast}", tags) for coast in coasts}
        elif fleet:
            entry["fleet"] = self._beside("F", key, tags)
        return entry

    def _beside(self, kind: str, location: str, tags: dict[str, str]) -> str:
        """The neighbours of a location, without those where no unit of the kind can stand."""
        own = location.partition("/")[0]
        near = []
        for place in dict.fromkeys(self.borders[kind, location]):
            key = place.partition("/")[0]
            if key not in self.names and key not in tags:
                raise MapError(f"{quote(location)} borders on {quote(place)}, which is no province")
            if key != own and key in tags and (kind, place) in self.borders:
                near.append(self._shown(place, tags))
        return " ".join(near)

    def _shown(self, place: str, tags: dict[str, str]) -> str:
        key, slash, coast = place.partition("/")
        if key not in tags:
            raise MapError(f"there is no province {quote(key)}, where a unit starts")
        return f"{tags[key]}{slash}{coast.upper()}"


def _count(text: str) -> int | None:
    """A number of centres to win with; None for another text."""
    return int(text) if text.isdecimal() and len(text) < 4 else None


def _letters(text: str) -> str:
    return re.sub("[^A-Z]", "", plain(text))


def _tags(names: dict[str, str], wanted: Iterable[str]) -> dict[str, str]:
    """A tag of three letters for each key: the wanted one if it can be one, else letters of its name."""
    used = {*RESERVED, *ORDER_WORDS}
    tags: dict[str, str] = {}
    for key, text in zip(names, wanted, strict=True):
        tag = plain(text)
        if _TAG.fullmatch(tag) and tag not in used:
            tags[key] = tag
            used.add(tag)
    for key, name in names.items():
        if key not in tags:
            letters = _letters(f"{name}{key}") or "X"
            digits = (f"{number:02}" for number in range(100))
            ends = ("".join(pair) for pair in combinations(letters[1:13], 2))
            found = (letters[0] + end for group in (ends, digits) for end in group)
            tags[key] = next((tag for tag in found if tag not in used), "")
            if not tags[key]:
                raise MapError(f"no tag of three letters is left for {quote(name)}")
            used.add(tags[key])
    return tags


def sketch_of(text: str, source: str, beside: Beside) -> Sketch | None:
    """The map in a text of another program, None if it is none. `source` is the name of the file, with
    ``#NAME`` after it for one of several variants. Raises MapError."""
    name, _, variant = source.partition("#")
    if text.lstrip().startswith("<"):
        return _jdip(text, variant, beside)
    if _GO.search(text) and "godip" in text:
        return _godip(text)
    if name.lower().endswith(".map") or _TERRAIN.search(text) or _INCLUDE.search(text):
        return _DpjudgeMap(beside).sketch(text)
    return None


# jDip: a VARIANT has powers, centres and units; the file of borders has the provinces.

_ANY_OWNED = {"VALUE_BUILDS_ANY_OWNED", "VALUE_BUILDS_ANY_IF_HOME_OWNED"}


def _jdip(text: str, wanted: str, beside: Beside) -> Sketch:
    variants = _xml(text, "VARIANTS").findall("VARIANT")
    names = [entry.get("name", "") for entry in variants]
    if wanted:
        chosen = [entry for entry in variants if fold(entry.get("name", "")) == fold(wanted)]
    else:
        chosen = [entry for entry in variants if entry.get("default") == "true"] or variants
    if len(chosen) != 1:
        which = f"no variant {quote(wanted)} in it" if wanted else f"{len(names)} variants in it"
        raise MapError(f"{which}; write FILE#NAME with one of: {', '.join(names)}")
    variant = chosen[0]
    sketch = Sketch(variant.get("name", ""))
    place = variant.find("MAP")
    located = _jdip_borders(
        _xml(beside("" if place is None else place.get("adjacencyURI", "")), "PROVINCES"), sketch
    )
    known: dict[str, str] = {}
    for entry in variant.iter("POWER"):
        name = entry.get("name", "")
        if entry.get("active") != "false":
            others = [other.strip() for other in entry.get("altnames", "").split(",") if other.strip()]
            sketch.powers[name] = others
            known.update((fold(word), name) for word in (name, *others))
    for entry in variant.iter("RULEOPTION"):
        value = entry.get("value", "")
        if value in _ANY_OWNED:
            sketch.build_any = True
            if "HOME" in value:
                sketch.notes.append("powers that own none of their homes build too")
        elif value == "VALUE_WINGS_ENABLED":
            raise MapError("it has wings, which are no unit of Bordeaux")
    for entry in variant.iter("SUPPLYCENTER"):
        key = located(entry.get("province", ""))
        home, owner = (known.get(fold(entry.get(what, "none"))) for what in ("homepower", "owner"))
        sketch.homes[key] = [home] if home else []
        if owner:
            sketch.owners[key] = owner
    for entry in variant.iter("INITIALSTATE"):
        kind = {"army": "A", "fleet": "F"}.get(entry.get("unit", "").lower())
        if kind is None:
            raise MapError(f"it has units of the kind {quote(entry.get('unit', ''))}, which Bordeaux has not")
        coast = entry.get("unitcoast", "")
        at = located(entry.get("province", "")) + (f"/{coast.lower()}" if coast and kind == "F" else "")
        if power := known.get(fold(entry.get("power", ""))):
            sketch.units.append((power, kind, at))
    if (time := variant.find("STARTINGTIME")) is not None:
        sketch.set_phase(time.get("turn", ""))
    if (most := variant.find(".//WINNING_SUPPLY_CENTERS")) is not None:
        sketch.winning = _count(most.get("value", ""))
    return sketch


def _jdip_borders(root: ElementTree.Element, sketch: Sketch) -> Callable[[str], str]:
    """Fill in provinces and borders; returns what finds a location by any of its names: ``stp-nc``."""
    if root.find("BORDER_DEFINITIONS/BORDER") is not None:
        raise MapError("some of its borders have conditions, which Bordeaux does not know")
    keys: dict[str, str] = {}
    for entry in root.iter("PROVINCE"):
        key = entry.get("shortname", "").lower()
        others = [other.get("name", "") for other in entry.iter("UNIQUENAME")]
        sketch.names[key] = [entry.get("fullname", key), *others]
        keys.update((fold(name), key) for name in (*sketch.names[key], key))
        if entry.get("isConvoyableCoast") == "true":
            sketch.notes.append(_no_convoy(sketch.names[key][0]))

    def located(name: str) -> str:
        place, _, coast = name.lower().replace("/", "-").partition("-")
        key = keys.get(fold(place), place)
        return f"{key}/{coast}" if coast and coast != "xc" else key

    for entry in root.iter("PROVINCE"):
        key = entry.get("shortname", "").lower()
        for near in entry.iter("ADJACENCY"):
            kind = near.get("type", "mv")
            at = ("A", key) if kind == "mv" else ("F", key if kind == "xc" else f"{key}/{kind}")
            sketch.borders[at] = [located(name) for name in near.get("refs", "").split()]
    return located


def _no_convoy(name: str) -> str:
    return f"a fleet in {name} convoys in the other program, and does not here"


def _xml(text: str, root: str) -> ElementTree.Element:
    if "<!ENTITY" in text:
        raise MapError("it declares entities, which no map needs")
    try:
        # The text is decoded already, whatever its first line says.
        found = ElementTree.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text))
    except ElementTree.ParseError as error:
        raise MapError(f"it is no XML: {error}") from None
    if found.tag != root:
        raise MapError(f"it is XML of the kind {quote(found.tag)}; expected {root}")
    return found


# godip: a chain of calls makes the graph, and literals the start.

_CALL = re.compile(r"\b(Prov|Conn|Flag|SC)\(([^()]*)\)")
_NATION = re.compile(r"\b(\w+)\s+godip\.Nation\s*=\s*\"([^\"]+)\"")
_NATIONS = re.compile(r"Nations\s*[:=]+\s*\[\]godip\.Nation\{([^{}]*)\}")
_UNIT = re.compile(
    r"\"([\w/]+)\":\s*(?:godip\.Unit)?\{(?:Type:\s*)?godip\.(\w+),\s*(?:Nation:\s*)?([\w.]+)\}"
)
_OWNERS = re.compile(r"SetSupplyCenters\(map\[[^{(]*\{([^{}]*)\}")
_OWNER = re.compile(r"\"(\w+)\":\s*([\w.]+)")
_NAMES = re.compile(r"[lL]ongNames\s*=\s*map\[[^{=]*\{([^{}]*)\}")
_NAME = re.compile(r"\"([\w/]+)\":\s*\"([^\"]*)\"")
_BEGIN = re.compile(r"Phase\((\d{1,4}),\s*(?:godip\.)?(\w+),\s*godip\.(\w+)\)")
_SOLO = re.compile(r"SCCountWinner\((\d{1,3})\)")
_FLAGS = {"Sea": "F", "Land": "A", "Coast": "AF", "Archipelago": "AF"}


def _godip(text: str) -> Sketch:
    chain = text.partition("graph.New()")[2]
    if not chain or not (listed := _NATIONS.search(text)):
        raise MapError(
            "this Go file has no graph and nations of its own; variants on the classical board are the starts"
            " fva, gvi and fleet_rome"
        )
    constants = dict(_NATION.findall(text))

    def nation(word: str) -> str:
        word = word.strip()
        return constants.get(word, word.rpartition(".")[2])

    sketch = Sketch()
    sketch.powers = {nation(word): [] for word in listed[1].split(",") if word.strip()}
    for key, name in _NAME.findall(match[1] if (match := _NAMES.search(text)) else ""):
        if "/" not in key:
            sketch.names[key] = [name]
    _godip_graph(chain, sketch, nation)
    for place, kind, power in _UNIT.findall(text):
        if kind not in ("Army", "Fleet"):
            raise MapError(f"it has units of the kind {quote(kind)}, which Bordeaux has not")
        sketch.units.append((nation(power), kind[0], place))
    for key, power in _OWNER.findall(match[1] if (match := _OWNERS.search(text)) else ""):
        sketch.owners[key] = nation(power)
    if match := _BEGIN.search(text):
        # A variant whose year is one season begins with it.
        season = match[2] if match[2] in ("Spring", "Fall") else "Spring"
        if season != match[2]:
            sketch.notes.append(f"its season {match[2]} is counted as Spring and Fall in turn")
        sketch.set_phase(f"{season} {match[1]} {match[3]}")
    sketch.build_any = "BuildAnywhere" in text
    sketch.winning = int(match[1]) if (match := _SOLO.search(text)) else None
    return sketch


def _godip_graph(chain: str, sketch: Sketch, nation: Callable[[str], str]) -> None:
    near: dict[str, list[tuple[str, str]]] = {}
    stands: dict[str, set[str]] = {}
    at = ""
    for call, given in _CALL.findall(chain):
        first, _, flags = given.partition(",")
        kinds = "".join(_FLAGS.get(word, "") for word in re.findall(r"godip\.(\w+)", flags or given))
        match call:
            case "Prov":
                at = first.strip().strip('"')
                near[at] = []
            case "Conn":
                near.setdefault(at, []).append((first.strip().strip('"'), kinds))
            case "Flag":
                stands.setdefault(at, set()).update(kinds)
                if "Archipelago" in given:
                    sketch.notes.append(_no_convoy(sketch.names.get(at, [at])[0]))
            case "SC":
                power = nation(given)
                sketch.homes[at.partition("/")[0]] = [power] if power in sketch.powers else []
    for place, listed in near.items():
        for kind in sorted(stands.get(place, ())):
            if kind == "F" or "/" not in place:
                # A name that has no province stays, and is an error later.
                reached = [name for name, kinds in listed if kind in kinds and kind in stands.get(name, kind)]
                sketch.borders[kind, place] = reached


class _DpjudgeMap:
    """A ``.map`` file of the DPjudge, and so of the package `diplomacy`. In its borders an army cannot use a
    place with one capital letter (``Gre``), and a fleet none in small letters (``gre``); a province in small
    letters is what an army has of one with several coasts.

    Time is linear in the text: no line searches what earlier ones said. Entries are numbered, lines that
    undo some note a number, and in the end only entries with a higher number than that stand.
    """

    def __init__(self, beside: Beside) -> None:
        self.beside = beside
        self.files = self.now = 0
        self.made = Sketch()
        self.places: dict[str, tuple[str, str, int]] = {}
        """By the name in small letters: as written, terrain, number."""
        self.near: dict[str, list[tuple[str, int]]] = {}
        self.apart: dict[str, dict[str, int]] = {}
        """By place: how names begin that are not beside it."""
        self.homes: dict[str, dict[str, int]] = {}
        self.owners: dict[str, tuple[str, int]] = {}
        self.units: dict[str, tuple[str, str, str, int]] = {}
        self.undone: dict[tuple[str, str], int] = {}
        """By kind and name: drop and place, unplayed and power, others and power."""
        self.own: set[str] = set()
        self.power = ""

    def number(self) -> int:
        self.now += 1
        return self.now

    def undo(self, kind: str, name: str) -> None:
        self.undone[kind, name] = self.number()

    def stands(self, number: int, *kinds: tuple[str, str]) -> bool:
        """Whether an entry is there, and nothing of these kinds undid it later."""
        return number > 0 and all(self.undone.get(kind, 0) < number for kind in kinds)

    def sketch(self, text: str) -> Sketch:
        self.read(text)
        made = self.made
        there = {
            low: (place, terrain)
            for low, (place, terrain, number) in self.places.items()
            if self.stands(number, ("drop", low.partition("/")[0]))
        }
        for low, (place, kind) in there.items():
            listed = self.beside_of(low)
            for unit, closed in (("A", "WATER"), ("F", "LAND")):
                if kind in (closed, "SHUT") or (unit == "A" and "/" in low):
                    continue
                if unit == "F" and place.islower():
                    continue
                # An army does not tell coasts apart.
                near = [name.partition("/")[0] if unit == "A" else name for name in listed]
                passed = str.istitle if unit == "A" else str.islower
                made.borders[unit, low] = [
                    name.lower()
                    for name in near
                    if not passed(name) and there.get(name.lower(), ("", ""))[1] not in (closed, "SHUT")
                ]
            if kind == "PORT" and place.isupper():
                made.notes.append(_no_convoy(made.names.get(low, [place])[0]))
        for key, (power, number) in self.owners.items():
            if self.stands(number, ("unplayed", power), ("owns", power)):
                made.owners[key] = power
        for key, homes in self.homes.items():
            made.homes[key] = [
                power
                for power, number in homes.items()
                if self.stands(number, ("unplayed", power), ("homes", power))
            ]
            for power in made.homes[key]:
                if power not in self.own:
                    made.owners.setdefault(key, power)
        made.units = [
            (power, kind, place)
            for power, kind, place, number in self.units.values()
            if self.stands(number, ("unplayed", power), ("units", power), ("drop", place.partition("/")[0]))
        ]
        made.powers = dict(sorted(made.powers.items()))
        return made

    def beside_of(self, low: str) -> list[str]:
        """The names beside a place that no later line took away."""
        apart = self.apart.get(low, {})
        return [
            name
            for name, number in self.near[low]
            if self.stands(number, ("drop", name.lower().partition("/")[0]))
            and (not apart or all(apart.get(name[:end].upper(), 0) < number for end in range(len(name) + 1)))
        ]

    def read(self, text: str) -> None:
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            if words and not words[0].startswith("#"):
                try:
                    self.line(line, words)
                except MapError as error:
                    raise MapError(f"line {number}: {error}") from None

    def line(self, line: str, words: list[str]) -> None:
        first, rest, made = words[0].upper(), words[1:], self.made
        if first in ("USE", "USES", "MAP"):
            for name in rest:
                self.files += 1
                if self.files > MOST_FILES:
                    raise MapError(f"it includes more than {MOST_FILES} files")
                self.read(self.beside(name if "." in name else f"{name}.map"))
        elif first == "BEGIN":
            made.set_phase(" ".join(rest))
        elif first in ("RULE", "RULES"):
            made.build_any = made.build_any or "BUILD_ANY" in rest
            made.notes += [f"its rule {rule} is not known" for rule in rest if rule != "BUILD_ANY"]
        elif first == "VICTORY":
            made.winning = _count(rest[0]) if rest else None
        elif "=" in line:
            self.names(line)
        elif first in ("AMEND", "WATER", "LAND", "COAST", "PORT", "SHUT") and rest:
            self.place(first, rest[0], [word for word in rest[1:] if word.upper() != "ABUTS"])
        elif first == "DROP":
            for place in rest:
                self.drop(place.lower())
        elif first == "UNPLAYED":
            self.unplayed([word.upper().rstrip(",") for word in rest])
        elif first in ("DUMMY", "DUMMIES"):
            made.notes.append("a power without a player is one like the others here")
        else:
            self.of_power(first, rest)

    def names(self, line: str) -> None:
        name, _, listed = line.partition("=")
        words = listed.split()
        if not words or "->" in name:
            raise MapError(f"{quote(line.strip())} names no province")
        if "/" not in words[0]:
            others = [word.replace("+", " ") for word in words[1:] if word[-1] != "?" and "/" not in word]
            self.made.names[words[0].lower()] = [name.strip(), *others]

    def place(self, terrain: str, place: str, near: list[str]) -> None:
        low = place.lower()
        if terrain != "AMEND":
            self.places.pop(low, None)
            self.places[low] = place, terrain, self.number()
            self.near[low] = []
        else:
            known = self.places.get(low, ("", "", 0))
            if known[0] != place or not self.stands(known[2], ("drop", low.partition("/")[0])):
                raise MapError(f"AMEND of {quote(place)}, which is no province")
        for name in near:
            if len(name) > LONGEST_NAME:
                raise MapError(f"{quote(name)} is longer than the name of a province")
            if name.startswith("-"):
                self.apart.setdefault(low, {})[name[1:].upper()] = self.number()
            else:
                self.near[low].append((name, self.number()))

    def drop(self, key: str) -> None:
        self.undo("drop", key)
        self.made.names.pop(key, None)
        self.homes.pop(key, None)
        self.owners.pop(key, None)

    def unplayed(self, words: list[str]) -> None:
        gone = {_letters(word) for word in words} if words else {self.power}
        if words[:1] == ["ALL"]:
            gone = set(self.made.powers) - {_letters(word) for word in words[2:]}
        for power in gone:
            self.made.powers.pop(power, None)
            self.undo("unplayed", power)
        self.own -= gone
        self.power = ""

    def of_power(self, first: str, rest: list[str]) -> None:
        if first in ("UNOWNED", "NEUTRAL") or (first == "CENTERS" and not self.power):
            self.power = ""
            self.at_home(rest)
        elif first in ("OWNS", "CENTERS", "INHABITS", "HOME", "HOMES", "UNITS", "A", "F") and not self.power:
            raise MapError(f"{first} before any power")
        elif first in ("OWNS", "CENTERS"):
            if first == "CENTERS":
                self.undo("owns", self.power)
            self.own.add(self.power)
            for key in rest:
                self.owners[key.lower()] = self.power, self.number()
                self.homes.setdefault(key.lower(), {})
        elif first in ("INHABITS", "HOME", "HOMES"):
            if first != "INHABITS":
                self.undo("homes", self.power)
            self.at_home(rest)
        elif first == "UNITS":
            self.undo("units", self.power)
        elif first in ("A", "F"):
            if len(rest) != 1:
                raise MapError(f"{quote(' '.join((first, *rest)))} is no unit")
            place = rest[0].lower()
            self.units.pop(place[:3], None)
            self.units[place[:3]] = self.power, first, place, self.number()
        else:
            self.power = _letters(first)
            if not self.power or rest[:1] == ["->"]:
                raise MapError(f"{quote(first)} is no word of a map, and no power")
            self.made.powers.setdefault(self.power, [])
            self.at_home(rest[1:] if rest and rest[0].startswith("(") else rest)

    def at_home(self, keys: list[str]) -> None:
        for word in keys:
            homes = self.homes.setdefault(word.lower().lstrip("-"), {})
            if word.startswith("-"):
                homes.pop(self.power, None)
            elif self.power:
                kept = homes.get(self.power, 0)
                if not self.stands(kept, ("homes", self.power), ("unplayed", self.power)):
                    homes.pop(self.power, None)
                    homes[self.power] = self.number()


def toml_of(tables: dict[str, Any]) -> str:
    """The text of a map file with these tables."""
    lines = [f"{key} = {_value(value)}" for key, value in tables.items() if not isinstance(value, dict)]
    for part in ("powers", "provinces"):
        for name, entry in tables[part].items():
            lines += ["", f"[{part}.{name}]", *(f"{key} = {_value(value)}" for key, value in entry.items())]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(entry)}" for key, entry in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
