"""All orders that a unit could conceivably be given, and those of them that the rules allow.

The plain way to list legal orders: every combination of words is put before the judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tests.oracle.board import Board, Unit, province_of
from tests.oracle.orders import judge, read

__all__ = ["adjustments", "movements", "retreats"]


def movements(board: Board, units: Iterable[Unit]) -> list[str]:
    """Legal orders of a movement phase, as canonical texts: a coast wherever there is one to name,
    and VIA with every move by convoy but with no other."""
    at = {province_of(unit.location): unit for unit in units}
    waters = [place for place, unit in at.items() if unit.kind == "F" and board.kinds[place] == "sea"]
    legal = []
    for unit in at.values():
        for text in _conceivable(board, at, unit):
            order = read(text)
            by_land = order.kind == "move" and not order.via
            if by_land and order.target not in board.steps[unit.kind, unit.location]:
                continue
            if judge(board, at, waters, order).verdict == "legal":
                legal.append(text)
    return legal


def _conceivable(board: Board, at: Mapping[str, Unit], unit: Unit) -> Iterator[str]:
    yield f"{unit} H"
    for goal in _places(board, unit.kind):
        yield f"{unit} - {goal}"
        if unit.kind == "A":
            yield f"{unit} - {goal} VIA"
    for other in at.values():
        yield f"{unit} S {other}"
        for goal in _places(board, other.kind):
            yield f"{unit} S {other} - {goal}"
            yield f"{unit} C {other} - {goal}"


def _places(board: Board, kind: str) -> list[str]:
    return [location for step, location in board.steps if step == kind]


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
