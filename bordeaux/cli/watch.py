"""``bordeaux orders --watch``: one line for every improvement.

At the end come the best few lines of every power, and then its best orders.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from bordeaux.cli.report.output import print_json
from bordeaux.cli.report.progress import waiting
from bordeaux.engine import Analysis, Found, Line

__all__ = ["watch"]


def watch(analyses: Iterable[Analysis], time: float | None, as_json: bool) -> None:
    """Print the results of a search of at most `time` seconds (None: no limit) as they are found."""
    shown: dict[str, tuple[Line, int]] = {}
    # Where the lines go to a terminal they show themselves how the search gets on.
    with waiting("searching", time, shown=not sys.stdout.isatty()):
        for analysis in analyses:
            for power in analysis.changed:
                answer = analysis.answers[power]
                if answer.lines:
                    shown[power] = answer.lines[0], answer.nodes
                    print_info(answer, 1, answer.lines[0], as_json)
    for power, answer in analysis.answers.items():
        for rank, line in enumerate(answer.lines, start=1):
            if rank > 1 or (line, answer.nodes) != shown.get(power):
                print_info(answer, rank, line, as_json)
        if as_json:
            print_json({"power": power, "bestorders": list(answer.orders)})
        else:
            click.echo(f"bestorders power {power} orders {'; '.join(answer.orders)}".rstrip())


def print_info(answer: Found, rank: int, line: Line, as_json: bool) -> None:
    """Print one line of the result so far; the keys keep their order."""
    info = {
        "depth": answer.depth,
        "nodes": answer.nodes,
        "nps": round(answer.nodes / answer.seconds) if answer.seconds > 0 else 0,
        "time": round(answer.seconds * 1000),
        "power": answer.power,
        "multipv": rank,
        "prob": line.probability,
        "value": line.value,
        "orders": list(line.orders),
    }
    if as_json:
        print_json(info)
    else:
        shown = {**info, "orders": "; ".join(line.orders)}
        click.echo("info " + " ".join(f"{key} {value}" for key, value in shown.items()))
    sys.stdout.flush()
