"""``bordeaux book export``: a book as JSON, CSV or an HTML report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from bordeaux.board.errors import BordeauxError
from bordeaux.cli.book import book_option
from bordeaux.cli.options import force_option, json_option
from bordeaux.cli.report.output import check_place, print_result, write_whole
from bordeaux.cli.report.progress import waiting
from bordeaux.openings.book import Book, to_csv, to_json
from bordeaux.view.book import report

FORMATS: dict[str, Callable[[Book], str]] = {"json": to_json, "csv": to_csv, "html": report}


@click.command("export")
@book_option
@click.option("--format", "form", type=click.Choice(sorted(FORMATS)), help="Else as the name of FILE ends.")
@click.option("--out", metavar="FILE", required=True, help="Where to write.")
@force_option
@json_option
def command(source: str, form: str | None, out: str, force: bool, as_json: bool) -> None:
    """Write a book as JSON, as CSV, or as an HTML report with tables and plots.

    The report is one file that needs nothing else. FILE appears whole or not at all.

    \b
    Examples:
      bordeaux book export --out book.html
      bordeaux book export --book mine.jsonl --format csv --out mine.csv
    """
    check_place(out, "--out", fresh=not force)
    chosen = form or out.rpartition(".")[2].lower()
    if chosen not in FORMATS:
        raise BordeauxError(f"--out: {out} ends in none of {', '.join(sorted(FORMATS))}; give --format")
    book = Book.named(source)
    with waiting(f"writing {chosen}"):
        title = f"Opening book: {Path(source).name.partition('.')[0]}"
        text = report(book, title) if chosen == "html" else FORMATS[chosen](book)
        write_whole(out, text)
    size = len(text.encode())
    value = {"file": out, "format": chosen, "bytes": size}
    print_result(as_json, value, f"{out}: {size:,} bytes of {chosen}")
