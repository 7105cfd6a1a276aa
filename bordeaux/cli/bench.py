"""``bordeaux bench``: a fixed set of searches, their signature and their speed."""

from __future__ import annotations

import click

from bordeaux.bench import run
from bordeaux.cli.options import json_option
from bordeaux.cli.output import print_json, print_table, table
from bordeaux.cli.progress import waiting

__all__ = ["command"]


@click.command("bench")
@click.option("--quick", is_flag=True, help="A small part of it, for a first look; another signature.")
@json_option
def command(quick: bool, as_json: bool) -> None:
    """Measure a fixed set of searches.

    The signature changes when, and only when, the search does something else than before. The
    speeds are of one core.

    \b
    Examples:
      bordeaux bench
      bordeaux bench --quick --json
    """
    with waiting("measuring"):
        measured = run(quick=quick)
    if as_json:
        print_json(measured)
        return
    made = table("measure", "result", numbers=("result",))
    for name, value in measured.items():
        made.add_row(name.replace("_", " "), readable(value))
    print_table("Bench", made)


def readable(value: object) -> str:
    """A figure as people read it; of a list, its length."""
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    if isinstance(value, int):
        return f"{value:,}"
    return str(len(value)) if isinstance(value, list) else str(value)
