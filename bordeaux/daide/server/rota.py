"""Selects the next message to process, so that clients that send much do not delay others.

Players, observers and strangers are three queues with fixed shares of the processor time, so that a storm of
strangers takes no time from admitted clients. Within a queue the network that has used the least time is
next; the connections of a network take turns. A queue or network that was silent for a while starts level
with the others and gains nothing by its silence. The method is start-time fair queueing (Goyal, Vin, Cheng
1996), at both levels. A round lasts some milliseconds; then the sockets and the clock are served. New
connections are accepted at the turns of the `Door`, which is one of the strangers.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Protocol, TypeAlias

from bordeaux.daide.language import Standing
from bordeaux.daide.server.limits import Bucket, Buckets, Limits, network_of

ROUND_SECONDS = 0.005
"""Processor time of a round, which ends with the message that exceeds it."""
MOST_LANES = 16
"""Networks of a queue that are remembered without a waiting message."""
MESSAGE_SECONDS = 0.002
"""The maximum cost of a message, so that a client whose message completes a turn does not wait for the turn's
cost."""
ROUND_MESSAGES = 50
"""Messages of a round at most."""
SHARES: dict[Standing, float] = {"player": 0.5, "observer": 0.25, "unknown": 0.25}
"""The processor time of each queue while all have messages."""
AFTER_FAULT = 1.0
"""Seconds until the next attempt if the system cannot accept a connection."""

Peer: TypeAlias = tuple[str, int]
"""Host and port."""


class Sender(Protocol):
    """A source of messages to be processed."""

    @property
    def address(self) -> str:
        """The host of the messages."""

    def deal(self) -> None:
        """Process one message."""


@dataclass
class _Lane:
    """A network in one queue: its used processor time, and its senders that wait, in the order of turns."""

    network: str
    spent: float
    waiting: dict[Sender, None] = field(default_factory=dict)


@dataclass
class _Queue:
    """The networks of one kind of clients, and the used part of its share. `floor` is what the network that
    was served last had used before."""

    standing: Standing
    share: float
    lanes: dict[str, _Lane] = field(default_factory=dict)
    spent: float = 0.0
    floor: float = 0.0


class Rota:
    """Gives senders their turns, within a running event loop."""

    def __init__(self, limits: Limits) -> None:
        self._loop = asyncio.get_running_loop()
        self._purses = Buckets(limits.network_messages)
        self._talk = Buckets(limits.network_talk)
        self._queues = {standing: _Queue(standing, share) for standing, share in SHARES.items()}
        self._floor = 0.0
        self._next: asyncio.Handle | None = None

    def purse(self, address: str, standing: Standing) -> Bucket:
        """The bucket for the messages of such clients in the network of an address."""
        return self._purses.of((standing, network_of(address)), self._loop.time())

    def _wait(self, queue: _Queue, lane: _Lane, now: float) -> float:
        """The seconds until a lane can pay for a message."""
        return self._purses.of((queue.standing, lane.network), now).wait(now)

    def talk_purse(self, address: str) -> Bucket:
        """The bucket for ADM from the network of an address."""
        return self._talk.of(network_of(address), self._loop.time())

    def add(self, sender: Sender, standing: Standing) -> None:
        """A sender has a message."""
        queue, network = self._queues[standing], network_of(sender.address)
        lane = queue.lanes.get(network)
        if lane is None:
            lane = queue.lanes[network] = _Lane(network, queue.floor)
        lane.waiting[sender] = None
        self._wake(0.0)

    def forget(self, sender: Sender) -> None:
        """A sender is gone."""
        network = network_of(sender.address)
        for queue in self._queues.values():
            if network in queue.lanes:
                queue.lanes[network].waiting.pop(sender, None)

    def stop(self) -> None:
        """Give no more turns."""
        if self._next is not None:
            self._next.cancel()
        self._queues.clear()

    def _wake(self, seconds: float) -> None:
        if self._next is not None:
            # Clients that come meanwhile do not delay a round that is about to begin.
            if not isinstance(self._next, asyncio.TimerHandle) or seconds > 0.0:
                return
            self._next.cancel()
        if seconds > 0.0:
            self._next = self._loop.call_later(seconds, self._round)
        else:
            self._next = self._loop.call_soon(self._round)

    def _round(self) -> None:
        self._next = None
        now = self._loop.time()
        begun = used = time.thread_time()
        for _ in range(ROUND_MESSAGES):
            chosen = self._choose(now)
            if chosen is None:
                break
            used = self._serve(*chosen, used)
            if used - begun > ROUND_SECONDS:
                break
        now = self._loop.time()
        waits = []
        for queue in self._queues.values():
            waits += [self._wait(queue, lane, now) for lane in queue.lanes.values() if lane.waiting]
            if len(queue.lanes) > MOST_LANES:
                # Dropped are those that would get the same state if they came anew.
                queue.lanes = {
                    name: lane
                    for name, lane in queue.lanes.items()
                    if lane.waiting or lane.spent > queue.floor
                }
        if waits and self._next is None:
            self._wake(min(waits))

    def _choose(self, now: float) -> tuple[_Queue, _Lane] | None:
        """The next lane: of those that wait and can pay, the one with the least used time in the queue with
        the least used part of its share. Those that cannot be served stay level with the others."""
        able: list[tuple[_Queue, _Lane]] = []
        for queue in self._queues.values():
            first = None
            for lane in sorted(queue.lanes.values(), key=attrgetter("spent")):
                if lane.waiting and self._wait(queue, lane, now) <= 0.0:
                    first = lane
                    break
                lane.spent = max(lane.spent, queue.floor)
            if first is None:
                queue.spent = max(queue.spent, self._floor)
            else:
                able.append((queue, first))
        return min(able, key=lambda pair: pair[0].spent, default=None)

    def _serve(self, queue: _Queue, lane: _Lane, begun: float) -> float:
        """Let the next sender of a lane process one message; returns the processor time at its end."""
        self._floor, queue.floor = queue.spent, lane.spent
        sender = next(iter(lane.waiting))
        del lane.waiting[sender]
        try:
            sender.deal()  # one that has more to say comes back by `add`
        finally:
            used = time.thread_time()
            cost = min(MESSAGE_SECONDS, used - begun)
            lane.spent += cost
            queue.spent += cost / queue.share
        return used


class Door:
    """Accepts the connections of a listening socket, one at each of its turns.

    `admit` receives a connection and its peer, and returns a task if it is still occupied with it; the door
    waits for that, so that a storm of connections costs one connection in each round. `failed` is told why
    the system cannot accept any.
    """

    address = ""

    def __init__(
        self,
        listening: socket.socket,
        rota: Rota,
        admit: Callable[[socket.socket, Peer], asyncio.Task[None] | None],
        failed: Callable[[str], None],
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._listening = listening
        self._rota = rota
        self._admit = admit
        self._failed = failed
        self._open = True
        self._watch()

    def _watch(self) -> None:
        if self._open:
            self._loop.add_reader(self._listening, self._knock)

    def _knock(self) -> None:
        self._loop.remove_reader(self._listening)
        self._come_again()

    def _come_again(self) -> None:
        if self._open:
            self._rota.add(self, "unknown")

    def deal(self) -> None:
        """Accept one connection."""
        try:
            connection, peer = self._listening.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            self._watch()
        except OSError as error:
            self._failed(error.strerror or str(error))
            self._loop.call_later(AFTER_FAULT, self._watch)
        else:
            connection.setblocking(False)
            task = self._admit(connection, peer[:2])
            if task is None:
                self._come_again()
            else:
                task.add_done_callback(lambda _: self._come_again())

    def close(self) -> None:
        """Accept no more; a second call has no effect."""
        if self._open:
            self._open = False
            self._loop.remove_reader(self._listening)
            self._rota.forget(self)
            self._listening.close()
