"""Solving the equations: the consistent assignments of success, and the rule where there is not one.

The unknowns fall into groups that depend on one another in circles; groups are settled one after
the other. Inside a group, first go the unknowns that come out the same whatever the rest of the
group does. What then remains is split again by true dependence, and of each such knot every
assignment is tried: exactly one consistent assignment is the answer (DATC 5.B.9). With none or
several, a knot with a convoy in it is a paradox, and its convoying fleets fail (Szykman); a knot
without is a circular movement, and everybody in it moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import NamedTuple

from tests.oracle.equations import Equations

__all__ = ["Knot", "Solution", "consistent_assignments", "solve"]


class Knot(NamedTuple):
    """A circle of unknowns without exactly one solution: what it is, its unknowns, its solutions."""

    rule: str
    unknowns: tuple[str, ...]
    solutions: tuple[tuple[bool, ...], ...]


class Solution(NamedTuple):
    """The value of every unknown, and the knots in which the equations alone did not decide."""

    values: dict[str, bool]
    knots: list[Knot]


class _Unread(Exception):
    """The equation read an unknown that has no value yet."""


def solve(equations: Equations) -> Solution:
    """Settle all unknowns."""
    values: dict[str, bool] = {}
    knots: list[Knot] = []
    graph = {unknown: equations.mentions(unknown) for unknown in equations.unknowns}
    for group in circles(graph):
        _settle(equations, list(group), values, knots)
    return Solution(values, knots)


def _settle(equations: Equations, open_: list[str], values: dict[str, bool], knots: list[Knot]) -> None:
    while open_:
        trees = {unknown: cases(equations, unknown, values) for unknown in open_}
        certain = {
            unknown: tree[0][1]
            for unknown, tree in trees.items()
            if len({outcome for _, outcome in tree}) == 1
        }
        if not certain:
            graph = {unknown: true_reads(tree) for unknown, tree in trees.items()}
            certain = _untie(equations, next(circles(graph)), values, knots)
        values.update(certain)
        open_ = [unknown for unknown in open_ if unknown not in values]


def _untie(
    equations: Equations, knot: Iterable[str], values: Mapping[str, bool], knots: list[Knot]
) -> dict[str, bool]:
    """The values that a knot, dependent on nothing but itself, gets by solution or by rule."""
    unknowns = sorted(knot)
    solutions = list(consistent_assignments(equations, unknowns, values))
    if len(solutions) == 1:
        return solutions[0]
    settled = tuple(tuple(solution.values()) for solution in solutions)
    fleets = [unknown for unknown in unknowns if unknown in equations.convoys]
    if fleets:
        knots.append(Knot("paradox", tuple(unknowns), settled))
        return dict.fromkeys(fleets, False)
    knots.append(Knot("circle", tuple(unknowns), settled))
    return dict.fromkeys((unknown for unknown in unknowns if unknown in equations.moves), True)


def consistent_assignments(
    equations: Equations, unknowns: list[str], given: Mapping[str, bool]
) -> Iterable[dict[str, bool]]:
    """Try every assignment of `unknowns`; yield those that satisfy their equations."""
    for guess in product((False, True), repeat=len(unknowns)):
        trial = dict(zip(unknowns, guess, strict=True))
        whole = {**given, **trial}
        if all(equations.demanded(u, whole.__getitem__) == trial[u] for u in unknowns):
            yield trial


Case = tuple[dict[str, bool], bool]


def cases(equations: Equations, unknown: str, values: Mapping[str, bool]) -> list[Case]:
    """All cases of an equation: values of the open unknowns that it reads, and what it then says."""
    cases: list[Case] = []
    agenda: list[dict[str, bool]] = [{}]
    while agenda:
        assumed = agenda.pop()

        def value(name: str, assumed: dict[str, bool] = assumed) -> bool:
            if name in values:
                return values[name]
            if name in assumed:
                return assumed[name]
            agenda.extend({**assumed, name: either} for either in (True, False))
            raise _Unread

        try:
            cases.append((assumed, equations.demanded(unknown, value)))
        except _Unread:
            continue
    return cases


def true_reads(tree: list[Case]) -> set[str]:
    """The unknowns on which an equation truly depends: a change of that one alone changes it."""
    reads: set[str] = set()
    yes = [assumed for assumed, outcome in tree if outcome]
    no = [assumed for assumed, outcome in tree if not outcome]
    for one in yes:
        for other in no:
            conflict = [name for name, value in one.items() if other.get(name, value) != value]
            if len(conflict) == 1:
                reads.add(conflict[0])
    return reads


def circles(graph: Mapping[str, set[str]]) -> Iterator[list[str]]:
    """Groups of unknowns that depend on one another, each after all that it depends on (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            cut = stack.index(node)
            groups.append(stack[cut:])
            del stack[cut:]

    for node in graph:
        if node not in index:
            visit(node)
    return iter(groups)
