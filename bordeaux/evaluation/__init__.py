"""The evaluation of positions, term by term (Hall and Loeb 1995, chapter 4): named weights as data, compiled
for a map, applied to positions."""

from __future__ import annotations

import functools
import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any, NamedTuple

from bordeaux._ext.value.influence import Evaluator
from bordeaux._ext.value.valuer import Blend, Valuer
from bordeaux.board.errors import BordeauxError, FormatError, nearest, of_kind, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Location
from bordeaux.board.position import Position, checked
from bordeaux.board.toml import parse_toml
from bordeaux.evaluation.prospect import (
    Prospects,
    is_value_net,
    known_weights,
    learnt_value,
    load_value_net,
    middle_value,
    prospect,
    prospect_value,
)
from bordeaux.formats.source import LARGEST_TEXT, open_source, read_text

__all__ = [
    "Evaluation",
    "Prospects",
    "end_value",
    "evaluate",
    "evaluations",
    "evaluator",
    "prospect",
    "share_value",
]

# Stalemate lines: units that hold a part of the board for ever (Hall and Loeb 1995, section 4.3.7). A line is
# data: its units, the supports between them, and the provinces sheltered behind them. That no orders break it
# is proved by `tools/proofs/fortress.py`. Lines are compiled for the core, whose term
# (`_ext/value/lines.pyx`) recognises them in positions.


@dataclass(frozen=True, eq=False)
class StalemateLine:
    """A line of units that hold for ever, against any attackers but fleets in `no_fleets`.

    `units` as ``A SEV``; `supports` says by provinces which unit supports which to hold, all others hold.
    `sheltered` are the provinces behind the line, `centres` the supply centres of both. `no_fleets` are
    provinces, or single coasts, where the line assumes no attacking fleet, and no home of an attacker where
    one could be built; `broken_by` are orders of such a fleet that break it.
    """

    name: str
    units: tuple[str, ...]
    supports: Mapping[str, str]
    sheltered: tuple[str, ...]
    centres: tuple[str, ...] = ()
    no_fleets: tuple[str, ...] = ()
    broken_by: tuple[str, ...] = ()
    source: str = ""

    @functools.cached_property
    def held(self) -> tuple[str, ...]:
        """The provinces of the units."""
        return tuple(unit.split()[-1].partition("/")[0] for unit in self.units)


@functools.cache
def _read() -> tuple[StalemateLine, ...]:
    """The known lines of the standard board, largest first."""
    text = (resources.files("bordeaux.evaluation") / "data" / "stalemates.toml").read_text("utf-8")
    lines = []
    for name, given in tomllib.loads(text).items():
        parts: dict[str, Any] = {key: tuple(given.pop(key, "").split()) for key in ("sheltered", "no_fleets")}
        parts |= {key: tuple(given.pop(key, ())) for key in ("units", "broken_by")}
        line = StalemateLine(name, **given, **parts)
        within = sorted({*line.held, *line.sheltered}.intersection(Map.standard().centres))
        lines.append(replace(line, centres=tuple(within)))
    return tuple(sorted(lines, key=lambda line: (-len(line.centres), len(line.units), line.name)))


def stalemate_lines(map: Map) -> tuple[StalemateLine, ...]:
    """The known lines of a map, largest first: those of the standard board, none for a map with other
    provinces or borders."""
    return _read() if map.has_borders_of(Map.standard()) else ()


def holding(map: Map, line: StalemateLine) -> tuple[tuple[Location, ...], ...]:
    """For every unit of a line, the locations of its province from which it can fulfil its task.

    The kind of unit has no effect on the defence of a province, as long as the unit can give the support that
    the line needs.
    """

    def fits(location: Location, supported: str | None) -> bool:
        near = map.adjacent(location.kind, location.name)
        return supported is None or any(name.partition("/")[0] == supported for name in near)

    return tuple(
        tuple(
            location
            for kind in "AF"
            for location in map.locations_in(kind, place)
            if fits(location, line.supports.get(place))
        )
        for place in line.held
    )


def barred(line: StalemateLine, place: Location) -> bool:
    """Whether a line assumes no attacking fleet at a location."""
    province = place.name.partition("/")[0]
    return place.kind == "F" and (place.name in line.no_fleets or province in line.no_fleets)


def compiled_lines(map: Map) -> list[tuple[int, list[tuple[int, list[int]]], list[int], list[int]]]:
    """The known lines of a map for the core, by numbers: the centres that they shelter, for every unit its
    province and the possible locations, the sheltered provinces, and the locations without fleets."""
    number = {province.name: province.index for province in map.provinces}
    return [
        (
            len(line.centres),
            [
                (number[place], [location.index for location in fitting])
                for place, fitting in zip(line.held, holding(map, line), strict=True)
            ],
            [number[place] for place in line.sheltered],
            [place.index for place in map.locations if barred(line, place)],
        )
        for line in stalemate_lines(map)
    ]


# Altitudes are those of Hall and Loeb (1995), section 4.1. The peak is at home, or at the start of a power
# without homes. Altitude falls with the number of moves from the nearest home. Supply centres are higher, and
# more so after Fall, when they change owners. The provinces beside them are higher after Spring, when the
# centres can still be reached (section 4.3.7).

