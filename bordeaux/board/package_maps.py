"""Maps of the PyPI package `diplomacy` (``.map``), as the tables of our map files (`bordeaux.board.mapfile`).

In their borders an army cannot use a place with one capital letter (``Gre``), and a fleet none in small
letters (``gre``); a province in small letters is what an army has of one with several coasts. What our rules
do not have becomes a note, or an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from bordeaux.board.errors import MapError, quote
from bordeaux.board.mapcheck import MOST_POWERS, ORDER_WORDS, RESERVED
from bordeaux.board.order import fold, plain

Beside = Callable[[str], str]
"""Gives the text of another file in the folder of a map. Raises MapError."""

MOST_FILES = 8
"""Most files that a map includes."""
_TERRAINS = {"WATER": "F", "LAND": "A", "COAST": "AF", "PORT": "AF", "SHUT": ""}
"""The units that can stand in each kind of place."""
_UNREAD = {"AMEND", "CENTERS", "DROP", "HOME", "HOMES", "INHABITS", "OWNS", "UNITS", "VICTORY"}
"""Words of the DPjudge that no map of the package has."""
_TAG = re.compile(r"[A-Z][A-Z0-9]{2}", re.ASCII)
_WHEN = re.compile(r"(SPRING|FALL|AUTUMN|WINTER)\s+(\d{1,4})\s+([A-Z])", re.ASCII)
_SIGN = re.compile(
    r"^[ \t]*(?:(?i:LAND|COAST|WATER)[ \t]+\S+[ \t]+(?i:ABUTS)\b|MAP[ \t]+[\w.-]+[ \t]*$)", re.MULTILINE
)


@dataclass
class _Player:
    """What a power has at the start; provinces in small letters, units as kind and place."""

    homes: dict[str, None] = field(default_factory=dict)
    units: list[tuple[str, str]] = field(default_factory=list)


def package_map(text: str, source: str, beside: Beside) -> tuple[dict[str, Any], list[str]] | None:
    """The tables of a map file, and notes; None for a text that is no map of the package by the name of its
    file, nor by its lines. Raises MapError."""
    if not source.lower().endswith(".map") and _SIGN.search(text) is None:
        return None
    made = _PackageMap(text, beside)
    return made.tables(), made.notes


class _PackageMap:
    """A map under its own names: provinces in small letters (``spa``), places with their coast
    (``spa/nc``)."""

    def __init__(self, text: str, beside: Beside) -> None:
        self.notes: list[str] = []
        self._beside = beside
        self._files = 0
        self._phase = "S1901M"
        self._names: dict[str, list[str]] = {}
        self._places: dict[str, tuple[str, str, list[str]]] = {}
        """By place: its name as written, its terrain, and the names beside it."""
        self._centres: dict[str, None] = {}
        self._players: dict[str, _Player] = {}
        self._power = ""
        self._build_any = False
        self._read(text)

    def _read(self, text: str) -> None:
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            if words and not words[0].startswith("#"):
                try:
                    self._line(line, words)
                except MapError as error:
                    raise MapError(f"line {number}: {error}") from None

    def _line(self, line: str, words: list[str]) -> None:
        first, rest = words[0].upper(), words[1:]
        if first in ("USE", "USES", "MAP"):
            for name in rest:
                self._files += 1
                if self._files > MOST_FILES:
                    raise MapError(f"it includes more than {MOST_FILES} files")
                self._read(self._beside(name if "." in name else f"{name}.map"))
        elif first == "BEGIN":
            self._phase = _phase(" ".join(rest))
        elif first in ("RULE", "RULES"):
            self._build_any = self._build_any or "BUILD_ANY" in rest
            self.notes += [f"its rule {rule} is not known" for rule in rest if rule != "BUILD_ANY"]
        elif first in _UNREAD:
            raise MapError(f"{first} is no word of the maps of the package")
        elif "=" in line:
            self._name(line)
        elif first in _TERRAINS and rest:
            low = rest[0].lower()
            self._places.pop(low, None)
            self._places[low] = rest[0], first, [word for word in rest[1:] if word.upper() != "ABUTS"]
        elif first == "UNPLAYED":
            for word in rest or [self._power]:
                if self._players.pop(_letters(word), None) is None:
                    raise MapError(f"UNPLAYED {quote(word)}, which is no power")
            self._power = ""
        elif first in ("DUMMY", "DUMMIES"):
            self.notes.append("a power without a player is one like the others here")
        else:
            self._of_power(first, rest)

    def _name(self, line: str) -> None:
        name, _, listed = line.partition("=")
        words = listed.split()
        if not words or "->" in name:
            raise MapError(f"{quote(line.strip())} names no province")
        if "/" not in words[0]:
            others = [word.replace("+", " ") for word in words[1:] if word[-1] != "?" and "/" not in word]
            self._names[words[0].lower()] = [name.strip(), *others]

    def _of_power(self, first: str, rest: list[str]) -> None:
        homes = [word.lower() for word in rest if not word.startswith("(")]
        if first in ("UNOWNED", "NEUTRAL"):
            self._power = ""
        elif first not in ("A", "F"):
            self._power = _letters(first)
            if not self._power or rest[:1] == ["->"]:
                raise MapError(f"{quote(first)} is no word of a map, and no power")
            self._players.setdefault(self._power, _Player()).homes.update(dict.fromkeys(homes))
        elif not self._power:
            raise MapError(f"{first} before any power")
        elif len(rest) != 1:
            raise MapError(f"{quote(' '.join((first, *rest)))} is no unit")
        else:
            self._players[self._power].units.append((first, rest[0].lower()))
            return
        self._centres.update(dict.fromkeys(homes))

    def _borders(self) -> dict[tuple[str, str], list[str]]:
        """The places beside each, by kind of unit. An army does not tell coasts apart."""
        borders: dict[tuple[str, str], list[str]] = {}
        for low, (place, terrain, near) in self._places.items():
            stands = _TERRAINS[terrain]
            if "A" in stands and "/" not in low:
                names = (name.partition("/")[0] for name in near)
                borders["A", low] = [name.lower() for name in names if not name.istitle()]
            if "F" in stands and not place.islower():
                borders["F", low] = [name.lower() for name in near if not name.islower()]
            if terrain == "PORT" and place.isupper():
                name = self._names.get(low, [place])[0]
                self.notes.append(f"a fleet in {name} convoys in the package, and does not here")
        for _, low in [*borders]:
            if "/" in low:
                borders.pop(("F", low.partition("/")[0]), None)
        return borders

    def tables(self) -> dict[str, Any]:
        """The tables of a map file. Raises MapError for a border on nothing."""
        borders = self._borders()
        places: dict[str, list[str]] = {}
        for _, low in borders:
            key, slash, coast = low.partition("/")
            places.setdefault(key, []).extend([coast] * bool(slash))
        opened = {at.partition("/")[0] for (_, at), near in borders.items() if set(near) - {at}}
        places = {key: coasts for key, coasts in places.items() if key in opened}
        tags = _tags({key: self._names.get(key, [key])[0] for key in places}, places)
        names = self._listed(tags)
        known = self._names.keys() | {low.partition("/")[0] for low in self._places}

        def shown(place: str) -> str:
            key, slash, coast = place.partition("/")
            if key not in tags:
                raise MapError(f"there is no province {quote(key)}, where a unit starts")
            return f"{tags[key]}{slash}{coast.upper()}"

        def beside(kind: str, location: str) -> str:
            """The neighbours of a location, without those where no unit of the kind can stand."""
            near = [(place, place.partition("/")[0]) for place in dict.fromkeys(borders[kind, location])]
            for place, key in near:
                if key not in known:
                    raise MapError(f"{quote(location)} borders on {quote(place)}, which is no province")
            own = location.partition("/")[0]
            return " ".join(
                shown(place) for place, key in near if key != own and key in tags and (kind, place) in borders
            )

        provinces: dict[str, dict[str, Any]] = {}
        for key, coasts in places.items():
            army, fleet = ("A", key) in borders, bool(coasts) or ("F", key) in borders
            entry = provinces[tags[key]] = {"name": names[key][0]}
            entry |= {"aliases": names[key][1:]} if names[key][1:] else {}
            entry |= {"centre": True} if key in self._centres else {}
            entry |= {"army": beside("A", key)} if army else {}
            if coasts:
                entry["fleet"] = {coast.upper(): beside("F", f"{key}/{coast}") for coast in coasts}
            elif fleet:
                entry["fleet"] = beside("F", key)
        if len(self._players) > MOST_POWERS:
            raise MapError(f"{len(self._players)} powers; a map has at most {MOST_POWERS}")
        players = sorted(self._players)
        short = _tags(dict(zip(players, players, strict=True)), (power[:3] for power in players))
        centres = [key for key in places if key in self._centres]
        owners: dict[str, str] = {}
        for power, player in self._players.items():
            for key in player.homes:
                owners.setdefault(key, power)
        powers = {
            power: {
                "tag": short[power],
                "homes": " ".join(tags[key] for key in centres if self._build_any or key in player.homes),
                "centres": " ".join(tags[key] for key in centres if owners.get(key) == power),
                "units": [f"{kind} {shown(place)}" for kind, place in player.units],
            }
            for power, player in sorted(self._players.items())
        }
        if changed := [f"{key.upper()} is {tag}" for key, tag in tags.items() if plain(key) != tag]:
            self.notes.append(f"other tags here: {', '.join(changed)}")
        if self._build_any:
            self.notes.append("powers build in every centre they own: each centre is a home of all")
        return {"title": "", "phase": self._phase, "powers": powers, "provinces": provinces}

    def _listed(self, tags: dict[str, str]) -> dict[str, list[str]]:
        """The full name and other names of each province, without those that another one has."""
        taken = {fold(tag): key for key, tag in tags.items()}
        listed: dict[str, list[str]] = {key: [] for key in tags}
        for first in (True, False):
            for key, names in listed.items():
                given = self._names.get(key, [])
                names += [
                    name
                    for name in (given[:1] if first else (*given[1:], key))
                    if len(fold(name)) > 1 and taken.setdefault(fold(name), key) == key
                ] or [tags[key]] * first
        return {
            key: [full, *(name for name in dict.fromkeys(others) if fold(name) != fold(tags[key]))]
            for key, (full, *others) in listed.items()
        }


def _phase(text: str) -> str:
    """The first phase: ``Spring 1901 Movement`` is S1901M."""
    if not (match := _WHEN.search(text.upper())):
        raise MapError(f"{quote(text)} is no first phase; expected one like Spring 1901 Movement")
    kind = match[3] if match[3] in "MRA" else "M"
    return f"{'W' if kind == 'A' else 'S' if match[1] == 'SPRING' else 'F'}{int(match[2])}{kind}"


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
            ends = [*map("".join, combinations(letters[1:13], 2)), *(f"{number:02}" for number in range(100))]
            tags[key] = next((tag for end in ends if (tag := letters[0] + end) not in used), "")
            if not tags[key]:
                raise MapError(f"no tag of three letters is left for {quote(name)}")
            used.add(tags[key])
    return tags


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
