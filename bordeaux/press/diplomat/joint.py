"""The game of two powers in a movement phase, while all others play as expected.

A set is the bytes of a power's order codes (`bordeaux.board.code`). The value of two sets is the mean of
the evaluation for each of the two powers over samples of the others' orders, in points. Regret matching
computes how both play without press, or with only a part of their orders agreed on.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bordeaux._ext.search.expand import Expander
from bordeaux._ext.search.regret import MatrixGame
from bordeaux._ext.value.influence import Evaluator
from bordeaux.board.code import as_bytes, codes_in, destination_of, is_via, kind_of, target_of, unit_of
from bordeaux.board.map import Map
from bordeaux.board.order import HELPS, OrderKind
from bordeaux.board.position import Position

Floats = npt.NDArray[np.float64]
#: Iterations of regret matching; on tables of a dozen sets more of them change little.
ITERATIONS = 120


class JointGame:
    """Values of pairs of sets of two powers against `samples`, orders of everybody else.

    `evaluator` gives the values of the next position. `options` are for each of the powers the legal codes of
    its units, by location number. Raises ValueError outside movement phases.
    """

    def __init__(
        self, position: Position, evaluator: Evaluator, powers: tuple[str, str], samples: Sequence[bytes]
    ) -> None:
        self.powers = powers
        self.samples = samples
        legal = position.packed.legal()
        self.options: list[dict[int, list[int]]] = []
        self._spaces: list[Expander] = []
        for power in powers:
            number = position.map.powers.index(power)
            options = {
                unit: sorted(codes, key=lambda code: (kind_of(code) != OrderKind.HOLD, code))
                for unit, codes in sorted(legal.get(number, {}).items())
            }
            self.options.append(options)
            space = Expander(position.packed, evaluator, number, options.values(), 0)
            self._spaces.append(space)
        self._known: dict[tuple[bytes, bytes], tuple[float, float]] = {}

    @property
    def nodes(self) -> int:
        """Adjudications with evaluation so far."""
        return sum(space.nodes for space in self._spaces)

    def table(self, ours: Sequence[bytes], theirs: Sequence[bytes], first: int | None = None) -> Floats:
        """The values of sets for the two powers, (2, sets of the first, sets of the second), over the `first`
        samples, by default all."""
        return self.by_sample(ours, theirs, first).mean(axis=3)

    def by_sample(self, ours: Sequence[bytes], theirs: Sequence[bytes], first: int | None = None) -> Floats:
        """The same for each sample, (2, sets of the first, sets of the second, samples)."""
        samples = self.samples[:first]
        values_of_pairs = np.empty((2, len(ours), len(theirs), len(samples)))
        for place, (own, others) in enumerate(((ours, theirs), (theirs, ours))):
            space = self._spaces[place]
            joint = [other + sample for other in others for sample in samples]
            rows = space.compare([space.node_of(orders) for orders in own], joint)
            values = np.array(rows).reshape(len(own), len(others), len(samples))
            values_of_pairs[place] = values.swapaxes(0, 1) if place else values
        return values_of_pairs

    def pair(self, ours: bytes, theirs: bytes) -> tuple[float, float]:
        """The value of one pair of sets for the two powers."""
        key = ours, theirs
        if key not in self._known:
            table = self.table([ours], [theirs])
            self._known[key] = float(table[0, 0, 0]), float(table[1, 0, 0])
        return self._known[key]


def solved(table: Floats, start: tuple[int, int] | None = None) -> tuple[Floats, tuple[float, float]]:
    """A solution of a table of `JointGame`: the frequency of each pair of sets, (sets, sets), and the
    resulting mean value of each power, in points. It starts from the sets with the numbers `start`, if given.

    Regret matching of both at once. The result is a coarse correlated equilibrium: neither would gain by any
    single set. There may be several, hence `start`.
    """
    shape = table.shape[1:]
    game = MatrixGame(shape, np.ascontiguousarray(table.reshape(2, -1)), room=max(shape))
    if start is not None:
        for player, first in enumerate(start):
            game.start(player, [float(number == first) for number in range(shape[player])])
    often = np.array(game.solve(ITERATIONS)).reshape(shape)
    return often, (float((often * table[0]).sum()), float((often * table[1]).sum()))


def changed(orders: bytes, instead: Mapping[int, int]) -> bytes:
    """A set with some changed orders: codes by location of the unit."""
    return as_bytes([instead.get(unit_of(code), code) for code in codes_in(orders)]) if instead else orders


def reach(position: Position, power: str) -> frozenset[int]:
    """The provinces, by number, that units of a power occupy or can reach in this movement phase."""
    locations = position.map.locations
    provinces = set()
    for unit, codes in position.packed.legal().get(position.map.powers.index(power), {}).items():
        provinces.add(locations[unit].province)
        provinces |= {
            locations[target_of(code)].province for code in codes if kind_of(code) == OrderKind.MOVE
        }
    return frozenset(provinces)


# From a pair of sets it climbs by changes of single orders, and by *operations*. An operation is a move of
# one power with the support or convoy of the other that it needs. All its orders change at once, because
# help without its move has no value.

Pair = tuple[bytes, bytes]
"""A set for each of the two powers."""
Change = tuple[dict[int, int], dict[int, int]]
"""Replacement codes by location of the unit, of either power."""

#: Rounds of one hill climb, samples for all changes of a round, and changes that are tested on all samples.
ROUNDS, QUICK, LOOKED_AT = 5, 3, 16
#: The minimum gain of a change in points.
WORTH = 3.0
#: The weight of the sum of both gains beside the smaller one: above all a deal must be good for both.
SUMMED = 0.25


class JointSearch:
    """Climbs in a `game` from pairs of sets to pairs that are better for both.

    `base` are the points of each of the two without any deal. `allowed` restricts the orders by place (0, 1)
    and code. `spent` says when to end. `options` are the codes that are tried, for each of the two by
    location of the unit, without help for third powers.
    """

    def __init__(
        self,
        map: Map,
        game: JointGame,
        base: tuple[float, float],
        allowed: Callable[[int, int], bool],
        spent: Callable[[], bool],
    ) -> None:
        self.game = game
        self.base = base
        self._spent = spent
        self._province = [place.province for place in map.locations]
        units = game.options[0].keys() | game.options[1].keys()
        self.options: list[dict[int, list[int]]] = [
            {
                unit: [
                    code
                    for code in codes
                    if allowed(place, code) and not (kind_of(code) in HELPS and target_of(code) not in units)
                ]
                for unit, codes in game.options[place].items()
            }
            for place in (0, 1)
        ]
        self._helpers = self._found_helpers()
        self.operations = list(self._found_operations())

    def gains(self, pair: Pair) -> tuple[float, float]:
        """The gains of the two from a pair of sets over no deal, in points."""
        worth = self.game.pair(*pair)
        return worth[0] - self.base[0], worth[1] - self.base[1]

    def value(self, pair: Pair) -> float:
        """The value of a pair of sets as a deal, in points."""
        return together(*self.gains(pair))

    def climb(self, start: Pair) -> Pair:
        """The best pair reached by climbing from one."""
        best = start
        for _ in range(ROUNDS):
            if self._spent():
                break
            taken: set[int] = set()
            for change in self._ranked(best):
                touched = change[0].keys() | change[1].keys()
                pair = self.after(best, change)
                if not touched & taken and self.value(pair) > self.value(best) + WORTH:
                    best = pair
                    taken |= touched
            if not taken:
                break
        return best

    @staticmethod
    def after(pair: Pair, change: Change) -> Pair:
        """A pair of sets after a change."""
        return changed(pair[0], change[0]), changed(pair[1], change[1])

    def alone(self, pair: Pair, most: int) -> list[Change]:
        """The operations with the largest value as the only change of a pair, best first."""
        ranked = self._by_value(pair, self.operations)[: 2 * most]
        ranked.sort(key=lambda change: -self.value(self.after(pair, change)))
        return ranked[:most]

    def _ranked(self, pair: Pair) -> list[Change]:
        """The best changes of a pair on a few samples."""
        flips: list[Change] = []
        for place in (0, 1):
            given = set(codes_in(pair[place]))
            for unit, codes in self.options[place].items():
                for code in codes:
                    # A move over sea is nothing without its convoy.
                    if code not in given and not is_via(code):
                        flips.append(({unit: code}, {}) if place == 0 else ({}, {unit: code}))
        return self._by_value(pair, [*flips, *self.operations])[:LOOKED_AT]

    def _by_value(self, pair: Pair, changes: Sequence[Change]) -> list[Change]:
        """Changes with an effect on a pair, sorted by value on a few samples."""
        valued: list[tuple[float, int]] = []
        one_sided: dict[int, list[tuple[int, bytes]]] = {0: [], 1: []}
        for number, change in enumerate(changes):
            ours, theirs = self.after(pair, change)
            if (ours, theirs) == pair:
                continue
            if theirs == pair[1]:
                one_sided[0].append((number, ours))
            elif ours == pair[0]:
                one_sided[1].append((number, theirs))
            else:
                table = self.game.table([ours], [theirs], QUICK)
                valued.append((self._quick(table[0, 0, 0], table[1, 0, 0]), number))
        for place, sets_found in one_sided.items():
            if not sets_found:
                continue
            sets = [orders for _, orders in sets_found]
            table = self.game.table(*((sets, [pair[1]]) if place == 0 else ([pair[0]], sets)), QUICK)
            for (number, _), worth in zip(sets_found, table.reshape(2, -1).T, strict=True):
                valued.append((self._quick(worth[0], worth[1]), number))
        valued.sort(key=lambda choice: (-choice[0], choice[1]))
        return [changes[number] for _, number in valued]

    def _quick(self, ours: float, theirs: float) -> float:
        return together(ours - self.base[0], theirs - self.base[1])

    def _found_helpers(self) -> dict[tuple[int, int], list[tuple[int, int]]]:
        """For each move, by unit and goal, the place and code of every possible support or convoy."""
        helpers: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for place in (0, 1):
            for codes in self.options[place].values():
                for code in codes:
                    if kind_of(code) in (OrderKind.SUPPORT_MOVE, OrderKind.CONVOY):
                        goal = self._province[destination_of(code)]
                        helpers.setdefault((target_of(code), goal), []).append((place, code))
        return helpers

    def _found_operations(self) -> Iterator[Change]:
        """Moves with one or two supports or convoys, at least one of them from the other power."""
        for place, units in enumerate(self.options):
            for unit, codes in units.items():
                for code in codes:
                    if kind_of(code) == OrderKind.MOVE:
                        yield from self._helped(place, unit, code)

    def _helped(self, place: int, unit: int, move: int) -> Iterator[Change]:
        offered = self._helpers.get((unit, self._province[target_of(move)]), ())
        for count in (1, 2):
            for helps in itertools.combinations(offered, count):
                convoys = sum(kind_of(code) == OrderKind.CONVOY for _, code in helps)
                if convoys != is_via(move) or all(giver == place for giver, _ in helps):
                    continue
                given: tuple[dict[int, int], dict[int, int]] = ({}, {})
                given[place][unit] = move
                for giver, code in helps:
                    given[giver][unit_of(code)] = code
                if len(given[0]) + len(given[1]) == 1 + count:
                    yield given


def together(ours: float, theirs: float) -> float:
    """The gains of both as one number: the smaller, plus a part of the sum."""
    return min(ours, theirs) + SUMMED * (ours + theirs)
