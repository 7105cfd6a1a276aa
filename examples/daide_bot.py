"""A bot of one's own in twenty lines: Bordeaux's search behind it, its own taste and its own press.

bordeaux server --fill dumbbot --level 10         # in one window: a game with one empty chair
    python examples/daide_bot.py 127.0.0.1:16713 2    # in another: play with 2 seconds a phase
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from bordeaux import Position
from bordeaux.daide import Bot, Limit, stopped
from bordeaux.daide import language as d


class Phalanx(Bot):
    """Likes orders in which its units help each other, and wants peace with all its neighbours."""

    def orders(self, position: Position, power: str, limit: Limit) -> Iterator[Sequence[str]]:
        """Better and better sets, which are sent as they come: of the lines found, the one we like most."""
        for found in self.engine.improvements(position, power, time=limit.time, stop=stopped):
            liked = max(found.lines, key=lambda line: line.value + 5 * helping(line.orders), default=found)
            yield liked.orders

    def propose(self) -> Iterable[d.SND]:
        """Before every movement phase, an offer of peace to each neighbour."""
        if self.table.position is not None and self.table.position.phase.kind == "M":
            us = self.table.token(self.negotiator.me)
            for them in map(self.table.token, self.negotiator.neighbours()):
                yield d.SND(None, (them,), d.PRP(d.PCE((us, them))))


def helping(orders: Iterable[str]) -> int:
    """How many of the orders are supports."""
    return sum(" S " in order for order in orders)


if __name__ == "__main__":
    print(Phalanx(sys.argv[1], name="Phalanx", time=float(sys.argv[2])).run())
