"""Books on disk: indexed at once, read block by block on demand, written whole.

Reading everything takes too long for a player that needs a few positions. So loading only finds where the
blocks begin. The lines of a block are parsed and checked on first use.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.map import Map
from bordeaux.formats.source import first_line, open_source
from bordeaux.formats.whole_files import whole
from bordeaux.openings.entry import Node, View
from bordeaux.openings.schema import (
    KIND,
    VERSION,
    BookError,
    JsonObject,
    joined,
    line_of,
    node_lines,
    read_line,
    read_node,
    read_view,
    view_lines,
)

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
