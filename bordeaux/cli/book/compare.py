"""``bordeaux book compare``: two books, or a book and a collection of games."""

from __future__ import annotations

from collections.abc import Iterable

import click

from bordeaux.cli.book.options import STANDARD, book_name, book_option
from bordeaux.cli.options import json_option, processes_option, whole
from bordeaux.jobs.cores import available_cores
from bordeaux.openings.book import Book
from bordeaux.openings.bookfile import is_book
from bordeaux.openings.making.comparison import Difference, collect_games, compare, compare_games
from bordeaux.report.layout import Phrases
from bordeaux.report.listing import percent
from bordeaux.report.output import print_json, print_table, print_text, table
from bordeaux.report.progress import counting

__all__ = ["command"]

LISTED = 12
MOST_LISTED = 100_000


@click.command("compare")
@book_option
@click.argument("second", metavar="BOOK|GAMES")
@click.option("--power", metavar="P", default="", help="Only sets of this power.")
@click.option("--phase", metavar="NAME", default="", help="Only sets of this phase, like F1901M.")
@click.option(
    "--limit",
    type=whole(1, MOST_LISTED),
    metavar="N",
    default=LISTED,
    show_default=True,
    help="Sets in each list.",
)
@processes_option("Processes that read games.  [default: one a core]")
@json_option
def command(
    book: Book, second: str, power: str, phase: str, limit: int, processes: int | None, as_json: bool
) -> None:
    """Compare a book with another one, or with recorded games.

    The other BOOK is a file, or the word standard for the one that comes with Bordeaux; GAMES is a file of
    saved games. Sets are listed by surprise: the bits by which the two ways to play differ there. Of games
    there are two lists, what people play that the engine dislikes, and the reverse; where the engine has not
    searched, the book stands for it.

    \b
    Examples:
      bordeaux book compare mine.jsonl
      bordeaux book compare games.jsonl.gz --book mine.jsonl --power AUSTRIA --limit 5
    """
    if power:
        power = book.map.power(power)
    if second == STANDARD or is_book(second):
        found = of_phase(compare(book, Book.named(second), power), phase)
        if as_json:
            print_json({"differences": [each.to_json() for each in found[:limit]], "all": len(found)})
        else:
            heading = f"{book_name()} against {second}: sets that differ: {len(found):,}"
            show(heading, found[:limit], ("first", "second"), books=True)
        return
    with counting("games") as counter:
        games, played = collect_games(second, book, processes or available_cores(), counter.update)
    found = of_phase(compare_games(book, played, power), phase)
    people = [each for each in found if each.second > each.first]
    engine = [each for each in found if each.second < each.first]
    if as_json:
        print_json(
            {
                "games": games,
                "people": [each.to_json() for each in people[:limit]],
                "engine": [each.to_json() for each in engine[:limit]],
            }
        )
        return
    print_text(f"{games:,} games, {len(found):,} sets at places that the book knows")
    show("People play it, the engine dislikes it", people[:limit], ("engine", "people"))
    show("The engine likes it, people do not play it", engine[:limit], ("engine", "people"))
    if any(not each.engine for each in (*people[:limit], *engine[:limit])):
        print_text("(b) not searched: the share is the book's, not the engine's")


def of_phase(found: Iterable[Difference], phase: str) -> list[Difference]:
    """The differences of one phase, or all."""
    wanted = phase.strip().upper()
    return [each for each in found if not wanted or each.place.phase == wanted]


def show(heading: str, found: Iterable[Difference], sides: tuple[str, str], books: bool = False) -> None:
    """Print a list of differences."""
    listed = list(found)
    numbers = [*sides, "games", "value", "value there", "loss", "bits"]
    heads = [head for head in numbers if head != ("games" if books else "value there")]
    made = table("power", "phase", "name", "orders", *heads, numbers=heads)
    for each in listed:
        cells = {
            sides[0]: percent(each.first) + ("" if each.engine or books else " (b)"),
            sides[1]: percent(each.second),
            "games": f"{each.games:,}",
            "value": points(each.value),
            "value there": points(each.second_value),
            "loss": points(each.loss),
            "bits": f"{each.surprise:.2f}",
        }
        made.add_row(
            each.place.power,
            each.place.phase,
            each.name,
            Phrases(each.orders),
            *(cells[head] for head in heads),
        )
    if listed:
        print_table(heading, made)
    else:
        print_text(f"{heading}: nothing")


def points(value: float | None) -> str:
    """Points of the evaluation; "" for None."""
    return "" if value is None else f"{value:.1f}"
