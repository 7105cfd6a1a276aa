"""What the tools return: typed values, and the same in lines for a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired

from typing_extensions import TypedDict


class PositionShown(TypedDict):
    """A position. `text` can be given to any tool as its position. `must_order` has the orders due by power:
    M, R, build or disband, and how many."""

    phase: str
    text: str
    centres: dict[str, int]
    must_order: dict[str, str]
    map: NotRequired[str]
    values: NotRequired[dict[str, str]]


class LegalOrders(TypedDict):
    """Legal orders by the location of the unit. `left_out` counts those that are not listed."""

    phase: str
    orders: dict[str, list[str]]
    left_out: NotRequired[str]


class CheckedOrder(TypedDict):
    """A typed order, as it is read, and why it is wrong; no reason if it is legal."""

    given: str
    order: str | None
    wrong: NotRequired[str]


class CheckedOrders(TypedDict):
    """Checked orders of a power. `without_orders` are its units that have none: they hold or disband."""

    phase: str
    power: str
    legal: bool
    orders: list[CheckedOrder]
    without_orders: list[str]


class OrderOutcome(TypedDict):
    """The result of an order: ``ok`` or words such as ``bounce``, and the reason."""

    order: str
    result: str
    why: NotRequired[str]


class AdjudicatedPhase(TypedDict):
    """The results of the orders by power, and the next position as text for other tools."""

    phase: str
    results: dict[str, list[OrderOutcome]]
    next_phase: str
    next_position: str
    illegal: NotRequired[list[str]]


class OrderLine(TypedDict):
    """One complete set of orders. `score` is the expected share of the final result, `solo` the chance to win
    alone, `below_best` the difference to the best set; errors are standard errors. A line of the opening book
    also has its `weight` there."""

    orders: list[str]
    score: str
    solo: str
    below_best: str
    weight: NotRequired[str]


class LikelySet(TypedDict):
    """A set of orders with its probability."""

    orders: list[str]
    probability: str


class LostWithout(TypedDict):
    """The share of the final result that is lost without some orders that belong together."""

    orders: list[str]
    lost: str


class BestOrders(TypedDict):
    """The recommended orders, the best lines, and what would be lost without each order. `from_book` says
    that they come from the opening book, which gives no such reasons."""

    phase: str
    power: str
    orders: list[str]
    lines: list[OrderLine]
    lost_without: list[LostWithout]
    from_book: bool
    opening: NotRequired[str]
    nodes: int
    seconds: float
    expected: NotRequired[dict[str, list[LikelySet]]]


class ExpectedOrders(TypedDict):
    """What people would most probably order, by power."""

    phase: str
    powers: dict[str, list[LikelySet]]


class ForcedRow(TypedDict):
    """Centres that a power owns now, and that it owns for certain after this phase with some orders, whatever
    all others do; no orders if it cannot force more than it has."""

    owned: int
    certain: int
    orders: NotRequired[list[str]]


class ForcedCentres(TypedDict):
    """What can be forced in a Fall movement, by power. Powers that can force nothing are named alone."""

    phase: str
    powers: dict[str, ForcedRow]
    nothing_for: list[str]


class ComparedSet(TypedDict):
    """A set of orders with the expected share of the final result after it, and the difference to the best
    set with its standard error."""

    name: str
    orders: list[str]
    score: str
    below_best: str


class ComparedSets(TypedDict):
    """Sets of orders of a power, the best first; those of the engine are called `engine`."""

    phase: str
    power: str
    sets: list[ComparedSet]
    verdict: str


class ReviewedPower(TypedDict):
    """A power's game: its centres at the end, its accuracy (0 to 100), its mean loss in a movement phase, and
    its worst phase."""

    centres: int
    accuracy: str
    lost: str
    worst: str
    opening: str


class ReviewedGame(TypedDict):
    """The review of a game: a row for each power, and the turning points, the gravest first."""

    game: str
    powers: dict[str, ReviewedPower]
    turning_points: list[str]
    left_out: NotRequired[str]


class BookLine(TypedDict):
    """A set of the opening book: its name, in how many games it was played, how often the book plays it, the
    expected share of the final result as in best_orders, and the mean share that its players got."""

    orders: list[str]
    name: str | None
    games: int
    weight: str
    score: NotRequired[str]
    result: NotRequired[str]


class BookLines(TypedDict):
    """The entries of the opening book by power. `exact` says that the whole position is known, not just the
    power's own units."""

    phase: str
    exact: bool
    powers: dict[str, list[BookLine]]
    note: NotRequired[str]


