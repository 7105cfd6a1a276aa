"""Buckets, the gate, and that the defaults leave honest clients alone."""

from __future__ import annotations

import pytest

from bordeaux.daide import language as d
from bordeaux.daide.server.limits import (
    Bucket,
    Buckets,
    Gate,
    GateVerdict,
    Hoard,
    Inside,
    Limits,
    Part,
    Rate,
    is_own,
    network_of,
)

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


def inside(*addresses: str, part: Part = "player", waiting: float = 0.0) -> list[Inside]:
    return [Inside(number, address, part, waiting) for number, address in enumerate(addresses, 1)]


def test_the_gate_counts_in_all_by_address_and_by_network() -> None:
    limits = Limits(connections=6, connections_per_address=2, connections_per_network=3)
    gate = Gate(limits, now=0.0)
    a, b, c, far = "192.0.2.1", "192.0.2.2", "192.0.2.3", "198.51.100.1"
    assert gate.judge(a, [], 0.0) == GateVerdict()
    assert gate.judge(a, inside(a, b), 0.0) == GateVerdict()
    assert "2 connections from this address" in str(gate.judge(a, inside(a, a), 0.0).refused)
    assert gate.judge(b, inside(a, a), 0.0) == GateVerdict()
    assert "3 connections from 192.0.2.0/24" in str(gate.judge(c, inside(a, a, b), 0.0).refused)
    assert gate.judge(far, inside(a, a, b), 0.0) == GateVerdict()
    assert "6 connections already" in str(gate.judge("203.0.113.1", inside(*[far] * 6), 0.0).refused)


def test_networks_are_those_of_a_line_and_the_machine_has_limits_of_its_own() -> None:
    assert network_of("192.0.2.77") == network_of("::ffff:192.0.2.1") == "192.0.2.0/24"
    assert network_of("2001:db8:1:2::7") == "2001:db8:1:2::/64" == network_of("2001:db8:1:2:ffff::")
    assert network_of("unknown") == "unknown"
    assert is_own("127.0.0.3") and is_own("::1") and not is_own("192.0.2.1") and not is_own("unknown")
    gate = Gate(Limits(connections_per_address=2, connections_per_own_address=4), now=0.0)
    assert gate.judge("127.0.0.1", inside(*["127.0.0.1"] * 3), 0.0).refused is None
    assert gate.judge("127.0.0.1", inside(*["127.0.0.1"] * 4), 0.0).refused is not None


def test_a_stranger_makes_place_for_a_newcomer() -> None:
    gate = Gate(Limits(connections=4, kept=0, grace_seconds=5), now=0.0)
    crowd = [
        Inside(1, "192.0.2.1", "stranger", 9.0),
        Inside(2, "198.51.100.1", "stranger", 6.0),
        Inside(3, "198.51.100.1", "stranger", 7.0),
        Inside(4, "203.0.113.1", "observer"),
    ]
    verdict = gate.judge("203.0.113.9", crowd, 0.0)
    assert (verdict.refused, verdict.instead) == (None, 3), "the address with the most, the longest there"
    young = [guest._replace(waiting=4.0) for guest in crowd]
    assert gate.judge("203.0.113.9", young, 0.0).refused is not None, "who has just come may act first"
    assert gate.judge("203.0.113.9", young, 0.0, expected=True).instead in (2, 3), "but for a player"


def test_the_last_places_are_for_players() -> None:
    gate = Gate(Limits(connections=8, kept=2), now=0.0)
    many = [f"192.0.{number}.1" for number in range(8)]
    assert [gate.judge("198.51.100.1", inside(*many[:count]), 0.0).kept for count in (5, 6, 7)] == [
        False,
        True,
        True,
    ]
    assert gate.judge("198.51.100.1", inside(*many), 0.0, expected=True).refused is not None


def test_a_player_that_comes_back_passes_the_limits_of_its_address() -> None:
    gate = Gate(Limits(connections=9, kept=0, connections_per_address=2), now=0.0)
    crowd = inside("192.0.2.1", "192.0.2.1", part="observer")
    assert gate.judge("192.0.2.1", crowd, 0.0).refused is not None
    verdict = gate.judge("192.0.2.1", crowd, 0.0, expected=True)
    assert verdict.refused is None and verdict.kept, "and must then be a player"


def test_the_gate_knows_how_fast_an_address_comes() -> None:
    gate = Gate(Limits(arrivals=Rate(each_second=1, at_once=2)), now=0.0)
    assert [gate.judge("a", [], 0.0).refused for _ in range(2)] == [None, None]
    assert "too fast" in str(gate.judge("a", [], 0.0).refused)
    assert gate.judge("b", [], 0.0).refused is None
    assert gate.judge("a", [], 1.0).refused is None


def test_the_gate_forgets_addresses_that_have_been_quiet() -> None:
    gate = Gate(Limits(arrivals=Rate(each_second=1, at_once=2)), now=0.0)
    for number in range(5000):
        assert gate.judge(str(number), [], number * 0.01).refused is None
    assert len(gate._arrivals) <= 1001


def test_buckets_of_many_are_bounded_even_if_all_are_in_use() -> None:
    buckets = Buckets(Rate(each_second=0.001, at_once=2), most=10)
    for number in range(100):
        buckets.of(number, 0.0).take(0.0)
    assert len(buckets) == 10


def test_full_buckets_are_forgotten_before_older_ones_in_debt() -> None:
    buckets = Buckets(Rate(each_second=1, at_once=2), most=2)
    buckets.of("in debt", 0.0).spend(5)
    assert buckets.of("full", 0.0).full(0.0)
    assert buckets.of("new", 0.0).full(0.0) and len(buckets) == 2
    assert buckets.of("in debt", 0.0).wait(0.0) == 4.0


def test_what_is_kept_for_all_together_is_bounded() -> None:
    now = {"a": 30, "b": 50, "c": 0}
    hoard: Hoard[str] = Hoard(100, now.__getitem__)
    assert hoard.note("a", 30) is None
    assert hoard.note("c", 40) is None
    assert hoard.note("b", 50) is None, "as c has become less meanwhile"
    assert hoard.sum == 80
    now["c"] = 30
    assert hoard.note("c", 30) == "b"
    assert hoard.note("b", 0) is None
    assert hoard.sum == 60


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
    assert limits.connections > limits.connections_per_own_network > limits.connections_per_own_address
    assert limits.connections > limits.connections_per_network > limits.connections_per_address > 7
    assert limits.unsent_pause < limits.unsent_bytes
