"""The values of places for every power, modelled on descriptions of Albert.

The size of a power includes the centres that it outnumbers. The value of a foreign centre is the size of its
owner, that of an own centre the size of the power that threatens it. Values spread from the centres over the
board. The value of an outcome is a sum over the remaining units, from a table. Own units count by their
place. Losses to others are subtracted, and so is the progress of others towards a solo.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.players.iterated.field import Floats, token_of
from bordeaux.players.map_index import NOBODY, map_index, situation

__all__ = ["Worth"]

#: Weights of attack and defence, and of values without spreading, after one step of it, after two, and so on.
#: They are those of DumbBot (Norman 2002), to whose family Albert belongs.
ATTACK = {"S": 0.7, "F": 0.6, "W": 0.7}
DEFENCE = {"S": 0.3, "F": 0.4, "W": 0.3}
STEPS = {
    "S": (0.1, 1.0, 0.03, 0.01, 0.006, 0.005, 0.004, 0.003, 0.002, 0.001),
    "F": (1.0, 0.1, 0.03, 0.01, 0.006, 0.005, 0.004, 0.003, 0.002, 0.001),
    "W": (1.0, 0.1, 0.03, 0.01, 0.006, 0.005, 0.004, 0.003, 0.002, 0.001),
}
SPREAD = 5.0
#: The part of a centre's value that is lost when a foreign unit is in it: it is lost after Fall, and may be
#: lost in Spring.
TAKEN = {"S": 0.8, "F": 1.0, "W": 1.0}
#: The minimum loss for an own centre, in points of size.
LEAST = 200.0
#: The value of occupying a centre that is not ours yet, in addition to the place's value, in parts of an own
#: centre.
GAIN = 1.5
#: The part of a place's value that is lost when a foreign unit is there.
PRESENCE = 0.1
#: The value of an own dislodged unit, and of a foreign one, in parts of an own centre.
DRIVEN, DRIVING = 0.15, 0.2
#: The value of an overpowered centre, as a part of an owned one.
OVERPOWERED = 0.5
#: The shares of all centres from which on a power threatens everybody, and of a solo.
RISING, SOLO = 0.36, 0.5
#: The cost of each new centre of other powers, in parts of an own centre: for any power, and for one about to
#: win.
ENVY, ALARM = 0.1, 1.5


class Worth:
    """Values in one position. All powers are numbers.

    `trust` is the trust of each power in each other, from 0 to 1. `liking` multiplies the value of each
    power's centres (last: neutral ones) to each power. `threat` is how near each power is to a solo, from 0
    to 1; a power with any threat is trusted by nobody.

    `place` has the value of each location to a unit of each power, (powers, locations). `standing` and
    `dislodged` are the tables of `Field.values` for each power. `centre` is the value of an own centre.
    """

    def __init__(self, position: Position, trust: Floats, liking: Floats) -> None:
        map = position.map
        self._now = situation(position)
        self._owner = self._now.owner
        self._season = position.phase.season
        self._powers = len(map.powers)
        self.centres = np.array([position.owners.count(power) for power in map.powers], dtype=float)
        sizes = self.centres + OVERPOWERED * self._overpowered()
        share = sizes / len(map.centres)
        self.threat = np.clip((share - RISING) / (SOLO - RISING), 0.0, 1.0)
        if self.centres.max() < len(map.centres) * RISING * 0.75:
            self.threat[:] = 0.0
        self._trust = trust * (1.0 - np.sign(self.threat))[None, :]
        self.size = sizes_of([*sizes, position.owners.count(None)])
        base = self._base(liking)
        near = base[:, map_index(map).province]
        weights = STEPS[self._season]
        self.place = weights[0] * near
        for weight in weights[1:]:
            near = near @ spreading(map)
            self.place += weight * near
        self.centre = ATTACK[self._season] * np.maximum(self.size[:-1], LEAST)
        self.standing, self.dislodged = self._tables()

    def _overpowered(self) -> Floats:
        """Foreign centres that each power could take by the number of its units beside them."""
        now = self._now
        counts = np.zeros(self._powers)
        for province in now.ground.centres:
            near = [now.power[unit] for unit in now.near[province]]
            standing = now.at.get(province)
            for power in set(near):
                if now.owner[province] == power:
                    continue
                others = max((near.count(foe) for foe in set(near) - {power}), default=0)
                held = standing is not None and now.power[standing] != power
                counts[power] += near.count(power) > others + held
        return counts

    def _base(self, liking: Floats) -> Floats:
        """The value of every province to every power, before it spreads."""
        now = self._now
        base = np.zeros((self._powers, len(now.ground.locations)))
        attack, defence = ATTACK[self._season], DEFENCE[self._season]
        for province in now.ground.centres:
            owner = now.owner[province]
            for power in range(self._powers):
                if owner == power:
                    threats = {now.power[unit] for unit in now.near[province]} - {power}
                    worth = max(
                        (self.size[threat] * (1 - self._trust[power, threat]) for threat in threats),
                        default=0.0,
                    )
                    base[power, province] = defence * worth
                else:
                    left = 1.0 if owner == NOBODY else 1.0 - 0.95 * self._trust[power, owner]
                    alarm = 0.0 if owner == NOBODY else self.threat[owner]
                    base[power, province] = (
                        attack * self.size[owner] * left * liking[power, owner] * (1 + alarm)
                    )
        return base

    def _tables(self) -> tuple[Floats, Floats]:
        now = self._now
        province = np.array(now.ground.province)
        locations = np.arange(len(province))
        owner = np.array(now.owner)[province]
        is_centre = np.isin(province, now.ground.centres)
        taken = TAKEN[self._season]
        standing = np.zeros((self._powers, token_of(self._powers, 0)))
        dislodged = np.zeros_like(standing)
        for power in range(self._powers):
            centre = self.centre[power]
            for other in range(self._powers):
                tokens = token_of(other, 0) + locations
                if other == power:
                    loyal = np.append(self._trust[power], 0.0)[owner]
                    gained = taken * GAIN * centre * (is_centre & (owner != power)) * (1 - loyal)
                    standing[power, tokens] = self.place[power] + gained
                    dislodged[power, tokens] = -DRIVEN * centre
                    continue
                strange = 1.0 - self._trust[power, other]
                new = is_centre & (owner != other)
                worth = -PRESENCE * strange * self.place[power]
                worth -= taken * centre * (is_centre & (owner == power))
                worth -= taken * centre * (ENVY * strange + ALARM * self.threat[other]) * new
                standing[power, tokens] = worth
                dislodged[power, tokens] = DRIVING * centre * (strange + 2 * self.threat[other])
        return standing, dislodged


def sizes_of(counts: Sequence[float]) -> Floats:
    """The sizes of powers by number of centres (Norman 2002): n n + 4 n + 16."""
    centres = np.asarray(counts, dtype=float)
    return centres * centres + 4 * centres + 16


@functools.lru_cache(maxsize=16)
def spreading(map: Map) -> Floats:
    """The matrix of one step of spreading, (locations, locations): a fifth each of a location's value and of
    the mean value of the locations of each adjacent province."""
    ground = map_index(map)
    count = len(ground.province)
    matrix = np.zeros((count, count))
    for location, neighbours in enumerate(ground.neighbours):
        beside = [ground.province[there] for there in neighbours]
        matrix[location, location] += 1 / SPREAD
        for there in neighbours:
            matrix[there, location] += 1 / (SPREAD * beside.count(ground.province[there]))
    return matrix
