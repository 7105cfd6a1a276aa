"""Limits against abuse by one client, of the server and of other clients: connections, bytes, guesses of
passcodes."""

from __future__ import annotations

import functools
import hmac
import ipaddress
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Generic, NamedTuple, TypeVar

from bordeaux.daide.language import Standing
from bordeaux.daide.tokens import LEAST_NUMBER, MOST_NUMBER

MOST_KEPT = 1000
"""The number of stored buckets above which full ones are removed."""


class Rate(NamedTuple):
    """`each_second` in the long run, and `at_once` after a silence."""

    each_second: float
    at_once: float


class Limits(NamedTuple):
    """The limits of a client, and of a network (/24 for IPv4, /64 for IPv6).

    `introduction_seconds`: from the connection to a complete initial message. `stall_seconds`: from the first
    byte of a message to its last. `stranger_seconds`: the time for a client without a seat or an observer's
    role, if more than half of the places are taken. `chair_seconds`: the time for a player to accept the map.

    `message_bytes`: the body of one message. `read_bytes`: read from a connection at once; while a message
    waits, nothing more is read. `unread_bytes`: received and unprocessed bytes of all connections together;
    above it the one with the most is closed.

    `connections` and the next four are open at the same time, own ones from the server's own machine. If one
    more would pass a limit, a stranger is dismissed for it (`Gate`): one of a crowded network at once, any
    other after `grace_seconds`. `observers`: at the same time; the other places are for players. `arrivals`:
    new connections from one network; faster ones are refused.

    `messages`: from one client, read more slowly above; a message counts once for every 512 bytes begun, and
    an answer in proportion. `network_messages`: the same for all players of a network together, for all its
    observers and for all its strangers. `press`: press (SND) and talk (ADM) of one client, counted like
    messages; excess is answered REJ and not delivered. `network_talk`: ADM from one network.

    `system_bytes`: the system's buffer for data that a client has not read yet. Above `unsent_pause` further
    bytes nothing more is read from that client; above `unsent_bytes`, or after `unsent_seconds`, it goes.
    `unsent_total`: for all clients together; above it those with the most are closed. `dead_seconds`: after
    about this time a machine that does not answer counts as gone. `farewell_seconds`: the time of a closed
    connection for its last messages.
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
    observers: int = 150
    arrivals: Rate = Rate(each_second=10, at_once=200)
    messages: Rate = Rate(each_second=100, at_once=1000)
    network_messages: Rate = Rate(each_second=1000, at_once=4000)
    press: Rate = Rate(each_second=5, at_once=200)
    network_talk: Rate = Rate(each_second=5, at_once=200)
    system_bytes: int = 131_072
    unsent_pause: int = 262_144
    unsent_bytes: int = 4_194_304
    unsent_total: int = 33_554_432
    unsent_seconds: float = 60.0
    dead_seconds: int = 40
    farewell_seconds: float = 2.0


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


#: The number of leading bits of an address that identify a network, as one line or house usually has.
_BITS = {4: 24, 6: 64}


@functools.lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """The network of an address: ``192.0.2.0/24``, ``2001:db8::/64``; other text is returned unchanged."""
    known = _parsed(address)
    if known is None:
        return address
    return str(ipaddress.ip_network((known, _BITS[known.version]), strict=False))


@functools.lru_cache(maxsize=4096)
def is_own(address: str) -> bool:
    """Whether an address is of the server's own machine."""
    known = _parsed(address)
    return known is not None and known.is_loopback


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    mapped = known.ipv4_mapped if isinstance(known, ipaddress.IPv6Address) else None
    return mapped or known


REFUSALS = Rate(each_second=1, at_once=20)
"""The rate of refused connections that are told why; others are closed at once."""

_A = {"unknown": "a stranger", "observer": "an observer"}


class Inside(NamedTuple):
    """An admitted client: the connection's `number`, its address, its standing, and for how many seconds it
    has been a stranger (of unknown standing)."""

    number: int
    address: str
    standing: Standing = "player"
    waiting: float = 0.0


class GateVerdict(NamedTuple):
    """Whether a client is admitted. `refused` is the reason against it. `instead` is the number of a client
    that is dismissed for it, with the `reason`."""

    refused: str | None = None
    instead: int | None = None
    reason: str = ""


