"""Published counts of openings: a CSV file of orders with the number and results of games.

Columns: power, phase, games, average_final_centers, win_share, orders (separated by semicolons), and
conditional_frequency. The last is the share of the games in which the power had these units; it may be
missing. A row counts over all positions in which the power had exactly these units, which is a view.
"""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError, FormatError, name_of, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Unit
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.formats.source import open_source, read_text
from bordeaux.openings.canonical import canonical, is_idle, view_key
from bordeaux.openings.entry import NOTHING, Orders, Record
from bordeaux.openings.schema import BookError

COLUMNS = ("power", "phase", "games", "average_final_centers", "win_share", "orders")
SHARE = "conditional_frequency"


class Published(NamedTuple):
    """Records by view and orders; the games of each view without a listed set, if known; and the phase, power
    and units of each view. `idle` counts the rows where all units hold: these are of powers that sent
    nothing."""

    records: Mapping[str, Mapping[Orders, Record]]
    unlisted: Mapping[str, int]
    views: Mapping[str, tuple[str, str, Orders]]
    idle: int


def read_published(path: str | Path, map: Map) -> Published:
    """Read such a file. Raises BookError for an invalid row, with file and line, and FormatError for a file
    that cannot be read."""
    with open_source(path) as handle:
        try:
            text = read_text(handle)
        except FormatError as error:
            raise BookError(f"{name_of(path)}: {error}") from None
    reader = csv.DictReader(io.StringIO(text), restval="")
    try:
        given = list(reader.fieldnames or ())
    except csv.Error as error:
        raise BookError(f"{name_of(path)}, line 1: {error}") from None
    missing = [column for column in COLUMNS if column not in given]
    if missing:
        raise BookError(f"{name_of(path)}: its first line lacks the column {quote(missing[0])}")
    records: dict[str, dict[Orders, Record]] = {}
    views: dict[str, tuple[str, str, Orders]] = {}
    totals: dict[str, list[float]] = {}
    counted: Counter[str] = Counter()
    idle = 0
    for row in _rows(reader, name_of(path)):
        try:
            if len(row) > len(given):
                raise BookError(f"more than {len(given)} fields; orders are separated by semicolons")
            phase = str(Phase.parse(row["phase"]))
            power = map.power(row["power"])
            # Builds, removals and retreats do not tell where the other units are; a few rows omit a coast.
            position = _position(map, power, phase, row["orders"]) if phase.endswith("M") else None
            if position is None:
                continue
            units = tuple(sorted(str(unit) for unit in position.units))
            orders = canonical(position, power, _texts(row["orders"]))
            record = _record(row)
            key = view_key(map.name, phase, power, units, ())
            counted[key] += record.games
            if row.get(SHARE):
                totals.setdefault(key, []).append(record.games / max(_number(row, SHARE, 1.0), 1e-4))
            if is_idle(orders):
                idle += 1
                continue
        except BordeauxError as error:
            raise BookError(f"{name_of(path)}, line {reader.line_num}: {error}") from None
        views[key] = (phase, power, units)
        known = records.setdefault(key, {})
        known[orders] = known.get(orders, NOTHING).merged(record)
    unlisted = {key: max(round(median(totals[key])) - counted[key], 0) for key in records if key in totals}
    return Published(records, unlisted, views, idle)


def _texts(text: str) -> list[str]:
    return [order.strip().replace("-", " - ") for order in text.split(";") if order.strip()]


def _rows(reader: csv.DictReader[str], name: str) -> Iterator[dict[str, str]]:
    try:
        yield from reader
    except csv.Error as error:
        raise BookError(f"{name}, line {reader.line_num + 1}: {error}") from None


def _position(map: Map, power: str, phase: str, text: str) -> Position | None:
    """A position with the units of the orders; None if the coast of one is unknown."""
    units = []
    for sentence in _texts(text):
        # The unit alone, as supports cannot be read without the position that is being made.
        order = parse_order(f"{' '.join(sentence.split()[:2])} H", map)
        tag = order.location.partition("/")[0]
        places = [place.name for place in map.locations_in(order.unit, tag)]
        if order.location not in places:
            goal = sentence.rpartition("-")[2].strip() if " S " not in sentence else ""
            near = [place for place in places if goal in map.adjacent(order.unit, place)]
            if len(near) != 1:
                return None
            places = near
        units.append(Unit(power, order.unit, order.location if order.location in places else places[0]))
    if not units:
        raise BookError("no orders in it")
    return Position(map, phase, units, {})


def _record(row: Mapping[str, str]) -> Record:
    games = _number(row, "games")
    if games < 1 or games != int(games):
        raise BookError(f"games must be a whole number above 0, not {quote(row['games'])}")
    wins = _number(row, "win_share", 1.0)
    return Record(int(games), final=_number(row, "average_final_centers"), wins=wins)


def _number(row: Mapping[str, str], column: str, most: float = math.inf) -> float:
    try:
        value = float(row[column])
    except ValueError:
        value = math.nan
    if not 0 <= value <= most or math.isinf(value):
        bounds = "from 0 on" if math.isinf(most) else f"from 0 to {most:g}"
        raise BookError(f"{column} must be a number {bounds}, not {quote(row[column])}")
    return value
