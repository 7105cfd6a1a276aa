"""``bordeaux book verify``: check that a book is valid."""

from __future__ import annotations

import click

from bordeaux.cli.book import book_option
from bordeaux.cli.options import json_option
from bordeaux.cli.report import NO
from bordeaux.cli.report.output import print_result
from bordeaux.cli.report.progress import waiting
from bordeaux.openings.book import Book, verify


@click.command("verify")
@book_option
@json_option
def command(source: str, as_json: bool) -> int | None:
    """Prove a book sound.

    All orders must be legal and in canonical form, the weights of a power sum to 1, and every position
    follow by the rules from another one of the book, back to the start. The exit code is 1 where not.

    \b
    Examples:
      bordeaux book verify
      bordeaux book verify --book mine.jsonl
    """
    book = Book.named(source)
    with waiting("verifying"):
        faults = list(verify(book))
    said = f"{len(book):,} positions and {len(book.views):,} views: {len(faults) or 'no'} faults"
    value = {"positions": len(book), "views": len(book.views), "faults": faults}
    print_result(as_json, value, "\n".join([*faults, said]))
    return NO if faults else None
