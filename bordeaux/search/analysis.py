"""Answers of a search for its users: the best sets, what they are worth, the reasons for an order.

An `Analysis` is the state of a search as a value: a `Found` for every wanted power, as texts for people, and
at the end the measures by which its sets were valued. All values are expected shares of the final result
(`bordeaux.search.settle`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bordeaux.board.code import as_bytes, codes_in
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position, picture_of
from bordeaux.board.submission import decode, texts
from bordeaux.evaluation.prospect import expected_shares
from bordeaux.search.agreements import Bonds
from bordeaux.search.candidates import fast_set
from bordeaux.search.expectation import Expectation
from bordeaux.search.sets import in_full
from bordeaux.search.settle import Line, Measure

__all__ = [
    "Analysis",
    "Expected",
    "Found",
    "Line",
    "Measure",
    "OrderEffect",
    "complete",
    "effect_to_json",
    "first_answers",
    "found_to_json",
    "line_to_json",
    "reasons",
    "with_expected",
]


class OrderEffect(NamedTuple):
    """What orders of one power that work together do, such as a move and its support: the share of the final
    result, from 0 to 1, that is `lost` without them, and the standard error of this loss."""

    orders: tuple[str, ...]
    lost: float
    doubt: float


class Expected(NamedTuple):
    """A set that a power is expected to give, with its probability."""

    orders: tuple[str, ...]
    probability: float


class Found(NamedTuple):
    """The answer for one power: the best orders, their value (the expected share of the final result), the
    best few distinct sets (best first), and the nodes and seconds of the search, for all its powers together,
    until this answer.

    `depth` counts the phases that were looked ahead: this one, and the movement phases of playouts. `goals`
    are the target regions, each with the points that were added to its altitudes. With `book` the orders come
    from a book. `position` is the one that was searched.

    An engine with ``explain=True`` fills in the rest. `expected`: for every other power that must give orders
    its most probable sets, in order. `effects`: what would be lost without each order.
    """

    power: str
    orders: tuple[str, ...]
    value: float
    lines: tuple[Line, ...]
    nodes: int
    seconds: float
    depth: int = 1
    expected: Mapping[str, tuple[Expected, ...]] = {}
    goals: tuple[tuple[str, float], ...] = ()
    book: bool = False
    effects: tuple[OrderEffect, ...] = ()
    position: Position | None = None

    def _repr_svg_(self) -> str | None:
        """A picture of the orders for notebooks; none where the position is not known."""
        return picture_of("found", self)


@dataclass(frozen=True)
class Analysis:
    """The state of a search: an answer for every wanted power, and the powers whose best set has changed
    since the analysis before. The last of a stream is `final`. The same request with a limit in nodes to an
    engine of the same seed has the same final analysis, whether or not earlier ones are read.

    The final analysis also values any other sets of a wanted power: those of `measures`. There are none for
    an earlier analysis, in a finished game, and where all orders are a book's.
    """

    answers: Mapping[str, Found]
    changed: tuple[str, ...] = ()
    final: bool = False
    measures: Mapping[str, Measure] = field(default_factory=dict, repr=False, compare=False)

    def measure(self, power: str) -> Measure:
        """The measure of a wanted power. Raises BordeauxError if there is none."""
        if power not in self.measures:
            raise BordeauxError("nothing was searched: the game is over, or all orders are a book's")
        return self.measures[power]


def first_answers(
    position: Position, powers: Sequence[str], bonds: Bonds | None, seconds: float
) -> dict[str, Found]:
    """The orders of a fast policy for each of some powers, before any search: complete, legal, in accordance
    with the agreements, without nodes. Values are those of the position."""
    map, bonds, shares = position.map, bonds or Bonds(position), expected_shares(position)
    answers = {}
    for power in powers:
        orders = fast_set(position, power, bonds) if position.orderable().get(power) else b""
        line = Line(texts(map, orders), round(shares[power], 4), codes=orders)
        lines = (line,) if line.orders else ()
        answers[power] = Found(power, line.orders, line.value, lines, 0, seconds, position=position)
    return answers


def with_expected(position: Position, answer: Found, expectation: Expectation) -> Found:
    """The answer with the likeliest sets of the other powers."""
    return answer._replace(
        expected={
            other: tuple(
                Expected(texts(position.map, orders), round(share, 4))
                for orders, share in expectation.forecast(other)
            )
            for other in expectation.mixtures
            if other != answer.power
        }
    )


def reasons(measure: Measure, orders: bytes) -> tuple[OrderEffect, ...]:
    """What is lost without each order of a set, or without a move and the supports and convoys that belong to
    it; the unit then holds. The largest loss comes first."""
    map, codes = measure.position.map, codes_in(orders)
    groups = _together(map, codes)
    without = [
        complete(measure.position, measure.power, [code for code in codes if code not in group])
        for group in groups
    ]
    effects = [
        OrderEffect(texts(map, as_bytes(group)), *effect)
        for group, effect in zip(groups, measure.lost(orders, without), strict=True)
    ]
    return tuple(sorted(effects, key=lambda effect: -effect.lost))


def complete(position: Position, power: str, codes: Collection[int]) -> bytes:
    """Orders of a power as a set: in a movement phase one for each unit, in the order of the locations."""
    given = as_bytes(codes)
    return as_bytes(in_full(position, power, given).values()) if position.phase.kind == "M" else given


def _together(map: Map, codes: Sequence[int]) -> list[list[int]]:
    """Orders in groups: one that supports or convoys a unit of the same power stands with the order of that
    unit. Waived builds are left out."""
    read = {code: order for code in codes if (order := decode(map, code)).kind != OrderKind.WAIVE}
    given = {order.location.partition("/")[0]: code for code, order in read.items()}
    head = {place: place for place in given}
    for place, code in given.items():
        helped = head.get(read[code].target.partition("/")[0])
        if helped is not None:
            head = {each: helped if of == head[place] else of for each, of in head.items()}
    return [[given[place] for place in head if head[place] == one] for one in dict.fromkeys(head.values())]


def found_to_json(result: Found, *, explained: bool = False) -> dict[str, Any]:
    """The result of one search as JSON; if `explained`, with the reasons."""
    answer: dict[str, Any] = {
        "orders": list(result.orders),
        "value": result.value,
        "lines": [line_to_json(line) for line in result.lines],
        "nodes": result.nodes,
        "seconds": result.seconds,
        "book": result.book,
        "expected": {
            power: [{"orders": list(one.orders), "probability": one.probability} for one in sets]
            for power, sets in result.expected.items()
        },
    }
    if explained:
        answer["effects"] = [effect_to_json(effect) for effect in result.effects]
        answer["goals"] = dict(result.goals)
    return answer


def line_to_json(line: Line) -> dict[str, Any]:
    """One set of orders as JSON: its value and solo as shares of 1, with their errors."""
    return {
        "orders": list(line.orders),
        "value": line.value,
        "probability": line.probability,
        "error": line.error,
        "solo": line.solo,
        "behind": line.behind,
        "doubt": line.doubt,
        "forced": line.forced,
    }


def effect_to_json(effect: OrderEffect) -> dict[str, Any]:
    """What some orders do, as JSON."""
    return {"orders": list(effect.orders), "lost": round(effect.lost, 4), "doubt": round(effect.doubt, 4)}
