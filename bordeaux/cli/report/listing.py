"""Sets of orders as a table for people."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from bordeaux.cli.report.layout import Phrases
from bordeaux.cli.report.output import table
from bordeaux.openings.rows import Row

__all__ = ["listing"]

BEST, MOST = "*", "+"


def listing(rows: Sequence[Row], numbered: bool = False) -> Table:
    """A table with one line for each set; columns without data are left out. ``*`` marks the set with the
    highest value of the engine, ``+`` the most frequent one."""
    results = (
        ("centres2", "2 years on", lambda value: f"{value:.2f}"),
        ("centres4", "4 years on", lambda value: f"{value:.2f}"),
        ("survival", "survives", percent),
        ("solo", "solo", percent),
        ("probability", "engine", percent),
        ("value", "value", lambda value: f"{value:.1f}"),
    )
    known = [column for column in results if any(getattr(row, column[0]) is not None for row in rows)]
    heads = ["share", "games", *(heading for _, heading, _ in known)]
    first = ["#"] if numbered else []
    named = any(row.name for row in rows)
    made = table(*first, "", *(["name"] if named else []), "orders", *heads, numbers=[*first, *heads])
    best = max((row.value for row in rows if row.value is not None), default=None)
    most = max((row.share for row in rows if row.share), default=None)
    for number, row in enumerate(rows, 1):
        marks = (BEST if row.value is not None and row.value == best else "") + (
            MOST if row.share and row.share == most else ""
        )
        made.add_row(
            *([str(number)] if numbered else []),
            marks,
            *([row.name] if named else []),
            Phrases(row.orders),
            "" if row.share is None else percent(row.share),
            f"{row.games:,}",
            *("" if (value := getattr(row, field)) is None else form(value) for field, _, form in known),
        )
    return made


def percent(value: float) -> str:
    """A share of 1 as per cent."""
    return f"{100 * value:.1f} %"
