"""The orders that people would play, shown beside the answer, with a mark on unexpected orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from bordeaux.cli.report.explain import Aligned, longest, style
from bordeaux.cli.report.output import print_table, print_text, table

__all__ = ["Sets", "in_json", "print_people", "print_unforeseen"]

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
        listed = ", ".join(f"{order} ({chance:.1%})" for chance, order in rare)
        print_text(f"Nobody would foresee it; so seldom do people give these orders here: {listed}.")


def print_people(power: str, people: Sets, chosen: Sequence[str]) -> None:
    """Print the sets of people; orders that are not in the chosen set are highlighted."""
    if not people:
        return
    made = table("probability", "orders", numbers=("probability",))
    width = longest(orders for orders, _ in people)
    for orders, chance in people:
        same = sorted(orders) == sorted(chosen)
        marked = (Text(order, style(order, same, chosen)) for order in orders)
        made.add_row(f"{chance:.1%}", Aligned(marked, width))
    print_table(f"{power}, as people would play it", made)
