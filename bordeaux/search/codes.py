"""Sets of orders as bytes of codes, 8 for each order: the form in which the core takes and gives them."""

from __future__ import annotations

import struct
from collections.abc import Collection

__all__ = ["as_bytes", "codes_in"]


def as_bytes(codes: Collection[int]) -> bytes:
    """Order codes (64-bit numbers, see `bordeaux._ext.packed`) as one set."""
    return struct.pack(f"<{len(codes)}Q", *codes)


def codes_in(orders: bytes) -> tuple[int, ...]:
    """The order codes of a set. Raises struct.error where a code is not whole."""
    return struct.unpack(f"<{len(orders) // 8}Q", orders)
