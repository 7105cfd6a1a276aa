"""All orders that can ever be legal on a map, with numbers: the fixed outputs of a net."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bordeaux._ext.rules.order_numbers import OrderNumbers, every_order
from bordeaux.board.code import fields_of, make_code
from bordeaux.board.errors import OrderError, quote
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import decode


class OrderTable:
    """The orders of a map in a fixed sequence: by the name of the unit's location, an army before a fleet,
    then by kind of order, the other unit's location and the destination; ``WAIVE`` is the last.

    `codes` is uint64[n] (`bordeaux.board.code`), read-only; the number of an order is its place in it. A
    support of a fleet's move to a province with several coasts has a number for each coast that the fleet can
    reach, and one without a coast. Numbers of the standard map never change (a test holds `digest`). Use
    `order_table`.
    """

    def __init__(self, map: Map) -> None:
        self.map = map
        self.codes = _in_sequence(map, _with_coastless(map, np.frombuffer(every_order(map.tables), "<u8")))
        self.codes.flags.writeable = False
        self.core = OrderNumbers(map.tables, self.codes)

    def __len__(self) -> int:
        return len(self.codes)

    @functools.cached_property
    def texts(self) -> tuple[str, ...]:
        """The orders as text, by number."""
        return tuple(str(decode(self.map, int(code))) for code in self.codes)

    @functools.cached_property
    def _by_text(self) -> dict[str, int]:
        return {text: number for number, text in enumerate(self.texts)}

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 of the texts, one a line: equal where the numbers mean the same."""
        return hashlib.sha256("\n".join(self.texts).encode()).hexdigest()

    def number(self, text: str) -> int:
        """The number of an order in canonical notation. Raises OrderError if the table lacks it."""
        try:
            return self._by_text[text]
        except KeyError:
            raise OrderError(
                f"no order {quote(text)} can be legal on map {self.map.name}; write it like 'A PAR - BUR'"
            ) from None

    def numbers(self, codes: ArrayLike) -> NDArray[np.int32]:
        """The numbers of codes, in their shape; -1 for codes that the table lacks. Raises OrderError for
        what is no code, or names no location of the map."""
        try:
            given = np.ascontiguousarray(codes, np.uint64)
            numbers = np.empty(given.shape, np.int32)
            self.core.numbers(given.reshape(-1), numbers.reshape(-1))
        except (OverflowError, TypeError, ValueError) as error:
            raise OrderError(f"these are no codes of orders on map {self.map.name}: {error}") from None
        return numbers

    def __repr__(self) -> str:
        return f"<OrderTable {self.map.name}: {len(self)} orders>"


def order_table(map: Map | str = "standard") -> OrderTable:
    """The table of a map, or of the bundled map of that name; made once, in a tenth of a second."""
    return _made(Map.load(map))


_made = functools.cache(OrderTable)


def _with_coastless(map: Map, codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The codes, each once, and the supports of fleets that leave the coast open."""
    fields = fields_of(codes)
    without = {
        location.index: map.locations_in("A", map.provinces[location.province].name)[0].index
        for location in map.locations
        if "/" in location.name
    }
    added = [
        make_code(OrderKind.SUPPORT_MOVE, int(order["unit"]), int(order["target"]), without[goal])
        for order in fields[fields["kind"] == OrderKind.SUPPORT_MOVE]
        if (goal := int(order["destination"])) in without
    ]
    return np.unique(np.concatenate([codes, np.array(added, np.uint64)]))


def _in_sequence(map: Map, codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The codes in the sequence of the table."""
    rank = _ranks((location.name, location.kind) for location in map.locations)
    fields = fields_of(codes)
    last = fields["kind"] == OrderKind.WAIVE
    keys = (
        fields["flags"],
        rank[fields["destination"]],
        rank[fields["target"]],
        fields["kind"],
        rank[fields["unit"]],
        last,
    )
    return np.ascontiguousarray(codes[np.lexsort(keys)])


def _ranks(names: Iterable[tuple[str, str]]) -> NDArray[np.int32]:
    """The place of each name among all in alphabetical order."""
    listed = list(names)
    ranks = np.empty(len(listed), np.int32)
    ranks[sorted(range(len(listed)), key=listed.__getitem__)] = np.arange(len(listed))
    return ranks
