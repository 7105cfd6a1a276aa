"""Contests on a small position, and an oracle in Python of what sets are worth and which are chosen."""

from __future__ import annotations

import itertools
import math
import struct
from collections.abc import Mapping, Sequence

from bordeaux import Map, Position, Unit
from bordeaux._ext.search.contest import Contest
from bordeaux._ext.search.rollout import Rollout
from bordeaux._ext.value.valuer import Valuer
from bordeaux.board.code import as_bytes
from bordeaux.board.submission import submit
from bordeaux.evaluation import evaluator
from bordeaux.policy.dumbbot import DUMBBOT

MAP = Map.standard()


MASK = 2**64 - 1


STEP = 0x9E3779B97F4A7C15


JUDGE = evaluator(MAP)


MUNICH = Position(
    MAP,
    "F1903M",
    [Unit("FRANCE", "A", "BUR"), Unit("FRANCE", "A", "RUH"), Unit("GERMANY", "A", "MUN")],
    {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN", "BER"]},
)


Pools = Mapping[str, Sequence[list[str]]]


POOLS: Pools = {
    "FRANCE": (
        ["A BUR - MUN", "A RUH S A BUR - MUN"],
        ["A BUR - MUN", "A RUH - HOL"],
        ["A BUR H", "A RUH H"],
    ),
    "GERMANY": (["A MUN H"], ["A MUN - BER"], ["A MUN - BUR"]),
}


def packed(position: Position, power: str, orders: Sequence[str]) -> bytes:
    given = submit(position, {power: orders}).codes()
    assert len(given) == len(orders)
    return as_bytes([code for _, code in given])


def contest_of(value: Valuer = JUDGE, threads: int = 1) -> Contest:
    return Contest(*(Rollout(value, DUMBBOT.chooser(value_map(value))) for _ in range(threads)))


def value_map(value: Valuer) -> Map:
    assert value.tables is MAP.tables
    return MAP


def entered(
    position: Position = MUNICH,
    pools: Pools = POOLS,
    priors: dict[str, list[float]] | None = None,
    threads: int = 1,
) -> Contest:
    contest = contest_of(threads=threads)
    contest.enter_position(position.packed)
    for power, sets in pools.items():
        prior = (priors or {}).get(power, [1.0] * len(sets))
        number = MAP.powers.index(power)
        contest.enter(number, [packed(position, power, orders) for orders in sets], prior)
    return contest


def rows_of(
    contest: Contest,
    power: int,
    candidates: Sequence[int],
    samples: int,
    movements: int,
    seed: int,
    first: int = 0,
    part: int = 2**31 - 1,
) -> list[list[float]]:
    """All that a contest responds: a row for each candidate, with its points in each sample."""
    parts = contest.respond(power, candidates, samples, movements, seed, first, part)
    points = [value for values in parts for value in values]
    return [points[place :: len(candidates)] for place in range(len(candidates))]


def mixed(x: int) -> int:
    """A step of SplitMix64."""
    x = (x + STEP) & MASK
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def stratified(seed: int, number: int) -> float:
    """Number `number` (0 to below 1) of a sequence: van der Corput's, of 12 digits, scrambled as by Owen."""
    bits, before = 0, 1
    for i in range(12):
        digit = number >> i & 1
        flipped = digit ^ mixed(seed ^ mixed(before)) & 1
        bits |= flipped << (63 - i)
        before = before << 1 | digit
    bits |= mixed((seed + mixed(number)) & MASK) >> 12
    return (bits >> 11) / 2**53


class Oracle:
    """Samples, values and choices by the rules of the game in Python."""

    def __init__(self, position: Position, pools: Pools, priors: dict[str, list[float]]) -> None:
        self.position, self.pools = position, pools
        self.shares = {power: [share / sum(priors[power]) for share in priors[power]] for power in pools}

    def spread(self, seed: int, number: int) -> dict[str, int]:
        """A joint sample of a stratified sequence, by the shares."""
        drawn = {}
        for power in self.pools:
            left = stratified(mixed((mixed(seed) + MAP.powers.index(power)) & MASK), number)
            ends = enumerate(itertools.accumulate(self.shares[power]))
            drawn[power] = next(i for i, end in ends if left < end)
        return drawn

    def chosen(self, power: str, among: int, samples: Sequence[dict[str, int]]) -> list[float]:
        """The shares of the best of some draws, over all the ways in which these can come."""
        count = len(self.pools[power])
        worth = [sum(self.worth(power, drawn | {power: i}) for drawn in samples) for i in range(count)]
        shares = [0.0] * count
        for draws in itertools.product(range(count), repeat=among):
            best = max(sorted(draws), key=lambda i: worth[i])
            shares[best] += math.prod(self.shares[power][i] for i in draws)
        return shares

    def worth(self, power: str, drawn: dict[str, int]) -> float:
        orders = {power: self.pools[power][number] for power, number in drawn.items()}
        # What comes of orders is judged as it stands, before retreats.
        codes = [
            (number, code)
            for number, power in enumerate(MAP.powers)
            if power in orders
            for code in struct.unpack(f"<{len(orders[power])}Q", packed(self.position, power, orders[power]))
        ]
        after, *_ = self.position.packed.adjudicate(codes)
        return JUDGE.all(after)[MAP.powers.index(power)]
