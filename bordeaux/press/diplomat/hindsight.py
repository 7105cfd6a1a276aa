"""A short search of a past phase: how far the orders of a power were from its best ones.

Paper 002, section 5, the last step: "the moves for each country should be used as a seed for a short search
of last turn's moves". The search assumes who is allied with whom.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bordeaux.board.code import as_bytes
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.engine import Engine, Limit, Request
from bordeaux.rules.rulesets import DATC
from bordeaux.search.agreements import PARTNERS, Agreement, Bond
from bordeaux.search.paper import SetPools
from bordeaux.search.sets import from_orders, in_full

__all__ = ["ALLIANCE", "FEWEST", "PEACE", "STATES", "WAR", "shortfalls"]

WAR, PEACE, ALLIANCE = STATES = ("war", "peace", "alliance")
"""The relations of two powers. At war each plays its best orders. At peace neither attacks the other. Allies
also count a part of the other's points."""

#: About the smallest number of nodes for a pair, whatever the limit.
FEWEST = 1300
#: The part of the nodes for finding candidates; the rest compares them.
FINDING = 0.4
#: Sets of a pool that are compared with the played orders, joint orders of the others on which they are
#: compared, and how many of those are used for the mean of the partner's points.
COMPARED, SAMPLES, SHARED = 8, 16, 4


def shortfalls(
    engine: Engine,
    position: Position,
    orders: Mapping[str, Sequence[str | Order]],
    pair: tuple[str, str],
    around: Sequence[Agreement],
    nodes: int,
) -> tuple[dict[str, list[float]], int]:
    """The points that each of two powers lost by its orders in a movement phase, in each of `STATES` of the
    pair; and the nodes used. The loss is relative to the best set of two short searches for the power.

    `around` are the other agreements. The value of a set is the mean over joint orders of the others, drawn
    from the beliefs about them and their agreements. At war the two play their own best orders. At peace
    neither breaks it, nor expects the other to. Allies also count the part of each other's points that the
    search counts, and know each other's orders. A power loses 0 if nothing better is found for it, and
    without units.
    """
    seeds = [orders[power] for power in pair if orders.get(power)]
    peace = Agreement("peace", pair)
    part = max(1, round(FINDING * nodes / 2))
    free = _pools(engine, position, pair, around, part, seeds)
    kept = _pools(engine, position, pair, [*around, peace], part, seeds)
    spent, lost = free.nodes + kept.nodes, {state: [0.0, 0.0] for state in STATES}
    given = {power: from_orders(position, power, orders.get(power, ())) for power in pair}
    for place, power in enumerate(pair):
        if not free.sets(power):
            continue
        done = _whole(position, power, given[power])
        best = [orders for pools in (kept, free) for orders in pools.sets(power)[:COMPARED]]
        sets = list(dict.fromkeys((done, *(_whole(position, power, orders) for orders in best))))
        bond = Bond(position, power, peace, DATC)
        # What was done is no breach, or the pair would not be searched; sets of a search may be.
        loyal = [orders for orders in sets if orders == done or not any(map(bond.breaks, orders))]
        other = pair[1 - place]
        for state, pools, possible, certain in (
            (WAR, free, sets, {}),
            (PEACE, kept, loyal, {}),
            (ALLIANCE, kept, loyal, {other: given[other]}),
        ):
            samples = [_joint(pools, power, certain) for _ in range(SAMPLES)]
            rows = pools.values(power, list(map(as_bytes, possible)), samples)
            values = [math.fsum(row) / len(row) for row in rows]
            spent += len(possible) * len(samples)
            if state == ALLIANCE:
                for number, codes in enumerate(possible):
                    values[number] += _shared(pools, other, as_bytes(codes), samples[:SHARED])
                spent += len(possible) * SHARED
            lost[state][place] = max(values) - values[possible.index(done)]
    return lost, spent


def _pools(
    engine: Engine,
    position: Position,
    powers: Sequence[str],
    agreements: Sequence[Agreement],
    nodes: int,
    seeds: Sequence[Sequence[str | Order]] = (),
) -> SetPools:
    """The pools of a short search for some powers, without a decision."""
    request = Request(position, tuple(powers), Limit(nodes=nodes), seeds=seeds, agreements=agreements)
    return engine.pools(request, decide=False)


def _joint(pools: SetPools, power: str, certain: Mapping[str, bytes]) -> bytes:
    """Orders of all but one power: drawn, except certain ones."""
    others = [other for other in pools.present if other != power]
    return b"".join(certain[other] if other in certain else pools.drawn(other) for other in others)


def _shared(pools: SetPools, ally: str, orders: bytes, samples: Sequence[bytes]) -> float:
    """The part of an ally's points that a power counts as its own after a set, over some joint orders."""
    points = (pools.worth_to({ally: PARTNERS}, orders + joint) for joint in samples)
    return math.fsum(points) / len(samples)


def _whole(position: Position, power: str, orders: bytes) -> tuple[int, ...]:
    """A set with a hold for each unit without an order, sorted, so that equal sets are equal."""
    return tuple(in_full(position, power, orders).values())