FAR_AWAY = 255
"""The number of moves if there is no path, as in the tables of the core."""


class Altitude(NamedTuple):
    """The shape of the mountain, in points: `peak` at home, minus `slope` for every move from home, but never
    below `floor`; `centre` added for a centre and `beside_centre` for each adjacent one, both as (after
    Spring moves, after Fall moves)."""

    peak: float
    slope: float
    floor: float
    centre: tuple[float, float]
    beside_centre: tuple[float, float]


def altitudes(
    map: Map, shape: Altitude, given: Mapping[str, Mapping[str, float]] | None = None
) -> list[list[list[float]]]:
    """Altitudes as ``[season][power][province]``; the seasons are after Spring and after Fall moves.

    `given` replaces the mountains of the named powers by altitudes of provinces (0 for those missing), in
    both seasons (Table 2 of the paper). Raises MapError for unknown names.
    """
    replaced = {map.power(power): _points(map, chosen) for power, chosen in (given or {}).items()}
    return [
        [replaced.get(power) or _mountain(map, shape, power, season) for power in map.powers]
        for season in range(2)
    ]


def _points(map: Map, given: Mapping[str, float]) -> list[float]:
    """Points by number of the province, 0 for those missing."""
    points = [0.0] * len(map.provinces)
    for name, value in given.items():
        points[map.province(name).index] = float(value)
    return points


def _mountain(map: Map, shape: Altitude, power: str, season: int) -> list[float]:
    """The peaks are the homes; without any, the centres that the power owns at the start, or else the places
    of its first units. The map of a power with none of these is flat."""
    units = (unit.province for unit in map.start_units if unit.power == power)
    peaks = map.homes[power] or map.start_centres.get(power) or dict.fromkeys(units)
    ways = [map.tables.steps(map.province(home).index) for home in peaks]
    heights = []
    for province in map.provinces:
        away = min((way[province.index] for way in ways), default=FAR_AWAY)
        height = max(shape.floor, shape.peak - shape.slope * away)
        if province.centre:
            height += shape.centre[season]
        beside = {
            name.partition("/")[0]
            for kind in "AF"
            for location in map.locations_in(kind, province.name)
            for name in map.adjacent(kind, location.name)
        }
        height += shape.beside_centre[season] * sum(map.province(name).centre for name in beside)
        heights.append(height)
    return heights


VALUES: dict[str, Callable[[Map], Valuer]] = {"centres": lambda map: Valuer(map.tables)}
"""Values of the ends of rollouts by name, beside those of files: functions that make one for a map. Each
gives points of its own scale, never chances. All else of such an evaluation is the hand-made one."""


class Evaluation(NamedTuple):
    """The value of a position for a power, in points: the sum of its weighted terms, by name.

    The core has the table of terms (`_ext/value/terms.pyx`).
    """

    value: float
    terms: dict[str, float]


def evaluations() -> tuple[str, ...]:
    """The names of the bundled evaluations."""
    folder = resources.files("bordeaux.evaluation") / "weights"
    return tuple(sorted(e.name.removesuffix(".toml") for e in folder.iterdir() if e.name.endswith(".toml")))


@functools.cache
def _data(name: str) -> dict[str, Any]:
    """The content of an evaluation's file, merged with the bundled one that is its ``base``. A learnt value
    (``*.npz``) is the hand-made evaluation with another value for the ends of rollouts: half a prospect, or
    wholly a value net."""
    if name.endswith(".npz"):
        if is_value_net(name):
            load_value_net(name)
            return _data("hand") | {"prospect": 1.0, "file": name}
        known_weights(name)
        return _data("hand") | {"prospect": 0.5, "file": name}
    if name in VALUES:
        return _data("hand") | {"value": name}
    if name.endswith(".toml"):
        with open_source(name) as handle:
            text = read_text(handle, most=LARGEST_TEXT)
    elif name in evaluations():
        text = (resources.files("bordeaux.evaluation") / "weights" / f"{name}.toml").read_text("utf-8")
    else:
        known = (*evaluations(), *VALUES)
        shown = f"known: {', '.join(known)}, or a .toml or .npz file"
        raise BordeauxError(f"unknown evaluation {quote(name)}{nearest(name, known)} ({shown})")
    try:
        data = parse_toml(text)
    except FormatError as error:
        raise FormatError(f"evaluation {name}: {error}") from None
    # Learnt weights are named as an evaluation, never inside one, save where both come with Bordeaux.
    data.pop("file", None)
    data.pop("value", None)
    net = data.pop("net", None)
    if net is not None and name in evaluations():
        data["file"] = net
    base = data.get("base")
    if base is None:
        return data
    if base not in evaluations() or base == name:
        raise FormatError(f"evaluation {name}: its base {quote(base)} is none that comes with Bordeaux")
    return _data(base) | data


