"""The map: provinces, locations, borders, centres and homes.

A `Map` is immutable. It is built from a draft that was read from a data file (`bordeaux.board.mapfile`) or
a message (`bordeaux.board.mapmessage`). It is compiled once into the tables of the core.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bordeaux._ext.rules.tables import Tables
from bordeaux.board.errors import MapError, nearest, of_kind, quote
from bordeaux.board.mapcheck import Draft
from bordeaux.board.mapfile import bundled_name, known_maps, load_draft, read_draft
from bordeaux.board.order import KINDS, STANDS, Location, Province, Unit, fold
from bordeaux.board.phase import Phase


class Map:
    """A board. `borders` gives for every (kind, location name) its neighbours, location names in the order of
    the map. `start_centres` gives the owners at the start, by default unshared homes; `aliases` other names
    of powers.

    Use `Map.standard`, `Map.load`, `parse_map` or `bordeaux.formats.daide`, which check their input. This
    constructor does not check it, and raises MapError only for what the core cannot hold.
    """

    def __init__(
        self,
        name: str,
        title: str,
        phase: Phase,
        powers: Mapping[str, str],
        provinces: Iterable[Province],
        borders: Mapping[tuple[str, str], tuple[str, ...]],
        start_units: Iterable[Unit],
        start_centres: Mapping[str, Iterable[str]] | None = None,
        aliases: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        self.name = name
        self.title = title
        self.start_phase = phase
        self.powers = tuple(powers)
        self.tags = dict(powers)
        self.provinces = tuple(provinces)
        self.start_units = tuple(start_units)
        self._by_tag = {province.name: province for province in self.provinces}
        self.locations = tuple(
            Location(number, location, kind, self._by_tag[location.partition("/")[0]].index)
            for number, (kind, location) in enumerate(borders)
        )
        self._locations = {(location.kind, location.name): location for location in self.locations}
        self._borders = dict(borders)
        self.centres = tuple(province.name for province in self.provinces if province.centre)
        self.majority = len(self.centres) // 2 + 1
        """The number of centres of a solo: more than half of all."""
        self.homes = {
            power: tuple(province.name for province in self.provinces if power in province.homes)
            for power in self.powers
        }
        owned = self._unshared_homes() if start_centres is None else start_centres
        self.start_centres = {power: tuple(tags) for power, tags in owned.items() if tags}
        self._names = self._index_names()
        self.aliases = {power: tuple(names) for power, names in (aliases or {}).items() if names}
        names = [(alias, power) for power, listed in self.aliases.items() for alias in listed]
        names += [*((name, name) for name in self.powers), *((tag, name) for name, tag in powers.items())]
        self._power_names = {fold(name): power for name, power in names}
        self._coasts: dict[tuple[str, str], tuple[Location, ...]] = {}
        for location in self.locations:
            key = location.kind, self.provinces[location.province].name
            self._coasts[key] = (*self._coasts.get(key, ()), location)
        self.tables = self._compile()
        self.tokens = {
            Unit(power, location.kind, location.name): (number + 1) << 10 | location.index
            for number, power in enumerate(self.powers)
            for location in self.locations
        }
        self.units_by_token = {token: unit for unit, token in self.tokens.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a bundled map as its name, so that processes share what each has loaded."""
        if self.name in known_maps() and Map.load(self.name) is self:
            return Map.load, (self.name,)
        start = self.start_units, self.start_centres, self.aliases
        return Map, (
            self.name,
            self.title,
            self.start_phase,
            self.tags,
            self.provinces,
            self._borders,
            *start,
        )

    def _unshared_homes(self) -> dict[str, tuple[str, ...]]:
        return {
            power: tuple(province.name for province in self.provinces if province.home_of == power)
            for power in self.powers
        }

    def _index_names(self) -> dict[str, Province]:
        names: dict[str, Province] = {}
        for province in self.provinces:
            for name in (province.full, *province.aliases, province.daide):
                names.setdefault(fold(name), province)
        names.update({fold(province.name): province for province in self.provinces})
        return names

    def check_end(self, year: int | None, name: str) -> None:
        """Raise MapError if a game cannot end by a last year, which is given as `name`; None is no last
        year."""
        if year is not None and year < self.start_phase.year:
            raise MapError(f"{name} {year}: games on map {self.name} begin in {self.start_phase.year}")

    def _compile(self) -> Tables:
        for province in self.provinces:
            # The core reads these places without asking whether they are there.
            stands = {kind for kind in "AF" if self.locations_in(kind, province.name)}
            if stands != set(STANDS[province.kind]):
                raise MapError(f"{province.name} is {province.kind}, which its borders are not")
        number = {power: index for index, power in enumerate(self.powers)}
        by_name = sorted(self.provinces, key=lambda province: province.full.upper())
        rank = {province.index: place for place, province in enumerate(by_name)}
        parts = (
            len(self.powers),
            [
                (KINDS.index(p.kind), p.centre, sum(1 << number[power] for power in p.homes))
                for p in self.provinces
            ],
            [
                (
                    location.province,
                    location.kind == "F",
                    [
                        self._locations[location.kind, neighbour].index
                        for neighbour in self._borders[location.kind, location.name]
                    ],
                )
                for location in self.locations
            ],
            [rank[province.index] for province in self.provinces],
        )
        try:
            return Tables(*parts)
        except ValueError as error:
            raise MapError(f"map {self.name}: {error}") from None

    @classmethod
    def of(cls, draft: Draft) -> Map:
        """The map of a checked draft. Raises MapError for what the core cannot hold."""
        return cls(
            draft.name,
            draft.title,
            draft.phase,
            draft.powers,
            draft.provinces,
            draft.borders,
            draft.units,
            draft.centres,
            draft.aliases,
        )

    @staticmethod
    def standard() -> Map:
        """The standard map of Europe: 75 provinces, 34 centres, seven powers."""
        return Map.load("standard")

    @staticmethod
    def load(name: str | Path | Map = "standard") -> Map:
        """Load a bundled map or start by any of its names, or a map file by path; once in a process. A map is
        returned as it is. Raises MapError."""
        if isinstance(name, Map):
            return name
        if not isinstance(name, str | Path):
            raise MapError(f"a map is a Map, a name or a path, not {quote(name)}")
        return _loaded(bundled_name(str(name)) or str(name))

    def province(self, name: str) -> Province:
        """Find a province by tag, full name or alias, in any case. Raises MapError."""
        of_kind("a province", name, str, "a text like 'PAR'", MapError)
        province = self._by_tag.get(name) or self._names.get(fold(name))
        if province is None:
            choices = [*self._by_tag, *(province.full for province in self.provinces)]
            raise MapError(f"unknown province {quote(name)}{nearest(name, choices)}")
        return province

    def location(self, kind: str, name: str) -> Location:
        """Find the location of a unit of `kind` (A, F) by name, ``SPA/SC``. Raises MapError."""
        if not (isinstance(kind, str) and isinstance(name, str)):
            raise MapError(f"a unit has a kind and a place, like 'A' and 'PAR', not {quote((kind, name))}")
        location = self._locations.get((kind, name))
        if location is not None:
            return location
        tag, slash, coast = name.partition("/")
        province = self.province(tag)
        if kind not in ("A", "F"):
            raise MapError(f"unknown kind of unit {quote(kind)}; write A or F")
        if kind == "A" and province.kind == "sea":
            raise MapError(f"an army cannot stand in {province.full} ({province.name}), a sea")
        if kind == "F" and province.kind == "inland":
            raise MapError(f"a fleet cannot stand in {province.full} ({province.name}), which has no coast")
        wanted = f"{province.name}/{coast.upper()}" if slash else province.name
        location = self._locations.get((kind, wanted))
        if location is not None:
            return location
        if kind == "F" and province.coasts:
            coasts = " or ".join(f"{province.name}/{coast}" for coast in province.coasts)
            raise MapError(f"a fleet in {province.full} stands on a coast: write {coasts}, not {quote(name)}")
        raise MapError(f"{province.full} has no coast {quote(coast)} for {kind}; write {province.name}")

    def locations_in(self, kind: str, province: str) -> tuple[Location, ...]:
        """The locations of a kind of unit in a province given by its tag; one for each coast."""
        return self._coasts.get((kind, province), ())

    def adjacent(self, kind: str, name: str) -> tuple[str, ...]:
        """Locations that a unit of `kind` in location `name` can move to, without convoys."""
        location = self.location(kind, name)
        return self._borders[location.kind, location.name]

    def has_borders_of(self, other: Map) -> bool:
        """Whether this map has the same places as another one, with the same borders."""
        ours, theirs = (
            {place: frozenset(near) for place, near in map._borders.items()} for map in (self, other)
        )
        return ours == theirs

    def is_like(self, other: Map) -> bool:
        """Whether positions on both maps mean the same: the same powers, provinces and borders."""
        return self is other or (
            (self.powers, self.provinces, self._borders) == (other.powers, other.provinces, other._borders)
        )

    def distance(self, kind: str, name: str) -> dict[str, int]:
        """Moves from a location to every province that it can reach (Hall and Loeb 1995, note 7)."""
        moves = self.tables.distances(self.location(kind, name).index)
        return {p.name: moves[p.index] for p in self.provinces if moves[p.index] != 255}

    def known_power(self, name: str) -> str:
        """Full name of a power given by name, alias or three-letter tag, in any case, or "" if it is none."""
        return name if name in self.tags else self._power_names.get(fold(name), "")

    def power(self, name: str) -> str:
        """As `known_power`, but raises MapError if it is none."""
        text = name if isinstance(name, str) else repr(name)
        power = self.known_power(text) if text is name else ""
        if not power:
            raise MapError(
                f"unknown power {quote(text)}{nearest(text, self.powers)} (powers: {', '.join(self.powers)})"
            )
        return power

    def __repr__(self) -> str:
        return f"<Map {self.name}: {len(self.provinces)} provinces, {len(self.powers)} powers>"


def load_map(name: str | Path) -> Map:
    """Load a bundled map by name or a map file by path. Raises MapError with the wrong line."""
    return Map.of(load_draft(name))


_loaded = functools.cache(load_map)


def parse_map(text: str, source: str = "map") -> Map:
    """Build a map from the text of a map file. Raises MapError with file and line."""
    return Map.of(read_draft(text, source))
