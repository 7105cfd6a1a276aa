"""All orders that a unit could conceivably be given, and those of them that the rules allow.

The plain way to list legal orders: every combination of words is put before the judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tests.oracle.board import Board, Unit, province_of
from tests.oracle.orders import Order, judge

__all__ = ["adjustments", "movements", "retreats"]


def movements(board: Board, units: Iterable[Unit]) -> list[str]:
    """Legal orders of a movement phase, as canonical texts: a coast wherever there is one to name,
    and VIA with every move by convoy but with no other."""
    at = {province_of(unit.location): unit for unit in units}
    waters = [place for place, unit in at.items() if unit.kind == "F" and board.kinds[place] == "sea"]
    places = {kind: [place for step, place in board.steps if step == kind] for kind in "AF"}
    legal = []
    for unit in at.values():
        steps = board.steps[unit.kind, unit.location]
        for text, order in _conceivable(places, at, unit):
            if order.kind == "move" and not order.via and order.target not in steps:
                continue
            if judge(board, at, waters, order).verdict == "legal":
                legal.append(text)
    return legal


def _conceivable(
    places: Mapping[str, Iterable[str]], at: Mapping[str, Unit], unit: Unit
) -> Iterator[tuple[str, Order]]:
    """Every order that can be written for a unit, and what it says: a position has a hundred thousand, too
    many to read each of them."""
    origin = province_of(unit.location)
    yield f"{unit} H", Order(origin, "hold")
    for goal in places[unit.kind]:
        yield f"{unit} - {goal}", Order(origin, "move", target=goal)
        if unit.kind == "A":
            yield f"{unit} - {goal} VIA", Order(origin, "move", target=goal, via=True)
    for subject, other in at.items():
        yield f"{unit} S {other}", Order(origin, "support", subject)
        for goal in places[other.kind]:
            yield f"{unit} S {other} - {goal}", Order(origin, "help", subject, goal)
            yield f"{unit} C {other} - {goal}", Order(origin, "convoy", subject, goal)


def retreats(dislodged: Mapping[Unit, Iterable[str]]) -> list[str]:
    """Legal orders of a retreat phase, given the places open to each unit."""
    return [
        text
        for unit, options in dislodged.items()
        for text in (*(f"{unit} R {place}" for place in options), f"{unit} D")
    ]


def adjustments(
    board: Board, power: str, units: Iterable[Unit], centres: Mapping[str, Iterable[str]]
) -> list[str]:
    """Legal builds, or removals, of a power; waiving apart."""
    at = {province_of(unit.location): unit for unit in units}
    owned = set(centres.get(power, ()))
    mine = [unit for unit in at.values() if unit.power == power]
    if len(owned) < len(mine):
        return [f"{unit} D" for unit in mine]
    if len(owned) == len(mine):
        return []
    free = {home for home in board.homes.get(power, ()) if home in owned and home not in at}
    return [f"{kind} {location} B" for kind, location in board.steps if province_of(location) in free]
