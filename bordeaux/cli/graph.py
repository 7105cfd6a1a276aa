"""``bordeaux graph``: three searches of the board, compared by the nodes that they expand (Stormont and Allan
2009)."""

from __future__ import annotations

import click

from bordeaux.arena.graph import GOAL, Search, compare
from bordeaux.board.map import Map
from bordeaux.cli.options import bare_map_option, json_option, whole
from bordeaux.cli.report import NO
from bordeaux.cli.report.output import print_json, print_table, print_text, table

MOST_CENTRES = 255


@click.command("graph")
@bare_map_option
@click.option(
    "--goal",
    type=whole(1, MOST_CENTRES),
    metavar="N",
    help="Centres to reach; else 16, as in the paper, and for people also those of a solo.",
)
@json_option
@click.pass_context
def command(context: click.Context, board: Map | None, goal: int | None, as_json: bool) -> None:
    """Compare three searches of the board, as Stormont and Allan (2009) did.

    Breadth-first, greedy best-first and A* look for the shortest way of each power, unopposed, to
    the centres of the goal. docs/studies/graph.md says how the paper was read.

    Exit code 1: a power cannot reach the goal; its number is null, and so is the total.

    \b
    Examples:
      bordeaux graph
      bordeaux graph --goal 18 --json
    """
    map = board or Map.standard()
    paper = min(GOAL, map.majority)
    goals = (goal,) if goal else (paper,) if as_json else tuple(dict.fromkeys((paper, map.majority)))
    comparisons = {wanted: compare(map, wanted) for wanted in goals}
    if as_json:
        print_json({name: queued(searches) for name, searches in comparisons[goals[0]].items()})
    else:
        for wanted, comparison in comparisons.items():
            show(wanted, comparison)
    totals = (queued(searches)["total"] for of in comparisons.values() for searches in of.values())
    if None in totals:
        context.exit(NO)


def queued(searches: dict[str, Search]) -> dict[str, int | None]:
    """The number of nodes for each power and in all; None if a goal is out of reach."""
    numbers = {power: search.queued if search.reached else None for power, search in searches.items()}
    reached = [number for number in numbers.values() if number is not None]
    return {**numbers, "total": sum(reached) if len(reached) == len(numbers) else None}


def show(goal: int, comparison: dict[str, dict[str, Search]]) -> None:
    """Print one table for people: a power a line, a search a column."""
    made = table("power", *comparison, numbers=comparison)
    columns = {name: queued(searches) for name, searches in comparison.items()}
    *powers, _ = next(iter(columns.values()))
    for power in powers:
        cells = (
            str(columns[name][power] or f"only {searches[power].centres} centres")
            for name, searches in comparison.items()
        )
        made.add_row(power, *cells, end_section=power == powers[-1])
    made.add_row("total", *(str(numbers["total"] or "") for numbers in columns.values()))
    print_table(f"Nodes queued on the way to {goal} centres", made)
    if all(numbers["total"] is not None for numbers in columns.values()):
        longest = ", ".join(
            f"{max(search.moves for search in searches.values())} ({name})"
            for name, searches in comparison.items()
        )
        print_text(f"Moves on the longest way that a search found: {longest}")
        print_text()
