"""``bordeaux book compare``: two books, or a book and a collection of games."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import click

from bordeaux.board.formats.games import read_games
from bordeaux.board.formats.source import first_line, open_source
from bordeaux.board.phase import Phase
from bordeaux.cli.book.listing import percent
from bordeaux.cli.layout import Phrases
from bordeaux.cli.options import available_cores, json_option, processes_option, whole
from bordeaux.cli.output import print_json, print_table, print_text, table
from bordeaux.cli.progress import counting
from bordeaux.jobs.mapped import mapped
from bordeaux.openings.book import Book, phase_number
from bordeaux.openings.comparison import Difference, collect, compare, compare_games
from bordeaux.openings.traces import Trace, trace_of

__all__ = ["command"]

LISTED = 12
MOST_LISTED = 100_000
MARK = b'{"bordeaux book"'
"""What a book begins with."""
STANDARD = "standard"


@click.command("compare")
@click.argument("first", metavar="BOOK")
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
    first: str, second: str, power: str, phase: str, limit: int, processes: int | None, as_json: bool
) -> None:
    """Compare a book with another one, or with recorded games.

    A BOOK is a file, or the word standard for the one that comes with Bordeaux; GAMES is a file of saved
    games. Sets are listed by surprise: the bits by which the two ways to play differ there. Of games there
    are two lists, what people play that the engine dislikes, and the reverse; where the engine has not
    searched, the book stands for it.

    \b
    Examples:
      bordeaux book compare standard mine.jsonl
      bordeaux book compare standard games.jsonl.gz --power AUSTRIA --limit 5
    """
    book = opened(first)
    if power:
        power = book.map.power(power)
    if is_book(second):
        found = of_phase(compare(book, opened(second), power), phase)
        if as_json:
            print_json({"differences": [each.to_json() for each in found[:limit]], "all": len(found)})
        else:
            heading = f"{first} against {second}: sets that differ: {len(found):,}"
            show(heading, found[:limit], ("first", "second"), books=True)
        return
    games, traces = read(second, book, processes or available_cores())
    found = of_phase(compare_games(book, collect(traces), power), phase)
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


def opened(name: str) -> Book:
    """The book of a name on the command line. Raises BookError."""
    return Book.load(None if name == STANDARD else name)


def is_book(name: str) -> bool:
    """Whether a name is that of a book and not of a file of games, which standard input always is. Raises
    FormatError or OSError."""
    if name in (STANDARD, "-"):
        return name == STANDARD
    with open_source(name) as handle:
        return first_line(handle).startswith(MARK)


def read(path: str, book: Book, processes: int) -> tuple[int, list[Trace]]:
    """The number of games in a file, and what they say about the phases that the book reaches."""
    depth = depth_of(book)
    traces = []
    with (
        mapped(partial(trace_of, depth=depth, map=book.map), read_games(path), processes) as found,
        counting("games") as counter,
    ):
        for number, trace in enumerate(found, 1):
            traces.append(trace)
            counter.update(number)
    return len(traces), traces


def depth_of(book: Book) -> int:
    """How many phases from the start on the book knows, three a year."""
    phases = {node.phase for node in book} | {view.phase for view in book.views.values()}
    return 1 + max((phase_number(Phase.parse(phase), book.map.start_phase) for phase in phases), default=0)


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
    """Points of the evaluation; nothing for None."""
    return "" if value is None else f"{value:.1f}"
