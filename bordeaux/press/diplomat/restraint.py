"""Trust between powers from their orders alone, independent of their messages.

The rules follow van Hal's description of Albert (2007 to 2011). Powers that do not attack each other come to
trust each other. Help is remembered, and a move beside another's centres is a sign of a coming stab.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bordeaux.board.map import Map
from bordeaux.board.neighbours import near
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.press.diplomat.conduct import conduct

__all__ = ["FIRST", "Restraint"]

FIRST = 0.4
"""The initial trust, without observations."""
#: The increase of trust in a movement phase in which two powers could have attacked each other and did not,
#: and for a support of the other's unit.
QUIET, HELP = 0.2, 0.3
#: The factor on trust after a move from farther away to a place beside an own centre.
PRESSED = 0.8
#: The trust between attacker and victim after an attack; it is negative, so that several quiet phases must
#: pass until it is positive.
STABBED = -0.4

Pair = tuple[str, str]


class Restraint:
    """The trust of each power of a map in each other, learnt from movement phases.

    Equal observations lead to equal trust; memory does not grow with the length of a game.
    """

    def __init__(self, map: Map) -> None:
        self._level: dict[Pair, float] = {
            (who, whom): FIRST for who in map.powers for whom in map.powers if who != whom
        }

    def observe(self, before: Position, orders: Mapping[str, Sequence[str | Order]]) -> None:
        """Learn from the orders of a movement phase; other phases have no effect. Orders count whether or not
        they succeed. Raises OrderError for unreadable orders."""
        if before.phase.kind != "M":
            return
        deeds = conduct(before, orders)
        for power, other in near(before):
            if not deeds.attacks[power, other] and not deeds.attacks[other, power]:
                self._raise((other, power), QUIET)
        for power, other in deeds.helps:
            self._raise((other, power), HELP)
        for power, other in deeds.pressed:
            if self._level[other, power] > 0:
                self._level[other, power] *= PRESSED
        for pair in deeds.attacks:
            self._level[pair] = self._level[pair[::-1]] = STABBED

    def _raise(self, pair: Pair, by: float) -> None:
        self._level[pair] = min(1.0, self._level[pair] + by)

    def trust(self, who: str, whom: str) -> float:
        """The trust of one power in another, from 0 to 1. Raises KeyError for an unknown power, or if both
        are the same."""
        return max(0.0, self._level[who, whom])
