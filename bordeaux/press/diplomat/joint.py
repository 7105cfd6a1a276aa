"""The game of two powers in a movement phase, while all others play as expected.

A set is the bytes of a power's order codes (`bordeaux.board.code`). The value of two sets is the mean of
the evaluation for each of the two powers over samples of the others' orders, in points. Regret matching
computes how both play without press, or with only a part of their orders agreed on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bordeaux._ext.search.expand import Expander
from bordeaux._ext.search.regret import MatrixGame
from bordeaux._ext.value.influence import Evaluator
from bordeaux.board.code import as_bytes, codes_in, kind_of, target_of, unit_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position

__all__ = ["Floats", "JointGame", "changed", "reach", "solved"]

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


def changed(orders: bytes, instead: Mapping[int, int] | Iterable[int]) -> bytes:
    """A set with some changed orders: codes by location of the unit, or codes alone."""
    if not isinstance(instead, Mapping):
        instead = {unit_of(code): code for code in instead}
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
