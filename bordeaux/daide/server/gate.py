"""Admission of connections: limits in total, for one address and for one network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from bordeaux.daide.server.addresses import is_own, network_of
from bordeaux.daide.server.limits import Bucket, Buckets, Limits, Rate

__all__ = ["Gate", "GateVerdict", "Inside"]

REFUSALS = Rate(each_second=1, at_once=20)
"""The rate of log lines about refused connections."""
KEPT_SHARE = 4
"""At most one in so many places is reserved for players."""

Part: TypeAlias = Literal["stranger", "observer", "player"]


class Inside(NamedTuple):
    """An admitted client: the connection's `number`, its address, its role, and for how many seconds it has
    been a stranger (a client without a role)."""

    number: int
    address: str
    part: Part = "player"
    waiting: float = 0.0


class GateVerdict(NamedTuple):
    """Whether a client is admitted. `refused` is the reason against it. `instead` is the number of a stranger
    that is dismissed for it, with the `reason`. `kept` says that the place is reserved for players."""

    refused: str | None = None
    instead: int | None = None
    reason: str = ""
    kept: bool = False


class Gate:
    """Counts connections and their rate. `now` is any monotonic clock in seconds."""

    def __init__(self, limits: Limits, now: float) -> None:
        self._limits = limits
        self._arrivals = Buckets(limits.arrivals)
        self._lines = Bucket(REFUSALS, now)
        self._kept = min(limits.kept, limits.connections // KEPT_SHARE)

    def judge(
        self, address: str, inside: Sequence[Inside], now: float, *, expected: bool = False
    ) -> GateVerdict:
        """Whether a client from an address is admitted, given the present ones.

        A vacant power has been played from an `expected` address: clients from there are admitted as long as
        there is a stranger that can be dismissed.
        """
        limits = self._limits
        if not self._arrivals.of(address, now).take(now):
            return GateVerdict("connections from this address come too fast")
        own, network = is_own(address), network_of(address)
        in_address = [guest for guest in inside if guest.address == address]
        in_network = [guest for guest in inside if network_of(guest.address) == network]
        beyond = False
        for crowd, most, where in (
            (
                in_address,
                limits.connections_per_own_address if own else limits.connections_per_address,
                " from this address",
            ),
            (
                in_network,
                limits.connections_per_own_network if own else limits.connections_per_network,
                f" from {network}",
            ),
            (inside, limits.connections, ""),
        ):
            if len(crowd) < most:
                continue
            full = f"there are {most} connections{where} already"
            leaver = self._leaver(crowd, expected)
            if leaver is not None:
                kept = beyond or len(inside) > limits.connections - self._kept
                return GateVerdict(None, leaver, f"it is a stranger and makes place: {full}", kept)
            if not expected or not where:
                return GateVerdict(full)
            beyond = True
        return GateVerdict(kept=beyond or len(inside) >= limits.connections - self._kept)

    def _leaver(self, crowd: Sequence[Inside], expected: bool) -> int | None:
        """The stranger to be dismissed: of the address with the most strangers, the one that has waited
        longest; None if all have a role or have only just come."""
        strangers = [guest for guest in crowd if guest.part == "stranger"]
        if not strangers:
            return None
        many = Counter(stranger.address for stranger in strangers)
        first = max(strangers, key=lambda stranger: (many[stranger.address], stranger.waiting))
        return first.number if expected or first.waiting >= self._limits.grace_seconds else None

    def worth_a_line(self, now: float) -> bool:
        """Whether a further refusal is logged."""
        return self._lines.take(now)
