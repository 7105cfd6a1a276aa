"""Order codes: what each field is, one by one and many at once, and that the core means the same."""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bordeaux import Map
from bordeaux.arena import bench
from bordeaux.board.code import (
    as_bytes,
    as_codes,
    codes_in,
    destination_of,
    fields_of,
    is_via,
    kind_of,
    make_code,
    target_of,
    unit_of,
)
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import decode, encode

MAP = Map.standard()
PLACES = st.integers(0, 0xFFFF)
CODES = st.builds(make_code, st.sampled_from(OrderKind), PLACES, PLACES, PLACES, via=st.booleans())


@given(st.sampled_from(OrderKind), PLACES, PLACES, PLACES, st.booleans())
def test_a_code_has_the_fields_that_it_is_made_of(
    kind: OrderKind, unit: int, target: int, destination: int, via: bool
) -> None:
    code = make_code(kind, unit, target, destination, via=via)
    assert kind_of(code) is kind and is_via(code) is via
    assert (unit_of(code), target_of(code), destination_of(code)) == (unit, target, destination)
    assert code.to_bytes(8, "little") == as_bytes([code])


def test_a_code_of_no_kind_is_refused() -> None:
    for code in (0, 10, 255):
        with pytest.raises(ValueError, match="OrderKind"):
            kind_of(code)


@given(st.lists(CODES, max_size=20))
def test_views_of_a_set_show_what_the_accessors_do(codes: list[int]) -> None:
    orders = as_bytes(codes)
    assert codes_in(orders) == tuple(codes) == tuple(as_codes(orders).tolist())
    for fields in (fields_of(orders), fields_of(codes), fields_of(np.array(codes, np.uint64))):
        assert fields["kind"].tolist() == [kind_of(code) for code in codes]
        assert (fields["flags"] & 1 == 1).tolist() == [is_via(code) for code in codes]
        assert fields["unit"].tolist() == [unit_of(code) for code in codes]
        assert fields["target"].tolist() == [target_of(code) for code in codes]
        assert fields["destination"].tolist() == [destination_of(code) for code in codes]


@pytest.mark.parametrize("read", [as_codes, fields_of])
def test_a_code_cut_off_is_refused(read: Callable[[bytes], object]) -> None:
    with pytest.raises(ValueError, match="multiple of element size"):
        read(b"\x01" * 12)
    with pytest.raises(struct.error):
        codes_in(b"\x01" * 12)
    with pytest.raises(struct.error):
        as_bytes([2**64])


def test_legal_orders_of_the_core_come_back_as_they_were() -> None:
    seen = set()
    for position, _ in bench.positions():
        for power, places in position.packed.legal().items():
            for place, codes in places.items():
                for code in codes:
                    assert unit_of(code) == place
                    seen.add(kind_of(code))
                    order = decode(position.map, code)
                    again, fault = encode(position, position.map.powers[power], order)
                    # A fleet's goal that needs no coast may be named as an army's: the order is the same.
                    assert fault == "" and decode(position.map, again) == order
    assert seen == set(OrderKind) - {OrderKind.WAIVE}