class Gate:
    """Counts connections and their rate. `now` is any monotonic clock in seconds."""

    def __init__(self, limits: Limits, now: float) -> None:
        self._limits = limits
        self._arrivals = Buckets(limits.arrivals)
        self._words = Bucket(REFUSALS, now)

    def judge(
        self, address: str, inside: Sequence[Inside], now: float, *, expected: bool = False
    ) -> GateVerdict:
        """Whether a client from an address is admitted, given the present ones.

        A vacant power has been played from an `expected` address: clients from there are admitted as long as
        anybody inside does not play, and their arrivals are counted apart from those of their network.
        """
        limits, own, network = self._limits, is_own(address), network_of(address)
        if not self._arrivals.of((address,) if expected else network, now).take(now):
            return GateVerdict(f"connections from {network} come too fast")
        for crowd, most, where in (
            (
                [guest for guest in inside if guest.address == address],
                limits.connections_per_own_address if own else limits.connections_per_address,
                " from this address",
            ),
            (
                [guest for guest in inside if network_of(guest.address) == network],
                limits.connections_per_own_network if own else limits.connections_per_network,
                f" from {network}",
            ),
            (inside, limits.connections, ""),
        ):
            if len(crowd) < most:
                continue
            full = f"there are {most} connections{where} already"
            leaver = self._leaver(crowd, network, expected)
            if leaver is not None:
                return GateVerdict(
                    None, leaver.number, f"it is {_A[leaver.standing]} and makes place: {full}"
                )
            if not expected or not where:
                return GateVerdict(full)
        return GateVerdict()

    def _leaver(self, crowd: Sequence[Inside], network: str, expected: bool) -> Inside | None:
        """Who is dismissed for a newcomer from a network; None if nobody is.

        It is a stranger of the network with the most strangers: at once if the newcomer's network has fewer,
        otherwise if it has been there for a while. For an expected newcomer it is any stranger, or else the
        latest observer of the network with the most observers.
        """
        strangers = [guest for guest in crowd if guest.standing == "unknown"]
        if strangers:
            many = Counter(network_of(stranger.address) for stranger in strangers)
            first = max(strangers, key=lambda guest: (many[network_of(guest.address)], guest.waiting))
            crowded = many[network_of(first.address)] > many[network] + 1
            if expected or crowded or first.waiting >= self._limits.grace_seconds:
                return first
        observers = [guest for guest in crowd if guest.standing == "observer"]
        if not expected or not observers:
            return None
        many = Counter(network_of(observer.address) for observer in observers)
        return max(observers, key=lambda guest: (many[network_of(guest.address)], guest.number))

    def worth_a_word(self, now: float) -> bool:
        """Whether a refused client is told why."""
        return self._words.take(now)


# A passcode has 14 bits, and the language has no other proof of identity. So guesses are counted, for the
# power and for the network, and each allowance is restored slowly. Every refused ``IAM`` counts, also with
# the right passcode of a power that is played: its refusal would reveal it otherwise. Beyond the count no
# passcode is compared. The addresses and networks from which a power has been played have counts of their
# own, which others cannot use up, so that the owner is not locked out.

#: The numbers of DAIDE; 0 is the passcode of observers.
PASSCODES = range(LEAST_NUMBER, MOST_NUMBER + 1)
_HOUR = 3600.0
#: Guesses for one power from all addresses that have never played it, together.
AT_A_POWER = Rate(each_second=10 / _HOUR, at_once=10)
#: Guesses from one network for all powers, in the same way.
FROM_A_NETWORK = Rate(each_second=5 / _HOUR, at_once=10)
#: Guesses for one power from an address or a network that has played it. A client whose broken link is not
#: noticed yet makes about 15 attempts in its minute.
FROM_HOME = Rate(each_second=10 / _HOUR, at_once=20)
#: Networks that are remembered for a power.
MOST_HOMES = 8


class Guesses:
    """Counts guesses; one for a game. Times are monotonic seconds."""

    def __init__(self) -> None:
        self._at_power = Buckets(AT_A_POWER)
        self._from_network = Buckets(FROM_A_NETWORK)
        self._from_home = Buckets(FROM_HOME)

    def allows(self, power: str, address: str, homes: Sequence[str], now: float) -> bool:
        """Count one guess, and return whether it may be compared. `homes` are the addresses and networks from
        which the power has been played. A correct guess is given back with `forgive`."""
        counts = self._counts(power, address, homes)
        if any(bucket.wait(now) > 0.0 for bucket in (buckets.of(key, now) for buckets, key in counts)):
            return False
        for buckets, key in counts:
            buckets.of(key, now).take(now)
        return True

    def forgive(self, power: str, address: str, homes: Sequence[str], now: float) -> None:
        """Give the last guess back: it was correct, and the owner plays the power."""
        for buckets, key in self._counts(power, address, homes):
            buckets.of(key, now).spend(-1.0)

    def _counts(self, power: str, address: str, homes: Sequence[str]) -> list[tuple[Buckets, object]]:
        if address in homes:
            return [(self._from_home, (power, address))]
        if network_of(address) in homes:
            return [(self._from_home, (power, network_of(address)))]
        return [(self._at_power, power), (self._from_network, network_of(address))]


def draw_passcodes(count: int, chance: Random) -> list[int]:
    """A number of different passcodes."""
    return chance.sample([code for code in PASSCODES if code], count)


def same(one: int, other: int) -> bool:
    """Whether two passcodes are the same, in constant time."""
    return hmac.compare_digest(*(number.to_bytes(8, signed=True) for number in (one, other)))


def homes_with(homes: Sequence[str], address: str) -> list[str]:
    """The homes of a power that has just been taken from an address, the latest last."""
    new = [address, network_of(address)]
    return [*(home for home in homes if home not in new), *new][-MOST_HOMES:]


Key = TypeVar("Key")


class Hoard(Generic[Key]):
    """Sizes by key, with a limit on their sum. `measure` gives the present size of a key, which may be less
    than the recorded one. Above the limit the key with the largest size is passed to `exceed`."""

    def __init__(self, most: int, measure: Callable[[Key], int], exceed: Callable[[Key], None]) -> None:
        self.sum = 0
        self._most = most
        self._measure = measure
        self._exceed = exceed
        self._sizes: dict[Key, int] = {}

    def note(self, key: Key, size: int) -> None:
        """Record a size, 0 for none."""
        self.sum += size - self._sizes.pop(key, 0)
        if size:
            self._sizes[key] = size
        if self.sum > self._most:
            self._sizes = {key: size for key in self._sizes if (size := self._measure(key))}
            self.sum = sum(self._sizes.values())
        if self.sum > self._most:
            self._exceed(max(self._sizes, key=self._sizes.__getitem__))
