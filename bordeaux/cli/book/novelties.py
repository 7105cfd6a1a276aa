"""``bordeaux book novelties``: sets that the engine prefers and nobody plays."""

from __future__ import annotations

import click

from bordeaux.cli.book.options import book_option
from bordeaux.cli.options import json_option, share, whole
from bordeaux.openings.book import Book
from bordeaux.openings.novelties import ENOUGH, novelties
from bordeaux.report.layout import Phrases
from bordeaux.report.listing import percent
from bordeaux.report.output import print_json, print_table, print_text, table

__all__ = ["command"]

LISTED = 20
MOST_LISTED = 100_000


@click.command("novelties")
@book_option
@click.option("--power", metavar="P", default="", help="Only sets of this power.")
@click.option(
    "--least", type=share, metavar="X", default=0.05, show_default=True, help="Least share of the engine."
)
@click.option(
    "--most", type=share, metavar="X", default=0.0, show_default=True, help="Most that people play it."
)
@click.option(
    "--games",
    type=whole(1, MOST_LISTED),
    metavar="N",
    default=ENOUGH,
    show_default=True,
    help="Only where so many games came.",
)
@click.option(
    "--limit",
    type=whole(1, MOST_LISTED),
    metavar="N",
    default=LISTED,
    show_default=True,
    help="Sets that are listed.",
)
@json_option
def command(book: Book, power: str, least: float, most: float, games: int, limit: int, as_json: bool) -> None:
    """List sets that the engine prefers and nobody plays, at the positions that it searched.

    Gain is the engine's value over that of the set that people play most there, in points.

    \b
    Examples:
      bordeaux book novelties
      bordeaux book novelties --power AUSTRIA --most 0.01 --json
    """
    found = novelties(book, least, most, power, games)
    if as_json:
        print_json(
            {
                "novelties": [
                    {
                        **each.row.to_json(),
                        "gain": each.gain,
                        "usual": list(each.usual.orders) if each.usual else None,
                    }
                    for each in found[:limit]
                ],
                "all": len(found),
            }
        )
        return
    if not found:
        print_text(
            "No novelties: what the engine prefers is played, or nothing was searched where people play."
        )
        return
    heads = ("engine", "played", "value", "gain")
    made = table("power", "phase", "orders", *heads, "people play", numbers=heads)
    for each in found[:limit]:
        made.add_row(
            each.row.power,
            each.row.phase,
            Phrases(each.row.orders),
            percent(each.row.probability or 0.0),
            percent(each.row.share or 0.0),
            "" if each.row.value is None else f"{each.row.value:.1f}",
            "" if each.gain is None else f"{each.gain:+.1f}",
            Phrases(each.usual.orders if each.usual else ()),
        )
    print_table(f"{len(found)} novelties", made)
