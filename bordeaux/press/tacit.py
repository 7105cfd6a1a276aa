"""Alliances without press, inferred from attacks, their absence, and help.

The rules follow van Hal's description of Albert (2007 to 2011). Powers that do not attack each other come
to trust each other. Help is remembered. A move beside another's centres is a sign of a coming stab. All
powers unite against one that has stabbed them or is about to win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.press.conduct import conduct
from bordeaux.search.agreements import Agreement
from bordeaux.search.replies import near

__all__ = ["Tacit", "winner"]

#: Trust before anything was seen: the benefit of the doubt, without which nobody ever makes a first step.
FIRST = 0.4
#: What a movement phase adds in which two powers could have attacked each other and did not, and what a
#: support adds that was given to the other's unit.
QUIET, HELP = 0.2, 0.3
#: What is left of trust after a move beside an own centre from farther away.
PRESSED = 0.8
#: Trust after an attack, in what attacks and in what is attacked: so many quiet phases until there is any.
STABBED = -0.4
#: What a common enemy adds: one that attacked both within so many movement phases, or is about to win.
UNITED, RECENTLY = 0.2, 2
#: Trust from which on there is peace.
PEACE = 0.35
#: Share of all centres from which on the largest power is about to win.
WINNING = 0.38
#: Part of the powers near one that it is at peace with at most.
PARTNERS = 0.5
#: What trust says of a power that nobody can reach is not asked for: peace is with those so many moves away.
NEAR = 3

Pair = tuple[str, str]


class Tacit:
    """How far each power trusts each other, learnt from movement phases, and the peace that this makes.

    Equal observations lead to equal trust; nothing grows with the length of a game.
    """

    def __init__(self, map: Map) -> None:
        self.map = map
        self._phase = 0
        self._level: dict[Pair, float] = {
            (who, whom): FIRST for who in map.powers for whom in map.powers if who != whom
        }
        self._attacked: dict[Pair, int] = {}

    def observe(
        self, before: Position, orders: Mapping[str, Sequence[str | Order]], after: Position | None = None
    ) -> None:
        """Learn from the orders of a movement phase; other phases teach nothing, and what came of the
        orders matters no more than what was meant. Raises OrderError for what cannot be read."""
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
            self._attacked[pair] = self._phase
        self._phase += 1

    def _raise(self, pair: Pair, by: float) -> None:
        self._level[pair] = min(1.0, self._level[pair] + by)

    def trust(self, who: str, whom: str) -> float:
        """How far one power trusts another, from 0 to 1, by deeds alone. Raises KeyError where one of them
        is no power of the map, or both are the same."""
        return max(0.0, self._level[who, whom])

    def peace(self, position: Position, one: str, other: str) -> float:
        """How far there is peace between two powers of a position, from 0 to 1: the lesser of their trust, a
        common enemy thought of; 0 with whoever is about to win."""
        winning = winner(position)
        if winning in (one, other):
            return 0.0
        least = min(self._level[one, other], self._level[other, one])
        united = winning is not None or bool(self._enemies(one) & self._enemies(other))
        level = min(1.0, least + (UNITED if united else 0.0))
        return level if level >= PEACE else 0.0

    def _enemies(self, power: str) -> set[str]:
        """Who has attacked a power lately."""
        since = self._phase - RECENTLY
        return {who for (who, whom), phase in self._attacked.items() if whom == power and phase >= since}

    def agreements(self, power: str, position: Position) -> list[Agreement]:
        """The tacit peace that a power has in a position with those near it, most trusted first; of equals
        those with the most units near. Half of them are left out: who is at peace with all gets nowhere."""
        units = near(position, NEAR)
        close = [other for other in self.map.powers if units[power, other] or units[other, power]]
        found = [(self.peace(position, power, other), units[other, power], other) for other in close]
        found.sort(key=lambda each: each[:2], reverse=True)
        return [
            Agreement("peace", (power, other), trust=level, tacit=True)
            for level, _, other in found[: int(PARTNERS * len(close))]
            if level > 0
        ]


def winner(position: Position) -> str | None:
    """The power that is about to win: the only one with the most centres, and with a share of all that few
    who have it lose again; None if there is none."""
    counts = sorted(((position.owners.count(power), power) for power in position.map.powers), reverse=True)
    most, power = counts[0]
    alone = len(counts) == 1 or counts[1][0] < most
    return power if alone and most >= WINNING * len(position.map.centres) else None
