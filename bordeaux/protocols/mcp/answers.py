"""What the tools return: typed values, and the same in lines for a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypeAlias

from typing_extensions import TypedDict

Row: TypeAlias = dict[str, Any]
"""A part of an answer, such as a set of orders and what is told of it. A figure is a text; with a standard
error it is ``12 % ± 0.3 %``."""
ByPower: TypeAlias = dict[str, list[Row]]


class PositionShown(TypedDict):
    """A position. `text` can be given to any tool as its position; `must_order` has the orders due."""

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


class CheckedOrders(TypedDict):
    """Orders as they were `given` and as they are read (`order`), with what is `wrong` with some.
    `without_orders` are units that have none: they hold or disband."""

    phase: str
    power: str
    legal: bool
    orders: list[Row]
    without_orders: list[str]


class AdjudicatedPhase(TypedDict):
    """Every `order` with its `result` (``ok`` or words such as ``bounce``) and `why`, and the next position
    as text for other tools."""

    phase: str
    results: ByPower
    next_phase: str
    next_position: str
    illegal: NotRequired[list[str]]


class BestOrders(TypedDict):
    """The recommended orders, and the best lines: `score` is the expected share of the final result, `solo`
    the chance to win alone, `below_best` the difference to the best set, `weight` that of a set in the book.
    Then what is `lost` without some `orders` that belong together, which a book does not tell."""

    phase: str
    power: str
    orders: list[str]
    lines: list[Row]
    lost_without: list[Row]
    from_book: bool
    opening: NotRequired[str]
    nodes: int
    seconds: float
    expected: NotRequired[ByPower]


class ExpectedOrders(TypedDict):
    """What people would most probably order, by power: `orders` and their `probability`."""

    phase: str
    powers: ByPower


class ForcedCentres(TypedDict):
    """Centres that a power has now (`owned`), and that it is `certain` to own after a Fall movement with some
    `orders`, whatever all others do. Powers that can force nothing are named alone."""

    phase: str
    powers: dict[str, Row]
    nothing_for: list[str]


class ComparedSets(TypedDict):
    """Sets of orders of a power, the best first, with `score` and `below_best`; the engine's have the name
    `engine`."""

    phase: str
    power: str
    sets: list[Row]
    verdict: str


class ReviewedGame(TypedDict):
    """The review of a game: for each power its centres at the end, its accuracy (0 to 100), its mean loss in
    a movement phase, its worst phase and opening; and the turning points, the gravest first."""

    game: str
    powers: dict[str, Row]
    turning_points: list[str]
    left_out: NotRequired[str]


class BookLines(TypedDict):
    """Sets of the opening book by power: their name, in how many games they were played, how often the book
    plays them (`weight`), the `score` as in best_orders, and the mean share that players got (`result`).
    `exact` says that the whole position is known, not just the power's own units."""

    phase: str
    exact: bool
    powers: ByPower
    note: NotRequired[str]


class PlayersOffered(TypedDict):
    """Players for new games by the text that names them, each with its description."""

    players: dict[str, str]


class GameList(TypedDict):
    """The newest games and studies of the folder, the last changed one first."""

    games: list[Row]
    left_out: NotRequired[str]


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
    messages: list[Row]
    last_results: ByPower
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
    replies: list[Row]


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
            # A reason begins with the result.
            told = (f"{row['order']} ({row.get('why') or row['result']})" for row in value)
            return [f"{label} {'; '.join(told)}"]
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
