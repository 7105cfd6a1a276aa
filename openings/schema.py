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
from typing import Any, Generic, TypeVar

from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.formats.source import first_line, open_source, parse_json
from bordeaux.formats.whole_files import whole
from bordeaux.openings.canonical import KEY_LENGTH
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


class LineFields:
    """The fields of one line, taken one by one, so that unknown ones are found."""

    def __init__(self, fields: JsonObject, what: str) -> None:
        self.left = dict(fields)
        self.what = what

    def take(self, name: str, check: Callable[[Any], bool], form: str, default: Any = ...) -> Any:
        """A field's value, or `default` if it is missing. Raises BookError."""
        if name not in self.left:
            if default is ...:
                raise BookError(f"{self.what} without {name!r}")
            return default
        value = self.left.pop(name)
        if not check(value):
            raise BookError(f"{name!r} of {self.what} must be {form}, not {quote(value)}")
        return value

    def end(self) -> None:
        """Raise BookError if a field is left."""
        if self.left:
            raise BookError(f"{self.what} has no field {quote(next(iter(self.left)))}")


def is_key(value: Any) -> bool:
    """Whether a value is a key: 16 hexadecimal digits."""
    return isinstance(value, str) and len(value) == KEY_LENGTH and not set(value) - set("0123456789abcdef")


def is_text(value: Any) -> bool:
    """Whether a value is a text that is not empty."""
    return isinstance(value, str) and bool(value)


def is_count(value: Any) -> bool:
    """Whether a value is a whole number from 0 on."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_number(value: Any) -> bool:
    """Whether a value is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def is_share(value: Any) -> bool:
    """Whether a value is a number from 0 to 1."""
    return is_number(value) and 0 <= value <= 1


def is_centres(value: Any) -> bool:
    """Whether a value is a number that may be a mean of centres."""
    return is_number(value) and value >= 0


def is_mean(value: Any) -> bool:
    """Whether a value is a mean of centres with the number of its games."""
    return isinstance(value, list) and len(value) == 2 and is_centres(value[0]) and is_count(value[1])


def is_texts(value: Any) -> bool:
    """Whether a value is a list of texts."""
    return isinstance(value, list) and all(is_text(text) for text in value)


def is_games(value: Any) -> bool:
    """Whether a value is a table of games by source."""
    return isinstance(value, dict) and all(key in SOURCES and is_count(n) for key, n in value.items())


def is_games_of(map: Map) -> Callable[[Any], bool]:
    """A check whether a value is a table of games by source for powers of the map."""
    return lambda value: (
        is_table(value) and all(power in map.powers and is_games(games) for power, games in value.items())
    )


def is_table(value: Any) -> bool:
    """Whether a value is a table."""
    return isinstance(value, dict)


def is_list(value: Any) -> bool:
    """Whether a value is a list."""
    return isinstance(value, list)


def read_node(map: Map, lines: Sequence[JsonObject]) -> Node:
    """The position of a block. Raises BookError for a field that is missing, unknown or out of range."""
    head = LineFields(lines[0], "a position")
    key = head.take("position", is_key, "a key of 16 hexadecimal digits")
    state = {
        "name": head.take("phase", is_text, "a phase"),
        "units": head.take("units", is_table, "units by power"),
        "centers": head.take("centers", is_table, "centres by power"),
        "retreats": head.take("retreats", is_table, "retreats by power", None),
    }
    games = head.take("games", is_games, "games by source", {})
    came = tuple(_read_came(way) for way in head.take("came", is_list, "a list of ways", []))
    sent = head.take("sent", is_games_of(map), "games by power and source", {})
    head.end()
    powers: dict[str, list[Entry]] = {}
    for fields in lines[1:]:
        line = LineFields(fields, "a set of orders")
        power = line.take("power", lambda value: value in map.powers, "a power of the map")
        powers.setdefault(power, []).append(_read_entry(line))
    try:
        position = Position.from_json(state, map)
    except BordeauxError as error:
        raise BookError(f"position {key}: {error}") from None
    ordered = {power: by_weight(powers[power]) for power in map.powers if power in powers}
    return Node(key, position, games, came, ordered, sent)


