"""Map files: TOML with the powers, then one table for each province.

A province gives its `name`, `kind` (inland, coastal, sea), whether it is a `centre`, other
`aliases`, its tag in `daide` where that differs, and its borders: `army` lists the provinces that
an army can move to; `fleet` the locations that a fleet can, or a table with one list for each
coast. Every border must be listed from both sides.
"""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

from bordeaux.board.errors import MapError, nearest, quote
from bordeaux.board.map import KINDS, Map, Province
from bordeaux.board.phase import Phase
from bordeaux.board.unit import Unit

__all__ = ["bundled_maps", "load_map", "parse_map"]


def bundled_maps() -> tuple[str, ...]:
    """Names of the maps that come with Bordeaux."""
    folder = resources.files("bordeaux.board") / "data"
    return tuple(sorted(e.name.removesuffix(".toml") for e in folder.iterdir() if e.name.endswith(".toml")))


def load_map(name: str | Path) -> Map:
    """Load a bundled map by name or a map file by path. Raises MapError with the line at fault."""
    bundled = bundled_maps()
    if str(name) in bundled:
        text = (resources.files("bordeaux.board") / "data" / f"{name}.toml").read_text("utf-8")
        return parse_map(text, f"{name}.toml")
    try:
        return parse_map(Path(name).read_text("utf-8"), str(name))
    except OSError as error:
        hint = nearest(str(name), bundled)
        raise MapError(f"no map {quote(str(name))}: {error.strerror}{hint}; maps: {', '.join(bundled)}") from None
    except UnicodeDecodeError:
        raise MapError(f"map {quote(str(name))} is not UTF-8 text") from None


def parse_map(text: str, source: str = "map") -> Map:
    """Build a map from the text of a map file. Raises MapError with file and line at fault."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MapError(f"{source}: {error}") from None
    return _Reader(data, text, source).map()


class _Reader:
    """Checks one map file piece by piece, and names the line of the piece that is wrong."""

    def __init__(self, data: dict[str, Any], text: str, source: str) -> None:
        self.data = data
        self.lines = text.splitlines()
        self.source = source

    def fail(self, message: str, *marks: str) -> MapError:
        """The error for a piece; `marks` are texts that lead to its line, each after the one before."""
        line = 0
        for mark in marks:
            line = next((i for i in range(line, len(self.lines)) if mark in self.lines[i]), line)
        place = f"{self.source}, line {line + 1}" if marks else self.source
        return MapError(f"{place}: {message}")

    def map(self) -> Map:
        powers, homes, unit_texts = self.powers()
        provinces = self.provinces(homes)
        borders = self.borders({province.name: province for province in provinces})
        self.check_both_ways(borders)
        units = [self.unit(power, text, borders) for power, text in unit_texts]
        try:
            return Map(
                str(self.data.get("name", self.source)),
                str(self.data.get("title", "")),
                Phase.parse(self.data.get("phase", "S1901M")),
                powers,
                provinces,
                borders,
                units,
            )
        except MapError:
            raise
        except ValueError as error:
            raise MapError(f"{self.source}: {error}") from None

    def table(self, parent: dict[str, Any], key: str) -> dict[str, Any]:
        found = parent.get(key)
        if not isinstance(found, dict) or not found:
            raise self.fail(f"table {quote(key)} is missing or empty")
        return found

    def words(self, value: Any, *marks: str) -> list[str]:
        if not isinstance(value, str):
            raise self.fail(f"expected names in one text, got {quote(value)}", *marks)
        return value.split()

    def powers(self) -> tuple[dict[str, str], dict[str, list[str]], list[tuple[str, str]]]:
        tags: dict[str, str] = {}
        homes: dict[str, list[str]] = {}
        units: list[tuple[str, str]] = []
        for power, entry in self.table(self.data, "powers").items():
            mark = f"[powers.{power}]"
            if not isinstance(entry, dict):
                raise self.fail(f"power {power} is not a table", "[powers")
            tags[power] = str(entry.get("tag", power[:3]))
            for home in self.words(entry.get("homes", ""), mark, "homes"):
                if home not in self.table(self.data, "provinces"):
                    known = self.data["provinces"]
                    raise self.fail(f"unknown home {quote(home)} of {power}{nearest(home, known)}", mark, home)
                homes.setdefault(home, []).append(power)
            units.extend((power, str(text)) for text in entry.get("units", []))
        return tags, homes, units

    def provinces(self, homes: dict[str, list[str]]) -> list[Province]:
        provinces = []
        for index, (tag, entry) in enumerate(self.table(self.data, "provinces").items()):
            mark = f"[provinces.{tag}]"
            kind = entry.get("kind") if isinstance(entry, dict) else None
            if kind not in KINDS:
                raise self.fail(f"{tag} has kind {quote(kind)}; write inland, coastal or sea", mark, "kind")
            fleet = entry.get("fleet", {})
            if tag in homes and not entry.get("centre"):
                raise self.fail(f"{tag} is a home but not a centre", mark)
            provinces.append(
                Province(
                    index,
                    tag,
                    str(entry.get("name", tag)),
                    kind,
                    tuple(fleet) if isinstance(fleet, dict) else (),
                    tuple(str(alias) for alias in entry.get("aliases", ())),
                    bool(entry.get("centre", False)),
                    tuple(homes.get(tag, ())),
                    str(entry.get("daide", tag)),
                )
            )
        return provinces

    def borders(self, provinces: dict[str, Province]) -> dict[tuple[str, str], tuple[str, ...]]:
        borders: dict[tuple[str, str], tuple[str, ...]] = {}
        for tag, province in provinces.items():
            entry = self.data["provinces"][tag]
            mark = f"[provinces.{tag}]"
            if province.kind != "sea":
                borders["A", tag] = tuple(self.words(entry.get("army", ""), mark, "army"))
            elif entry.get("army"):
                raise self.fail(f"{tag} is a sea and cannot list army borders", mark, "army")
            if province.kind == "inland":
                if entry.get("fleet"):
                    raise self.fail(f"{tag} is inland and cannot list fleet borders", mark, "fleet")
                continue
            for coast in province.coasts:
                borders["F", f"{tag}/{coast}"] = tuple(self.words(entry["fleet"][coast], mark, "fleet"))
            if not province.coasts:
                borders["F", tag] = tuple(self.words(entry.get("fleet", ""), mark, "fleet"))
        return borders

    def check_both_ways(self, borders: dict[tuple[str, str], tuple[str, ...]]) -> None:
        for (kind, location), neighbours in borders.items():
            mark = f"[provinces.{location.partition('/')[0]}]"
            field = "army" if kind == "A" else "fleet"
            for neighbour in neighbours:
                if (kind, neighbour) not in borders:
                    known = [name for each, name in borders if each == kind]
                    hint = nearest(neighbour, known)
                    raise self.fail(f"{kind} {location} borders on unknown {quote(neighbour)}{hint}", mark, field)
                if location not in borders[kind, neighbour]:
                    raise self.fail(f"{kind} {location} - {neighbour} is a one-way border", mark, field)
            if len(set(neighbours)) != len(neighbours):
                raise self.fail(f"{kind} {location} lists a border twice", mark, field)

    def unit(self, power: str, text: str, borders: dict[tuple[str, str], tuple[str, ...]]) -> Unit:
        kind, _, location = text.partition(" ")
        if (kind, location) not in borders:
            raise self.fail(f"{power} cannot start with {quote(text)}", f"[powers.{power}]", "units")
        return Unit(power, kind, location)
