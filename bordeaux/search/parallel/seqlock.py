"""A slot in shared memory that one process writes and others read, without a lock.

A slot has two halves that are written alternately, and every record carries its number and a digest of number
and content. While a record is written the previous one is complete in the other half. A reader takes the
newest record with a correct digest; an incomplete record, or one that changes during the read, is ignored. So
readers never wait. If a writer is killed, no lock remains and at most its present record is lost.
"""

from __future__ import annotations

import hashlib
import struct
from typing import NamedTuple

__all__ = ["Seqlock", "SlotRecord"]

HEAD = struct.Struct("<8sQQ")
"""Digest, number and length of a record."""


class SlotRecord(NamedTuple):
    """The content of a slot: a record's number, 1 for the first, and its content."""

    number: int
    content: bytes


class Seqlock:
    """A slot for records of up to `capacity` bytes at an offset in some memory.

    There may be many readers but one writer at a time; a later writer continues after an earlier one, which
    may be dead.
    """

    @staticmethod
    def size(capacity: int) -> int:
        """The size of a slot in bytes, a multiple of 8."""
        return 2 * (-(-(HEAD.size + capacity) // 8) * 8)

    def __init__(self, memory: memoryview, offset: int, capacity: int) -> None:
        self.capacity = capacity
        half = self.size(capacity) // 2
        self._halves = (memory[offset : offset + half], memory[offset + half : offset + 2 * half])

    def write(self, content: bytes) -> None:
        """Publish a record. Raises ValueError for one over the capacity."""
        if len(content) > self.capacity:
            raise ValueError(f"a record of {len(content)} bytes for a slot of {self.capacity}")
        records = [self._whole(half) for half in self._halves]
        numbers = [record.number if record else 0 for record in records]
        older = numbers.index(min(numbers))
        number = max(numbers) + 1
        head = HEAD.pack(_digest(number, content), number, len(content))
        self._halves[older][: HEAD.size + len(content)] = head + content

    def read(self, after: int = 0) -> SlotRecord | None:
        """The newest complete record, if its number is above `after`."""
        newest: SlotRecord | None = None
        for half in self._halves:
            _, number, _ = HEAD.unpack_from(half)
            if number > max(after, newest.number if newest else 0):
                newest = self._whole(half) or newest
        return newest

    def _whole(self, half: memoryview) -> SlotRecord | None:
        digest, number, length = HEAD.unpack_from(half)
        if not number or length > self.capacity:
            return None
        content = bytes(half[HEAD.size : HEAD.size + length])
        # The digest covers the number as well, so that no head passes with another record's content.
        return SlotRecord(number, content) if _digest(number, content) == digest else None


def _digest(number: int, content: bytes) -> bytes:
    return hashlib.blake2b(number.to_bytes(8, "little") + content, digest_size=8).digest()
