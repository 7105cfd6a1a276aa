"""The targets of Man'chi: its neighbours, its attackers, and the centres that each power needs.

Man'chi's notes name the fear factor, the centres that each power needs for its solo by distance, and
neighbours. Their formulas were chosen here.
"""

from __future__ import annotations

import functools

from bordeaux.board.errors import BordeauxError
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.players.map_index import FAR_AWAY, NOBODY, MapIndex, MapSituation
from bordeaux.players.protocol import Turn

__all__ = ["attacks", "nearest", "needed", "neighbours"]


def attacks(turn: Turn, power: int) -> dict[int, int]:
    """How often each other power ordered a move, in a movement phase, to one of our units or centres; powers
    without such moves are left out. Unreadable orders are ignored."""
    before, map = turn.before, turn.before.map
    if before.phase.kind != "M":
        return {}
    name = map.powers[power]
    ours = {unit.province for unit in before.units_of(name)} | set(before.centres.get(name, ()))
    counts: dict[int, int] = {}
    for other, orders in turn.orders.items():
        number = map.powers.index(map.power(other))
        for order in orders:
            if number != power and _goal(order, turn) in ours:
                counts[number] = counts.get(number, 0) + 1
    return counts


def _goal(order: Order | str, turn: Turn) -> str | None:
    """Tag of the province that a move goes to; None for anything else."""
    if isinstance(order, str):
        try:
            order = parse_order(order, turn.before.map, turn.before)
        except BordeauxError:
            return None
    return order.destination.partition("/")[0] if order.kind == OrderKind.MOVE else None


def nearest(now: MapSituation, centre: int, power: int) -> bool:
    """Whether a unit of ours needs fewer moves to a centre than any other power's."""
    ours = others = FAR_AWAY
    for unit, owner in enumerate(now.power):
        moves = now.ground.distances(now.location[unit])[centre]
        if owner == power:
            ours = min(ours, moves)
        else:
            others = min(others, moves)
    return ours < others


def neighbours(now: MapSituation, power: int) -> list[int]:
    """Powers with a centre at most one step farther from ours than the nearest foreign one, over land and
    sea. Without an own centre our units are used."""
    ours = [centre for centre in now.ground.centres if now.owner[centre] == power]
    ours = ours or [now.province[unit] for unit in now.units_of(power)]
    away: dict[int, int] = {}
    for centre in now.ground.centres:
        owner = now.owner[centre]
        if owner not in (power, NOBODY):
            steps = min((now.ground.steps(home)[centre] for home in ours), default=FAR_AWAY)
            away[owner] = min(steps, away.get(owner, FAR_AWAY))
    closest = min(away.values(), default=FAR_AWAY)
    return [other for other, steps in sorted(away.items()) if steps <= closest + 1]


@functools.lru_cache(maxsize=256)
def needed(ground: MapIndex, power: int) -> frozenset[int]:
    """The centres that a power needs for its solo: the number that wins, with the fewest steps from its
    homes; ties go to the first in the map's list."""

    def away(centre: int) -> int:
        return min((ground.steps(home)[centre] for home in ground.homes[power]), default=FAR_AWAY)

    return frozenset(sorted(ground.centres, key=away)[: len(ground.centres) // 2 + 1])
