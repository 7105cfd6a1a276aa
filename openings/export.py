"""A book for other programs, as JSON or CSV, and the counts of what is in it."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from typing import Any

from bordeaux.board.cleaning import csv_cell
from bordeaux.openings.book import COLUMNS, Book, phase_order, rows
from bordeaux.openings.names import name_of


def to_json(book: Book) -> str:
    """A book as one JSON document: ``header``, and ``sets`` with the fields of `Row`, one set a line for
    comparison."""
    lines = ",\n".join(json.dumps(row.to_json(), ensure_ascii=False) for row in rows(book))
    return f'{{"header": {json.dumps(book.header, ensure_ascii=False)},\n"sets": [\n{lines}\n]}}\n'


def to_csv(book: Book) -> str:
    """A book as CSV: a head of the fields of `Row`, one set a line; orders are separated by ``; ``, unknown
    values are empty."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows(book):
        told = row._replace(orders=("; ".join(row.orders)), view=int(row.view))  # type: ignore[arg-type]
        writer.writerow([csv_cell(value) for value in told])
    return text.getvalue()


def summary(book: Book) -> dict[str, Any]:
    """The counts for `json.dumps`: positions, views, sets of both, positions' sets with a name of their own,
    games by source, the settings of the search, and the same by phase."""
    phases: dict[str, Counter[str]] = {}
    named = 0
    for node in book:
        row = phases.setdefault(node.phase, Counter())
        row["positions"] += 1
        for power, entries in node.powers.items():
            row["sets"] += len(entries)
            for entry in entries:
                named += name_of(power, entry.orders, node.phase) is not None
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