@functools.cache
def read_weights(name: str) -> tuple[dict[str, float], Altitude]:
    """The weights and the mountain of an evaluation: a bundled one, or a file (``*.toml``). Raises
    BordeauxError for an unknown name or an invalid file."""
    data = _data(name)
    try:
        return _numbers(data["weights"]), Altitude(**_numbers(data["altitude"], pairs=_PAIRS))
    except FormatError as error:
        raise FormatError(f"evaluation {name}: {error}") from None
    except (KeyError, TypeError, AttributeError) as error:
        lacking = f"no {error}" if isinstance(error, KeyError) else error
        raise FormatError(f"evaluation {name}: not the weights of an evaluation: {lacking}") from None


_PAIRS = ("centre", "beside_centre")


def _numbers(given: Mapping[str, Any], pairs: tuple[str, ...] = ()) -> dict[str, Any]:
    """Weights from a file, those named `pairs` as pairs. Raises FormatError unless they are finite
    numbers."""
    numbers = {}
    for name, value in given.items():
        both = value if name in pairs and isinstance(value, list) else [value]
        if len(both) != 1 + (name in pairs) or not all(
            isinstance(number, int | float) and math.isfinite(number) for number in both
        ):
            raise FormatError(f"{name} must be {'two numbers' if name in pairs else 'a number'}")
        numbers[name] = tuple(both) if name in pairs else value
    return numbers


def _made(map: Map, name: str, given: Mapping[str, Mapping[str, float]] | None = None) -> Evaluator:
    weights, shape = read_weights(name)
    heights = altitudes(map, shape, given)
    try:
        return Evaluator(map.tables, weights, heights, lines=compiled_lines(map))
    except (ValueError, TypeError, OverflowError) as error:
        raise BordeauxError(f"evaluation {name}: {error}") from error


_compiled = functools.cache(_made)
"""The same, made once for a map and a name."""


def evaluator(
    map: Map,
    name: str = "default",
    given: Mapping[str, Mapping[str, float]] | None = None,
    raised: Mapping[str, Mapping[str, float]] | None = None,
) -> Evaluator:
    """The compiled evaluation of a name, or of a file ``*.toml`` in the form of the bundled ones, on a map.
    `given` replaces the altitudes of some powers.

    `raised` adds points to provinces and for units in places, ``{"TURKEY": {"GRE": 12.0, "A SER": 5.0, "F
    BUL/SC": 5.0}}``, in the term `goals`. Raises BordeauxError for an unknown name or an invalid file, and
    for weights that do not match the terms, MapError for unknown powers or provinces.
    """
    of_kind("the evaluation", name, str, "a name or a file")
    for what, points in (("altitudes", given), ("raised", raised)):
        if points is not None:
            of_kind(what, points, Mapping, "a mapping of powers to points by province")
    judge = _made(map, name, given) if given else _compiled(map, name)
    return with_goals(map, judge, raised) if raised else judge


def end_value(map: Map, name: str, judge: Evaluator) -> Valuer:
    """The value for the ends of rollouts: the compiled evaluation, mixed with the part of the prospect that
    the evaluation of that name sets. Raises BordeauxError for a part outside 0 to 1."""
    data = _data(name)
    if "value" in data:
        return VALUES[data["value"]](map)
    part = data.get("prospect", 0.0)
    if not part:
        return judge
    learnt = learnt_value(map, data["file"]) if "file" in data else prospect_value(map)
    if part == 1:
        return learnt
    try:
        return Blend(map.tables, judge, learnt, part)
    except (ValueError, TypeError) as error:
        raise BordeauxError(f"evaluation {name}: {error}") from error


def share_value(map: Map, name: str) -> Valuer:
    """What measures sets of orders in a search: the expected share of the final result (0 to 1), in odds the
    middle between the prospect and the value net of an evaluation; where it has none, that of the default
    one. An evaluation that is the prospect alone stays so."""
    data = _data(name)
    if data.get("prospect") != 1:
        data = _data("default")
    return middle_value(map, data["file"]) if "file" in data else prospect_value(map, scale=1.0)


def with_goals(map: Map, judge: Evaluator, raised: Mapping[str, Mapping[str, float]]) -> Evaluator:
    """A compiled evaluation of a map with added points as for `evaluator`, in microseconds."""
    chosen = {map.power(power): points for power, points in raised.items()}
    rows, marches = [], []
    for power in map.powers:
        points = chosen.get(power, {})
        march = [0.0] * len(map.locations)
        units = {name for name in points if name[:2] in ("A ", "F ")}
        for name in units:
            march[map.location(name[0], name[2:]).index] = float(points[name])
        rows.append(_points(map, {name: points[name] for name in points if name not in units}))
        marches.append(march)
    return judge.raised(rows, marches)


def evaluate(
    position: Position,
    evaluation: str = "default",
    altitudes: Mapping[str, Mapping[str, float]] | None = None,
    raised: Mapping[str, Mapping[str, float]] | None = None,
) -> dict[str, Evaluation]:
    """The value of a position for every power.

    `altitudes` replaces the mountains of the named powers, ``{"TURKEY": {"CON": 100, ...}}``; `raised` adds
    points as for `evaluator`.
    """
    judge = evaluator(checked(position).map, evaluation, altitudes, raised)
    return {
        power: Evaluation(*judge.evaluate(position.packed, number))
        for number, power in enumerate(position.map.powers)
    }
