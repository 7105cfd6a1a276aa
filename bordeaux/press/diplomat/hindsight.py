"""A short search of a past phase: how far the orders of a power were from its best ones.

Paper 002, section 5, the last step: "the moves for each country should be used as a seed for a short search
of last turn's moves". The search assumes who is allied with whom.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence

from bordeaux._ext.expand import Expander
from bordeaux.board.code import as_bytes
from bordeaux.board.errors import PositionError
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.engine import Engine, Limit, Request
from bordeaux.rules.rulesets import DATC
from bordeaux.search.agreements import Agreement
from bordeaux.search.bonds import PARTNERS, Bond
from bordeaux.search.budget import Budget
from bordeaux.search.paper.movement import MovementSearch
from bordeaux.search.seeds import from_orders, in_full

__all__ = [
    "ALLIANCE",
    "FEWEST",
    "PEACE",
    "STATES",
    "WAR",
    "found",
    "movement_search",
    "searched",
    "shortfalls",
    "space_of",
]

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


def movement_search(engine: Engine, request: Request) -> MovementSearch:
    """The search of a request for a movement phase, not run yet; the engine will not remember it. Raises
    PositionError for another phase."""
    # What is looked for here are pools of sets and their points, not what is best to play.
    search = engine.task(request).paper()
    if not isinstance(search, MovementSearch):
        raise PositionError(f"{request.position.phase} is no movement phase")
    return search


def searched(engine: Engine, request: Request) -> MovementSearch:
    """The same search, run to the limit of the request."""
    search = movement_search(engine, request)
    deque(search.run(request.powers, Budget(*request.limit)), maxlen=0)
    return search


def found(
    engine: Engine,
    position: Position,
    powers: Sequence[str],
    agreements: Sequence[Agreement],
    nodes: int,
    seeds: Sequence[Sequence[str | Order]] = (),
) -> MovementSearch:
    """The search of a movement phase for some powers, with filled pools and no decision. The minimum for
    opening the powers may exceed the limit `nodes`. Raises PositionError for another phase."""
    request = Request(position, tuple(powers), Limit(nodes=nodes), seeds=seeds, agreements=agreements)
    search = movement_search(engine, request)
    search.find(request.powers, Budget(nodes=nodes))
    return search


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
    free = found(engine, position, pair, around, part, seeds)
    kept = found(engine, position, pair, [*around, peace], part, seeds)
    spent, lost = free.nodes + kept.nodes, {state: [0.0, 0.0] for state in STATES}
    given = {power: from_orders(position, power, orders.get(power, ())) for power in pair}
    for place, power in enumerate(pair):
        if power not in free.sides:
            continue
        done = _whole(position, power, given[power])
        pools = [_pool(search, power) for search in (kept, free)]
        sets = list(dict.fromkeys((done, *pools[0], *pools[1])))
        bond = Bond(position, power, peace, DATC)
        # What was done is no breach, or the pair would not be searched; sets of a search may be.
        loyal = [orders for orders in sets if orders == done or not any(map(bond.breaks, orders))]
        space = space_of(free, power, sets)
        other = pair[1 - place]
        for state, search, possible, certain in (
            (WAR, free, sets, {}),
            (PEACE, kept, loyal, {}),
            (ALLIANCE, kept, loyal, {other: given[other]}),
        ):
            samples = [_joint(search, power, certain) for _ in range(SAMPLES)]
            rows = space.compare([space.node_of(as_bytes(orders)) for orders in possible], samples)
            values = [math.fsum(row) / len(row) for row in rows]
            spent += len(possible) * len(samples)
            if state == ALLIANCE:
                for number, codes in enumerate(possible):
                    values[number] += _shared(search, other, as_bytes(codes), samples[:SHARED])
                spent += len(possible) * SHARED
            lost[state][place] = max(values) - values[possible.index(done)]
    return lost, spent


def _pool(search: MovementSearch, power: str) -> list[tuple[int, ...]]:
    ranked = search.situation.sides[power].ranked()[:COMPARED]
    return [_whole(search.situation.position, power, orders) for orders in ranked]


def _joint(search: MovementSearch, power: str, certain: Mapping[str, bytes]) -> bytes:
    """Orders of all but one power: drawn, except certain ones."""
    situation = search.situation
    others = [other for other in situation.present if other != power]
    return b"".join(
        certain[other] if other in certain else situation.sampler.orders(other) for other in others
    )


def _shared(search: MovementSearch, ally: str, orders: bytes, samples: Sequence[bytes]) -> float:
    """The part of an ally's points that a power counts as its own after a set, over some joint orders."""
    worth_to = search.situation.worth_to
    return math.fsum(worth_to({ally: PARTNERS}, orders + joint) for joint in samples) / len(samples)


def space_of(search: MovementSearch, power: str, sets: Sequence[tuple[int, ...]]) -> Expander:
    """A space of exactly the orders of some sets, as actual orders may lie outside the search's space."""
    situation = search.situation
    held = in_full(situation.position, power, b"").values()
    choices = [list(dict.fromkeys(codes)) for codes in zip(held, *sets, strict=True)]
    number = situation.position.map.powers.index(power)
    return Expander(situation.position.packed, situation.evaluator, number, choices, situation.maxims.on_sets)


def _whole(position: Position, power: str, orders: bytes) -> tuple[int, ...]:
    """A set with a hold for each unit without an order, sorted, so that equal sets are equal."""
    return tuple(in_full(position, power, orders).values())
