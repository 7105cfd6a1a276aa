"""Order codes: orders as numbers of 64 bits, the form in which they are passed to the core and back.

A code is the eight bytes of an `Order` of the core: kind, flags, and three locations by number. The
locations have two bytes each: the ordered unit, the target, the destination. A *set* of orders is the bytes
of its codes, concatenated. Only this module defines which bits are which; the core validates them.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from bordeaux.board.order import OrderKind

FIELDS = np.dtype(
    [("kind", "u1"), ("flags", "u1"), ("unit", "<u2"), ("target", "<u2"), ("destination", "<u2")]
)
"""The fields of a code as a NumPy type; bit 0 of `flags` is VIA."""

#: Outcome bits of the core (`_ext/rules/structures.pxd`).
BOUNCE, VOID, CUT, DISLODGED, DISRUPTED, NO_CONVOY, DISBANDED = 1, 2, 4, 8, 16, 32, 64

_VIA = 1
_PLACE = 0xFFFF
_FLAGS, _UNIT, _TARGET, _DESTINATION = 8, 16, 32, 48
#: A table, because calling an enumeration takes several times as long, and the search does this often.
_KINDS = {int(kind): kind for kind in OrderKind}


def make_code(kind: int, unit: int = 0, target: int = 0, destination: int = 0, *, via: bool = False) -> int:
    """The code of an order; places are locations by number, 0 where the order has none."""
    return int(kind) | via << _FLAGS | unit << _UNIT | target << _TARGET | destination << _DESTINATION


def kind_of(code: int) -> OrderKind:
    """The kind of the order. Raises ValueError for an unknown kind."""
    return _KINDS.get(code & 0xFF) or OrderKind(code & 0xFF)


def is_via(code: int) -> bool:
    """Whether a move requires its convoy."""
    return bool(code >> _FLAGS & _VIA)


def unit_of(code: int) -> int:
    """The location of the ordered unit, or of the one that is built; 0 for a waived build."""
    return code >> _UNIT & _PLACE


def target_of(code: int) -> int:
    """The destination of a move or retreat, or the place of the unit that is supported or convoyed; 0 for
    others."""
    return code >> _TARGET & _PLACE


def destination_of(code: int) -> int:
    """The destination of the unit whose move is supported or convoyed; 0 for other orders."""
    return code >> _DESTINATION & _PLACE


def effect_of(code: int) -> tuple[OrderKind, int, int, int]:
    """What an order is to do, by convoy or not: its kind, unit, target and destination."""
    return kind_of(code), unit_of(code), target_of(code), destination_of(code)


def as_bytes(codes: Collection[int]) -> bytes:
    """Codes as one set. Raises struct.error for numbers that are not of 64 bits."""
    return struct.pack(f"<{len(codes)}Q", *codes)


def codes_in(orders: bytes) -> tuple[int, ...]:
    """The codes of a set. Raises struct.error if one is incomplete."""
    return struct.unpack(f"<{len(orders) // 8}Q", orders)


def in_order(codes: Iterable[int]) -> bytes:
    """Codes as one set in the order of the units' locations, so that equal sets are equal bytes."""
    return as_bytes(sorted(codes, key=lambda code: (unit_of(code), code)))


def as_codes(orders: bytes) -> NDArray[np.uint64]:
    """A read-only view of a set as an array of its codes. Raises ValueError if one is incomplete."""
    return np.frombuffer(orders, "<u8")


def fields_of(orders: bytes | NDArray[np.uint64] | Sequence[int]) -> NDArray[np.void]:
    """A view of a set, or of an array of codes of any shape, by `FIELDS`: ``fields_of(orders)["target"]``.

    Bytes and arrays are not copied; arrays must be contiguous, and a view of bytes is read-only. Raises
    ValueError if a code is incomplete.
    """
    codes = as_codes(orders) if isinstance(orders, bytes) else np.asarray(orders, np.uint64)
    return codes.view(FIELDS)
