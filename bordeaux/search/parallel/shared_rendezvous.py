"""The rendezvous in shared memory, from the view of one process of a search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bordeaux.search.parallel.table import SETS, Sets, SharedTable, key_of
from bordeaux.search.rendezvous import Best, Rendezvous, SharedSide

__all__ = ["SharedRendezvous"]


OFFERED = 3
"""Sets of a power that one process takes from another that also searches for it."""


def nobody(process: int) -> bool:
    """A worker replaces no other process: only the master does."""
    return False


class SharedRendezvous(Rendezvous):
    """Process number `process` at the rendezvous of search number `search` in a table.

    `powers` are those of the map, `shares` the powers that each process searches. `absent` tells whether a
    process is inactive at present; its powers are searched here meanwhile.
    """

    def __init__(
        self,
        table: SharedTable,
        process: int,
        search: int,
        powers: Sequence[str],
        shares: Sequence[frozenset[str]],
        absent: Callable[[int], bool] = nobody,
    ) -> None:
        self.table = table
        self.process = process
        self.search = search
        self.powers = powers
        self.shares = shares
        self.absent = absent
        self._mine = shares[process]
        self._published: dict[str, list[tuple[bytes, float]]] = {}
        self._taken: dict[tuple[int, str], Sets] = {}
        table.spend(process, search, 0)

    def share(self, powers: list[str]) -> list[str]:
        """The powers among some that this process searches now, including those of absent processes."""
        mine = set(self.shares[self.process])
        for other, share in enumerate(self.shares):
            if other != self.process and not share <= mine and self.absent(other):
                mine |= share
        self._mine = frozenset(mine)
        return [power for power in powers if power in mine]

    def count(self, nodes: int) -> int:
        """Publish the nodes of this process; returns those of all processes together."""
        self.table.spend(self.process, self.search, nodes)
        others = (process for process in range(self.table.processes) if process != self.process)
        return nodes + sum(self.table.spent(process, self.search) or 0 for process in others)

    def exchange(self, sides: Mapping[str, SharedSide], best: Best, power: str | None = None) -> list[str]:
        """Publish the best sets of a power after its turn, and take those of the others.

        A power that only others search is taken over completely. If several processes search for it, the best
        few sets of the others are offered to this search, which judges them itself.
        """
        if power is not None:
            self._publish(power, best(power, SETS))
        changed = []
        for number, name in enumerate(self.powers):
            if name in sides and self._look(number, name):
                side = sides[name]
                before = side.best
                self._take(name, side)
                if side.best != before:
                    changed.append(name)
        return changed

    def _publish(self, power: str, sets: list[tuple[bytes, float]]) -> None:
        if sets != self._published.get(power):
            self._published[power] = sets
            self.table.publish(self.process, self.powers.index(power), self.search, sets)

    def _look(self, number: int, power: str) -> bool:
        """Read the others' publications about a power; returns whether there is anything new."""
        news = False
        for other in range(self.table.processes):
            if other == self.process:
                continue
            last = self._taken.get((other, power))
            published = self.table.published(other, number, self.search, last.number if last else 0)
            if published is not None and published.sets:
                self._taken[other, power] = published
                news = True
        return news

    def _take(self, power: str, side: SharedSide) -> None:
        theirs = [list(published.sets) for (_, name), published in self._taken.items() if name == power]
        if power in self._mine:
            for sets in theirs:
                for orders, value in sets[:OFFERED]:
                    side.offer(orders, value)
            return
        # What was found here, while somebody was absent, is not given up for something worse.
        ours = [self._published[power]] if power in self._published else []
        side.take(max((*ours, *theirs), key=_value))

    def tally(self, power: str, totals: Mapping[bytes, tuple[float, int]]) -> dict[bytes, tuple[float, int]]:
        """Add up the counts of all processes for some sets of a power; see `Rendezvous.tally`."""
        number = self.powers.index(power)
        keys = {orders: key_of(orders) for orders in totals}
        self.table.tally(
            self.process, number, self.search, {keys[orders]: total for orders, total in totals.items()}
        )
        added = dict(totals)
        for other in range(self.table.processes):
            theirs = {} if other == self.process else self.table.tallied(other, number, self.search)
            for orders, key in keys.items():
                if key in theirs:
                    added[orders] = (added[orders][0] + theirs[key][0], added[orders][1] + theirs[key][1])
        return added


def _value(sets: Sequence[tuple[bytes, float]]) -> float:
    """The value of the best of some sorted sets."""
    return sets[0][1]
