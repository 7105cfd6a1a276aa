"""Assaults on a stalemate line in the adjudicator, with every combination of orders.

This tests the reasoning of `tools/proofs/fortress.py`. For a province of the line, all attackers that could
affect it are on the board at once and try all relevant orders.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bordeaux._ext.rules.batch import adjudicate_many
from bordeaux.board.code import make_code
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind, Unit
from bordeaux.board.position import Position
from bordeaux.evaluation import StalemateLine
from fortress import outside, reached

BATCH = 4096
HOLDER, ATTACKER = 1, 2
"""Powers in tokens: the first power of the map holds the line, the second attacks it."""


class Siege(NamedTuple):
    """The result of all assaults on a line: their number, and the provinces that fell."""

    assaults: int
    fallen: tuple[str, ...]


class _Choice(NamedTuple):
    """A choice of an attacker: the token of its unit, and its order, for the core."""

    token: int
    order: int


def besiege(map: Map, line: StalemateLine, most: int = 100_000) -> Siege:
    """Adjudicate every assault on every unit of a line.

    Each attacker that reaches the province or a support of it holds, moves there, supports the move of one of
    them, or moves to a supporter. If there are more than `most` combinations, attackers with better orders
    neither hold nor bounce each other, which loses nothing.
    """
    total, fallen = 0, []
    for target in line.held:
        broken = False
        for attackers in _assaults(map, line, target, most):
            count, fell = _fight(map, line, attackers)
            total += count
            broken |= fell
        if broken:
            fallen.append(target)
    return Siege(total, tuple(fallen))


def _assaults(map: Map, line: StalemateLine, target: str, most: int) -> Iterator[list[list[_Choice]]]:
    """For every attacker that may move to the target, the choices of all attackers."""
    helpers = [place for place, helped in line.supports.items() if helped == target]
    ways = {place: reached(map, line, place) for place in outside(map, line)}
    near = {place: goals for place, goals in ways.items() if goals.keys() & {target, *helpers}}

    def step(place: str, goal: str) -> tuple[int, int]:
        kind, start, end = near[place][goal]
        return map.location(kind, start).index, map.location(kind, end).index

    def move(place: str, goal: str) -> _Choice:
        start, end = step(place, goal)
        return _Choice(ATTACKER << 10 | start, make_code(OrderKind.MOVE, start, end))

    for first in (place for place in near if target in near[place]):
        origin, goal = step(first, target)
        wide, narrow = [], []
        for place in near:
            if place == first:
                continue
            useful = [move(place, helper) for helper in helpers if helper in near[place]]
            idle = []
            if target in near[place]:
                start, _ = step(place, target)
                support = make_code(OrderKind.SUPPORT_MOVE, start, origin, goal)
                useful.append(_Choice(ATTACKER << 10 | start, support))
                idle.append(move(place, target))
            start = useful[0].token & 0x3FF
            idle.append(_Choice(ATTACKER << 10 | start, make_code(OrderKind.HOLD, start)))
            wide.append(useful + idle)
            narrow.append(useful)
        others = wide if math.prod(len(choices) for choices in wide) <= most else narrow
        yield [[move(first, target)], *others]


def _fight(map: Map, line: StalemateLine, attackers: list[list[_Choice]]) -> tuple[int, bool]:
    """Adjudicate all combinations of choices; returns their number, and whether any takes a held province."""
    units = [Unit(map.powers[0], *unit.split(" ")) for unit in line.units]
    base = np.frombuffer(Position(map, "S1901M", units, {}).packed.tobytes(), np.uint8)
    places = {unit.province: map.location(unit.kind, unit.location) for unit in units}
    stand = [
        make_code(OrderKind.SUPPORT_HOLD, location.index, places[line.supports[place]].index)
        if place in line.supports
        else make_code(OrderKind.HOLD, location.index)
        for place, location in places.items()
    ]
    spots = [map.locations[choices[0].token & 0x3FF].province for choices in attackers]
    held = [location.province for location in places.values()]
    expected = [HOLDER << 10 | location.index for location in places.values()]
    combinations = itertools.product(*attackers)
    count, fell = 0, False
    while chunk := list(itertools.islice(combinations, BATCH)):
        rows = np.repeat(base[None], len(chunk), axis=0)
        given = np.array(chunk, np.uint64)
        _tokens(rows)[:, spots] = given[:, :, 0].astype(np.uint16)
        standing = np.tile(np.array(stand, np.uint64), (len(chunk), 1))
        orders = np.concatenate([standing, given[:, :, 1]], axis=1)
        starts = np.arange(len(chunk) + 1, dtype=np.int64) * orders.shape[1]
        out = np.zeros_like(rows)
        adjudicate_many(map.tables, rows, starts, np.ascontiguousarray(orders).ravel(), out)
        fell |= bool((_tokens(out)[:, held] != np.array(expected, np.uint16)).any())
        count += len(chunk)
    return count, fell


def _tokens(rows: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """The tokens of the units, province by province, within packed positions."""
    return rows.view(np.uint16)[:, :256]
