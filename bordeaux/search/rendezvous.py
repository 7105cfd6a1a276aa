"""The exchange of results between the searches of several processes (paper 002, section 3.3), as one of them
sees it.

This is the rendezvous of a search in one process, without others. The one in shared memory is
`bordeaux.search.parallel.shared_rendezvous.SharedRendezvous`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

__all__ = ["Best", "Rendezvous", "SharedSide"]


class SharedSide(Protocol):
    """One power as the rendezvous sees it: its `best` set, and the best sets of other processes."""

    best: bytes

    def offer(self, orders: bytes, value: float) -> None:
        """Receive one of another process's best sets, with its points."""

    def take(self, sets: Sequence[tuple[bytes, float]]) -> None:
        """Take over the sets, best first, of a process that searches for the power."""


Best = Callable[[str, int], list[tuple[bytes, float]]]
"""The best few sets of a power, so many at most, with their values, best first."""


class Rendezvous:
    """The rendezvous of a search in one process, which has all powers and all nodes to itself."""

    def share(self, powers: list[str]) -> list[str]:
        """The powers among some that this process searches now: all that no other process does."""
        return powers

    def count(self, nodes: int) -> int:
        """Publish the nodes of this process; returns those of all processes together."""
        return nodes

    def exchange(self, sides: Mapping[str, SharedSide], best: Best, power: str | None = None) -> list[str]:
        """Publish the best sets of a power after its turn, and take those of the powers that others search
        (`PowerSearch.take`, `PowerSearch.offer`). Returns the powers whose best set has changed by it."""
        return []

    def tally(self, power: str, totals: Mapping[bytes, tuple[float, int]]) -> dict[bytes, tuple[float, int]]:
        """Add up the counts of all processes for some sets of a power.

        `totals` gives for each set (bytes of order codes) the sum and the number of this process's own
        samples since the search began, for example of rollouts. Returns the sums and numbers over all
        processes for the same sets.
        """
        return dict(totals)
