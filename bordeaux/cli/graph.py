"""``bordeaux graph``: three searches of the board, compared by the nodes that they expand (Stormont and Allan
2009)."""

from __future__ import annotations

import click

from bordeaux.arena.graph import GOAL, Search, compare
from bordeaux.board.map import Map
from bordeaux.cli.options import json_option, whole
from bordeaux.cli.report import NO
from bordeaux.cli.report.output import print_json, print_table, print_text, table

MOST_CENTRES = 255


@click.command("graph")
@click.option(
    "--map",
    "board",
    metavar="NAME|FILE",
    callback=lambda context, option, name: None if name is None else Map.load(name),
    help="The map: a bundled one or a map file.  [default: standard]",
)
@click.option(
    "--goal",
    type=whole(1, MOST_CENTRES),
    metavar="N",
    help="Centres to reach; else 16, as in the paper, and for people also those of a solo.",
)
@click.option(
    "--count",
    type=click.Choice(["queued", "taken"]),
    default="queued",
    show_default=True,
    help="Nodes that enter the queue, which is what the paper counts, or those taken out of it.",
)
@json_option
@click.pass_context
def command(context: click.Context, board: Map | None, goal: int | None, count: str, as_json: bool) -> None:
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
        print_json(
            {
                algorithm: {**counts(searches, count), "total": total(searches, count)}
                for algorithm, searches in comparisons[goals[0]].items()
            }
        )
    else:
        for wanted, comparison in comparisons.items():
            show(wanted, comparison, count)
    if not all(
        search.reached
        for comparison in comparisons.values()
        for searches in comparison.values()
        for search in searches.values()
    ):
        context.exit(NO)


def counts(searches: dict[str, Search], count: str) -> dict[str, int | None]:
    """The number of nodes for each power; None if the goal is out of reach."""
    return {
        power: (search.queued if count == "queued" else search.taken) if search.reached else None
        for power, search in searches.items()
    }


def total(searches: dict[str, Search], count: str) -> int | None:
    """The nodes of all powers; None if one cannot reach the goal."""
    numbers = [number for number in counts(searches, count).values() if number is not None]
    return sum(numbers) if len(numbers) == len(searches) else None


def show(goal: int, comparison: dict[str, dict[str, Search]], count: str) -> None:
    """Print one table for people: a power a line, a search a column."""
    made = table("power", *comparison, numbers=comparison)
    powers = list(next(iter(comparison.values())))
    for power in powers:
        cells = []
        for searches in comparison.values():
            number = counts(searches, count)[power]
            cells.append(f"only {searches[power].centres} centres" if number is None else str(number))
        made.add_row(power, *cells, end_section=power == powers[-1])
    sums = [total(searches, count) for searches in comparison.values()]
    made.add_row("total", *("" if number is None else str(number) for number in sums))
    print_table(f"Nodes {count} on the way to {goal} centres", made)
    if all(search.reached for searches in comparison.values() for search in searches.values()):
        longest = ", ".join(
            f"{max(search.moves for search in searches.values())} ({algorithm})"
            for algorithm, searches in comparison.items()
        )
        print_text(f"Moves on the longest way that a search found: {longest}")
        print_text()
