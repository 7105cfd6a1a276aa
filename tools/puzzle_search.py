"""Making puzzles: plans of the engine, and whether a simple player would find them or prefer others."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from bordeaux._ext.net.dumbbot import DumbBotPolicy
from bordeaux.board.code import as_bytes, codes_in
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.policy.dumbbot import DUMBBOT, draw
from bordeaux.search.forcing import Orders, Planner
from bordeaux.search.proof import Goal, parts

WIN = 18
DRAWS = 200
REPLIES = 40
FEW = 20
"""Draws after which it is known whether most of them force as much."""
TEMPTING = 0.25
"""The mean number of centres that another set may gain more than ours against a simple policy."""


class Searcher(Planner):
    """A planner, and sets drawn from a simple policy."""

    def __init__(self, position: Position, power: str, goal: Goal) -> None:
        super().__init__(position, power, goal)
        self.draws: list[Orders] = []

    def tempting(self, fixed: Orders, policy: DumbBotPolicy, goal: Goal) -> bool:
        """Whether a drawn set gains clearly more on average, so that a player might prefer the risk.

        Wins and stops are all or nothing: there a set is tempting if it succeeds clearly more often.
        """
        packed, map = self.position.packed, self.position.map
        replies = []
        for _ in range(REPLIES):
            others = [i for i, name in enumerate(map.powers) if name != self.power]
            replies.append(
                b"".join(
                    draw(policy, packed, other)
                    for other in others
                    if self.position.units_of(map.powers[other])
                )
            )

        def gain(orders: Orders, reply: bytes) -> int:
            kept = self.prover.kept(orders, reply)
            if not goal.keeping:
                return kept <= goal.centres
            return kept >= goal.centres if goal.centres >= WIN else kept

        def mean(orders: Orders) -> float:
            return sum(gain(orders, reply) for reply in replies) / REPLIES

        ours = mean(fixed)
        rivals = [*self.draws[:REPLIES], *self.bold()]
        return any(mean(orders) > ours + TEMPTING for orders in rivals)

    def bold(self) -> Iterator[Orders]:
        """For every centre to attack, each move there with all help, whether or not it can be forced."""
        for centre in self.targets():
            for part, code in self.moves_to(centre):
                yield {part.unit: code, **self.helps(part)}

    def texts(self, fixed: Orders) -> tuple[str, ...]:
        """Orders of all units of the power, as text; a unit without one holds."""
        map = self.position.map
        full = dict(fixed)
        for place in self.units:
            full.setdefault(
                place, next(code for part, code in self.legal[place] if part.kind == OrderKind.HOLD)
            )
        return tuple(str(decode(map, full[place])) for place in sorted(full))


def drawn(position: Position, power: str, policy: DumbBotPolicy, count: int) -> list[Orders]:
    """Sets that a simple policy draws, as codes by province."""
    number = position.map.powers.index(power)
    province_of = [location.province for location in position.map.locations]
    sets = []
    for _ in range(count):
        codes = codes_in(draw(policy, position.packed, number))
        sets.append({parts(code, province_of).unit: code for code in codes})
    return sets


def forces(searcher: Searcher, orders: Orders, count: int) -> bool:
    """Whether orders force as much; if they may lose nothing, the first unsafe centre decides."""
    prover = searcher.prover
    stakes = prover.stakes(orders)
    if prover.goal.keeping and len(stakes) <= count:
        return len(stakes) == count and all(prover.safe(orders, [stake]) for stake in sorted(stakes))
    return prover.judge(orders, count).holds


def share_that_solves(searcher: Searcher, count: int, most: float) -> float:
    """The share of the drawn sets that force as much; 1 as soon as it must be above `most`."""
    solved = 0
    known: dict[bytes, bool] = {}
    for number, orders in enumerate(searcher.draws, 1):
        key = as_bytes([orders[place] for place in sorted(orders)])
        if key not in known:
            known[key] = forces(searcher, orders, count)
        solved += known[key]
        if solved > most * len(searcher.draws) or (number >= FEW and solved > 0.7 * number):
            return 1.0
    return solved / len(searcher.draws)


def policy(map: Map, seed: int) -> DumbBotPolicy:
    """The policy for sets and replies."""
    return DUMBBOT.chooser(map, seed)


def shuffled(items: Iterable[int], seed: int) -> list[int]:
    """Numbers in random order by a seed."""
    listed = list(items)
    random.Random(seed).shuffle(listed)
    return listed
