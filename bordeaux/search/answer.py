"""From what a search holds to what a user reads: orders as text, lines with probabilities."""

from __future__ import annotations

from typing import Protocol

from bordeaux._ext.influence import Evaluator
from bordeaux.board.code import codes_in
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.search.explain import explain, worths
from bordeaux.search.lines import likeliest, probabilities
from bordeaux.search.result import Found, Line

__all__ = ["Search", "answer", "explained", "texts"]

Lines = list[tuple[bytes, float]]


class Search(Protocol):
    """What the searches of all kinds of phases have in common."""

    @property
    def nodes(self) -> int:
        """Adjudications with evaluation so far."""

    def lines(self, power: str, count: int = 5) -> Lines:
        """The best few sets of a power as bytes of codes, with values in points, best first."""

    def depth(self, power: str) -> int:
        """Phases looked ahead: this one, and the movement phases played on."""

    def forecast(self, power: str) -> Lines:
        """What a power may play as bytes of codes, with shares of 1, the likeliest first."""


def answer(position: Position, power: str, search: Search, seconds: float) -> Found:
    """What a search has found for a power so far."""
    shown = _shown(position.map, search.lines(power))
    best = shown[0] if shown else Line((), 0.0, 0.0)
    depth = search.depth(power)
    return Found(power, best.orders, best.value, shown, search.nodes, seconds, depth)


def explained(position: Position, found: Found, search: Search, evaluator: Evaluator) -> Found:
    """The answer with what is expected of the others, and what the orders do against that."""
    sets = {}
    for other in position.map.powers:
        if other == found.power or other not in position.orderable():
            continue
        foretold = search.forecast(other)
        likely = likeliest([share for _, share in foretold])
        sets[other] = [foretold[place] for place in likely]
    lines = search.lines(found.power)
    best = lines[0][0] if lines else b""
    terms, marginals = explain(position, evaluator, found.power, best, sets)
    values = worths(position, evaluator, {**sets, found.power: [(best, 1.0)]})
    return found._replace(
        expected={
            other: tuple(
                Line(texts(position.map, orders), round(value, 3), round(share, 4))
                for (orders, share), value in zip(foretold, values[other], strict=True)
            )
            for other, foretold in sets.items()
        },
        terms={term: (round(before, 3), round(after, 3)) for term, (before, after) in terms.items()},
        marginals={order: round(points, 3) for order, points in zip(found.orders, marginals, strict=True)},
    )


def _shown(map: Map, lines: Lines) -> tuple[Line, ...]:
    shares = probabilities([value for _, value in lines])
    return tuple(
        Line(texts(map, orders), round(value, 3), round(share, 4))
        for (orders, value), share in zip(lines, shares, strict=True)
    )


def texts(map: Map, orders: bytes) -> tuple[str, ...]:
    """Orders (bytes of codes) as they are written."""
    codes = codes_in(orders)
    return tuple(str(decode(map, code)) for code in codes)
