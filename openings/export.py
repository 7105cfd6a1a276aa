"""A book in formats for other programs: JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from bordeaux.board.cleaning import csv_cell
from bordeaux.openings.book import Book
from bordeaux.openings.rows import COLUMNS, rows

__all__ = ["to_csv", "to_document", "to_json"]


def to_document(book: Book) -> dict[str, Any]:
    """A book for `json.dumps`: ``header``, and ``sets`` with the fields of `Row`."""
    return {"header": book.header, "sets": [row.to_json() for row in rows(book)]}


def to_json(book: Book) -> str:
    """A book as one JSON document, with one set a line for comparison."""
    document = to_document(book)
    header = json.dumps(document["header"], ensure_ascii=False)
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in document["sets"])
    return f'{{"header": {header},\n"sets": [\n{lines}\n]}}\n'


def to_csv(book: Book) -> str:
    """A book as CSV: a head of the fields of `Row`, one set a line; orders are separated by ``; ``, unknown
    values are empty."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows(book):
        writer.writerow(
            [
                csv_cell("; ".join(value))
                if isinstance(value, tuple)
                else int(value)
                if isinstance(value, bool)
                else ""
                if value is None
                else csv_cell(value)
                for value in row
            ]
        )
    return text.getvalue()
