"""The values of places for every power, modelled on descriptions of Albert; alliances without press;
retreats, builds and removals by these values."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from bordeaux.board.code import destination_of, kind_of, target_of, unit_of
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.players.base import Turn
from bordeaux.players.iterated.pool import Floats, token_of
from bordeaux.players.map_index import FAR_AWAY, NOBODY, MapSituation, map_index, situation

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
                    fears = (self.size[threat] * (1 - self._trust[power, threat]) for threat in threats)
                    base[power, province] = defence * max(fears, default=0.0)
                else:
                    left = 1.0 if owner == NOBODY else 1.0 - 0.95 * self._trust[power, owner]
                    alarm = 1.0 if owner == NOBODY else 1 + self.threat[owner]
                    base[power, province] = attack * self.size[owner] * left * liking[power, owner] * alarm
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
    """The trust of each power in each other, learnt from movement phases. A move to a unit or a centre of a
    power, or a support of one, is an attack, which ends all trust on both sides. Powers that have units near
    each other's units or centres and do not attack gain trust."""

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
                new = {around.owner[place] for place in ground.reach[target] - ground.reach[location]}
                pressed |= {(power, owner) for owner in new - {NOBODY, power}}
            elif kind == OrderKind.SUPPORT_MOVE:
                goal = ground.province[destination_of(code)]
            else:
                continue
            attacks |= {(power, other) for other in owners(around, goal) if other != power}
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
        key=lambda other: min((ground.away(home, power) for home in ground.homes[other]), default=FAR_AWAY),
    )[:count]


#: Factor on a place for a retreat where another dislodged unit could go as well.
SHARED = 0.5
#: Factor on a build near another build of this Winter with the same kind of unit.
ALIKE = 0.85


def retreated(position: Position, power: int, worth: Worth) -> list[int]:
    """The best retreats of a power (by number), as codes: no two to one province; the unit with the largest
    possible loss chooses first."""
    province = situation(position).ground.province
    legal = position.packed.legal()

    def goal(code: int) -> int | None:
        return province[target_of(code)] if kind_of(code) == OrderKind.RETREAT else None

    goals = ({goal(code) for code in codes} for units in legal.values() for codes in units.values())
    wanted = Counter(place for places in goals for place in places)

    def value(code: int) -> float:
        if goal(code) is None:
            return 0.0
        shared = SHARED if wanted[goal(code)] > 1 else 1.0
        return float(worth.place[power, target_of(code)]) * shared + 1e-6

    orders: list[int] = []
    taken: set[int | None] = set()
    for codes in sorted(legal.get(power, {}).values(), key=lambda codes: -max(map(value, codes))):
        orders.append(max((code for code in codes if goal(code) not in taken), key=value))
        taken |= {goal(orders[-1])} - {None}
    return orders


def adjusted(position: Position, power: int, worth: Worth) -> list[int]:
    """The best builds, or the cheapest removals, of a power (by number), as codes. Builds are chosen one
    after the other, given the earlier ones; units on own centres in danger are removed last."""
    due = position.packed.due(power)
    ground = situation(position).ground
    codes: Mapping[int, Sequence[int]] = position.packed.legal().get(power, {})
    place = worth.place[power]
    if due < 0:
        owner = situation(position).owner
        home = float(worth.centre[power])

        def cost(location: int) -> float:
            return float(place[location]) + home * (owner[ground.province[location]] == power)

        return [codes[location][0] for location in sorted(codes, key=cost)[:-due]]
    orders: list[int] = []
    taken: set[int] = set()
    kinds = {"A": 1.0, "F": 1.0}
    while len(orders) < due:
        free = [location for location in codes if ground.province[location] not in taken]
        if not free:
            break
        best = max(free, key=lambda location: (place[location] * kinds[ground.kind[location]], -location))
        kinds[ground.kind[best]] *= ALIKE
        taken.add(ground.province[best])
        orders.append(codes[best][0])
    return orders
