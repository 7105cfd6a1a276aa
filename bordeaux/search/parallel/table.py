"""The layout of the memory that the processes of a search share.

First come cells of 8 bytes, each written by one process and accessed whole. They hold the number of the
present search, and for every process its nodes in this search and the last search that it has finished. Then,
for every process and power, two slots: one for the power's best sets, one for tallies.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import struct
import tempfile
import weakref
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bordeaux.board.map import Map
from bordeaux.search.parallel.seqlock import Seqlock

__all__ = ["SETS", "STARTING", "TALLIES", "Sets", "SharedTable", "key_of"]

SETS = 6
"""The maximum number of sets of a power that a process publishes; enemies choose their replies from as
many."""

TALLIES = 640
"""Sets of a power that a process tallies at most."""

CODE = 8
"""Bytes of an order."""

STARTING = 2**64 - 1
"""The value instead of the last finished search while a process is starting."""

NODES = 48
"""Bits of a cell that count nodes; those above hold the end of the search's number."""

SET = struct.Struct("<dQ")
"""Value and length of a set."""
SEARCH = struct.Struct("<Q")
TALLY = struct.Struct("<QdQ")
"""Key of a set, sum and number of its samples."""


class Sets(NamedTuple):
    """A process's publication about a power: sets of orders with their values, best first."""

    number: int
    sets: tuple[tuple[bytes, float], ...]


class SharedTable:
    """The shared memory of `processes` processes that search on a map; process 0 is the master.

    It is an open file without a name; `file` is its descriptor. The master creates it. A worker inherits the
    descriptor and passes it as `file`.
    """

    def __init__(self, map: Map, processes: int, file: int | None = None) -> None:
        self.processes = processes
        # No power can have more units than there are provinces.
        self._sizes = (
            SEARCH.size + SETS * (SET.size + CODE * len(map.provinces)),
            SEARCH.size + TALLIES * TALLY.size,
        )
        self._powers = len(map.powers)
        cells = CODE * (1 + 2 * processes)
        slots = processes * self._powers * sum(Seqlock.size(size) for size in self._sizes)
        self.file = nameless(cells + slots) if file is None else file
        weakref.finalize(self, os.close, self.file)
        self._lay(memoryview(mmap.mmap(self.file, cells + slots)))

    def _lay(self, memory: memoryview) -> None:
        end = CODE * (1 + 2 * self.processes)
        self._cells = memory[:end].cast("Q")
        self._slots: dict[tuple[int, int], tuple[Seqlock, Seqlock]] = {}
        for process in range(self.processes):
            for power in range(self._powers):
                pair = []
                for size in self._sizes:
                    pair.append(Seqlock(memory, end, size))
                    end += Seqlock.size(size)
                self._slots[process, power] = (pair[0], pair[1])

    @property
    def active(self) -> int:
        """The number of the present search, 0 for none. Only the master sets it."""
        return self._cells[0]

    @active.setter
    def active(self, search: int) -> None:
        self._cells[0] = search

    def spend(self, process: int, search: int, nodes: int) -> None:
        """Publish a process's nodes in a search so far."""
        self._cells[1 + process] = (search & 0xFFFF) << NODES | nodes

    def spent(self, process: int, search: int) -> int | None:
        """A process's nodes in a search; None if it has not begun."""
        cell = self._cells[1 + process]
        return cell & ((1 << NODES) - 1) if cell >> NODES == search & 0xFFFF else None

    def finish(self, process: int, search: int) -> None:
        """Publish that a process has finished a search."""
        self._cells[1 + self.processes + process] = search

    def finished(self, process: int) -> int:
        """The last search that a process has finished, 0 for none, STARTING before it is ready."""
        return self._cells[1 + self.processes + process]

    def publish(self, process: int, power: int, search: int, sets: Iterable[tuple[bytes, float]]) -> None:
        """Publish up to SETS sets of a power (number in the map), best first."""
        parts = [SEARCH.pack(search)]
        for orders, value in list(sets)[:SETS]:
            parts += SET.pack(value, len(orders)), orders
        self._slots[process, power][0].write(b"".join(parts))

    def published(self, process: int, power: int, search: int, after: int = 0) -> Sets | None:
        """A process's last publication about a power in a search, if its number is above `after`."""
        record = self._slots[process, power][0].read(after)
        if record is None or SEARCH.unpack_from(record.content) != (search,):
            return None
        sets, place = [], SEARCH.size
        while place < len(record.content):
            value, length = SET.unpack_from(record.content, place)
            place += SET.size
            sets.append((record.content[place : place + length], value))
            place += length
        return Sets(record.number, tuple(sets))

    def tally(self, process: int, power: int, search: int, totals: Mapping[bytes, tuple[float, int]]) -> None:
        """Publish a process's totals of up to TALLIES sets of a power: the sum and number of samples by
        `key_of` the set. They replace its earlier ones."""
        content = SEARCH.pack(search) + b"".join(
            key + TALLY.pack(0, *total)[len(key) :] for key, total in list(totals.items())[:TALLIES]
        )
        self._slots[process, power][1].write(content)

    def tallied(self, process: int, power: int, search: int) -> dict[bytes, tuple[float, int]]:
        """A process's last published totals of a power in a search."""
        record = self._slots[process, power][1].read()
        if record is None or SEARCH.unpack_from(record.content) != (search,):
            return {}
        rows = TALLY.iter_unpack(record.content[SEARCH.size :])
        return {SEARCH.pack(key): (total, number) for key, total, number in rows}


def nameless(size: int) -> int:
    """The descriptor of a new file of `size` zeros without a name, in memory where the system allows that."""
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("bordeaux")
    else:
        with tempfile.TemporaryFile() as made:
            file = os.dup(made.fileno())
    os.truncate(file, size)
    return file


def key_of(orders: bytes) -> bytes:
    """The key of a set in tallies: 8 bytes, with a collision probability of 1 to 2^64."""
    return hashlib.blake2b(orders, digest_size=SEARCH.size).digest()
