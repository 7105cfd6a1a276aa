"""Records that one process writes and others read without a lock: no torn one is ever believed."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bordeaux.search.parallel.seqlock import Seqlock

CAPACITY = 40
CONTENTS = st.binary(max_size=CAPACITY)


def memory() -> memoryview:
    return memoryview(bytearray(Seqlock.size(CAPACITY)))


def test_nothing_is_read_before_anything_is_written() -> None:
    assert Seqlock(memory(), 0, CAPACITY).read() is None


@given(st.lists(CONTENTS, min_size=1, max_size=6))
def test_the_last_record_is_read_and_older_ones_are_no_news(contents: list[bytes]) -> None:
    slot = Seqlock(memory(), 0, CAPACITY)
    for number, content in enumerate(contents, start=1):
        slot.write(content)
        assert slot.read() == (number, content)
        assert slot.read(after=number - 1) == (number, content)
        assert slot.read(after=number) is None


@given(
    st.lists(CONTENTS, min_size=1, max_size=4),
    CONTENTS,
    st.data(),
)
def test_a_reader_in_the_midst_of_a_write_gets_the_record_before_or_the_one_after(
    before: list[bytes], content: bytes, data: st.DataObject
) -> None:
    """Whatever bytes of a write have arrived, in whatever order."""
    shared = memory()
    slot = Seqlock(shared, 0, CAPACITY)
    for record in before:
        slot.write(record)
    old = bytes(shared)
    slot.write(content)
    new = bytes(shared)
    changed = [place for place in range(len(new)) if new[place] != old[place]]
    arrived = data.draw(st.sets(st.sampled_from(changed)))
    for place in changed:
        shared[place] = (new if place in arrived else old)[place]
    read = slot.read()
    if len(arrived) == len(changed):
        assert read == (len(before) + 1, content)
    else:
        assert read == (len(before), before[-1])


@given(st.lists(CONTENTS, min_size=1, max_size=4), CONTENTS, CONTENTS, st.integers(0, 60))
def test_a_writer_killed_in_the_midst_of_a_write_leaves_the_rest_in_order(
    before: list[bytes], lost: bytes, content: bytes, arrived: int
) -> None:
    shared = memory()
    Seqlock(shared, 0, CAPACITY).write(b"")
    for record in before:
        Seqlock(shared, 0, CAPACITY).write(record)
    old = bytes(shared)
    Seqlock(shared, 0, CAPACITY).write(lost)
    changed = [place for place in range(len(old)) if old[place] != shared[place]]
    for place in changed[arrived:]:
        shared[place] = old[place]
    heir = Seqlock(shared, 0, CAPACITY)
    known = heir.read()
    assert known is not None and known.content in (before[-1], lost)
    heir.write(content)
    read = heir.read(after=known.number)
    assert read is not None and read.content == content


def test_what_a_reader_gets_beside_a_busy_writer_is_whole() -> None:
    slot = Seqlock(memory(), 0, CAPACITY)
    rounds = 3000

    def write() -> None:
        for number in range(1, rounds + 1):
            slot.write(bytes([number % 251]) * (number % CAPACITY))

    writer = threading.Thread(target=write)
    writer.start()
    last = 0
    while last < rounds:
        if (record := slot.read(after=last)) is not None:
            assert record.number > last
            last = record.number
            assert record.content == bytes([last % 251]) * (last % CAPACITY)
    writer.join()


def test_a_record_over_the_capacity_is_refused() -> None:
    with pytest.raises(ValueError, match="41 bytes for a slot of 40"):
        Seqlock(memory(), 0, CAPACITY).write(b"x" * (CAPACITY + 1))
