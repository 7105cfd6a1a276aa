"""Books as files: fields, types and ranges of their lines, and how they are written and read.

A book is JSON lines, described in docs/book.md: a head, then blocks. A block is the line of a position or
of a view and the lines of its sets. Reading checks every field. Writing has one canonical form, so equal
books are equal files. Loading only finds where the blocks begin; each is parsed and checked on first use.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.formats.source import first_line, open_source, parse_json
from bordeaux.formats.whole_files import whole
from bordeaux.openings.entry import SOURCES, UNKNOWN, Came, Entry, Mean, Node, Orders, Record, View, by_weight


class BookError(FormatError):
    """A book, or a file that a book is built from, has an invalid form; the text is one line."""


KIND = "bordeaux book"
VERSION = 1
SEPARATOR = "; "

JsonObject = dict[str, Any]


def line_of(fields: Mapping[str, Any]) -> str:
    """One line of JSON, without unnecessary spaces and without its end."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def read_line(text: str) -> JsonObject:
    """The fields of a line. Raises BookError unless it is a JSON object."""
    try:
        fields = parse_json(text)
    except BordeauxError as error:
        raise BookError(f"not a line of JSON: {error}") from None
    if not isinstance(fields, dict):
        raise BookError(f"a line is a JSON object, not {quote(fields)}")
    return fields


class Form(NamedTuple):
    """What a field may be: a check, and its words in errors."""

    holds: Callable[[Any], bool]
    words: str


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_games(value: Any) -> bool:
    return isinstance(value, dict) and all(key in SOURCES and _is_count(n) for key, n in value.items())