def read_view(map: Map, lines: Sequence[JsonObject]) -> View:
    """The view of a block. Raises BookError as `read_node` does."""
    head = LineFields(lines[0], "a view")
    key = head.take("view", is_key, "a key of 16 hexadecimal digits")
    power = head.take("power", lambda value: value in map.powers, "a power of the map")
    phase = head.take("phase", is_text, "a phase")
    units = tuple(head.take("units", is_texts, "a list of units"))
    centres = tuple(head.take("centers", is_texts, "a list of centres", ()))
    games = head.take("games", is_games, "games by source", {})
    head.end()
    entries = by_weight(_read_entry(LineFields(fields, "a set of orders")) for fields in lines[1:])
    return View(key, map, power, phase, units, centres, games, entries)


def _read_came(value: Any) -> Came:
    if not isinstance(value, dict):
        raise BookError(f"a way of 'came' must be a table, not {quote(value)}")
    way = LineFields(value, "a way of 'came'")
    parent = way.take("parent", is_key, "a key of 16 hexadecimal digits")
    games = way.take("games", is_count, "a whole number", 0)
    orders = way.take("orders", is_table, "orders by power")
    way.end()
    for power, text in orders.items():
        if not isinstance(text, str):
            raise BookError(f"orders of {quote(power)} must be a text, not {quote(text)}")
    return Came(parent, games, {power: split(text) for power, text in orders.items()})


def _read_entry(line: LineFields) -> Entry:
    orders = split(line.take("orders", lambda value: isinstance(value, str), "a text"))
    weight = float(line.take("weight", is_share, "a share from 0 to 1"))
    records = {
        source: _read_record(source, line.take(source, is_table, "a table"))
        for source in SOURCES
        if source in line.left
    }
    value = line.take("value", is_number, "a number", None)
    probability = line.take("probability", is_share, "a share from 0 to 1", None)
    line.end()
    return Entry(orders, weight, records, value, probability)


def _read_record(source: str, value: JsonObject) -> Record:
    given = LineFields(value, f"a record of {source}")
    record = Record(
        given.take("games", is_count, "a whole number"),
        _read_mean(given, "centres2"),
        _read_mean(given, "centres4"),
        given.take("survival", is_share, "a share from 0 to 1", None),
        given.take("solo", is_share, "a share from 0 to 1", None),
        given.take("score", is_share, "a share from 0 to 1", None),
        given.take("final", is_centres, "a number of centres", None),
        given.take("wins", is_share, "a share from 0 to 1", None),
    )
    given.end()
    return record


def _read_mean(record: LineFields, name: str) -> Mean:
    value = record.take(name, is_mean, "[centres, games]", None)
    return UNKNOWN if value is None else Mean(float(value[0]), value[1])


def split(text: str) -> Orders:
    """The orders of a text; a set may be empty, if no unit is removed by order."""
    return tuple(text.split(SEPARATOR)) if text else ()


def node_lines(node: Node) -> list[str]:
    """The lines of a position's block."""
    position = node.position
    state = position.to_json()
    head: JsonObject = {"position": node.key, "phase": node.phase}
    if node.games:
        head["games"] = in_order(node.games)
    head["units"] = {power: units for power, units in state["units"].items() if units}
    head["centers"] = {power: owned for power, owned in state["centers"].items() if owned}
    if position.dislodged:
        head["retreats"] = {power: units for power, units in state["retreats"].items() if units}
    if node.came:
        head["came"] = [_came_fields(way, position.map) for way in node.came]
    sent = {power: in_order(node.sent[power]) for power in position.map.powers if node.sent.get(power)}
    if sent:
        head["sent"] = sent
    lines = [line_of(head)]
    for power in position.map.powers:
        for entry in sorted(node.powers.get(power, ()), key=lambda entry: entry.orders):
            lines.append(line_of({"power": power} | _entry_fields(entry)))
    return lines


def view_lines(view: View) -> list[str]:
    """The lines of a view's block."""
    head: JsonObject = {"view": view.key, "power": view.power, "phase": view.phase, "units": list(view.units)}
    if view.centres:
        head["centers"] = list(view.centres)
    if view.games:
        head["games"] = in_order(view.games)
    entries = sorted(view.entries, key=lambda entry: entry.orders)
    return [line_of(head), *(line_of(_entry_fields(entry)) for entry in entries)]


def in_order(games: Mapping[str, int]) -> dict[str, int]:
    """Games by source, in the order of the sources."""
    return {source: games[source] for source in SOURCES if source in games}


