"""How people play: the predictions of a net trained on recorded games.

It gives every unit probabilities over its legal orders, draws consistent sets of orders, and computes the
probability of a given set. It works on any map from the features of its provinces; on the standard map
provinces also have weights of their own. `bordeaux._ext.net.weights` describes the net, and the docs
(`learning`) its training.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from bordeaux._ext.net.facts import Facts
from bordeaux._ext.net.memory import Memory
from bordeaux._ext.net.net_policy import NetPolicy
from bordeaux._ext.net.weights import Net
from bordeaux.board.code import as_bytes, codes_in, in_order, kind_of, unit_of
from bordeaux.board.errors import BordeauxError, positive
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.policy.net import load_net

# Double exponential quadrature (Takahasi and Mori 1974) over u from 0 to 1, where integrands may be steep at
# either end: u = 1 / (1 + e^-y) with y = pi sinh x, in steps of x.
_STEP = 0.05
_X = np.arange(-4.5, 4.5 + _STEP / 2, _STEP)
_Y = np.pi * np.sinh(_X)
_LOG_U = -np.logaddexp(0, -_Y)
_WEIGHTS = _STEP * np.pi * np.cosh(_X) * np.exp(_LOG_U - np.logaddexp(0, _Y))


def drawn_together(shares: Sequence[float], rest: float, blank: float = 0.0, blanks: int = 0) -> float:
    """The probability that as many draws as there are `shares` and `blanks` give exactly these things, in any
    order. Things are drawn in proportion to their shares, without replacement. `rest` is the share of all
    other things together, `blank` that of one which may be drawn repeatedly.

    Equivalently, each thing is a clock that rings at a rate in proportion to its share. The result is the
    expected time during which exactly these have rung, times the rate of the others: an integral over u, the
    probability that no other has rung.
    """
    rate = rest + blank
    if rate <= 0:
        return 0.0 if blanks else 1.0
    chances = -np.expm1(np.outer(np.asarray(shares, float) / rate, _LOG_U))
    rung = (-blank / rate * _LOG_U) ** blanks / math.factorial(blanks)
    return min(1.0, float(np.sum(_WEIGHTS * rung * chances.prod(axis=0))))


ADJUSTMENT = -1
"""The location in phases that have one choice for all due orders."""
#: The range of temperatures; beyond it the distribution hardly changes, or is almost uniform.
COLDEST, HOTTEST = 0.01, 100.0
#: The beam of partial sets in the search for the most probable ones, and the maximum number of requested
#: sets.
BEAM, MOST_SETS = 32, 64
#: Draws in Winter among which the most probable sets are found, and their seed.
DRAWS, SEED = 200, 1
#: The lowest reported probability, so that it has a logarithm.
LEAST = 1e-30

Choices = dict[int, list[tuple[int, float]]]
"""Codes with their probabilities, in descending order, by the location of the unit."""


class People:
    """The policy of people on a `map`, by the bundled net, or another.

    `temperature` scales the draws: 1 draws from the net's probabilities, less prefers the most probable
    orders, more flattens the distribution. `seed` is that of the draws. With `names` off the weights of
    single provinces are not used. `memory` arguments (`bordeaux.policy.net`) hold the orders before the
    position; without one these are unknown. Powers are given by name. Raises BordeauxError for a temperature
    that is not a number from 0.01 to 100, PolicyError for weights that cannot be read.
    """

    def __init__(
        self, map: Map, *, temperature: float = 1.0, seed: int = 0, net: Net | None = None, names: bool = True
    ) -> None:
        if not COLDEST <= positive("temperature", temperature) <= HOTTEST:
            raise BordeauxError(
                f"temperature must be a number from {COLDEST} to {HOTTEST:g}, not {temperature}"
            )
        self.map = map
        net = net or load_net()
        named = names and _is_standard(map) and net.n_rows >= Facts(map.tables, True).n_rows
        self.chooser = NetPolicy(map.tables, net, named, temperature, seed)
        """The policy of the core."""
        self._memory: Memory | None = None

    def _asked(self, memory: Memory | None) -> NetPolicy:
        """The policy, which caches its work on a position as long as the memory is the same."""
        if memory is not self._memory:
            self._memory = memory
            self.chooser.remember(memory)
        return self.chooser

    def draw(self, position: Position, power: str, memory: Memory | None = None) -> bytes:
        """A random draw of orders: one for each unit that needs one, or each build or removal due."""
        return as_bytes(self._asked(memory).orders(position.packed, self._number(power)))

    def choices(self, position: Position, power: str, memory: Memory | None = None) -> Choices:
        """For each unit the marginal probabilities of all its legal orders; in Winter those of the first
        build or removal, under `ADJUSTMENT`. Empty for a power that need not give orders."""
        choices: Choices = {}
        for _, code, chance in self._asked(memory).probabilities(position.packed, self._number(power)):
            place = ADJUSTMENT if position.phase.kind == "A" else unit_of(code)
            choices.setdefault(place, []).append((code, chance))
        return {place: sorted(options, key=_rank) for place, options in choices.items()}

    def log_probability(
        self, position: Position, power: str, orders: bytes, memory: Memory | None = None
    ) -> float:
        """The exact log probability of a set. Units without an order hold or disband, and missing builds are
        waived. Raises ValueError for an order that the power cannot give here, and in Winter for a wrong
        number of removals."""
        chooser, number = self._asked(memory), self._number(power)
        if position.phase.kind != "A":
            return chooser.log_probability(position.packed, number, orders)
        return self._adjusted(position, number, chooser)(orders)

    def beside(
        self, position: Position, power: str, orders: bytes, memory: Memory | None = None
    ) -> list[tuple[int, float, int]]:
        """For each order of a set in movement or retreats its probability given the orders of the units that
        are decided before it, the most certain first: ``(code, probability, likeliest code)``. Their product
        is the probability of the set. Raises ValueError as `chances` does."""
        return self._asked(memory).beside(position.packed, self._number(power), orders)

    def chances(
        self, position: Position, power: str, orders: bytes, memory: Memory | None = None
    ) -> list[float]:
        """The marginal probability of each order of a set in movement or retreats, one for each unit, by the
        units' provinces; units without an order hold or disband. Raises ValueError in Winter and for an order
        that the power cannot give here."""
        return self._asked(memory).chances(position.packed, self._number(power), orders)

    def sets(
        self, position: Position, power: str, count: int, memory: Memory | None = None, *, beam: int = BEAM
    ) -> list[tuple[bytes, float]]:
        """The most probable sets of people, in order, with their exact probabilities: at most the given
        number, 64 at most. A search with a `beam` of partial sets finds them, or in Winter some hundred
        draws, so that an improbable set may be missed."""
        chooser, number = self._asked(memory), self._number(power)
        if not position.orderable().get(power):
            return []
        if position.phase.kind != "A":
            sets = chooser.sets(position.packed, number, min(MOST_SETS, max(beam, count)))
        else:
            log_chance, chance = self._adjusted(position, number, chooser), chooser.chance
            chooser.chance = SEED
            drawn = {in_order(chooser.orders(position.packed, number)) for _ in range(DRAWS)}
            chooser.chance = chance
            sets = [(orders, log_chance(orders)) for orders in drawn]
        ranked = sorted(((in_order(codes_in(orders)), log) for orders, log in sets), key=_rank)
        return [(orders, math.exp(log)) for orders, log in ranked[:count]]

    def _adjusted(self, position: Position, number: int, chooser: NetPolicy) -> Callable[[bytes], float]:
        """A function that gives the log probability of a set of builds or removals: one is drawn after the
        other, from those for provinces that are left; a build may be waived repeatedly."""
        due = position.packed.due(number)
        options = {code: chance for _, code, chance in chooser.probabilities(position.packed, number)}
        provinces = [location.province for location in self.map.locations]
        shares: dict[int, float] = {}
        for code, chance in options.items():
            if kind_of(code) != OrderKind.WAIVE:
                place = provinces[unit_of(code)]
                shares[place] = shares.get(place, 0.0) + chance
        waived = next((chance for code, chance in options.items() if kind_of(code) == OrderKind.WAIVE), 0.0)

        def log_chance(orders: bytes) -> float:
            codes = [code for code in codes_in(orders) if kind_of(code) != OrderKind.WAIVE]
            places = [provinces[unit_of(code)] for code in codes]
            waives = due - len(codes) if due > 0 else 0
            if waives < 0 or len(codes) + waives != abs(due):
                raise ValueError(f"{len(codes)} orders where {abs(due)} are due")
            if any(code not in options for code in codes) or len({*places}) < len(places):
                raise ValueError("an order that the power cannot give here")
            chosen = [shares[place] for place in places]
            rest = sum(shares.values()) - sum(chosen)
            chance = drawn_together(chosen, max(0.0, rest), waived, waives)
            for code, share in zip(codes, chosen, strict=True):
                # Which kind of unit is built in the place.
                chance *= options[code] / share if share else 0.0
            return math.log(max(chance, LEAST))

        return log_chance

    def _number(self, power: str) -> int:
        return self.map.powers.index(power)


def _is_standard(map: Map) -> bool:
    """Whether a map has the places and powers of the standard one, with the same numbers."""
    standard = Map.standard()
    return map is standard or (map.powers, map.locations) == (standard.powers, standard.locations)


def _rank(choice: tuple[bytes, float] | tuple[int, float]) -> tuple[float, bytes | int]:
    """A sort key: the most probable first."""
    return -choice[1], choice[0]
