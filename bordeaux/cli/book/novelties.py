"""``bordeaux book novelties``: sets that the engine prefers and nobody plays."""

from __future__ import annotations

import click

from bordeaux.cli.book import book_option
from bordeaux.cli.options import count_option, json_option, share
from bordeaux.cli.report.output import Phrases, percent, print_json, print_table, print_text, table
from bordeaux.openings.book import Book
from bordeaux.openings.novelties import ENOUGH, Disagreement, novelties

LISTED = 20
MOST_LISTED = 100_000


@click.command("novelties")
@book_option
@click.option("--power", metavar="P", default="", help="Only sets of this power.")
@click.option(
    "--least",
    type=share,
    metavar="X",
    default=0.05,
    show_default=True,
    help="Least chance that the engine plays it.",
)
@click.option(
    "--most", type=share, metavar="X", default=0.0, show_default=True, help="Most that people play it."
)
@count_option("--games", between=(1, MOST_LISTED), default=ENOUGH, help="Only where so many games came.")
@count_option("--limit", between=(1, MOST_LISTED), default=LISTED, help="Sets that are listed.")
@json_option
def command(
    source: str, power: str, least: float, most: float, games: int, limit: int, as_json: bool
) -> None:
    """List sets that the engine prefers and nobody plays, the best one of each place that it searched: first
    what it prefers most to the set that people play most there. Result is what came of that set in games:
    the mean share of the squared centres, 1 for a solo.

    JSON has the position before each; where the others may stand anywhere, only what is the power's own.
    Gain is the engine's value over that of the set that people play most, in points of a hundred.

    \b
    Examples:
      bordeaux book novelties
      bordeaux book novelties --power AUSTRIA --most 0.01 --json
    """
    book = Book.named(source)
    disagreements = novelties(book, least, most, power, games)
    if as_json:
        print_json(
            {
                "novelties": [
                    {
                        **disagreement.row.to_json(),
                        "gain": disagreement.gain,
                        "usual": list(disagreement.usual.orders) if disagreement.usual else None,
                        "position": book.place(disagreement.row.key).to_json(),
                    }
                    for disagreement in disagreements[:limit]
                ],
                "all": len(disagreements),
            }
        )
        return
    if not disagreements:
        print_text(
            "No novelties: what the engine prefers is played, or nothing was searched where people play."
        )
        return
    heads = ("played", "score", "gain")
    made = table("power", "phase", "orders", *heads, "people play", "result", numbers=(*heads, "result"))
    for disagreement in disagreements[:limit]:
        usual = disagreement.usual
        made.add_row(
            disagreement.row.power,
            disagreement.row.phase,
            Phrases(disagreement.row.orders),
            percent(disagreement.row.share or 0.0),
            *figures(disagreement),
            Phrases(usual.orders if usual else ()),
            "" if usual is None or usual.score is None else percent(usual.score),
        )
    print_table(f"{len(disagreements)} novelties", made)


def figures(disagreement: Disagreement) -> tuple[str, str]:
    """The value of a set, and that over the set that is played most; "" where they are unknown."""
    value, gain = disagreement.row.value, disagreement.gain
    return "" if value is None else percent(value), "" if gain is None else f"{100 * gain:+.1f}"
