"""Buckets, the gate, and that the defaults leave honest clients alone."""

from __future__ import annotations

import pytest

from bordeaux.daide import language as d
from bordeaux.daide.server.gate import Gate
from bordeaux.daide.server.limits import Bucket, Limits, Rate

from ..recorded import recorded, recorded_files


def test_a_bucket_gives_at_once_what_it_holds_and_then_as_it_fills() -> None:
    bucket = Bucket(Rate(each_second=2, at_once=3), now=10.0)
    assert [bucket.take(10.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.wait(10.0) == 0.5
    assert not bucket.take(10.4)
    assert bucket.take(10.5)
    assert [bucket.take(99.0) for _ in range(4)] == [True, True, True, False], "never fuller than its brim"


def test_a_bucket_can_be_in_debt() -> None:
    bucket = Bucket(Rate(each_second=1, at_once=2), now=0.0)
    bucket.spend(5)
    assert bucket.wait(0.0) == 4.0
    assert not bucket.full(4.0)
    assert bucket.full(5.0)


def test_an_amount_above_the_brim_is_paid_in_the_end() -> None:
    bucket = Bucket(Rate(each_second=1, at_once=2), now=0.0)
    assert bucket.take(0.0)
    assert not bucket.take(0.0, 10)
    assert bucket.take(1.0, 10)
    assert bucket.wait(1.0) == 9.0


@pytest.mark.parametrize("rate", [Rate(3, 7), Rate(0.1, 1), Rate(1000, 1000)])
def test_who_waits_as_long_as_told_is_served(rate: Rate) -> None:
    bucket, now, taken = Bucket(rate, 0.0), 0.0, 0
    for _ in range(1000):
        now += bucket.wait(now)
        taken += bucket.take(now)
    assert taken >= 998, "but for roundings"
    assert now >= (taken - rate.at_once) / rate.each_second * 0.99


def test_the_gate_counts_in_all_and_by_address() -> None:
    gate = Gate(Limits(connections=3, connections_per_address=2), now=0.0)
    assert gate.refuses("a", [], 0.0) is None
    assert gate.refuses("a", ["a", "b"], 0.0) is None
    assert "2 connections from this address" in str(gate.refuses("a", ["a", "a"], 0.0))
    assert gate.refuses("b", ["a", "a"], 0.0) is None
    assert "3 connections already" in str(gate.refuses("b", ["a", "a", "b"], 0.0))


def test_the_gate_knows_how_fast_an_address_comes() -> None:
    gate = Gate(Limits(arrivals=Rate(each_second=1, at_once=2)), now=0.0)
    assert [gate.refuses("a", [], 0.0) for _ in range(2)] == [None, None]
    assert "too fast" in str(gate.refuses("a", [], 0.0))
    assert gate.refuses("b", [], 0.0) is None
    assert gate.refuses("a", [], 1.0) is None


def test_the_gate_forgets_addresses_that_have_been_quiet() -> None:
    gate = Gate(Limits(arrivals=Rate(each_second=1, at_once=2)), now=0.0)
    for number in range(5000):
        assert gate.refuses(str(number), [], number * 0.01) is None
    assert len(gate._arrivals) <= 1001


def test_refusals_do_not_fill_the_log() -> None:
    gate = Gate(Limits(), now=0.0)
    assert sum(gate.worth_a_line(0.0) for _ in range(1000)) == 20
    assert gate.worth_a_line(1.0)


def test_the_defaults_are_far_above_what_a_recorded_game_needs() -> None:
    limits = Limits()
    longest = max(
        len(d.encode(message.tokens))
        for path in recorded_files()
        for message in recorded(path)
        if message.side == "client"
    )
    assert longest * 10 < limits.message_bytes
    assert limits.introduction_seconds == 30, "as the protocol has it"
    assert limits.connections > limits.connections_per_address > 7
    assert limits.unsent_pause < limits.unsent_bytes
