"""Alliances without press, inferred from attacks and their absence."""

from __future__ import annotations

import numpy as np

from bordeaux.board.code import destination_of, kind_of, target_of, unit_of
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import submit
from bordeaux.players.iterated.field import Floats
from bordeaux.players.map_index import FAR_AWAY, NOBODY, MapSituation, map_index, situation
from bordeaux.players.protocol import Turn

__all__ = ["Trust", "neighbours"]

#: The increase of trust in each movement phase in which a power could have attacked and did not.
GROWTH = 0.25
#: Trust in the one friend at the start.
FIRST = 0.7
#: The factor on trust after a move from farther away to a place beside an own centre.
PRESSED = 0.8
#: Trust after an attack; it is negative, so that it takes several phases of peace to become positive.
STABBED = -0.5
#: Trust above which a power is an ally; below it has no effect.
ALLIED = 0.45


class Trust:
    """The trust of each power in each other, learnt from movement phases.

    A move to a unit or a centre of a power, or a support of one, is an attack, which ends all trust on both
    sides. Powers that have units near each other's units or centres and do not attack gain trust.
    """

    def __init__(self, map: Map) -> None:
        count = len(map.powers)
        self._levels = np.zeros((count, count))

    def begin(self, power: int, friend: int) -> None:
        """Set the initial trust of a power (by number) in another. Without such a first step all powers
        attack each other, and no trust can grow."""
        self._levels[power, friend] = FIRST

    def shares(self) -> Floats:
        """Values from 0 to 1, (who, whom): 0 for all that are not allies."""
        shares: Floats = np.where(self._levels > ALLIED, np.minimum(self._levels, 1.0), 0.0)
        return shares

    def observe(self, turn: Turn) -> None:
        """Learn from a movement phase."""
        around = situation(turn.before)
        ground = around.ground
        attacks: set[tuple[int, int]] = set()
        pressed: set[tuple[int, int]] = set()
        for power, code in submit(turn.before, turn.orders).codes():
            kind, location, target = kind_of(code), unit_of(code), target_of(code)
            if kind == OrderKind.MOVE:
                goal = ground.province[target]
            elif kind == OrderKind.SUPPORT_MOVE:
                goal = ground.province[destination_of(code)]
            else:
                continue
            attacks |= {(power, other) for other in owners(around, goal) if other != power}
            if kind == OrderKind.MOVE:
                before = ground.reach[location]
                for place in ground.reach[target] - before:
                    owner = around.owner[place]
                    if owner >= 0 and owner != power:
                        pressed.add((power, owner))
        near = {
            (around.power[unit], whose)
            for province in range(len(around.near))
            for unit in around.near[province]
            for whose in owners(around, province)
            if whose != around.power[unit]
        }
        for power, other in near:
            if (power, other) not in attacks and (other, power) not in attacks:
                self._levels[other, power] = min(1.0, self._levels[other, power] + GROWTH)
        for power, other in pressed:
            if self._levels[other, power] > 0:
                self._levels[other, power] *= PRESSED
        for power, other in attacks:
            self._levels[other, power] = self._levels[power, other] = STABBED


def owners(around: MapSituation, province: int) -> set[int]:
    """The powers that own the centre of a province or have a unit there."""
    standing = around.at.get(province)
    powers = {around.owner[province]} | ({around.power[standing]} if standing is not None else set())
    return powers - {NOBODY}


def neighbours(map: Map, power: int, count: int) -> list[int]:
    """The powers with the homes nearest to those of a power, nearest first."""
    ground = map_index(map)
    return sorted(
        (other for other in range(len(map.powers)) if other != power),
        key=lambda other: min(
            (ground.steps(home)[theirs] for home in ground.homes[power] for theirs in ground.homes[other]),
            default=FAR_AWAY,
        ),
    )[:count]
