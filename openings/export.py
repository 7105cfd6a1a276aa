"""A book for other programs, as JSON or CSV."""

from __future__ import annotations

import csv
import io
import json

from bordeaux.board.cleaning import csv_cell
from bordeaux.openings.book import COLUMNS, Book, rows


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