class PlayersOffered(TypedDict):
    """Players for new games by the text that names them, each with its description."""

    players: dict[str, str]


class SavedGame(TypedDict):
    """A game or study in the folder."""

    id: str
    name: str
    phase: str | None
    status: str


class GameList(TypedDict):
    """The newest games and studies of the folder, the last changed one first."""

    games: list[SavedGame]
    left_out: NotRequired[str]


class LetterRead(TypedDict):
    """A message of this phase, in English. `to` are its recipients."""

    sender: str
    to: list[str]
    text: str


class GameState(TypedDict):
    """A game. `status` is `waiting` (for you), `thinking` (the others) or `over`. `last_results` are those of
    the phase before. `what_next` says what to do."""

    game: str
    phase: str
    status: str
    you: list[str]
    what_next: str
    your_orders: dict[str, list[str]]
    must_order: dict[str, str]
    centres: dict[str, int]
    position: str
    messages: list[LetterRead]
    last_results: dict[str, list[OrderOutcome]]
    over: NotRequired[str]
    players: NotRequired[dict[str, str]]
    faults: NotRequired[list[str]]


class OrdersKept(TypedDict):
    """The orders that are kept for the phase, and what was wrong with the others."""

    game: str
    phase: str
    orders: list[str]
    wrong: list[str]
    without_orders: list[str]


class MessageSent(TypedDict):
    """The message as the others understand it, and what has been said since."""

    understood: str
    replies: list[LetterRead]


NOTHING: tuple[Any, ...] = (None, "", [], {})


def in_lines(answer: Mapping[str, Any], indent: str = "") -> str:
    """An answer in lines: ``name: value``; lists and tables are indented. What is empty is left out."""
    lines = []
    for name, value in answer.items():
        lines += _lines(name, value, indent)
    return "\n".join(lines)


def _lines(name: str, value: Any, indent: str) -> list[str]:
    label = f"{indent}{name}:"
    if value in NOTHING:
        return []
    match value:
        case dict() if all(_short(part) for part in value.values()):
            return [f"{label} {', '.join(f'{key} {part}' for key, part in value.items())}"]
        case dict():
            return [label, in_lines(value, indent + "  ")]
        case [{"order": _, "result": _, **_rest}, *_]:
            return [f"{label} {'; '.join(_outcome(row) for row in value)}"]
        case [dict(), *_]:
            return [label, *(f"{indent}- {_row(row)}" for row in value)]
        case list():
            return [f"{label} {'; '.join(map(str, value))}"]
        case str() if "\n" in value:
            return [label, *(f"{indent}  {line}" for line in value.splitlines())]
        case bool():
            return [f"{label} {'yes' if value else 'no'}"]
    return [f"{label} {value}"]


LONGEST = 40
"""Characters of a value that shares its line with others."""


def _short(value: Any) -> bool:
    """Whether a value can share a line."""
    return isinstance(value, int | float) or (isinstance(value, str) and len(value) <= LONGEST)


def _row(row: Mapping[str, Any]) -> str:
    """A table in one line: a letter, or orders and what is told of them, or all fields."""
    if {"sender", "to", "text"} <= set(row):
        return f"{row['sender']} to {', '.join(row['to'])}: {row['text']}"
    fields = {name: value for name, value in row.items() if value not in NOTHING}
    orders = fields.pop("orders", None)
    told = ", ".join(f"{name} {value}" for name, value in fields.items())
    return told if orders is None else f"{'; '.join(orders)} ({told})"


def _outcome(row: Mapping[str, Any]) -> str:
    """An order and its result; a reason begins with it."""
    return f"{row['order']} ({row.get('why') or row['result']})"
