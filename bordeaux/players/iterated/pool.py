"""The sets of orders that one power may play: built from good orders of single units, and improved.

A set is built unit by unit. A unit moves to a good place, supports an own unit that moves or stays, supports
another power, or bounces with an own unit. Dominated moves are never tried, and a unit without a reason to
hold supports another if possible.
"""

from __future__ import annotations

import functools
from bisect import bisect
from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import exp
from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bordeaux._ext.rules.batch import adjudicate_many
from bordeaux.board.code import destination_of, is_via, kind_of, target_of, unit_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.players.map_index import MapSituation

Floats = npt.NDArray[np.float64]
Orders = npt.NDArray[np.uint64]

#: The byte ranges of the units and the dislodged units in a packed position. Each unit is a token, ``(power +
#: 1) << 10 | location``, 0 for no unit.
UNITS = slice(0, 512)
DISLODGED = slice(512, 1024)
SHIFT = 10
#: Positions that are adjudicated in one call.
ROWS = 512


def token_of(power: int, location: int) -> int:
    """The core's number for a unit of a power in a location."""
    return power + 1 << SHIFT | location


class JointAdjudicator:
    """Adjudicates joint orders of one movement position."""

    def __init__(self, position: Position) -> None:
        self._tables = position.map.tables
        self._provinces = len(position.map.provinces)
        root = np.frombuffer(position.packed.tobytes(), np.uint8)
        self._before = np.tile(root, (ROWS, 1))
        self._after = np.zeros_like(self._before)

    def values(self, orders: Orders, standing: Floats, dislodged: Floats) -> Floats:
        """The values of N joint orders, an (N, units) array of codes: the sums of `standing` over the tokens
        of all undislodged units afterwards, and of `dislodged` over the dislodged ones."""
        sums = [
            self._sums(orders[first : first + ROWS], standing, dislodged)
            for first in range(0, len(orders), ROWS)
        ]
        return np.concatenate(sums)

    def _sums(self, orders: Orders, standing: Floats, dislodged: Floats) -> Floats:
        count, width = orders.shape
        after: Any = self._after[:count]
        starts = np.arange(count + 1, dtype=np.int64) * width
        adjudicate_many(self._tables, self._before[:count], starts, orders.reshape(-1), after)
        units = after[:, UNITS].view("<u2")[:, : self._provinces]
        driven = after[:, DISLODGED].view("<u2")[:, : self._provinces]
        sums: Floats = standing[units].sum(axis=1)
        rows, places = np.nonzero(driven)
        if len(rows):
            np.add.at(sums, rows, dislodged[driven[rows, places]])
        return sums


Set = dict[int, int]
"""Orders by the location of the unit: codes of the core."""

#: The number of moves of one unit that are tried, the best ones.
MOVES = 8
#: Probabilities that a unit first looks for an own move to support; moves where an own unit goes, so that
#: neither arrives; and helps another power if it has nothing better to do.
HELPS, STANDS_OFF, FOREIGN = 0.35, 0.04, 0.15
#: Draws of a move that may collide with own units before a unit holds.
TRIES = 3
#: Factor on a move by convoy, and the maximum number of fleets in it.
BY_SEA, FLEETS = 0.7, 3
HOLD = -1


class Move(NamedTuple):
    """A move: its destination by location and province, its code, and whether it needs a convoy."""

    location: int
    province: int
    code: int
    by_sea: bool


class UnitOptions(NamedTuple):
    """The options of a unit. `moves` have their cumulative probabilities for bold and for wild draws; a hold
    is the last one. `help` is by (location, goal) of the helped unit, with the goal `HOLD` for one that
    stays. `convoys` is by (location of the army, goal)."""

    location: int
    province: int
    hold: int
    moves: list[Move]
    bold: list[float]
    wild: list[float]
    help: dict[tuple[int, int], int]
    foreign: list[tuple[int, int]]
    convoys: dict[tuple[int, int], int]


