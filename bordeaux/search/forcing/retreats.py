"""Centres that retreats force in a Fall: those owned afterwards, against all retreats of the others."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.rules.legal import legal_orders
from bordeaux.search.forcing.proof import TooMany

__all__ = ["MOST", "choices", "sure_after_retreats"]

MOST = 1_000
"""Joint retreats of the others that are tried at most."""


def choices(position: Position, power: str) -> Iterator[tuple[str, ...]]:
    """Every set of retreats and disbandments of a power."""
    return itertools.product(*legal_orders(position, power).values())


def sure_after_retreats(position: Position, power: str, orders: Iterable[str], most: int = MOST) -> int:
    """The least number of centres that a power owns after a Fall's retreats, over all choices of the others.

    Two units that retreat to one province are both disbanded, so even an enemy's retreat without a capture
    can matter. Raises ValueError for another phase, TooMany for more than `most` joint retreats.
    """
    if (position.phase.season, position.phase.kind) != ("F", "R"):
        raise ValueError(f"expected the retreats of a Fall, not {position.phase}")
    others = [
        [*dislodged.retreats, None] for dislodged in position.dislodged if dislodged.unit.power != power
    ]
    count = 1
    for goals in others:
        count *= len(goals)
    if count > most:
        raise TooMany(f"{count} joint retreats are too many")
    own = [
        submitted.order.destination.partition("/")[0]
        for submitted in submit(position, {power: orders}).orders
        if not submitted.fault and submitted.order.kind == OrderKind.RETREAT
    ]
    owners = dict(zip(position.map.centres, position.owners, strict=True))
    owners.update({u.province: u.power for u in position.units if u.province in owners})
    who = [dislodged.unit.power for dislodged in position.dislodged if dislodged.unit.power != power]
    least = len(owners)
    for chosen in itertools.product(*others):
        claims: dict[str, list[str]] = {}
        for place in own:
            claims.setdefault(place, []).append(power)
        for other, goal in zip(who, chosen, strict=True):
            if goal is not None:
                claims.setdefault(goal.partition("/")[0], []).append(other)
        after = owners | {
            place: there[0] for place, there in claims.items() if len(there) == 1 and place in owners
        }
        least = min(least, sum(owner == power for owner in after.values()))
    return least
