"""A search over the orders of two powers at once, for results that neither reaches alone.

From a pair of sets it climbs by changes of single orders, and by *operations*. An operation is a move of one
power with the support or convoy of the other that it needs. All its orders change at once, because help
without its move has no value.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from bordeaux.board.code import codes_in, destination_of, is_via, kind_of, target_of, unit_of
from bordeaux.board.map import Map
from bordeaux.board.order import HELPS, OrderKind
from bordeaux.press.diplomat.joint import JointGame, changed

__all__ = ["Change", "JointSearch", "Pair", "together"]

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


class Joint(NamedTuple):
    """A pair of sets with its value: the combined gain of both, in points."""

    sets: Pair
    value: float


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
        best = Joint(start, self.value(start))
        for _ in range(ROUNDS):
            if self._spent():
                break
            before = best
            taken: set[int] = set()
            for change in self._ranked(best.sets):
                touched = change[0].keys() | change[1].keys()
                if touched & taken:
                    continue
                pair = self.after(best.sets, change)
                value = self.value(pair)
                if value > best.value + WORTH:
                    best = Joint(pair, value)
                    taken |= touched
            if best == before:
                break
        return best.sets

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