def _came_fields(way: Came, map: Map) -> JsonObject:
    orders = {power: SEPARATOR.join(way.orders[power]) for power in map.powers if way.orders.get(power)}
    games = {"games": way.games} if way.games else {}
    return {"parent": way.parent, **games, "orders": orders}


def _entry_fields(entry: Entry) -> JsonObject:
    fields: JsonObject = {"orders": SEPARATOR.join(entry.orders), "weight": rounded(entry.weight, 4)}
    for source in SOURCES:
        if source in entry.records:
            fields[source] = _record_fields(entry.records[source])
    if entry.value is not None:
        fields["value"] = rounded(entry.value, 4)
    if entry.probability is not None:
        fields["probability"] = rounded(entry.probability, 4)
    return fields


def _record_fields(record: Record) -> JsonObject:
    fields: JsonObject = {"games": record.games}
    for name, mean in (("centres2", record.centres2), ("centres4", record.centres4)):
        if mean.count:
            fields[name] = [rounded(mean.mean, 2), mean.count]
    for name in ("survival", "solo", "score", "final", "wins"):
        value = getattr(record, name)
        if value is not None:
            fields[name] = rounded(value, 2 if name == "final" else 3)
    return fields


def rounded(value: float, places: int) -> float:
    """A number as a book writes it, without a negative zero."""
    return round(value, places) + 0.0


def joined(lines: Iterable[str]) -> str:
    """Lines as the text of a file."""
    return "".join(f"{line}\n" for line in lines)


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
        starts = BLOCK.finditer(data)
        begins = [
            (match.start() + 1, match[1].decode(), match[2].decode(errors="replace")) for match in starts
        ]
        ends = [begin for begin, _, _ in begins[1:]] + [len(data)] * bool(begins)
        if data[end : begins[0][0] if begins else len(data)]:
            raise BookError(f"{name}, line 2: expected a position or a view")
        for (begin, kind, key), stop in zip(begins, ends, strict=True):
            places = self.nodes.places if kind == "position" else self.views.places
            if places.setdefault(key, (begin, stop)) != (begin, stop):
                raise BookError(f"{name}, line {self.number(begin)}: {kind} {key} for the second time")
        for what, blocks in (("positions", self.nodes.places), ("views", self.views.places)):
            if self.header.get(what) != len(blocks):
                raise BookError(
                    f"{name}: {len(blocks)} {what}, but its head gives {quote(self.header.get(what))};"
                    " is the file whole?"
                )

    def _head(self, line: bytes) -> tuple[JsonObject, Map]:
        try:
            header = read_line(line.decode())
            if header.get(KIND) != VERSION:
                raise BookError(
                    f"in form {quote(header[KIND])}, which is not read here" if KIND in header else "no book"
                )
            return header, Map.load(str(header.get("map", "standard")))
        except UnicodeDecodeError:
            raise BookError(f"{self._name}, line 1: not UTF-8") from None
        except BordeauxError as error:
            raise BookError(f"{self._name}, line 1: {error}") from None

    def block(self, begin: int, end: int, read: Reader[Block]) -> Block:
        """Parse the block between two bytes. Raises BookError with file and line."""
        lines = self._data[begin:end].splitlines()
        tables = []
        for offset, line in enumerate(lines):
            try:
                tables.append(read_line(line.decode()))
            except (UnicodeDecodeError, BookError) as error:
                reason = error if isinstance(error, BookError) else "not UTF-8"
                raise BookError(f"{self._name}, line {self.number(begin) + offset}: {reason}") from None
        try:
            return read(self.map, tables)
        except BookError as error:
            raise BookError(f"{self._name}, block of line {self.number(begin)}: {error}") from None

    def number(self, offset: int) -> int:
        """The number of the line at a byte."""
        return self._data.count(b"\n", 0, offset) + 1

    def check(self) -> None:
        """Read everything. Raises BookError for the first invalid line."""
        for blocks in (self.nodes, self.views):
            for key in blocks:
                blocks[key]


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
    text = joined([line_of(head), *(line for block in (*positions, *seen) for line in block)])
    with whole(path) as part, part.open("wb") as handle:
        handle.write(text.encode())
        handle.flush()
        os.fsync(handle.fileno())
