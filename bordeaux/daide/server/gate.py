"""Who may come in: the limits on connections, in all and from one address."""

from __future__ import annotations

from collections.abc import Sequence

from bordeaux.daide.server.limits import Bucket, Limits, Rate

__all__ = ["Gate"]

MOST_ADDRESSES = 1000
"""Addresses that are remembered before those that have been quiet for long are forgotten."""
REFUSALS = Rate(each_second=1, at_once=20)
"""How many refused connections are worth a line in the log."""


class Gate:
    """Counts who comes, and how fast. `now` is any clock in seconds that does not go back."""

    def __init__(self, limits: Limits, now: float) -> None:
        self._limits = limits
        self._arrivals: dict[str, Bucket] = {}
        self._lines = Bucket(REFUSALS, now)

    def refuses(self, address: str, inside: Sequence[str], now: float) -> str | None:
        """Why somebody from an address may not come in; None if he may. `inside` are the addresses
        of those who are in, one for each connection."""
        limits = self._limits
        if len(inside) >= limits.connections:
            return f"there are {limits.connections} connections already"
        if inside.count(address) >= limits.connections_per_address:
            return f"there are {limits.connections_per_address} connections from this address already"
        if len(self._arrivals) >= MOST_ADDRESSES:
            self._arrivals = {
                known: bucket for known, bucket in self._arrivals.items() if not bucket.full(now)
            }
        bucket = self._arrivals.setdefault(address, Bucket(limits.arrivals, now))
        if not bucket.take(now):
            return "connections from this address come too fast"
        return None

    def worth_a_line(self, now: float) -> bool:
        """Whether one more refusal shall be written down."""
        return self._lines.take(now)
