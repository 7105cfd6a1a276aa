"""``bordeaux book stats``: the size of a book and its sources."""

from __future__ import annotations

import click

from bordeaux.cli.book import book_file
from bordeaux.cli.options import json_option
from bordeaux.cli.report.output import print_json, print_table, print_text, table
from bordeaux.openings.book import Book
from bordeaux.openings.export import summary


@click.command("stats")
@book_file
@json_option
def command(book: Book, as_json: bool) -> None:
    """Count what is in a book, that of FILE or of --book.

    \b
    Examples:
      bordeaux book stats
      bordeaux book stats mine.jsonl --json
    """
    counts = summary(book)
    if as_json:
        print_json(counts)
        return
    games = ", ".join(f"{count:,} {source}" for source, count in counts["sources"].items())
    print_text(
        f"{counts['positions']:,} positions, {counts['views']:,} views, {counts['sets']:,} sets of orders"
        f" ({counts['named']} with a name); games: {games or 'none'}"
    )
    if counts["search"]:
        search = ", ".join(f"{key} {value}" for key, value in counts["search"].items() if value is not None)
        print_text(f"searched: {search}")
    made = table(
        "phase",
        "positions",
        "sets",
        "views",
        "sets of views",
        numbers=("positions", "sets", "views", "sets of views"),
    )
    for phase, row in counts["phases"].items():
        made.add_row(phase, *(f"{row[name]:,}" for name in ("positions", "sets", "views", "view_sets")))
    print_table("By phase", made)
