"""A position: an immutable, hashable value, its packed form for the core, and its form in JSON.

The form in JSON is that of ``diplomacy.Game.get_state()``. ``name`` is the phase; ``units`` and ``centers``
list by power, with ``*`` before a dislodged unit. ``retreats`` gives each dislodged unit its possible
retreats. ``homes`` and ``builds`` follow from the rest and are written too. On input ``homes``, if present,
must be homes of the map: all of them or, as some programs write, those that a power still owns. ``map``
names a bundled map; it is written for maps other than the standard one. Other keys are ignored.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.metadata import entry_points
from typing import Any, TypeVar

from bordeaux._ext.rules.packed import Packed
from bordeaux.board.errors import FormatError, MapError, PositionError, of_kind, placed, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Dislodged, Order, Unit
from bordeaux.board.phase import Phase
from bordeaux.board.pieces import (
    field,
    named_map,
    open_retreats,
    power_lists,
    read_power,
    read_unit,
    string_list,
    table,
)
from bordeaux.board.submission import submit

STANDARD = "standard"
GROUP = "bordeaux.pictures"
T = TypeVar("T")


def picture_of(name: str, shown: object) -> str | None:
    """A value as SVG, drawn by the entry point of that name; None if none is installed."""
    for entry in entry_points(group=GROUP, name=name):
        drawn: str | None = entry.load()(shown)
        return drawn
    return None


class Position:
    """The units, the owners of centres, and the phase.

    `units` are sorted by power and location, `owners` follow ``map.centres``, `dislodged` is empty outside
    retreat phases. The constructor checks everything and raises PositionError.
    """

    __slots__ = ("_hash", "_packed", "_standing", "dislodged", "map", "owners", "phase", "units")

    map: Map
    phase: Phase
    units: tuple[Unit, ...]
    owners: tuple[str | None, ...]
    dislodged: tuple[Dislodged, ...]
    _packed: Packed | None
    _hash: int | None
    _standing: dict[str, Unit] | None

    def __init__(
        self,
        map: Map,
        phase: Phase | str,
        units: Iterable[Unit],
        centres: Mapping[str, Iterable[str]],
        dislodged: Iterable[Dislodged] = (),
        homes: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        _require("map", map, Map, "a Map")
        of_phase = _require("phase", phase, str | Phase, "a Phase or a text like 'S1901M'")
        checked = Phase.parse(of_phase) if isinstance(of_phase, str) else of_phase.checked()
        standing = tuple(_check_unit(map, unit) for unit in _listed("units", units))
        _check_one_each(standing, "units stand")
        occupied = {unit.province for unit in standing}
        driven_out = tuple(_check_dislodged(map, out, occupied) for out in _listed("dislodged", dislodged))
        _check_one_each([unit for unit, _ in driven_out], "dislodged units stand")
        if driven_out and checked.kind != "R":
            unit = driven_out[0].unit
            raise PositionError(f"{unit.power} {unit} is dislodged, but {checked} is not a retreat phase")
        if homes is not None:
            _check_homes(map, homes)
        self._set(
            map,
            checked,
            tuple(sorted(standing, key=map.tokens.__getitem__)),
            _check_owners(map, centres),
            tuple(sorted(driven_out, key=lambda out: map.province(out.unit.province).index)),
            None,
        )

    def _set(
        self,
        map: Map,
        phase: Phase,
        units: tuple[Unit, ...],
        owners: tuple[str | None, ...],
        dislodged: tuple[Dislodged, ...],
        packed: Packed | None,
    ) -> None:
        names = ("map", "phase", "units", "owners", "dislodged", "_packed", "_hash", "_standing")
        values = (map, phase, units, owners, dislodged, packed, None, None)
        for name, value in zip(names, values, strict=True):
            object.__setattr__(self, name, value)

    @classmethod
    def _trusted(cls, *parts: Any) -> Position:
        """A position from parts that the core made, without checks."""
        self = object.__new__(cls)
        self._set(*parts)
        return self

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Position cannot be changed (tried to set {name!r}); make a new one")

    @classmethod
    def start(cls, map: Map | None = None, name: str = "") -> Position:
        """The first position of a game on the map, by default the one of a name: ``fva``, ``fleet_rome``
        (`bordeaux.board.mapfile.known_maps`). Raises FormatError for an unknown name."""
        map = named_map("standard" if name == "" else name) if map is None else Map.load(map)
        return cls(map, map.start_phase, map.start_units, map.start_centres)

    @property
    def packed(self) -> Packed:
        """The packed form for the core, made at first use."""
        if self._packed is None:
            numbers: dict[str | None, int] = {power: number for number, power in enumerate(self.map.powers)}
            numbers[None] = NOBODY
            tokens = self.map.tokens
            packed = Packed(
                self.map.tables,
                self.phase.year,
                max(0, SEASONS.find(self.phase.season)),
                KINDS.index(self.phase.kind),
                [tokens[unit] for unit in self.units],
                [tokens[unit] for unit, _ in self.dislodged],
                [_retreat_bits(self.map, out) for out in self.dislodged],
                [numbers[owner] for owner in self.owners],
            )
            object.__setattr__(self, "_packed", packed)
        assert self._packed is not None
        return self._packed

    @classmethod
    def from_packed(cls, map: Map, packed: Packed) -> Position:
        """The position of a packed form."""
        year, season, kind = packed.phase
        phase = Phase.COMPLETED if kind == 3 else Phase(year, SEASONS[season], KINDS[kind])
        by_token = map.units_by_token
        names = _owner_names(map.powers)
        dislodged = []
        for token, bits in packed.dislodged():
            unit = by_token[token]
            neighbours = map.adjacent(unit.kind, unit.location)
            dislodged.append(Dislodged(unit, tuple(n for k, n in enumerate(neighbours) if bits >> k & 1)))
        return cls._trusted(
            map,
            phase,
            tuple([by_token[token] for token in sorted(packed.units())]),
            tuple([names[owner] for owner in packed.owners()]),
            tuple(dislodged),
            # The end of a game has no year and season, so its packed form is made anew.
            None if phase is Phase.COMPLETED else packed,
        )

    @property
    def owner_of(self) -> dict[str, str | None]:
        """The owner of every centre by its tag, in the order of the map; None for a neutral one."""
        return dict(zip(self.map.centres, self.owners, strict=True))

    @property
    def centres(self) -> dict[str, tuple[str, ...]]:
        """Centres of every power that owns any, in the order of the map."""
        owned: dict[str, list[str]] = {}
        for centre, owner in self.owner_of.items():
            if owner is not None:
                owned.setdefault(owner, []).append(centre)
        return {power: tuple(owned[power]) for power in self.map.powers if power in owned}

    def unit_at(self, province: str) -> Unit | None:
        """The undislodged unit in a province given by its tag."""
        if self._standing is None:
            object.__setattr__(self, "_standing", {unit.province: unit for unit in self.units})
        assert self._standing is not None
        return self._standing.get(province)

    def units_of(self, power: str) -> tuple[Unit, ...]:
        """The undislodged units of a power, given by name or tag. Raises MapError for an unknown power."""
        power = self.map.power(power)
        return tuple(unit for unit in self.units if unit.power == power)

    def adjustments(self, power: str) -> int:
        """Builds (positive) or removals (negative) due for a power now; 0 outside Winter.

        Builds are at most the number of open home centres. Raises MapError for an unknown power.
        """
        number = self.map.powers.index(self.map.power(power))
        return self.packed.due(number) if self.phase.kind == "A" else 0

    def orderable(self) -> dict[str, tuple[str, ...]]:
        """For every power that must give orders: the locations of its units, or in Winter of its open homes
        or removable units."""
        places: dict[str, list[str]] = {}
        if self.phase.kind == "M":
            for unit in self.units:
                places.setdefault(unit.power, []).append(unit.location)
        elif self.phase.kind == "R":
            for dislodged in self.dislodged:
                places.setdefault(dislodged.unit.power, []).append(dislodged.unit.location)
        else:
            for power in self.map.powers:
                due = self.adjustments(power)
                if due > 0:
                    owned = self.centres[power]
                    homes = [home for home in self.map.homes[power] if home in owned]
                    places[power] = [home for home in homes if self.unit_at(home) is None]
                elif due < 0:
                    places[power] = [unit.location for unit in self.units_of(power)]
        return {power: tuple(places) for power, places in places.items()}

    @property
    def victor(self) -> str | None:
        """The power that owns more than half of the centres, if one does."""
        number = self.packed.victor()
        return None if number < 0 else self.map.powers[number]

    def next(self, orders: Mapping[str, Iterable[str | Order]]) -> Position:
        """The position after these orders; illegal ones are ignored, missing ones follow the rules (hold,
        disband, waive, civil disorder). Raises OrderError for text that is not an order, and PositionError if
        the game is over."""
        after, *_ = going_on(self).packed.adjudicate(submit(self, orders).codes())
        return Position.from_packed(self.map, after)

    @classmethod
    def from_json(
        cls, state: Mapping[str, Any], map: Map | None = None, phase: str | None = None
    ) -> Position:
        """Read the JSON form, ``diplomacy.Game.get_state()``, by default on the map that it names. `phase` is
        used if it names none. Raises PositionError or FormatError."""
        given = table(dict(state) if isinstance(state, Mapping) else state, "a position")
        if map is None:
            map = named_map(STANDARD if given.get("map") is None else given["map"])
        map = Map.load(map)
        name = given.get("name", given.get("phase", phase))
        if name is None and "phases" in given:
            raise FormatError(
                "this is a saved game and no position; bordeaux.load_games reads the file that it is in,"
                " and the position of a phase is in the 'state' of one of its 'phases'"
            )
        if name is None:
            raise FormatError("the position has no 'name': the phase, like 'S1901M'")
        checked = Phase.parse(name)
        standing: list[Unit] = []
        dislodged: list[Unit] = []
        for power, texts in power_lists(field(given, "units", "the position"), "units", map).items():
            for text in texts:
                driven_out = text.lstrip().startswith("*")
                bare = text.replace("*", "", 1) if driven_out else text
                unit = read_unit(bare, power, f"units of {power}", map)
                (dislodged if driven_out else standing).append(unit)
        retreats = _retreats(given.get("retreats"), set(dislodged), map)
        taken = {unit.province for unit in standing}
        homes = given.get("homes")
        return cls(
            map,
            checked,
            standing,
            power_lists(field(given, "centers", "the position"), "centers", map),
            [Dislodged(unit, retreats.get(unit, open_retreats(map, unit, taken))) for unit in dislodged],
            None if homes is None else power_lists(homes, "homes", map),
        )

    @classmethod
    def from_game(cls, game: Any, map: Map | None = None) -> Position:
        """The position of a game of the PyPI package, a ``diplomacy.Game``, by default on the bundled map of
        its name. Raises PositionError, FormatError or MapError."""
        return cls.from_json(game.get_state(), map or Map.load(game.map_name))

    def to_json(self) -> dict[str, Any]:
        """The JSON form, as in ``diplomacy.Game.get_state()``."""
        powers = self.map.powers
        units = {power: [str(unit) for unit in self.units_of(power)] for power in powers}
        retreats: dict[str, dict[str, list[str]]] = {power: {} for power in powers}
        for unit, places in self.dislodged:
            units[unit.power].append(f"*{unit}")
            retreats[unit.power][str(unit)] = list(places)
        owned = self.centres
        named = {} if self.map.name == STANDARD else {"map": self.map.name}
        return {
            **named,
            "name": str(self.phase),
            "units": units,
            "retreats": retreats,
            "centers": {power: list(owned.get(power, ())) for power in powers},
            "homes": {power: list(self.map.homes[power]) for power in powers},
            "builds": {power: _builds(self, power) for power in powers},
        }

    def _identity(self) -> tuple[object, ...]:
        return self.map.name, self.phase, self.units, self.owners, self.dislodged

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Position)
            and self._identity() == other._identity()
            and self.map.is_like(other.map)
        )

    def __hash__(self) -> int:
        if self._hash is None:
            object.__setattr__(self, "_hash", hash(self._identity()))
        assert self._hash is not None
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return Position._trusted, (self.map, self.phase, self.units, self.owners, self.dislodged, None)

    def __repr__(self) -> str:
        return f"<Position {self.phase}: {len(self.units)} units>"

    def _repr_svg_(self) -> str | None:
        """A picture for notebooks."""
        return picture_of("position", self)

    def __str__(self) -> str:
        """The plain text form, which `bordeaux.formats.text` reads, without a final line end."""
        powers = self.map.powers
        width = max(len(power) for power in powers) + 1
        owned = self.centres
        lines = [str(self.phase)]
        if self.map.name != "standard":
            lines.append(f"map {self.map.name}")
        for power in powers:
            units = self.units_of(power)
            driven_out = [dislodged for dislodged in self.dislodged if dislodged.unit.power == power]
            if not (units or driven_out or power in owned):
                continue
            parts = [", ".join(str(unit) for unit in units) or "no units"]
            if power in owned:
                parts.append("centres " + " ".join(owned[power]))
            elif not owned and self.phase.kind != "-":
                parts.append("no centres")  # Else the owners would follow from the units.
            if driven_out:
                parts.append("dislodged " + ", ".join(_dislodged(dislodged) for dislodged in driven_out))
            lines.append(f"{power + ':':<{width}} {'; '.join(parts)}")
        return "\n".join(lines)


def _builds(position: Position, power: str) -> dict[str, Any]:
    """Builds (positive) or removals owed, and the open homes; also when a game ends in Winter."""
    if position.phase.kind not in ("A", "-"):
        return {"count": 0, "homes": []}
    owned = position.centres.get(power, ())
    due = len(owned) - len(position.units_of(power))
    if due <= 0:
        return {"count": due, "homes": []}
    taken = {unit.province for unit in position.units}
    homes = [home for home in position.map.homes[power] if home in owned and home not in taken]
    return {"count": min(due, len(homes)), "homes": homes}


def _retreats(value: object, dislodged: set[Unit], map: Map) -> dict[Unit, tuple[str, ...]]:
    retreats: dict[Unit, tuple[str, ...]] = {}
    if value is None:
        return retreats
    for name, entries in table(value, "retreats").items():
        power = read_power(name, "retreats", map)
        for text, places in table(entries, f"retreats of {power}").items():
            unit = read_unit(text, power, f"retreats of {power}", map)
            if unit not in dislodged:
                raise PositionError(f"retreats of {power}: {unit} is not dislodged; units lack '*{unit}'")
            listed = string_list(places, f"retreats of {power} {unit}")
            retreats[unit] = tuple(_place(unit, place, map) for place in listed)
    return retreats


def _place(unit: Unit, place: str, map: Map) -> str:
    with placed(f"retreats of {unit.power} {unit}: {quote(place)}", PositionError):
        return map.location(unit.kind, place).name


def _dislodged(dislodged: Dislodged) -> str:
    return f"{dislodged.unit} to {' '.join(dislodged.retreats) or 'nowhere'}"


def _require(name: str, value: T, kind: Any, what: str) -> T:
    return of_kind(name, value, kind, what, PositionError)


def _listed(name: str, values: Iterable[T]) -> Iterable[T]:
    return _require(name, values, Iterable, "a list")


def _check_unit(map: Map, unit: Unit) -> Unit:
    """The unit with names as the map spells them."""
    _require("a unit", unit, Unit, "a Unit like Unit('FRANCE', 'A', 'PAR')")
    try:
        power = map.power(unit.power)
        location = map.location(unit.kind, unit.location)
    except MapError as error:
        said = " ".join(f"{unit.power} {unit}".split())[:60]
        raise PositionError(f"{said}: {error}") from None
    return Unit(power, unit.kind, location.name)


def _check_dislodged(map: Map, dislodged: Dislodged, occupied: set[str]) -> Dislodged:
    """The unit with its possible retreats, in the order of the map.

    Retreats to occupied provinces are dropped: some programs list them, and they are never legal.
    """
    unit = _check_unit(map, _require("a dislodged unit", dislodged, Dislodged, "a Dislodged").unit)
    neighbours = map.adjacent(unit.kind, unit.location)
    with placed(f"retreat of {unit.power} {unit}", PositionError):
        named = _listed("retreats", dislodged.retreats)
        retreats = {map.location(unit.kind, retreat).name for retreat in named}
    for retreat in retreats:
        if retreat not in neighbours:
            raise PositionError(
                f"{unit.power} {unit} cannot retreat to {retreat}; it borders on {', '.join(neighbours)}"
            )
    free = (place for place in neighbours if place.partition("/")[0] not in occupied)
    return Dislodged(unit, tuple(place for place in free if place in retreats))


def _check_one_each(units: Iterable[Unit], what: str) -> None:
    seen: dict[str, Unit] = {}
    for unit in units:
        other = seen.setdefault(unit.province, unit)
        if other is not unit:
            raise PositionError(
                f"two {what} in {unit.province}: {other.power} {other} and {unit.power} {unit}; remove one"
            )


def _check_owners(map: Map, centres: Mapping[str, Iterable[str]]) -> tuple[str | None, ...]:
    owner_of: dict[str, str] = {}
    for name, owned in _require("centres", centres, Mapping, "a mapping of powers to centres").items():
        with placed(f"centres of {quote(name)}", PositionError):
            power = map.power(name)
            tags = [map.province(tag).name for tag in _listed("they", owned)]
        for tag in tags:
            if tag not in map.centres:
                raise PositionError(f"centres of {power}: {tag} is not a supply centre")
            if owner_of.setdefault(tag, power) != power:
                raise PositionError(f"centre {tag} belongs to both {owner_of[tag]} and {power}")
    return tuple(owner_of.get(tag) for tag in map.centres)


def _check_homes(map: Map, homes: Mapping[str, Iterable[str]]) -> None:
    for name, tags in _require("homes", homes, Mapping, "a mapping of powers to homes").items():
        with placed(f"homes of {quote(name)}", PositionError):
            power = map.power(name)
            listed = list(_listed("they", tags))
        # Some programs write those alone that the power still owns (the FAIR code of Cicero's games).
        if not all(isinstance(tag, str) and tag in map.homes[power] for tag in listed):
            raise PositionError(
                f"homes of {power} are {', '.join(map.homes[power])} on map {map.name}; "
                "leave homes out, or use a map that has these"
            )


#: Moves within which a unit can affect another power.
NEAR = 2


class Neighbourhood:
    """Which powers are near each other: a unit of one is within two moves of a unit or centre of the
    other."""

    def __init__(self, position: Position) -> None:
        self._near = near(position, NEAR)

    def enemies(self, power: str) -> list[str]:
        """Powers near enough to harm one, those with the most units near first."""
        counts = {enemy: count for (enemy, other), count in self._near.items() if other == power}
        return sorted(counts, key=lambda enemy: (-counts[enemy], enemy))


def near(position: Position, moves: int = 1) -> Counter[tuple[str, str]]:
    """The number of units of one power within a number of moves of a unit or centre of another, by pairs."""
    map = position.map
    places: dict[str, set[int]] = {power: set() for power in map.powers}
    for unit in position.units:
        places[unit.power].add(map.province(unit.province).index)
    for tag, owner in position.owner_of.items():
        if owner is not None:
            places[owner].add(map.province(tag).index)
    contacts: Counter[tuple[str, str]] = Counter()
    for unit in position.units:
        distances = map.tables.distances(map.location(unit.kind, unit.location).index)
        contacts.update(
            (unit.power, power)
            for power, theirs in places.items()
            if power != unit.power and any(distances[place] <= moves for place in theirs)
        )
    return contacts


NOBODY = 255
SEASONS = "SFW"
KINDS = "MRA-"


def _retreat_bits(map: Map, dislodged: Dislodged) -> int:
    neighbours = map.adjacent(dislodged.unit.kind, dislodged.unit.location)
    return sum(1 << neighbours.index(retreat) for retreat in dislodged.retreats)


@functools.cache
def _owner_names(powers: tuple[str, ...]) -> tuple[str | None, ...]:
    """The owner of a centre, by its number in the core."""
    return (*powers, *(None for _ in range(NOBODY + 1 - len(powers))))


def going_on(given: object) -> Position:
    """What is given, if it is a position of a game that is not over. Raises PositionError."""
    position = checked(given)
    if position.phase.kind == "-":
        raise PositionError("the game is over: there are no orders to give")
    return position


def checked(given: object) -> Position:
    """What is given, if it is a position. Raises PositionError."""
    if not isinstance(given, Position):
        raise PositionError(f"a position comes first, as Position.start(), not {quote(str(given))}")
    return given
