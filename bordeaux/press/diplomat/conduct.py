"""The actions of powers towards each other in one movement phase, and the actions that were possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.code import destination_of, kind_of, target_of, unit_of
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import submit

__all__ = ["Conduct", "Deed", "conduct", "deeds"]

Pairs = Counter[tuple[str, str]]
"""Counts by ordered pairs of powers (from, to)."""


class Conduct(NamedTuple):
    """Counts of orders by pairs of powers.

    `attacks` are moves into a province with a unit or a centre of the other, and supports of such moves for
    anybody but that power. `helps` are supports of its units. `pressed` are moves to a province adjacent to a
    centre of its, from a province that was not.
    """

    attacks: Pairs
    helps: Pairs
    pressed: Pairs


class Deed(NamedTuple):
    """A legal order of a movement phase, by its code in the core, and its effect on other powers: those that
    it attacks (`hurt`), and the one, if any, whose unit it supports (`helped`)."""

    power: str
    code: int
    hurt: frozenset[str]
    helped: str | None


def conduct(position: Position, orders: Mapping[str, Sequence[str | Order]]) -> Conduct:
    """The effects of the legal orders of a movement phase on other powers. Raises OrderError for unreadable
    orders."""
    map, owner = position.map, owners(position)
    counted = Conduct(Counter(), Counter(), Counter())
    for power, code, hurt, helped in deeds(position, orders):
        counted.attacks.update((power, whose) for whose in hurt)
        if helped is not None:
            counted.helps[power, helped] += 1
        if kind_of(code) == OrderKind.MOVE:
            was, now = map.tables.distances(unit_of(code)), map.tables.distances(target_of(code))
            beside = [whose for centre, whose in owner.items() if now[centre] <= 1 < was[centre]]
            counted.pressed.update((power, whose) for whose in beside if whose not in (None, power))
    return counted


def deeds(position: Position, orders: Mapping[str, Sequence[str | Order]]) -> list[Deed]:
    """Each legal order of a movement phase with the powers that it attacks or helps. Raises OrderError for
    unreadable orders."""
    map, owner = position.map, owners(position)
    standing = {map.province(unit.province).index: unit.power for unit in position.units}
    listed = []
    for number, code in submit(position, orders).codes():
        power, kind, target = map.powers[number], kind_of(code), map.locations[target_of(code)]
        goal, supported = -1, None
        if kind == OrderKind.MOVE:
            goal = target.province
        elif kind in (OrderKind.SUPPORT_MOVE, OrderKind.SUPPORT_HOLD):
            supported = standing.get(target.province)
            if kind == OrderKind.SUPPORT_MOVE:
                goal = map.locations[destination_of(code)].province
        hurt = {owner.get(goal), standing.get(goal)} - {power, supported}
        helped = None if supported == power else supported
        listed.append(Deed(power, code, frozenset(owner for owner in hurt if owner is not None), helped))
    return listed


def owners(position: Position) -> dict[int, str | None]:
    """The owner of the centre in each province that has one, by number of the province."""
    centres = [position.map.province(tag).index for tag in position.map.centres]
    return dict(zip(centres, position.owners, strict=True))
