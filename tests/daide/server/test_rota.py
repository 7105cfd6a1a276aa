"""Whose turn it is: by role, then by network, whoever has cost least; then by connection. And the door."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import time
from collections.abc import Callable
from itertools import pairwise

import pytest

from bordeaux.daide.language import Standing
from bordeaux.daide.server import rota as rota_module
from bordeaux.daide.server.limits import Limits, Rate
from bordeaux.daide.server.rota import Door, Peer, Rota

FREE = Limits(network_messages=Rate(each_second=1e9, at_once=1e9))


class Clock:
    """Time that passes only when somebody works."""

    def __init__(self) -> None:
        self.now = 0.0

    def thread_time(self) -> float:
        return self.now


class Sender:
    """Says its name so many times, each costing some seconds; then calls `then`."""

    def __init__(
        self,
        rota: Rota,
        clock: Clock,
        spoken: list[str],
        name: str,
        address: str,
        count: int,
        cost: float,
        part: Standing = "player",
    ) -> None:
        self.rota, self.clock, self.spoken, self.part = rota, clock, spoken, part
        self.name, self.address, self.count, self.cost = name, address, count, cost
        self.then: Callable[[], None] = lambda: None

    def deal(self) -> None:
        self.spoken.append(self.name)
        self.clock.now += self.cost
        self.count -= 1
        if self.count:
            self.rota.add(self, self.part)
        self.then()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(time, "thread_time", made.thread_time)
    return made


async def finished(senders: list[Sender]) -> None:
    while any(sender.count > 0 for sender in senders):
        await asyncio.sleep(0)


def widest_gap(name: str, spoken: list[str]) -> int:
    """The most turns from one message of a sender to its next."""
    places = [place for place, said in enumerate(spoken) if said == name]
    return max(after - before for before, after in pairwise(places))


async def test_networks_take_turns_however_many_connections_they_have(clock: Clock) -> None:
    rota = Rota(FREE)
    spoken: list[str] = []
    many = [Sender(rota, clock, spoken, f"m{number}", "a", 20, 0.001) for number in range(50)]
    one = Sender(rota, clock, spoken, "one", "b", 20, 0.001)
    for sender in (*many, one):
        rota.add(sender, sender.part)
    await finished([one])
    assert widest_gap("one", spoken) <= 2


async def test_within_an_address_connections_take_turns(clock: Clock) -> None:
    rota = Rota(FREE)
    spoken: list[str] = []
    three = [Sender(rota, clock, spoken, name, "a", 4, 0.001) for name in "xyz"]
    for sender in three:
        rota.add(sender, sender.part)
    await finished(three)
    assert "".join(spoken) == "xyz" * 4


async def test_an_address_pays_for_what_is_dear(clock: Clock) -> None:
    rota = Rota(FREE)
    spoken: list[str] = []
    dear = Sender(rota, clock, spoken, "dear", "a", 20, 0.0015)
    cheap = Sender(rota, clock, spoken, "cheap", "b", 100, 0.0003)
    for sender in (dear, cheap):
        rota.add(sender, sender.part)
    await finished([dear, cheap])
    assert 9 <= spoken[:60].count("dear") <= 11, "as five cheap ones cost one dear one"


async def test_a_newcomer_is_served_soon_and_gains_nothing_by_its_silence(clock: Clock) -> None:
    rota = Rota(FREE)
    spoken: list[str] = []
    busy = [Sender(rota, clock, spoken, f"b{number}", "a", 100, 0.001) for number in range(20)]
    late = Sender(rota, clock, spoken, "late", "b", 100, 0.001)
    for sender in busy:
        rota.add(sender, sender.part)
    while len(spoken) < 1000:
        await asyncio.sleep(0)
    before = len(spoken)
    rota.add(late, late.part)
    await finished([late])
    assert spoken.index("late") - before <= 1
    assert 90 <= spoken[before : before + 200].count("late") <= 100


async def test_a_round_ends_so_that_sockets_and_clocks_have_theirs(clock: Clock) -> None:
    rota = Rota(FREE)
    spoken: list[str] = []
    rota.add(Sender(rota, clock, spoken, "x", "a", 10_000, 1e-6), "player")
    sizes = []
    for _ in range(5):
        await asyncio.sleep(0)
        sizes.append(len(spoken))
    assert max(after - before for before, after in pairwise(sizes)) == 50
    rota.stop()
    slow = Rota(FREE)
    spoken.clear()
    slow.add(Sender(slow, clock, spoken, "x", "a", 100, 0.004), "player")
    await asyncio.sleep(0)
    assert len(spoken) == 2, "a message that exceeds the time is the last of the round"
    slow.stop()


async def test_all_senders_of_an_address_pay_from_one_purse(clock: Clock) -> None:
    rota = Rota(FREE._replace(network_messages=Rate(each_second=0.001, at_once=10)))
    spoken: list[str] = []
    many = [Sender(rota, clock, spoken, "many", "a", 100, 0.0) for _ in range(30)]
    other = Sender(rota, clock, spoken, "other", "b", 1, 0.0)
    for sender in many:
        sender.then = lambda: rota.purse("a", "player").spend(1)
        rota.add(sender, sender.part)
    for _ in range(50):
        await asyncio.sleep(0)
    assert len(spoken) == 10
    rota.add(other, other.part)
    await finished([other])
    assert spoken == ["many"] * 10 + ["other"]
    rota.stop()


async def test_who_is_gone_is_not_called(clock: Clock) -> None:
    rota = Rota(FREE)
    spoken: list[str] = []
    gone, there = (Sender(rota, clock, spoken, name, "a", 1, 0.001) for name in ("gone", "there"))
    rota.add(gone, gone.part)
    rota.add(there, there.part)
    rota.forget(gone)
    await finished([there])
    assert spoken == ["there"]


@pytest.mark.parametrize("part", ["player", "observer"])
async def test_a_storm_of_new_networks_takes_no_turn_of_who_is_in(clock: Clock, part: Standing) -> None:
    rota = Rota(FREE)
    spoken: list[str] = []
    admitted = Sender(rota, clock, spoken, "admitted", "192.0.2.1", 100, 0.001, part)

    def again() -> None:
        come()
        come()

    def come() -> None:
        stranger = Sender(rota, clock, spoken, "s", f"10.{len(spoken)}.0.1", 1, 0.0003, "unknown")
        stranger.then = again if len(spoken) < 2000 else lambda: None
        rota.add(stranger, "unknown")

    for _ in range(300):
        come()
    while len(spoken) < 500:
        await asyncio.sleep(0)
    before = len(spoken)
    rota.add(admitted, part)
    await finished([admitted])
    places = [place for place, name in enumerate(spoken) if name == "admitted"]
    assert places[0] - before <= 1
    strangers = places[-1] - places[0] - 99
    assert 0.3 * strangers / 99 <= {"player": 0.5, "observer": 1.0}[part] + 0.05, "no more than their share"
    rota.stop()


async def test_all_addresses_of_a_network_are_one(clock: Clock) -> None:
    rota = Rota(FREE)
    spoken: list[str] = []
    many = [
        Sender(rota, clock, spoken, "many", f"2001:db8::{number:x}", 5, 0.001, "unknown")
        for number in range(1, 60)
    ]
    one = Sender(rota, clock, spoken, "one", "2001:db8:0:1::7", 20, 0.001, "unknown")
    for sender in (*many, one):
        rota.add(sender, "unknown")
    await finished([one])
    assert widest_gap("one", spoken) <= 2


async def test_the_door_lets_one_connection_in_at_each_of_its_turns() -> None:
    rota = Rota(Limits())
    listening = socket.create_server(("127.0.0.1", 0), backlog=64)
    listening.setblocking(False)
    here: list[Peer] = []
    busy: list[int] = []

    async def welcome(connection: socket.socket) -> None:
        busy.append(len(here))
        await asyncio.sleep(0)
        assert busy[-1] == len(here), "the next one waits"
        connection.close()

    def admit(connection: socket.socket, peer: Peer) -> asyncio.Task[None]:
        here.append(peer)
        return asyncio.create_task(welcome(connection))

    with contextlib.ExitStack() as clients:
        own = [clients.enter_context(socket.create_connection(listening.getsockname())) for _ in range(40)]
        door = Door(listening, rota, admit, pytest.fail)
        while len(here) < 40:
            before = len(here)
            await asyncio.sleep(0)
            assert len(here) <= before + 1
        assert sorted(here) == sorted(client.getsockname() for client in own)
        door.close()
        door.close()
        rota.stop()


async def test_a_door_that_the_system_keeps_shut_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    class Shut:
        """A listening socket while no descriptors are left."""

        def __init__(self, listening: socket.socket) -> None:
            self.listening, self.tries = listening, 0
            self.fileno, self.close = listening.fileno, listening.close

        def accept(self) -> tuple[socket.socket, Peer]:
            self.tries += 1
            if self.tries < 3:
                raise OSError(errno.EMFILE, "Too many open files")
            return self.listening.accept()

    monkeypatch.setattr(rota_module, "AFTER_FAULT", 0.01)
    rota = Rota(Limits())
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setblocking(False)
    told: list[str] = []
    here: list[Peer] = []

    def admit(connection: socket.socket, peer: Peer) -> None:
        connection.close()
        here.append(peer)

    door = Door(Shut(listening), rota, admit, told.append)  # type: ignore[arg-type]
    with socket.create_connection(listening.getsockname()) as client:
        while not here:
            await asyncio.sleep(0.01)
        assert here == [client.getsockname()]
    assert told == ["Too many open files"] * 2
    door.close()
    rota.stop()
