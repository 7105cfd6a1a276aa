"""A movement phase from orders to the units' new places, dislodgements and retreat options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tests.oracle.board import Board, Unit, province_of
from tests.oracle.equations import Equations
from tests.oracle.orders import Order, review
from tests.oracle.solve import Knot, solve

__all__ = ["Outcome", "resolve"]


@dataclass(frozen=True)
class Outcome:
    """What became of a movement phase.

    `tags` gives for every unit, by the province it started in, DATC's words (4.E.2): illegal,
    invalid, succeeds, fails, given, cut, available, disrupted, stands, and dislodged or destroyed.
    `units` are the units that stand afterwards, `dislodged` those that must retreat and
    `retreats` where to, both by province. `contested` are the provinces left empty by a standoff.
    `stray` are orders to units that the power does not have. `knots` name the circles of orders
    in which the equations alone did not decide.
    """

    tags: dict[str, tuple[str, ...]]
    units: dict[str, Unit]
    dislodged: dict[str, Unit]
    retreats: dict[str, tuple[str, ...]]
    contested: frozenset[str]
    stray: list[tuple[str, str]]
    knots: list[Knot]
    orders: dict[str, Order]


def resolve(
    board: Board,
    units: Iterable[Unit],
    orders: Mapping[str, Iterable[str]],
    rules: type[Equations] = Equations,
) -> Outcome:
    """Adjudicate a movement phase; `orders` are canonical texts by power. Other `rules` show what
    becomes of it by the choices of others."""
    standing = {province_of(unit.location): unit for unit in units}
    book, stray = review(board, standing, orders)
    equations = rules(board, standing, book)
    values, knots = solve(equations)

    movers = [place for place in equations.moves if values[place]]
    arrivals = {equations.moves[place].goal: place for place in movers}
    assert len(arrivals) == len(movers), "two units in one province"
    after = {
        goal: standing[place]._replace(location=equations.moves[place].target)
        for goal, place in arrivals.items()
    }
    dislodged = {place: standing[place] for place in standing if place in arrivals and place not in movers}
    after.update(
        {place: unit for place, unit in standing.items() if place not in movers and place not in dislodged}
    )
    contested = frozenset(
        goal
        for goal, places in equations.towards.items()
        if goal not in after
        and any(not values[place] and equations.prevent(place, values.__getitem__) for place in places)
    )
    retreats = {
        place: _options(board, unit, arrivals[place], equations, after, contested)
        for place, unit in dislodged.items()
    }
    tags = {}
    for place in standing:
        fate = () if place not in dislodged else ("dislodged",) if retreats[place] else ("destroyed",)
        word = _word(book[place], values)
        tags[place] = fate if word == "stands" and fate else (word, *fate)
    return Outcome(tags, after, dislodged, retreats, contested, stray, knots, book)


def _options(
    board: Board,
    unit: Unit,
    attacker: str,
    equations: Equations,
    after: Mapping[str, Unit],
    contested: frozenset[str],
) -> tuple[str, ...]:
    """Where a dislodged unit may go: an empty, uncontested neighbour, and not where its attacker
    came from, unless that came by sea (4.A.5)."""
    closed = {*after, *contested}
    if not equations.moves[attacker].convoyed:
        closed.add(attacker)
    return tuple(
        sorted(
            location
            for location in board.steps[unit.kind, unit.location]
            if province_of(location) not in closed
        )
    )


def _word(order: Order, values: Mapping[str, bool]) -> str:
    if order.verdict != "legal":
        return order.verdict
    if order.kind == "hold":
        return "stands"
    success, failure = {
        "move": ("succeeds", "fails"),
        "support": ("given", "cut"),
        "help": ("given", "cut"),
        "convoy": ("available", "disrupted"),
    }[order.kind]
    return success if values[order.origin] else failure
