"""A movement phase from orders to the units' new places, dislodgements and retreat options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from tests.oracle.board import Board, Unit, province_of
from tests.oracle.equations import Equations
from tests.oracle.orders import Order, review


@dataclass(frozen=True)
class Outcome:
    """What became of a movement phase.

    `tags` gives for every unit, by the province it started in, DATC's words (4.E.2): illegal,
    invalid, succeeds, fails, given, cut, available, disrupted, stands, and dislodged or destroyed.
    `units` are the units that stand afterwards, `dislodged` those that must retreat and
    `retreats` where to, both by province. `stray` are orders to units that the power does not have.
    """

    tags: dict[str, tuple[str, ...]]
    units: dict[str, Unit]
    dislodged: dict[str, Unit]
    retreats: dict[str, tuple[str, ...]]
    stray: list[tuple[str, str]]
    orders: dict[str, Order]


def resolve(board: Board, units: Iterable[Unit], orders: Mapping[str, Iterable[str]]) -> Outcome:
    """Adjudicate a movement phase; `orders` are canonical texts by power."""
    standing = {province_of(unit.location): unit for unit in units}
    book, stray = review(board, standing, orders)
    equations = Equations(board, standing, book)
    values = solve(equations)

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
    return Outcome(tags, after, dislodged, retreats, stray, book)


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


class _Unread(Exception):
    """The equation read an unknown that has no value yet."""


def solve(equations: Equations) -> dict[str, bool]:
    """The value of every unknown."""
    values: dict[str, bool] = {}
    graph = {unknown: equations.mentions(unknown) for unknown in equations.unknowns}
    for group in circles(graph):
        _settle(equations, group, values)
    return values


def _settle(equations: Equations, open_: list[str], values: dict[str, bool]) -> None:
    while open_:
        trees = {unknown: cases(equations, unknown, values) for unknown in open_}
        certain = {
            unknown: tree[0][1]
            for unknown, tree in trees.items()
            if len({outcome for _, outcome in tree}) == 1
        }
        if not certain:
            graph = {unknown: true_reads(tree) for unknown, tree in trees.items()}
            certain = _untie(equations, sorted(next(circles(graph))), values)
        values.update(certain)
        open_ = [unknown for unknown in open_ if unknown not in values]


def _untie(equations: Equations, knot: list[str], values: Mapping[str, bool]) -> dict[str, bool]:
    """The values that a knot, dependent on nothing but itself, gets by its one solution or by rule: in a
    paradox its convoys fail, in a circle its moves succeed."""
    solutions = list(consistent_assignments(equations, knot, values))
    if len(solutions) == 1:
        return solutions[0]
    fleets = [unknown for unknown in knot if unknown in equations.convoys]
    return dict.fromkeys(fleets or [unknown for unknown in knot if unknown in equations.moves], not fleets)


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
