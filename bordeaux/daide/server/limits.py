"""Limits against abuse by one client, of the server and of other clients.

Every limit has a default that a well-behaved program never reaches. A client beyond a limit is slowed down or
refused. If that is not enough its connection is closed, with a reason. Seconds are seconds of the machine's
clock. Sources: the 30 s for the initial message are in the DAIDE client-server protocol. The 30 s for the
rest of a frame are those of Parlance, and the others are ours.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

__all__ = ["Bucket", "Buckets", "Limits", "Rate"]

MOST_KEPT = 1000
"""The number of stored buckets above which full ones are removed."""


class Rate(NamedTuple):
    """`each_second` in the long run, and `at_once` after a silence."""

    each_second: float
    at_once: float


class Limits(NamedTuple):
    """The limits of a client, and of an address.

    `introduction_seconds`: from the connection to a complete initial message; then EM 0x01. `stall_seconds`:
    from the first byte of a message to its last; then EM 0x09. `stranger_seconds`: the time for a client
    without a seat or an observer's role. `chair_seconds`: the time for a player to accept the map, as it
    delays the start.

    `message_bytes`: the body of one message; a longer one closes the connection. `read_bytes`: read from a
    connection at once; while a message waits, nothing more is read. `unread_bytes`: received and unprocessed
    bytes of all connections together; above it the one with the most is closed.

    `connections`, `connections_per_address`, `connections_per_network` (/24 for IPv4, /64 for IPv6): open at
    the same time. `connections_per_own_address` and `connections_per_own_network` are for the server's own
    machine. If one more would pass a limit, the stranger that has waited longest is dismissed for it, after
    `grace_seconds`; without one it is refused. `kept`: the last places, for players, who must have a seat
    within `claim_seconds`. `arrivals`: new connections from one address; faster ones are refused.

    `messages`: from one client; a message counts once for every 512 bytes begun, and an answer in proportion.
    A faster client is read more slowly. `address_messages`: the same for all clients of an address together.
    `press`: press (SND) and talk (ADM) of one client, which others must read, counted like messages; excess
    is answered REJ and not delivered. `address_talk`: ADM from one address, as anybody may send it.

    `system_bytes`: the system's buffer for data that a client has not read yet. `unsent_pause`: further bytes
    that wait for a client that does not read; above it nothing more is read from that client, so that it
    cannot request more. `unsent_bytes`: above it the connection is closed. `unsent_total`: for all clients
    together; above it those with the most are closed. `unsent_seconds`: the time for which bytes above
    `unsent_pause` may wait; then the connection is closed. `dead_seconds`: after about this time a machine
    that does not answer counts as gone. `farewell_seconds`: the time of a closed connection for its last
    messages.
    """

    introduction_seconds: float = 30.0
    stall_seconds: float = 30.0
    stranger_seconds: float = 30.0
    chair_seconds: float = 300.0
    message_bytes: int = 32_768
    read_bytes: int = 4096
    unread_bytes: int = 4_194_304
    connections: int = 200
    connections_per_address: int = 30
    connections_per_network: int = 60
    connections_per_own_address: int = 100
    connections_per_own_network: int = 150
    grace_seconds: float = 5.0
    kept: int = 20
    claim_seconds: float = 10.0
    arrivals: Rate = Rate(each_second=10, at_once=200)
    messages: Rate = Rate(each_second=100, at_once=1000)
    address_messages: Rate = Rate(each_second=1000, at_once=4000)
    press: Rate = Rate(each_second=5, at_once=200)
    address_talk: Rate = Rate(each_second=5, at_once=200)
    system_bytes: int = 131_072
    unsent_pause: int = 262_144
    unsent_bytes: int = 4_194_304
    unsent_total: int = 33_554_432
    unsent_seconds: float = 60.0
    dead_seconds: int = 40
    farewell_seconds: float = 5.0


class Bucket:
    """A token bucket that fills at a rate up to its capacity.

    `now` is any monotonic clock in seconds.
    """

    __slots__ = ("_content", "_filled", "_rate")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._content = rate.at_once
        self._filled = now

    def take(self, now: float, amount: float = 1.0) -> bool:
        """Take `amount` out if the bucket holds as much; returns whether it did.

        An amount above the capacity is taken from a full bucket, which then has a debt, so that no amount
        waits for ever.
        """
        if self.wait(now, amount) > 0.0:
            return False
        self._content -= amount
        return True

    def spend(self, amount: float) -> None:
        """Take `amount` out even if the bucket does not hold it, which leaves a debt."""
        self._content -= amount

    def wait(self, now: float, amount: float = 1.0) -> float:
        """The seconds until `amount` can be taken; 0 if it can be now."""
        each_second, at_once = self._rate
        self._content = min(at_once, self._content + (now - self._filled) * each_second)
        self._filled = now
        lacking = min(amount, at_once) - self._content
        # A wait that rounds to nothing must not be waited for again and again.
        return lacking / each_second if lacking > 1e-9 else 0.0

    def full(self, now: float) -> bool:
        """Whether the bucket is full, so that a new one would be the same."""
        return self.wait(now, self._rate.at_once) == 0.0


class Buckets:
    """A bucket for each of many keys, such as addresses; full ones are dropped."""

    def __init__(self, rate: Rate, most: int = MOST_KEPT) -> None:
        self._rate = rate
        self._most = most
        self._known: dict[Hashable, Bucket] = {}

    def __len__(self) -> int:
        return len(self._known)

    def of(self, key: Hashable, now: float) -> Bucket:
        """The bucket for a key. Beyond a number of buckets that are not full, the oldest is dropped."""
        bucket = self._known.get(key)
        if bucket is None:
            if len(self._known) >= self._most:
                self._known = {name: known for name, known in self._known.items() if not known.full(now)}
            if len(self._known) >= self._most:
                del self._known[next(iter(self._known))]
            bucket = self._known[key] = Bucket(self._rate, now)
        return bucket
