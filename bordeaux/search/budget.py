"""The limit of a search (seconds, nodes of a search, or both, whichever is reached first), and its parts."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable

from bordeaux.board.errors import of_kind
from bordeaux.search.task import Limit

__all__ = ["Budget"]

#: Seconds reserved for the last candidates and the return of the answer.
RESERVE = 0.004
#: Limits from which on a search is large.
ROOMY_SECONDS, ROOMY_NODES = 0.25, 50_000
#: Nodes from which on pools grow with the limit.
BROAD_NODES = 20_000
#: Nodes of a second, roughly, for plans before any measurement.
NODES_PER_SECOND = 120_000
#: Limits up to which one round of finding and mixing is enough.
ROUND_SECONDS, ROUND_NODES = 4.0, 2_000_000


class Budget:
    """A limit in seconds or nodes, as progress from 0 to 1.

    A node is one adjudication with one evaluation. `used` counts them. `stop` is called periodically, from
    the thread of the search, to end the search before its limit. Raises BordeauxError unless at least one
    limit is given and both are positive and finite.
    """

    def __init__(
        self,
        time: float | None = None,
        nodes: int | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        Limit(time, nodes).check()
        if stop is not None:
            of_kind("stop", stop, Callable, "a function")
        self.begun = clock.perf_counter()
        self.nodes: float | None = nodes
        self.stop = stop
        self.used = 0
        # Not 0, by which shares of the time are divided.
        self.time = None if time is None else max(time - RESERVE, time / 2, 1e-9)

    def part(self, share: float = 1.0) -> Budget:
        """A share of what is left, from now on, with a count of nodes of its own."""
        part = object.__new__(Budget)
        part.begun, part.stop, part.used = clock.perf_counter(), self.stop, 0
        part.nodes = None if self.nodes is None else share * max(0.0, self.nodes - self.used)
        part.time = None if self.time is None else share * max(0.0, self.time - self.seconds())
        return part

    @property
    def roomy(self) -> bool:
        """Whether there is time for work that takes about ten milliseconds before it has a benefit."""
        return (self.time is None or self.time >= ROOMY_SECONDS) and (
            self.nodes is None or self.nodes >= ROOMY_NODES
        )

    @property
    def breadth(self) -> float:
        """The factor for the number of sets to keep: 1, and more from a sixth of a second on, up to 8."""
        return min(8.0, max(1.0, self.size / BROAD_NODES))

    @property
    def size(self) -> float:
        """The approximate number of nodes within the limit."""
        by_time = math.inf if self.time is None else self.time * NODES_PER_SECOND
        return max(1.0, min(by_time, math.inf if self.nodes is None else self.nodes))

    @property
    def rounds(self) -> int:
        """How often to alternate between finding and mixing: once, and once more for every few seconds."""
        by_time = math.inf if self.time is None else self.time / ROUND_SECONDS
        by_nodes = math.inf if self.nodes is None else self.nodes / ROUND_NODES
        return 1 + int(min(by_time, by_nodes))

    def seconds(self) -> float:
        """Seconds since the search began."""
        return clock.perf_counter() - self.begun

    def progress(self) -> float:
        """The used share of the limit; 1 or more when it is reached or the search was stopped."""
        if self.stop is not None and self.stop():
            return math.inf
        by_nodes = 0.0 if self.nodes is None else self.used / self.nodes if self.nodes else 1.0
        if self.time is None:
            return by_nodes
        return max(by_nodes, self.seconds() / self.time if self.time else 1.0)

    def late(self) -> bool:
        """Whether the time is up or the search was stopped; nodes may be over."""
        stopped = self.stop is not None and self.stop()
        return stopped or (self.time is not None and self.seconds() >= self.time)

    def over(self, share: float = 1.0) -> bool:
        """Whether this share of the limit is used."""
        return self.progress() >= share
