"""Selects the next message to process, so that clients that send much do not delay others.

Next is the address that has used the least processor time so far; the connections of an address take turns.
An address that was silent for a while starts level with the others and gains nothing by its silence. The
method is start-time fair queueing (Goyal, Vin, Cheng 1996). A round lasts some milliseconds; then the
sockets, the clock and new connections are served. All messages of an address are charged to one bucket.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Protocol

from bordeaux.daide.server.limits import Bucket, Buckets, Limits

__all__ = ["Rota", "Sender"]

ROUND_SECONDS = 0.005
"""Processor time of a round, which ends with the message that exceeds it."""
MOST_LANES = 16
"""Addresses that are remembered without a waiting message."""
MESSAGE_SECONDS = 0.002
"""The maximum cost of a message, so that a client whose message completes a turn does not wait for the turn's
cost."""
ROUND_MESSAGES = 50
"""Messages of a round at most."""


class Sender(Protocol):
    """A source of messages to be processed."""

    @property
    def address(self) -> str:
        """The host of the messages."""

    def deal(self) -> None:
        """Process one message."""


@dataclass
class _Lane:
    """An address: its used processor time, and its waiting senders, in the order of their turns."""

    spent: float
    waiting: dict[Sender, None] = field(default_factory=dict)


class Rota:
    """Gives senders their turns, within a running event loop."""

    def __init__(self, limits: Limits) -> None:
        self._loop = asyncio.get_running_loop()
        self._purses = Buckets(limits.address_messages)
        self._talk = Buckets(limits.address_talk)
        self._lanes: dict[str, _Lane] = {}
        self._floor = 0.0
        self._next: asyncio.Handle | None = None

    def purse(self, address: str) -> Bucket:
        """The bucket for the messages of an address."""
        return self._purses.of(address, self._loop.time())

    def talk_purse(self, address: str) -> Bucket:
        """The bucket for ADM from an address."""
        return self._talk.of(address, self._loop.time())

    def add(self, sender: Sender) -> None:
        """A sender has a message."""
        lane = self._lanes.get(sender.address)
        if lane is None:
            lane = self._lanes[sender.address] = _Lane(self._floor)
        elif not lane.waiting:
            lane.spent = max(lane.spent, self._floor)
        lane.waiting[sender] = None
        self._wake(0.0)

    def forget(self, sender: Sender) -> None:
        """A sender is gone."""
        lane = self._lanes.get(sender.address)
        if lane is not None:
            lane.waiting.pop(sender, None)

    def stop(self) -> None:
        """Give no more turns."""
        if self._next is not None:
            self._next.cancel()
        self._lanes.clear()

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
        begun = time.thread_time()
        for _ in range(ROUND_MESSAGES):
            lane = self._choose()
            if lane is None:
                break
            self._serve(lane)
            if time.thread_time() - begun > ROUND_SECONDS:
                break
        self._tidy()
        now = self._loop.time()
        waits = [self.purse(name).wait(now) for name, lane in self._lanes.items() if lane.waiting]
        if waits and self._next is None:
            self._wake(min(waits))

    def _choose(self) -> _Lane | None:
        """The next address: of those that wait and can pay, the one with the least used time."""
        now = self._loop.time()
        able = [
            lane for name, lane in self._lanes.items() if lane.waiting and self.purse(name).wait(now) <= 0.0
        ]
        return min(able, key=lambda lane: lane.spent, default=None)

    def _serve(self, lane: _Lane) -> None:
        """Let the next sender process one message."""
        sender = next(iter(lane.waiting))
        del lane.waiting[sender]
        self._floor = lane.spent
        begun = time.thread_time()
        try:
            sender.deal()  # one that has more to say comes back by `add`
        finally:
            lane.spent += min(MESSAGE_SECONDS, time.thread_time() - begun)

    def _tidy(self) -> None:
        """Drop addresses that would get the same state if they came anew."""
        if len(self._lanes) > MOST_LANES:
            self._lanes = {
                name: lane for name, lane in self._lanes.items() if lane.waiting or lane.spent > self._floor
            }