class Drawer:
    """Draws sets for a power (by number). `legal` are its orders by location, as the core lists them, `place`
    the value of each location to it. `chance` is its only random generator."""

    def __init__(
        self,
        around: MapSituation,
        power: int,
        legal: Mapping[int, Sequence[int]],
        place: Floats,
        chance: Random,
    ) -> None:
        self._around = around
        self._power = power
        self._chance = chance
        self._place = place.tolist()
        self._others = functools.cache(lambda province: around.threatened(province, power))
        self.units = [self._options(location, codes) for location, codes in sorted(legal.items())]
        self.columns = [unit.location for unit in self.units]

    def _options(self, location: int, codes: Sequence[int]) -> UnitOptions:
        around, ground = self._around, self._around.ground
        own = {around.location[unit] for unit in around.units_of(self._power)}
        hold = 0
        moves: dict[int, Move] = {}
        help: dict[tuple[int, int], int] = {}
        foreign: list[tuple[int, int]] = []
        convoys: dict[tuple[int, int], int] = {}
        for code in codes:
            kind, target, goal = kind_of(code), target_of(code), destination_of(code)
            if kind == OrderKind.HOLD:
                hold = code
            elif kind == OrderKind.MOVE:
                by_sea = target not in ground.neighbours[location]
                if by_sea or target not in moves or not is_via(code):
                    moves[target] = Move(target, ground.province[target], code, by_sea)
            elif kind == OrderKind.CONVOY:
                if target in own:
                    convoys[target, ground.province[goal]] = code
            else:
                aim = HOLD if kind == OrderKind.SUPPORT_HOLD else ground.province[goal]
                if target in own:
                    help[target, aim] = code
                else:
                    foreign.append((aim, code))

        def value(move: Move) -> float:
            return self._place[move.location] * (BY_SEA if move.by_sea else 1.0)

        best = sorted(self._undominated(location, list(moves.values())), key=value, reverse=True)[:MOVES]
        worth = [*map(value, best), self._place[location]]
        most = max(worth)
        scale = max(1e-9, most)
        bold = list(accumulate(exp(6.0 * (value - most) / scale) for value in worth))
        wild = list(accumulate(exp(2.0 * (value - most) / scale) for value in worth))
        return UnitOptions(
            location, ground.province[location], hold, best, bold, wild, help, foreign, convoys
        )

    def _undominated(self, location: int, moves: list[Move]) -> list[Move]:
        """The moves without dominated ones: to a safe place of lower value than another safe place with the
        same neighbours."""
        ground = self._around.ground
        quiet = [move for move in moves if not move.by_sea and not self._others(move.province)]
        reach = {move.location: ground.reach[move.location] | {move.province} for move in quiet}
        dominated = {
            move.location
            for move in quiet
            for other in quiet
            if other.province != move.province
            and self._place[move.location] < self._place[other.location]
            and reach[move.location] - {ground.province[location]} <= reach[other.location]
            and move.province not in ground.centres
        }
        return [move for move in moves if move.location not in dominated]

    def draw(self, kept: Set | None = None, *, wild: bool = False) -> Set:
        """A set that includes the orders `kept`."""
        chance = self._chance
        orders: Set = dict(kept or {})
        goals = self._goals(orders)
        left = [unit for unit in self.units if unit.location not in orders]
        chance.shuffle(left)
        for unit in left:
            if unit.location in orders:
                continue
            code = self._help(unit, goals) if goals and chance.random() < HELPS else 0
            if not code:
                code = self._go(unit, orders, goals, wild)
            orders[unit.location] = code
            self._note(code, goals)
        self._mend(orders, goals)
        return orders

    def changed(self, orders: Set, count: int) -> Set:
        """A set with the orders of some units redrawn; one of them anywhere, the others near it."""
        if len(orders) <= count:
            return self.draw(wild=True)
        ground = self._around.ground
        steps = ground.steps(ground.province[self._chance.choice(self.columns)])
        near = sorted(self.columns, key=lambda unit: (steps[ground.province[unit]], self._chance.random()))
        kept = {unit: code for unit, code in orders.items() if unit not in near[:count]}
        return self.draw(kept, wild=self._chance.random() < 0.7)

    def mixed(self, first: Set, second: Set) -> Set:
        """One set on one side of the board, and another on the other."""
        ground = self._around.ground
        steps = ground.steps(ground.province[self._chance.choice(self.columns)])
        ranked = sorted(self.columns, key=lambda unit: steps[ground.province[unit]])
        near = ranked[: len(ranked) // 2]
        orders = {unit: (first if unit in near else second)[unit] for unit in self.columns}
        self._mend(orders, self._goals(orders))
        return orders

    def _goals(self, orders: Set) -> dict[int, tuple[int, int]]:
        goals: dict[int, tuple[int, int]] = {}
        for code in orders.values():
            self._note(code, goals)
        return goals

    def _note(self, code: int, goals: dict[int, tuple[int, int]]) -> None:
        """Record the unit that moves to, or stays in, a province: (location, goal for its help)."""
        ground = self._around.ground
        location, target = unit_of(code), target_of(code)
        if kind_of(code) == OrderKind.MOVE:
            goals[ground.province[target]] = (location, ground.province[target])
        else:
            goals.setdefault(ground.province[location], (location, HOLD))

    def _help(self, unit: UnitOptions, goals: dict[int, tuple[int, int]]) -> int:
        """A support for an own unit in a place where others could interfere; 0 if there is none."""
        helps = [
            unit.help[helped]
            for province, helped in goals.items()
            if helped in unit.help and self._others(province)
        ]
        return self._chance.choice(helps) if helps else 0

    def _go(self, unit: UnitOptions, orders: Set, goals: dict[int, tuple[int, int]], wild: bool) -> int:
        """A move, or the order of a unit if an own one goes there."""
        chance = self._chance
        sums = unit.wild if wild else unit.bold
        for _ in range(TRIES):
            number = bisect(sums, chance.random() * sums[-1])
            if number >= len(unit.moves):
                break
            move = unit.moves[number]
            taken = goals.get(move.province)
            if taken is not None and chance.random() >= STANDS_OFF:
                if taken in unit.help:
                    return unit.help[taken]
                continue
            if move.by_sea and not self._carried(unit, move, orders):
                continue
            return move.code
        return unit.hold

    def _carried(self, unit: UnitOptions, move: Move, orders: Set) -> bool:
        """Whether own fleets that are still free convoy a move; they get their orders."""
        wanted = (unit.location, move.province)
        fleets = [fleet for fleet in self.units if wanted in fleet.convoys and fleet.location not in orders]
        for fleet in fleets[:FLEETS]:
            orders[fleet.location] = fleet.convoys[wanted]
        return bool(fleets)

    def _mend(self, orders: Set, goals: dict[int, tuple[int, int]]) -> None:
        """Units that would hold without need, or help an order that is not given, help an own unit, or
        sometimes another power."""
        for unit in self.units:
            code = orders[unit.location]
            if self._in_vain(code, orders):
                code = orders[unit.location] = unit.hold
            if code != unit.hold:
                continue
            # Help for the unit's own stay is none.
            helps = [unit.help[helped] for helped in goals.values() if helped in unit.help]
            if unit.foreign and (not helps or self._chance.random() < FOREIGN):
                helps = [code for aim, code in unit.foreign if aim not in goals] or helps
                if self._chance.random() < 0.5:
                    continue
            if helps:
                orders[unit.location] = self._chance.choice(helps)

    def _in_vain(self, code: int, orders: Set) -> bool:
        """Whether an order supports an own unit that has another order."""
        there = orders.get(target_of(code))
        if there is None or kind_of(code) not in (OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE):
            return False
        if kind_of(code) == OrderKind.SUPPORT_HOLD:
            return kind_of(there) == OrderKind.MOVE
        goal = self._around.ground.province[destination_of(code)]
        return kind_of(there) != OrderKind.MOVE or self._around.ground.province[target_of(there)] != goal
