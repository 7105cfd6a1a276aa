"""One budget of time and nodes for several searches that follow one another."""

from __future__ import annotations

from time import monotonic

__all__ = ["Budget"]

SHORTEST = 0.001
"""Seconds: what a search gets when the time is already over."""


class Budget:
    """`seconds` and `nodes` (None: no limit) for `searches` in turn, in equal shares.

    What one search leaves over, the later ones share.
    """

    def __init__(self, searches: int, seconds: float | None, nodes: int | None) -> None:
        self._searches = searches
        self._deadline = None if seconds is None else monotonic() + seconds
        self._nodes = nodes

    def share(self) -> tuple[float | None, int | None]:
        """Seconds and nodes for the next search."""
        seconds = nodes = None
        if self._deadline is not None:
            seconds = max((self._deadline - monotonic()) / self._searches, SHORTEST)
        if self._nodes is not None:
            nodes = max(self._nodes // self._searches, 1)
        return seconds, nodes

    def spend(self, nodes: int) -> None:
        """Note that a search is over and that it took `nodes`."""
        self._searches -= 1
        if self._nodes is not None:
            self._nodes -= nodes
