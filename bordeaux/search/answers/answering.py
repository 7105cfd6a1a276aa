"""Converts the result of a search for users: orders as text, lines with probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bordeaux._ext.influence import Evaluator
from bordeaux.board.code import as_bytes, codes_in
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.board.submission import texts
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.rules.rulesets import DATC, RuleSet
from bordeaux.search.agreements import Bonds
from bordeaux.search.answers.analysis import in_points
from bordeaux.search.answers.explain import explain, worths
from bordeaux.search.request import LINES
from bordeaux.search.response import ResponseSearch
from bordeaux.search.result import Found, Line
from bordeaux.search.searches import Search
from bordeaux.search.sets import likeliest, probabilities

__all__ = ["answer", "explained", "first_answers"]

Lines = list[tuple[bytes, float]]


def first_answers(
    position: Position,
    powers: Sequence[str],
    evaluator: Evaluator,
    bonds: Bonds | None,
    seed: int,
    seconds: float,
) -> dict[str, Found]:
    """The orders of a fast policy for each of some powers, before any search: complete, legal, in accordance
    with the agreements, without nodes. Values are those of the next phase if every power plays by the
    policy."""
    map, bonds = position.map, bonds or Bonds(position)
    chooser = DUMBBOT.chooser(map, seed)
    sets = {}
    for power in position.orderable():
        number = map.powers.index(power)
        word = bonds.own(power) if power in powers else bonds.likely(power)
        orders = as_bytes(chooser.orders(position.packed, number))
        sets[number] = codes_in(bonds.kept(orders, word) if word else orders)
    after, *_ = position.packed.adjudicate([(number, code) for number in sets for code in sets[number]])
    answers = {}
    for power in powers:
        number = map.powers.index(power)
        orders = as_bytes(sets.get(number, ()))
        lines = _shown(map, [(orders, evaluator.evaluate(after, number)[0])] if orders else [])
        best = lines[0] if lines else Line((), 0.0, 0.0)
        answers[power] = Found(power, best.orders, best.value, lines, 0, seconds, position=position)
    return answers


def answer(position: Position, power: str, search: Search, seconds: float, count: int = LINES) -> Found:
    """The result of a search for a power so far, with up to `count` lines."""
    lines = in_points(search, power, count)
    played = search.shares(power) if isinstance(search, ResponseSearch) else {}
    shown = _shown(position.map, lines, played)
    best = shown[0] if shown else Line((), 0.0, 0.0)
    depth = search.depth(power)
    return Found(power, best.orders, best.value, shown, search.nodes, seconds, depth, position=position)


def explained(
    position: Position, answer: Found, search: Search, evaluator: Evaluator, rules: RuleSet = DATC
) -> Found:
    """The answer with the expected orders of the others, and the effect of the orders against them."""
    sets = {}
    for other in position.map.powers:
        if other == answer.power or other not in position.orderable():
            continue
        foretold = search.forecast(other)
        likely = likeliest([share for _, share in foretold])
        sets[other] = [foretold[place] for place in likely]
    lines = search.lines(answer.power)
    best = lines[0][0] if lines else b""
    terms, marginals = explain(position, evaluator, answer.power, best, sets, rules)
    values = worths(position, evaluator, {**sets, answer.power: [(best, 1.0)]}, rules)
    return answer._replace(
        expected={
            other: tuple(
                Line(texts(position.map, orders), round(value, 3), round(share, 4))
                for (orders, share), value in zip(foretold, values[other], strict=True)
            )
            for other, foretold in sets.items()
        },
        terms={term: (round(before, 3), round(after, 3)) for term, (before, after) in terms.items()},
        marginals={order: round(points, 3) for order, points in zip(answer.orders, marginals, strict=True)},
    )


def _shown(map: Map, lines: Lines, played: Mapping[bytes, float] = MappingProxyType({})) -> tuple[Line, ...]:
    """Lines as text, each with the share with which the search plays it; without such shares, with one that
    falls with the points behind the best."""
    weights = [played.get(orders, 0.0) for orders, _ in lines]
    total = sum(weights)
    shares = [weight / total for weight in weights] if total else probabilities([value for _, value in lines])
    return tuple(
        Line(texts(map, orders), round(value, 3), round(share, 4))
        for (orders, value), share in zip(lines, shares, strict=True)
    )
