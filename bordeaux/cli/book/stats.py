"""``bordeaux book stats``: how large a book is and what it was made of."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from bordeaux.cli.book.options import book_option
from bordeaux.cli.options import json_option
from bordeaux.cli.output import print_json, print_table, print_text, table
from bordeaux.openings.book import Book, phase_order
from bordeaux.openings.names import name_of

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
    found = counted(book)
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


def counted(book: Book) -> dict[str, Any]:
    """The counts as the command gives them in JSON."""
    phases: dict[str, Counter[str]] = {}
    named = 0
    for node in book:
        row = phases.setdefault(node.phase, Counter())
        row["positions"] += 1
        for power, entries in node.powers.items():
            row["sets"] += len(entries)
            for entry in entries:
                name = name_of(power, entry.orders, node.phase)
                named += name is not None and name.exact
    for view in book.views.values():
        row = phases.setdefault(view.phase, Counter())
        row["views"] += 1
        row["view_sets"] += len(view.entries)
    ordered = sorted(phases, key=phase_order)
    return {
        "map": book.map.name,
        "positions": len(book),
        "views": len(book.views),
        "sets": sum(row["sets"] + row["view_sets"] for row in phases.values()),
        "named": named,
        "sources": book.header.get("sources") or {},
        "search": book.header.get("search"),
        "phases": {
            phase: {name: phases[phase][name] for name in ("positions", "sets", "views", "view_sets")}
            for phase in ordered
        },
    }
