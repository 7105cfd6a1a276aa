"""The size of a book, and its sources."""

from __future__ import annotations

from collections import Counter
from typing import Any

from bordeaux.openings.book import Book, phase_order
from bordeaux.openings.names import name_of

__all__ = ["summary"]


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
