"""``bordeaux book stats``: the size of a book and its sources."""

from __future__ import annotations

import click

from bordeaux.cli.book.options import book_option
from bordeaux.cli.options import json_option
from bordeaux.openings.book import Book
from bordeaux.openings.summary import summary
from bordeaux.report.output import print_json, print_table, print_text, table

__all__ = ["command"]


@click.command("stats")
@book_option
@json_option
def command(book: Book, as_json: bool) -> None:
    """Count what is in a book.

    \b
    Examples:
      bordeaux book stats
      bordeaux book stats --book mine.jsonl --json
    """
    found = summary(book)
    if as_json:
        print_json(found)
        return
    games = ", ".join(f"{count:,} {source}" for source, count in found["sources"].items())
    print_text(
        f"{found['positions']:,} positions, {found['views']:,} views, {found['sets']:,} sets of orders"
        f" ({found['named']} with a name); games: {games or 'none'}"
    )
    if found["search"]:
        told = ", ".join(f"{key} {value}" for key, value in found["search"].items() if value is not None)
        print_text(f"searched: {told}")
    made = table(
        "phase",
        "positions",
        "sets",
        "views",
        "sets of views",
        numbers=("positions", "sets", "views", "sets of views"),
    )
    for phase, row in found["phases"].items():
        made.add_row(phase, *(f"{row[name]:,}" for name in ("positions", "sets", "views", "view_sets")))
    print_table("By phase", made)
