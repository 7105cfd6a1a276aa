"""``bordeaux bench``: a fixed set of searches, their signature and speed, or the share of solved puzzles."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from bordeaux.arena.bench import run
from bordeaux.arena.puzzles import BUDGETS, attempt, read_puzzles, report, sample, shipped
from bordeaux.cli.options import MOST_NODES, MOST_SEED, json_option, processes_option, whole
from bordeaux.cli.report.output import print_json, print_table, table
from bordeaux.cli.report.progress import estimating, waiting
from bordeaux.jobs import available_cores
from bordeaux.jobs.pool import mapped
from bordeaux.players import registry


@click.command("bench")
@click.option("--quick", is_flag=True, help="Only a few searches; the signature is another one.")
@click.option(
    "--puzzles", is_flag=True, help="Measure how many positions are solved where something can be forced."
)
@click.option(
    "--player", "spec", metavar="PLAYER", help="With --puzzles: put them to this player, like mine.py:Bot."
)
@click.option("--file", "path", metavar="FILE", help="With --puzzles: those of a file, one a line.")
@click.option(
    "--nodes",
    type=whole(1, MOST_NODES),
    metavar="N",
    multiple=True,
    help="With --puzzles: nodes of a search; may be repeated.  [default: 5000, 20000 and 100000]",
)
@click.option(
    "--sample", "count", type=whole(1, 1_000_000), metavar="N", help="With --puzzles: N, of all kinds."
)
@click.option(
    "--seed", type=whole(0, MOST_SEED), metavar="N", help="With --puzzles: seed of all choices.  [default: 0]"
)
@processes_option("With --puzzles: processes, a position each.  [default: one a core]")
@json_option
def command(
    quick: bool,
    puzzles: bool,
    spec: str | None,
    path: str | None,
    nodes: tuple[int, ...],
    count: int | None,
    seed: int | None,
    processes: int | None,
    as_json: bool,
) -> None:
    """Measure a fixed set of searches.

    Each search has a signature, which changes when, and only when, that search does something else than
    before. "signature" is that of the default search. The speeds are of one core, and of the default search.

    With --puzzles the engine, or the player of --player, gets positions of recorded games in which a power
    can force something. An answer is a solution if it is proved to force as much, whatever the others order.
    In JSON, "puzzles" and "nodes" are those of 20,000 nodes, or of the first budget. "budgets" has the same
    for every budget, with the unsolved puzzles as "failed".

    \b
    Examples:
      bordeaux bench
      bordeaux bench --quick --json
      bordeaux bench --puzzles --nodes 5000 --sample 60 --seed 1
    """
    if quick and puzzles:
        raise click.UsageError("--quick and --puzzles do not go together; name one")
    if puzzles:
        solve(spec, path, nodes, count, seed or 0, processes, as_json)
        return
    named = ("player", "file", "sample", "nodes", "seed", "processes")
    for name, given in zip(named, (spec, path, count, nodes, seed, processes), strict=True):
        if given not in (None, ()):
            raise click.UsageError(f"--{name} goes with --puzzles")
    with waiting("measuring"):
        measured = run(quick=quick)
    if as_json:
        print_json(measured)
        return
    made = table("measure", "result", numbers=("result",))
    for name, signature in measured.pop("signatures").items():
        made.add_row(f"signature of search {name}", signature)
    for name, value in measured.items():
        if name != "signature":
            made.add_row(name.replace("_", " "), readable(value))
    print_table("Bench", made)


def solve(
    spec: str | None,
    path: str | None,
    nodes: tuple[int, ...],
    count: int | None,
    seed: int,
    processes: int | None,
    as_json: bool,
) -> None:
    """Let the engine or another player solve puzzles, and print the shares."""
    if spec is not None:
        registry.check(spec)
    chosen = shipped() if path is None else read_puzzles(path)
    if count is not None:
        chosen = sample(chosen, count, seed)
    budgets = tuple(dict.fromkeys(nodes)) or BUDGETS
    solved = []
    one = partial(attempt, budgets=budgets, seed=seed, spec=spec)
    with (
        estimating("puzzles" if count else "puzzles (--sample N takes fewer)", 0, len(chosen)) as counter,
        mapped(one, chosen, processes or available_cores()) as answers,
    ):
        for enough in answers:
            solved.append(enough)
            counter.update(len(solved))
    figures = report(chosen, solved, budgets)
    if as_json:
        print_json(figures)
    else:
        print_shares(figures)


def print_shares(figures: dict[str, Any]) -> None:
    """A row for every kind and one for all, a column for every budget."""
    names = [f"{row['nodes']:,} nodes" for row in figures["budgets"]]
    made = table("kind", "puzzles", *names, numbers=("puzzles", *names))
    kinds = list(figures["puzzles"])
    for kind in [*kinds, "all"]:
        cells = []
        for row in figures["budgets"]:
            counted = [row["puzzles"][name] for name in (kinds if kind == "all" else [kind])]
            total = sum(count["count"] for count in counted)
            cells.append(f"{sum(count['solved'] for count in counted) / total:.1%}")
        made.add_row(kind, f"{total:,}", *cells)
    print_table("Puzzles solved", made)


def readable(value: object) -> str:
    """A figure for people; of a list, its length."""
    match value:
        case float():
            return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
        case int():
            return f"{value:,}"
        case list():
            return str(len(value))
    return str(value)