def _is_mean(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and AMOUNT.holds(value[0]) and _is_count(value[1])


KEY = Form(
    lambda value: isinstance(value, str) and re.fullmatch("[0-9a-f]{16}", value) is not None,
    "a key of 16 hexadecimal digits",
)
TEXT = Form(lambda value: isinstance(value, str), "a text")
TEXTS = Form(lambda value: isinstance(value, list) and all(map(TEXT.holds, value)), "a list of texts")
TABLE = Form(lambda value: isinstance(value, dict), "a table")
TABLES = Form(lambda value: isinstance(value, list) and all(map(TABLE.holds, value)), "a list of tables")
AMOUNT = Form(lambda value: _is_number(value) and value >= 0, "a number from 0 on")
SHARE = Form(lambda value: _is_number(value) and 0 <= value <= 1, "a share from 0 to 1")
COUNT = Form(_is_count, "a whole number")
MEAN = Form(_is_mean, "[centres, games]")
GAMES = Form(_is_games, "games by source")


class LineFields:
    """The fields of one line, taken one by one, so that unknown ones are found."""

    def __init__(self, fields: JsonObject, what: str) -> None:
        self.left = dict(fields)
        self.what = what

    def take(self, name: str, form: Form, default: Any = ...) -> Any:
        """A field's value, or `default` if it is missing. Raises BookError."""
        if name not in self.left:
            if default is ...:
                raise BookError(f"{self.what} without {name!r}")
            return default
        value = self.left.pop(name)
        if not form.holds(value):
            raise BookError(f"{name!r} of {self.what} must be {form.words}, not {quote(value)}")
        return value

    def end(self) -> None:
        """Raise BookError if a field is left."""
        if self.left:
            raise BookError(f"{self.what} has no field {quote(next(iter(self.left)))}")


def _power_of(map: Map) -> Form:
    return Form(lambda value: value in map.powers, "a power of the map")


def read_node(map: Map, lines: Sequence[JsonObject]) -> Node:
    """The position of a block. Raises BookError for a field that is missing, unknown or out of range."""
    head = LineFields(lines[0], "a position")
    key = head.take("position", KEY)
    state = {
        "name": head.take("phase", TEXT),
        "units": head.take("units", TABLE),
        "centers": head.take("centers", TABLE),
        "retreats": head.take("retreats", TABLE, None),
    }
    games = head.take("games", GAMES, {})
    came = tuple(_read_came(way) for way in head.take("came", TABLES, []))
    powers_games = Form(
        lambda value: (
            TABLE.holds(value)
            and value.keys() <= {*map.powers}
            and all(_is_games(games) for games in value.values())
        ),
        "games by power and source",
    )
    sent = head.take("sent", powers_games, {})
    head.end()
    powers: dict[str, list[Entry]] = {}
    for fields in lines[1:]:
        line = LineFields(fields, "a set of orders")
        powers.setdefault(line.take("power", _power_of(map)), []).append(_read_entry(line))
    try:
        position = Position.from_json(state, map)
    except BordeauxError as error:
        raise BookError(f"position {key}: {error}") from None
    ordered = {power: by_weight(powers[power]) for power in map.powers if power in powers}
    return Node(key, position, games, came, ordered, sent)


def read_view(map: Map, lines: Sequence[JsonObject]) -> View:
    """The view of a block. Raises BookError as `read_node` does."""
    head = LineFields(lines[0], "a view")
    key = head.take("view", KEY)
    power = head.take("power", _power_of(map))
    phase = head.take("phase", TEXT)
    units = tuple(head.take("units", TEXTS))
    centres = tuple(head.take("centers", TEXTS, ()))
    games = head.take("games", GAMES, {})
    head.end()
    entries = by_weight(_read_entry(LineFields(fields, "a set of orders")) for fields in lines[1:])
    return View(key, map, power, phase, units, centres, games, entries)


def _read_came(value: JsonObject) -> Came:
    way = LineFields(value, "a way of 'came'")
    parent, games = way.take("parent", KEY), way.take("games", COUNT, 0)
    texts = Form(lambda value: TABLE.holds(value) and TEXTS.holds([*value.values()]), "orders by power")
    orders = way.take("orders", texts)
    way.end()
    return Came(parent, games, {power: split(text) for power, text in orders.items()})


def _read_entry(line: LineFields) -> Entry:
    orders = split(line.take("orders", TEXT))
    weight = float(line.take("weight", SHARE))
    records = {
        source: _read_record(source, line.take(source, TABLE)) for source in SOURCES if source in line.left
    }
    value, probability = line.take("value", SHARE, None), line.take("probability", SHARE, None)
    line.end()
    return Entry(orders, weight, records, value, probability)


def _read_record(source: str, value: JsonObject) -> Record:
    given = LineFields(value, f"a record of {source}")
    games = given.take("games", COUNT)
    means = [given.take(name, MEAN, None) for name in ("centres2", "centres4")]
    rest = {name: given.take(name, AMOUNT if name == "final" else SHARE, None) for name in Record._fields[3:]}
    given.end()
    centres2, centres4 = (Mean(float(mean[0]), mean[1]) if mean else UNKNOWN for mean in means)
    return Record(games, centres2, centres4, **rest)


def split(text: str) -> Orders:
    """The orders of a text; a set may be empty, if no unit is removed by order."""
    return tuple(text.split(SEPARATOR)) if text else ()


def node_lines(node: Node) -> list[str]:
    """The lines of a position's block."""
    position = node.position
    state, powers = position.to_json(), position.map.powers
    head: JsonObject = {"position": node.key, "phase": node.phase}
    if node.games:
        head["games"] = _by_source(node.games)
    head["units"] = {power: units for power, units in state["units"].items() if units}
    head["centers"] = {power: owned for power, owned in state["centers"].items() if owned}
    if position.dislodged:
        head["retreats"] = {power: units for power, units in state["retreats"].items() if units}
    if node.came:
        head["came"] = [_came_fields(way, powers) for way in node.came]
    sent = {power: _by_source(node.sent[power]) for power in powers if node.sent.get(power)}
    if sent:
        head["sent"] = sent
    sets = [
        {"power": power} | _entry_fields(entry)
        for power in powers
        for entry in sorted(node.powers.get(power, ()), key=lambda entry: entry.orders)
    ]
    return [line_of(fields) for fields in (head, *sets)]


def view_lines(view: View) -> list[str]:
    """The lines of a view's block."""
    head: JsonObject = {"view": view.key, "power": view.power, "phase": view.phase, "units": list(view.units)}
    if view.centres:
        head["centers"] = list(view.centres)
    if view.games:
        head["games"] = _by_source(view.games)
    entries = sorted(view.entries, key=lambda entry: entry.orders)
    return [line_of(head), *(line_of(_entry_fields(entry)) for entry in entries)]


def _by_source(games: Mapping[str, int]) -> dict[str, int]:
    return {source: games[source] for source in SOURCES if source in games}


def _came_fields(way: Came, powers: Iterable[str]) -> JsonObject:
    orders = {power: SEPARATOR.join(way.orders[power]) for power in powers if way.orders.get(power)}
    games = {"games": way.games} if way.games else {}
    return {"parent": way.parent, **games, "orders": orders}


def _entry_fields(entry: Entry) -> JsonObject:
    records = {source: _record_fields(entry.records[source]) for source in SOURCES if source in entry.records}
    values = {"value": entry.value, "probability": entry.probability}
    return {
        "orders": SEPARATOR.join(entry.orders),
        "weight": _rounded(entry.weight, 4),
        **records,
        **{name: _rounded(value, 4) for name, value in values.items() if value is not None},
    }


def _record_fields(record: Record) -> JsonObject:
    fields: JsonObject = {"games": record.games}
    for name, mean in (("centres2", record.centres2), ("centres4", record.centres4)):
        if mean.count:
            fields[name] = [_rounded(mean.mean, 2), mean.count]
    for name, value in zip(Record._fields[3:], record[3:], strict=True):
        if value is not None:
            fields[name] = _rounded(value, 2 if name == "final" else 3)
    return fields


def _rounded(value: float, places: int) -> float:
    """A number as a book writes it, without a negative zero."""
    return round(value, places) + 0.0


# The end of the line before is a part of it: with a fixed beginning the search is several times as fast.
BLOCK = re.compile(rb'\n\{"(position|view)":"([^"\n]*)"')
MOST = 1 << 28
"""Bytes of a book, 256 MiB: more is no book."""

Block = TypeVar("Block", Node, View)
Reader = Callable[[Map, list[JsonObject]], Block]


class Blocks(Mapping[str, Block], Generic[Block]):
    """The positions or views of a book by key, each read at first use."""

    def __init__(self, text: BookText, read: Reader[Block]) -> None:
        self.places: dict[str, tuple[int, int]] = {}
        self._known: dict[str, Block] = {}
        self._text = text
        self._read: Reader[Block] = read

    def __getitem__(self, key: str) -> Block:
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._text.block(*self.places[key], self._read)
        return known

    def __contains__(self, key: object) -> bool:
        return key in self.places

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


class BookText:
    """The bytes of a book and the places of its blocks; `name` is its name in errors. Raises BookError if the
    head is invalid, or if the number of blocks differs from the head's."""

    def __init__(self, data: bytes, name: str) -> None:
        self._data = data
        self._name = name
        end = data.find(b"\n") + 1
        if not end:
            raise BookError(f"{name}: no book, its first line has no end")
        self.header, self.map = self._head(data[:end])
        self.nodes: Blocks[Node] = Blocks(self, read_node)
        self.views: Blocks[View] = Blocks(self, read_view)
        blocks = [
            (match.start() + 1, match[1].decode(), match[2].decode(errors="replace"))
            for match in BLOCK.finditer(data)
        ]
        ends = [begin for begin, _, _ in blocks[1:]] + [len(data)] * bool(blocks)
        if data[end : blocks[0][0] if blocks else len(data)]:
            raise BookError(f"{name}, line 2: expected a position or a view")
        for (begin, kind, key), stop in zip(blocks, ends, strict=True):
            places = self.nodes.places if kind == "position" else self.views.places
            if places.setdefault(key, (begin, stop)) != (begin, stop):
                raise BookError(f"{name}, line {self._number(begin)}: {kind} {key} for the second time")
        for what, found in (("positions", len(self.nodes)), ("views", len(self.views))):
            if self.header.get(what) != found:
                told = quote(self.header.get(what))
                raise BookError(f"{name}: {found} {what}, but its head gives {told}; is the file whole?")

    def _head(self, line: bytes) -> tuple[JsonObject, Map]:
        try:
            header = read_line(line.decode())
            if header.get(KIND) != VERSION:
                raise BookError(
                    f"in form {quote(header[KIND])}, which is not read here" if KIND in header else "no book"
                )
            return header, Map.load(str(header.get("map", "standard")))
        except (UnicodeDecodeError, BordeauxError) as error:
            raise BookError(f"{self._name}, line 1: {_told(error)}") from None

    def block(self, begin: int, end: int, read: Reader[Block]) -> Block:
        """Parse the block between two bytes. Raises BookError with file and line."""
        number, tables = self._number(begin), []
        for offset, line in enumerate(self._data[begin:end].splitlines()):
            try:
                tables.append(read_line(line.decode()))
            except (UnicodeDecodeError, BookError) as error:
                raise BookError(f"{self._name}, line {number + offset}: {_told(error)}") from None
        try:
            return read(self.map, tables)
        except BookError as error:
            raise BookError(f"{self._name}, block of line {number}: {error}") from None

    def _number(self, offset: int) -> int:
        """The number of the line at a byte."""
        return self._data.count(b"\n", 0, offset) + 1

    def check(self) -> None:
        """Read everything. Raises BookError for the first invalid line."""
        for blocks in (self.nodes, self.views):
            for key in blocks:
                blocks[key]


def _told(error: Exception) -> str:
    return str(error) if isinstance(error, BordeauxError) else "not UTF-8"


def is_book(path: str) -> bool:
    """Whether a file begins like a book; standard input (``-``) never is one. Raises FormatError, OSError."""
    if path == "-":
        return False
    with open_source(path) as handle:
        return first_line(handle).startswith(f'{{"{KIND}"'.encode())


def read_bytes(path: str | Path) -> bytes:
    """All of a file, unpacked. Raises FormatError, or BookError for one that is too long."""
    with open_source(path) as handle:
        data = handle.read(MOST + 1)
    if len(data) > MOST:
        raise BookError(f"{path}: more than {MOST >> 20} MiB, which is no book")
    return data


def write(
    path: str | Path, map: Map, header: Mapping[str, Any], nodes: Iterable[Node], views: Iterable[View]
) -> None:
    """Write a book atomically. `nodes` and `views` are sorted already."""
    positions = [node_lines(node) for node in nodes]
    seen = [view_lines(view) for view in views]
    rest = {key: value for key, value in header.items() if key not in (KIND, "map", "positions", "views")}
    head = {KIND: VERSION, "map": map.name, "positions": len(positions), "views": len(seen), **rest}
    lines = [line_of(head), *(line for block in (*positions, *seen) for line in block)]
    with whole(path) as part, part.open("wb") as handle:
        handle.write("".join(f"{line}\n" for line in lines).encode())
        handle.flush()
        os.fsync(handle.fileno())
