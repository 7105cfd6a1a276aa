"""Numbers that colour a board: values of provinces, control, and danger."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

from bordeaux.board.notation import parse_order
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.engine import Engine
from bordeaux.evaluation import altitudes, evaluator, read_weights
from bordeaux.metamap.goals import regional_goals
from bordeaux.view.board import Heat

FALL = 1
KEPT = 200
"""Heat that is kept for the next picture of its position."""
SETS = 64
"""The number of sets of orders of each power for the heat of people's orders."""


def altitude(position: Position, powers: tuple[str, ...]) -> dict[str, float]:
    """Points of the mountain (Hall and Loeb 1995, section 4.1) after Fall moves, the maximum over powers."""
    board = position.map
    heights = altitudes(board, read_weights("default")[1])[FALL]
    rows = [heights[board.powers.index(power)] for power in powers]
    return {p.name: max(row[p.index] for row in rows) for p in board.provinces}


@functools.lru_cache(maxsize=64)
def influences(position: Position) -> dict[str, tuple[float, ...]]:
    """The shares of each province that the powers have, 0 to 1 (Hall and Loeb 1995, section 4.3)."""
    board = position.map
    shares = {}
    for province in board.provinces:
        # The mountain of one province of height 1: what it is worth is the share of it.
        judge = evaluator(board, "paper", {power: {province.name: 1.0} for power in board.powers})
        numbers = range(len(board.powers))
        shares[province.name] = tuple(
            max(0.0, judge.evaluate(position.packed, number)[1]["control"]) for number in numbers
        )
    return shares


def influence(position: Position, powers: tuple[str, ...]) -> dict[str, float]:
    """The largest share of a province that a power has."""
    numbers = [position.map.powers.index(power) for power in powers]
    return {
        tag: max((shares[n] for n in numbers), default=0.0) for tag, shares in influences(position).items()
    }


def danger(position: Position, powers: tuple[str, ...]) -> dict[str, float]:
    """For provinces that a power holds by a unit or as a centre: by how many the foreign units that can move
    in outnumber its own that are there or can move in; at least 0."""
    board = position.map
    owners = {tag: owner for tag, owner in position.owner_of.items() if owner}
    holders = owners | {unit.province: unit.power for unit in position.units}
    balance = {tag: 0 for tag, holder in holders.items() if holder in powers}
    for unit in position.units:
        near = {place.partition("/")[0] for place in board.adjacent(unit.kind, unit.location)} | {
            unit.province
        }
        for tag in near & set(balance):
            balance[tag] += -1 if unit.power == holders[tag] else 1
    return {tag: float(max(0, count)) for tag, count in balance.items()}


def people(position: Position, powers: tuple[str, ...]) -> dict[str, float]:
    """The units that people would be expected to send into each province, or to build or leave there."""
    chances: dict[str, float] = {}
    with Engine() as engine:
        for power in powers:
            for orders, probability in engine.people(position, power, SETS):
                for text in orders:
                    order = parse_order(text, position.map, position)
                    if order.kind in (OrderKind.WAIVE, OrderKind.DISBAND):
                        continue
                    goes = order.kind in (OrderKind.MOVE, OrderKind.RETREAT)
                    tag = (order.destination if goes else order.location).partition("/")[0]
                    chances[tag] = chances.get(tag, 0.0) + probability
    return chances


def goals(position: Position, powers: tuple[str, ...]) -> dict[str, float]:
    """Points that goals on the meta-map add to a province, beyond the province where they add least; the
    maximum over powers and kinds of units. The paper's search goes up them. None outside movement phases."""
    heights: dict[str, float] = {}
    if position.phase.kind == "M":
        for power in powers:
            for place, points in regional_goals(position, power).raised.items():
                tag = place.rpartition(" ")[2].partition("/")[0]
                heights[tag] = max(heights.get(tag, 0.0), points)
    least = min(heights.values(), default=0.0)
    return {tag: points - least for tag, points in heights.items()}


HEATS: dict[str, Callable[[Position, tuple[str, ...]], dict[str, float]]] = {
    "altitude": altitude,
    "influence": influence,
    "danger": danger,
    "people": people,
    "goals": goals,
}
"""The kinds of heat: numbers from 0 on by the tag of a province; those left out are not coloured."""


@functools.lru_cache(maxsize=KEPT)
def heat_of(position: Position, kind: str, power: str | None = None) -> Mapping[str, float]:
    """Heat of a kind for one power, or for all, with its name. Raises MapError for an unknown power."""
    board = position.map
    powers = board.powers if power is None else (board.power(power),)
    heat = Heat(HEATS[kind](position, powers))
    heat.name = f"{kind.capitalize()}, {'all powers' if power is None else powers[0].title()}"
    return heat


def leaders_of(position: Position, kind: str, power: str | None = None) -> dict[str, str] | None:
    """The power with most influence on each province where any has some, if heat of influence is for all
    powers; None for other heat."""
    if kind != "influence" or power is not None:
        return None
    powers = position.map.powers
    return {
        tag: powers[max(range(len(shares)), key=shares.__getitem__)]
        for tag, shares in influences(position).items()
        if any(shares)
    }
