"""Alliances without a word: who has attacked whom, and who has let whom be."""

from __future__ import annotations

import numpy as np

from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import submit
from bordeaux.players.ground import situation
from bordeaux.players.iterated.field import Floats
from bordeaux.players.protocol import Turn

__all__ = ["Trust"]

#: Trust that grows with each movement phase in which a power could have attacked and did not.
GROWTH = 0.12
#: What is left of trust after a move beside an own centre from farther away: pressure, a stab to come.
PRESSED = 0.8
#: Trust begins here after an attack: so many phases of peace are needed before it is any.
STABBED = -0.5
#: Trust beyond this makes an ally: below it counts for nothing.
ALLIED = 0.5


class Trust:
    """How far each power trusts each other, learnt from movement phases.

    A move at a unit or into a centre of a power, or a support of one, is an attack, which ends all trust
    on both sides. Powers of which one has units beside the other's and that do not attack gain trust.
    """

    def __init__(self, map: Map) -> None:
        count = len(map.powers)
        self._levels = np.zeros((count, count))

    def shares(self) -> Floats:
        """From 0 to 1, (who, whom): 0 for all that are no allies."""
        shares: Floats = np.where(self._levels > ALLIED, np.minimum(self._levels, 1.0), 0.0)
        return shares

    def observe(self, turn: Turn) -> None:
        """Learn from a movement phase."""
        around = situation(turn.before)
        here = around.ground
        attacks: set[tuple[int, int]] = set()
        pressed: set[tuple[int, int]] = set()
        for power, code in submit(turn.before, turn.orders).codes():
            kind, location, target = code & 0xFF, code >> 16 & 0xFFFF, code >> 32 & 0xFFFF
            if kind == OrderKind.MOVE:
                goal = here.province[target]
            elif kind == OrderKind.SUPPORT_MOVE:
                goal = here.province[code >> 48]
            else:
                continue
            standing = around.at.get(goal)
            harmed = {around.owner[goal]} | ({around.power[standing]} if standing is not None else set())
            attacks |= {(power, other) for other in harmed if other >= 0 and other != power}
            if kind == OrderKind.MOVE:
                before = here.reach[location]
                for place in here.reach[target] - before:
                    owner = around.owner[place]
                    if owner >= 0 and owner != power:
                        pressed.add((power, owner))
        near = {
            (around.power[unit], around.power[other])
            for province in range(len(around.near))
            for unit in around.near[province]
            for other in [around.at.get(province)]
            if other is not None and around.power[other] != around.power[unit]
        }
        for power, other in near:
            if (power, other) not in attacks and (other, power) not in attacks:
                self._levels[other, power] = min(1.0, self._levels[other, power] + GROWTH)
        for power, other in pressed:
            if self._levels[other, power] > 0:
                self._levels[other, power] *= PRESSED
        for power, other in attacks:
            self._levels[other, power] = self._levels[power, other] = STABBED
