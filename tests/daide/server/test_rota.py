"""Whose turn it is: by address, then by connection, whoever has cost least."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from itertools import pairwise

import pytest

from bordeaux.daide.server.limits import Limits, Rate
from bordeaux.daide.server.rota import Rota

from .wires import run

FREE = Limits(address_messages=Rate(each_second=1e9, at_once=1e9))


class Clock:
    """Time that passes only when somebody works."""

    def __init__(self) -> None:
        self.now = 0.0

    def thread_time(self) -> float:
        return self.now


class Sender:
    """Says its name so many times, each costing some seconds; then calls `then`."""

    def __init__(
        self, rota: Rota, clock: Clock, spoken: list[str], name: str, address: str, count: int, cost: float
    ) -> None:
        self.rota, self.clock, self.spoken = rota, clock, spoken
        self.name, self.address, self.count, self.cost = name, address, count, cost
        self.then: Callable[[], None] = lambda: None

    def deal(self) -> None:
        self.spoken.append(self.name)
        self.clock.now += self.cost
        self.count -= 1
        if self.count:
            self.rota.add(self)
        self.then()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(time, "thread_time", made.thread_time)
    return made


async def finished(senders: list[Sender]) -> None:
    while any(sender.count > 0 for sender in senders):
        await asyncio.sleep(0)


def test_addresses_take_turns_however_many_connections_they_have(clock: Clock) -> None:
    async def body() -> None:
        rota = Rota(FREE)
        spoken: list[str] = []
        many = [Sender(rota, clock, spoken, f"m{number}", "a", 20, 0.001) for number in range(50)]
        one = Sender(rota, clock, spoken, "one", "b", 20, 0.001)
        for sender in (*many, one):
            rota.add(sender)
        await finished([one])
        places = [place for place, name in enumerate(spoken) if name == "one"]
        assert max(after - before for before, after in pairwise(places)) <= 2

    run(body)


def test_within_an_address_connections_take_turns(clock: Clock) -> None:
    async def body() -> None:
        rota = Rota(FREE)
        spoken: list[str] = []
        three = [Sender(rota, clock, spoken, name, "a", 4, 0.001) for name in "xyz"]
        for sender in three:
            rota.add(sender)
        await finished(three)
        assert "".join(spoken) == "xyz" * 4

    run(body)


def test_an_address_pays_for_what_is_dear(clock: Clock) -> None:
    async def body() -> None:
        rota = Rota(FREE)
        spoken: list[str] = []
        dear = Sender(rota, clock, spoken, "dear", "a", 20, 0.0015)
        cheap = Sender(rota, clock, spoken, "cheap", "b", 100, 0.0003)
        for sender in (dear, cheap):
            rota.add(sender)
        await finished([dear, cheap])
        assert 9 <= spoken[:60].count("dear") <= 11, "as five cheap ones cost one dear one"

    run(body)


def test_a_newcomer_is_served_soon_and_gains_nothing_by_its_silence(clock: Clock) -> None:
    async def body() -> None:
        rota = Rota(FREE)
        spoken: list[str] = []
        busy = [Sender(rota, clock, spoken, f"b{number}", "a", 100, 0.001) for number in range(20)]
        late = Sender(rota, clock, spoken, "late", "b", 100, 0.001)
        for sender in busy:
            rota.add(sender)
        while len(spoken) < 1000:
            await asyncio.sleep(0)
        before = len(spoken)
        rota.add(late)
        await finished([late])
        assert spoken.index("late") - before <= 1
        assert 90 <= spoken[before : before + 200].count("late") <= 100

    run(body)


def test_a_round_ends_so_that_sockets_and_clocks_have_theirs(clock: Clock) -> None:
    async def body() -> None:
        rota = Rota(FREE)
        spoken: list[str] = []
        rota.add(Sender(rota, clock, spoken, "x", "a", 10_000, 1e-6))
        sizes = []
        for _ in range(5):
            await asyncio.sleep(0)
            sizes.append(len(spoken))
        assert max(after - before for before, after in pairwise(sizes)) == 50
        rota.stop()
        slow = Rota(FREE)
        spoken.clear()
        slow.add(Sender(slow, clock, spoken, "x", "a", 100, 0.004))
        await asyncio.sleep(0)
        assert len(spoken) == 2, "a message that exceeds the time is the last of the round"
        slow.stop()

    run(body)


def test_all_senders_of_an_address_pay_from_one_purse(clock: Clock) -> None:
    async def body() -> None:
        rota = Rota(FREE._replace(address_messages=Rate(each_second=0.001, at_once=10)))
        spoken: list[str] = []
        many = [Sender(rota, clock, spoken, "many", "a", 100, 0.0) for _ in range(30)]
        other = Sender(rota, clock, spoken, "other", "b", 1, 0.0)
        for sender in many:
            sender.then = lambda: rota.purse("a").spend(1)
            rota.add(sender)
        for _ in range(50):
            await asyncio.sleep(0)
        assert len(spoken) == 10
        rota.add(other)
        await finished([other])
        assert spoken == ["many"] * 10 + ["other"]
        rota.stop()

    run(body)


def test_who_is_gone_is_not_called(clock: Clock) -> None:
    async def body() -> None:
        rota = Rota(FREE)
        spoken: list[str] = []
        gone, there = (Sender(rota, clock, spoken, name, "a", 1, 0.001) for name in ("gone", "there"))
        rota.add(gone)
        rota.add(there)
        rota.forget(gone)
        await finished([there])
        assert spoken == ["there"]

    run(body)
