"""Whose turn it is: by role, then by network, whoever has cost least; then by connection. And the door."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import functools
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


class Stage:
    """A rota, its clock, and the names of those who have spoken."""

    def __init__(self, clock: Clock, limits: Limits = FREE) -> None:
        self.rota, self.clock, self.spoken = Rota(limits), clock, list[str]()

    def add(
        self, name: str, address: str, count: int, cost: float = 0.001, standing: Standing = "player"
    ) -> Sender:
        sender = Sender(self, name, address, count, cost, standing)
        self.rota.add(sender, standing)
        return sender

    def gap(self, name: str) -> int:
        """The most turns from one message of a sender to its next."""
        places = [place for place, said in enumerate(self.spoken) if said == name]
        return max(after - before for before, after in pairwise(places))


class Sender:
    """Says its name so many times, each costing some seconds; then calls `then`."""

    def __init__(
        self, stage: Stage, name: str, address: str, count: int, cost: float, standing: Standing
    ) -> None:
        self.stage, self.name, self.address, self.standing = stage, name, address, standing
        self.count, self.cost = count, cost
        self.then: Callable[[], None] = lambda: None

    def deal(self) -> None:
        self.stage.spoken.append(self.name)
        self.stage.clock.now += self.cost
        self.count -= 1
        if self.count:
            self.stage.rota.add(self, self.standing)
        self.then()


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Stage]:
    clock = Clock()
    monkeypatch.setattr(time, "thread_time", clock.thread_time)
    return functools.partial(Stage, clock)


Stages = Callable[..., Stage]


async def finished(*senders: Sender) -> None:
    while any(sender.count > 0 for sender in senders):
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("addresses", "one"), [(["a"] * 50, "b"), ([f"2001:db8::{n:x}" for n in range(1, 60)], "2001:db8:0:1::7")]
)
async def test_networks_take_turns_however_many_connections_they_have(
    stage: Stages, addresses: list[str], one: str
) -> None:
    made = stage()
    for address in addresses:
        made.add("many", address, 20)
    await finished(made.add("one", one, 20))
    assert made.gap("one") <= 2


async def test_within_an_address_connections_take_turns(stage: Stages) -> None:
    made = stage()
    await finished(*(made.add(name, "a", 4) for name in "xyz"))
    assert "".join(made.spoken) == "xyz" * 4


async def test_an_address_pays_for_what_is_dear(stage: Stages) -> None:
    made = stage()
    await finished(made.add("dear", "a", 20, 0.0015), made.add("cheap", "b", 100, 0.0003))
    assert 9 <= made.spoken[:60].count("dear") <= 11, "as five cheap ones cost one dear one"


async def test_a_newcomer_is_served_soon_and_gains_nothing_by_its_silence(stage: Stages) -> None:
    made = stage()
    for number in range(20):
        made.add(f"b{number}", "a", 100)
    while len(made.spoken) < 1000:
        await asyncio.sleep(0)
    before = len(made.spoken)
    await finished(made.add("late", "b", 100))
    assert made.spoken.index("late") - before <= 1
    assert 90 <= made.spoken[before : before + 200].count("late") <= 100


async def test_a_round_ends_so_that_sockets_and_clocks_have_theirs(stage: Stages) -> None:
    made = stage()
    made.add("x", "a", 10_000, 1e-6)
    sizes = []
    for _ in range(5):
        await asyncio.sleep(0)
        sizes.append(len(made.spoken))
    assert max(after - before for before, after in pairwise(sizes)) == 50
    made.rota.stop()
    slow = stage()
    slow.add("x", "a", 100, 0.004)
    await asyncio.sleep(0)
    assert len(slow.spoken) == 2, "a message that exceeds the time is the last of the round"
    slow.rota.stop()


async def test_all_senders_of_an_address_pay_from_one_purse(stage: Stages) -> None:
    made = stage(FREE._replace(network_messages=Rate(each_second=0.001, at_once=10)))
    for _ in range(30):
        made.add("many", "a", 100, 0.0).then = lambda: made.rota.purse("a", "player").spend(1)
    for _ in range(50):
        await asyncio.sleep(0)
    assert len(made.spoken) == 10
    await finished(made.add("other", "b", 1, 0.0))
    assert made.spoken == ["many"] * 10 + ["other"]
    made.rota.stop()


async def test_who_is_gone_is_not_called(stage: Stages) -> None:
    made = stage()
    gone, there = made.add("gone", "a", 1), made.add("there", "a", 1)
    made.rota.forget(gone)
    await finished(there)
    assert made.spoken == ["there"]


@pytest.mark.parametrize("standing", ["player", "observer"])
async def test_a_storm_of_new_networks_takes_no_turn_of_who_is_in(stage: Stages, standing: Standing) -> None:
    made = stage()

    def come(count: int) -> None:
        for _ in range(count):
            stranger = made.add("s", f"10.{len(made.spoken)}.0.1", 1, 0.0003, "unknown")
            stranger.then = (lambda: come(2)) if len(made.spoken) < 2000 else lambda: None

    come(300)
    while len(made.spoken) < 500:
        await asyncio.sleep(0)
    before = len(made.spoken)
    await finished(made.add("admitted", "192.0.2.1", 100, standing=standing))
    places = [place for place, name in enumerate(made.spoken) if name == "admitted"]
    assert places[0] - before <= 1
    strangers = places[-1] - places[0] - 99
    share = {"player": 0.5, "observer": 1.0}[standing]
    assert 0.3 * strangers / 99 <= share + 0.05, "no more than their share"
    made.rota.stop()


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
