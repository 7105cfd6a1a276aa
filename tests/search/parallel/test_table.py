"""The shared memory of a search: what one process writes in it the others read."""

from __future__ import annotations

import os
import struct

import pytest

from bordeaux import Map
from bordeaux.search.parallel.table import SETS, TALLIES, SharedTable, key_of

MAP = Map.standard()


def orders(number: int, units: int = 3) -> bytes:
    return struct.pack(f"<{units}Q", *range(number, number + units))


@pytest.fixture
def table() -> SharedTable:
    return SharedTable(MAP, 3)


def test_sets_are_read_as_they_were_published(table: SharedTable) -> None:
    sets = [(orders(index, units=34), 100.0 - index) for index in range(SETS + 2)]
    table.publish(1, 6, 5, sets)
    published = table.published(1, 6, 5)
    assert published is not None and list(published.sets) == sets[:SETS]
    assert table.published(1, 6, 5, after=published.number) is None


def test_processes_powers_and_searches_do_not_mix(table: SharedTable) -> None:
    table.publish(1, 2, 5, [(orders(1), 1.0)])
    assert table.published(2, 2, 5) is None
    assert table.published(1, 3, 5) is None
    assert table.published(1, 2, 6) is None
    table.tally(1, 2, 5, {key_of(orders(1)): (1.0, 1)})
    assert table.tallied(2, 2, 5) == table.tallied(1, 3, 5) == table.tallied(1, 2, 6) == {}


def test_a_power_with_a_unit_in_every_province_has_room(table: SharedTable) -> None:
    full = [(orders(index, units=len(MAP.provinces)), 0.0) for index in range(SETS)]
    table.publish(2, 0, 1, full)
    published = table.published(2, 0, 1)
    assert published is not None and published.sets == tuple(full)


def test_nodes_count_for_their_search_alone(table: SharedTable) -> None:
    assert table.spent(2, 1) is None
    table.spend(2, 1, 123_456_789)
    assert table.spent(2, 1) == 123_456_789
    assert table.spent(2, 2) is None


def test_the_search_under_way_and_those_finished(table: SharedTable) -> None:
    assert table.active == 0 and table.finished(1) == 0
    table.active = 7
    table.finish(1, 7)
    assert (table.active, table.finished(1), table.finished(2)) == (7, 7, 0)


def test_tallies_are_read_as_they_were_published(table: SharedTable) -> None:
    totals = {key_of(orders(index)): (index * 0.5, index + 1) for index in range(TALLIES + 3)}
    table.tally(1, 0, 4, totals)
    assert table.tallied(1, 0, 4) == dict(list(totals.items())[:TALLIES])
    table.tally(1, 0, 4, {})
    assert table.tallied(1, 0, 4) == {}


@pytest.mark.parametrize("memory", [True, False], ids=["in memory", "where files are"])
def test_who_has_the_file_has_the_table(memory: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not memory:
        monkeypatch.delattr(os, "memfd_create")
    table = SharedTable(MAP, 2)
    other = SharedTable(MAP, 2, os.dup(table.file))
    table.active = 3
    other.publish(1, 6, 3, [(orders(1), 5.0)])
    assert other.active == 3
    published = table.published(1, 6, 3)
    assert published is not None and published.sets == ((orders(1), 5.0),)
    file = table.file
    del table
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(file)
    assert other.active == 3
