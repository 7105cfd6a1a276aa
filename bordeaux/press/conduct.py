"""The actions of powers towards each other in one movement phase, and the actions that were possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.code import destination_of, kind_of, target_of, unit_of
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import submit

__all__ = ["Conduct", "conduct"]

Pairs = Counter[tuple[str, str]]
"""How often, by pairs of powers (who, to whom)."""


class Conduct(NamedTuple):
    """Counts of orders by pairs of powers.

    `attacks` are moves into a province where the other has a unit or a centre, and supports of such moves
    for anybody but that power; `helps` are supports of its units; `pressed` are moves to beside a centre of
    its own from where that was out of reach.
    """

    attacks: Pairs
    helps: Pairs
    pressed: Pairs


def conduct(position: Position, orders: Mapping[str, Sequence[str | Order]]) -> Conduct:
    """What the legal orders of a movement phase did to other powers. Raises OrderError for what cannot be
    read."""
    map = position.map
    centres = [map.province(tag).index for tag in map.centres]
    owner = dict(zip(centres, position.owners, strict=True))
    standing = {map.province(unit.province).index: unit.power for unit in position.units}
    found = Conduct(Counter(), Counter(), Counter())
    for number, code in submit(position, orders).codes():
        power, kind, target = map.powers[number], kind_of(code), map.locations[target_of(code)]
        goal, helped = -1, None
        if kind == OrderKind.MOVE:
            goal = target.province
            was, now = map.tables.distances(unit_of(code)), map.tables.distances(target_of(code))
            beside = [owner[centre] for centre in centres if now[centre] <= 1 < was[centre]]
            found.pressed.update((power, whose) for whose in beside if whose not in (None, power))
        elif kind in (OrderKind.SUPPORT_MOVE, OrderKind.SUPPORT_HOLD):
            helped = standing.get(target.province)
            if kind == OrderKind.SUPPORT_MOVE:
                goal = map.locations[destination_of(code)].province
            if helped is not None and helped != power:
                found.helps[power, helped] += 1
        hurt = {owner.get(goal), standing.get(goal)} - {None, power, helped}
        found.attacks.update((power, whose) for whose in hurt if whose is not None)
    return found
