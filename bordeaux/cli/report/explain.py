"""Search results for people: lines, orders expected of the others, the value of each order, and what people
would play."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from bordeaux.board.position import Position
from bordeaux.cli.report.output import Phrases, percent, print_table, print_text, table
from bordeaux.engine import Found
from bordeaux.evaluation.prospect import expected_shares

GAP = 3


class Aligned:
    """Texts in columns of one width, as many side by side as fit, row by row.

    `width` is that of the longest text to be aligned with.
    """

    def __init__(self, texts: Iterable[Text], width: int) -> None:
        self.texts = list(texts)
        self.width = width

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The rows."""
        count = max((options.max_width + GAP) // (self.width + GAP), 1)
        for begin in range(0, len(self.texts), count):
            row = Text()
            for text in self.texts[begin : begin + count]:
                row.append(" " * (-row.cell_len % (self.width + GAP)))
                row.append_text(text)
            yield row

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Anything between one column and a single row."""
        most = len(self.texts) * (self.width + GAP) - GAP
        return Measurement(min(self.width, options.max_width), max(min(most, options.max_width), 0))


#: The share below which those of lines have two digits.
SMALL = 0.02


def print_lines(position: Position, answer: Found, *, drawn: bool = False, asked: int | None = None) -> None:
    """Print the lines of an answer, best first, with their values and errors; of a book's with their weights.
    The chosen one has a star, those that are as good within the error a sign, and differences from the chosen
    one a colour. Texts below the table say what the position is worth, or how a line was drawn. `asked` is
    the limit in nodes, which a search need not use."""
    limit = f" of {asked:,}" if asked is not None and answer.nodes < asked else ""
    work = "from the book" if answer.book else f"{answer.nodes:,}{limit} nodes in {answer.seconds:.2f} s"
    numbers = ["score", "±", "weight" if answer.book else "solo"]
    made = table("", *numbers, "orders", numbers=numbers)
    width = longest(line.orders for line in answer.lines)
    shown = partial(percent, digits=1 if answer.value >= SMALL else 2)
    for line in answer.lines:
        chosen = line.orders == answer.orders
        error, last = ("", "forced") if line.forced else (shown(line.error), shown(line.solo))
        if answer.book:
            last = percent(line.probability, 0)
        made.add_row(
            Text("*" if chosen else "=" if line.level and not (drawn and answer.book) else "", style="bold"),
            *(Text(figure, style="bold" if chosen else "") for figure in (shown(line.value), error, last)),
            Aligned((Text(order, style(order, chosen, answer.orders)) for order in line.orders), width),
        )
    print_table(f"{answer.power}, {position.phase}: {work}", made)
    if why := why_chosen(position, answer, drawn=drawn):
        print_text(why)


def why_chosen(position: Position, answer: Found, *, drawn: bool = False) -> str:
    """What the position is worth beside the best line, or how a line was drawn."""
    chosen = next((line for line in answer.lines if line.orders == answer.orders), None)
    if chosen is None:
        return ""
    if drawn:
        how = "weight (--seed) from the book" if answer.book else "probability (--seed) among what is as good"
        return f"* Drawn by {how}; without --draw the best has the star."
    share = expected_shares(position)[answer.power]
    worth = f"{answer.power} is expected to have {percent(share)} here, before it is known who orders what."
    level = any(line.level for line in answer.lines if line is not chosen)
    return f"{worth}\n= As good as *, within the error of the difference." if level else worth


def style(order: str, chosen: bool, orders: Sequence[str]) -> str:
    """The style of an order of a line: plain for the chosen ones, highlighted for differences."""
    if chosen:
        return "bold"
    return "dim" if order in orders else "yellow"


def print_expected(answer: Found, asked: Collection[str]) -> None:
    """Print the expected orders of the other powers, each set with the share in which the search plays it."""
    expected = {power: sets for power, sets in answer.expected.items() if power not in asked}
    if not expected:
        return
    made = table("power", "share", "orders", numbers=("share",))
    width = longest(line.orders for lines in expected.values() for line in lines)
    for power, (likeliest, *others) in expected.items():
        made.add_row(power, percent(likeliest.probability, 0), Aligned(map(Text, likeliest.orders), width))
        for line in others:
            marked = (Text(order, style(order, False, likeliest.orders)) for order in line.orders)
            made.add_row("", percent(line.probability, 0), Aligned(marked, width))
    print_table(f"{answer.power} expects of the others", made)


def print_explanation(answer: Found) -> None:
    """Print what would be lost without each order, and the regional goals."""
    made = table("order", "lost without", "±", numbers=("lost without", "±"))
    for effect in answer.effects:
        doubt = percent(effect.doubt) if effect.doubt else ""
        made.add_row(Phrases(effect.orders), percent(round(effect.lost, 3) + 0.0), doubt)
    print_table(f"{answer.power}: what the orders are for, against those expected", made)
    if answer.goals:
        goals = table("regional goal", "raise", numbers=("raise",))
        for region, points in answer.goals:
            goals.add_row(region, f"{points:+.2f}")
        print_table(f"{answer.power}: the goals of its regions", goals)


def longest(sets: Iterable[Sequence[str]]) -> int:
    """The length of the longest order in some sets."""
    return max((len(order) for orders in sets for order in orders), default=0)


Sets = Sequence[tuple[Sequence[str], float]]
"""Sets of orders with their probabilities."""

UNFORESEEN = 0.02
"""An order with a lower probability than this counts as unforeseen by people."""


def in_json(people: Sets | None, chances: Mapping[str, float] | None) -> dict[str, Any]:
    """The requested additions to the answer of a power."""
    answer: dict[str, Any] = {}
    if chances is not None:
        answer["foreseen"] = {order: round(chance, 6) for order, chance in chances.items()}
    if people is not None:
        answer["people"] = [
            {"orders": list(orders), "probability": round(chance, 6)} for orders, chance in people
        ]
    return answer


def print_unforeseen(chances: Mapping[str, float]) -> None:
    """Print the orders of the choice that people hardly ever give, if any: the least probable three."""
    rare = sorted((chance, order) for order, chance in chances.items() if chance < UNFORESEEN)[:3]
    if rare:
        listed = ", ".join(f"{order} ({percent(chance)})" for chance, order in rare)
        print_text(f"Unusual here, by how often people give these orders: {listed}.")


def print_people(power: str, people: Sets, chosen: Sequence[str]) -> None:
    """Print the sets of people; orders that are not in the chosen set are highlighted."""
    if not people:
        return
    made = table("probability", "orders", numbers=("probability",))
    width = longest(orders for orders, _ in people)
    for orders, chance in people:
        same = sorted(orders) == sorted(chosen)
        marked = (Text(order, style(order, same, chosen)) for order in orders)
        made.add_row(percent(chance), Aligned(marked, width))
    print_table(f"{power}, as people would play it", made)
