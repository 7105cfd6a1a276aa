"""Order codes and sets of them."""

from __future__ import annotations

import struct

import pytest

from bordeaux.search.codes import as_bytes, codes_in


@pytest.mark.parametrize("codes", [(), (1,), (1 | 5 << 16, 2 | 7 << 16 | 9 << 32, 2**64 - 1)])
def test_codes_come_back_from_bytes(codes) -> None:
    assert codes_in(as_bytes(codes)) == codes
    assert len(as_bytes(codes)) == 8 * len(codes)


def test_half_a_code_is_refused() -> None:
    with pytest.raises(struct.error):
        codes_in(b"\x01" * 9)
