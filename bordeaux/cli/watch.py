"""``bordeaux orders --watch``: one line for every improvement.

At the end come the best few lines of every power, and then its best orders.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from bordeaux.engine import Analysis, Found, Line
from bordeaux.report.output import print_json
from bordeaux.report.progress import waiting

__all__ = ["watch"]


def watch(analyses: Iterable[Analysis], time: float | None, as_json: bool) -> None:
    """Print the results of a search of at most `time` seconds (None: no limit) as they are found."""
    shown: dict[str, tuple[Line, int]] = {}
    # Where the lines go to a terminal they show themselves how the search gets on.
    with waiting("searching", time, shown=not sys.stdout.isatty()):
        for analysis in analyses:
            for power in analysis.changed:
                found = analysis.answers[power]
                if found.lines:
                    shown[power] = found.lines[0], found.nodes
                    print_info(found, 1, found.lines[0], as_json)
    for power, found in analysis.answers.items():
        for rank, line in enumerate(found.lines, start=1):
            if rank > 1 or (line, found.nodes) != shown.get(power):
                print_info(found, rank, line, as_json)
        if as_json:
            print_json({"power": power, "bestorders": list(found.orders)})
        else:
            click.echo(f"bestorders power {power} orders {'; '.join(found.orders)}".rstrip())


def print_info(found: Found, rank: int, line: Line, as_json: bool) -> None:
    """Print one line of the result so far; the keys keep their order."""
    info = {
        "depth": found.depth,
        "nodes": found.nodes,
        "nps": round(found.nodes / found.seconds) if found.seconds > 0 else 0,
        "time": round(found.seconds * 1000),
        "power": found.power,
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
