"""``bordeaux board``: a position as a picture."""

from __future__ import annotations

import sys

import click

from bordeaux.board.errors import BordeauxError, name_of
from bordeaux.board.map import Map
from bordeaux.cli.options import json_option, position_options, whole
from bordeaux.cli.report.output import check_place, print_result, write_whole
from bordeaux.formats.load import read_played, read_record
from bordeaux.formats.order_sheet import read_orders
from bordeaux.rules import adjudicate
from bordeaux.rules.replay import played_phases
from bordeaux.view.board import LEAST_SIZE, MOST_SIZE, WIDTH, gif, svg
from bordeaux.view.board.heat import HEATS, heat_of, leaders_of
from bordeaux.view.board.paint import STYLES
from bordeaux.view.palette import THEMES
from bordeaux.view.svg import png

STANDARD_STREAM = "-"
MOST_PNG = 8000
"""Pixels: above, a picture takes minutes and gigabytes."""
MOST_GIF = 2000


@click.command("board")
@position_options
@click.option(
    "--orders",
    "path",
    metavar="FILE",
    help="Orders to draw, as for adjudicate; with --results alone those of the saved game.",
)
@click.option("--results", "judged", is_flag=True, help="Adjudicate the orders and cross those that fail.")
@click.option("--heat", type=click.Choice(list(HEATS)), help="Colour provinces by this value.")
@click.option("--power", metavar="P", help="Whose orders and heat to draw; else those of all powers.")
@click.option("--size", type=whole(LEAST_SIZE, MOST_SIZE), metavar="PIXELS", help="Width of the picture.")
@click.option(
    "--style",
    type=click.Choice([s for s in STYLES if s != "bare"]),
    default="auto",
    show_default=True,
    help="Light, dark, or as the reader prefers.",
)
@click.option(
    "--theme",
    type=click.Choice(list(THEMES)),
    default="calm",
    show_default=True,
    help="Colours of the board.",
)
@click.option("--patterns", is_flag=True, help="Owned land has patterns too, not colours alone.")
@click.option(
    "--out",
    metavar="FILE",
    required=True,
    help="A name in .svg or .png, in .gif for a whole game, or - for SVG on standard output.",
)
@json_option
def command(
    position: str,
    phase: str | None,
    board: Map | None,
    path: str | None,
    judged: bool,
    heat: str | None,
    power: str | None,
    size: int | None,
    style: str,
    theme: str,
    patterns: bool,
    out: str,
    as_json: bool,
) -> None:
    """Draw POSITION as a picture.

    Moves are arrows, supports and convoys lines to the arrow that they help, holds rings. With --results
    failed orders are broken and crossed. Dislodged units stand beside their provinces. Any map can be drawn;
    the standard one has a picture of its own. A name in .gif gives the whole game up to its phase, with
    orders and results. PNG and GIF need the extra bordeaux-diplomacy[png].

    \b
    Examples:
      bordeaux board start --out start.svg
      bordeaux board game.json --phase F1903M --orders orders.json --results --out fall.png --size 2000
      bordeaux board start --heat people --power FRANCE --out -
      bordeaux board game.json --out game.gif
    """
    form = "svg" if out == STANDARD_STREAM else out.rpartition(".")[2].lower()
    if form not in ("svg", "png", "gif"):
        raise BordeauxError(f"--out: {out} ends in none of .svg, .png and .gif; name a file that does, or -")
    if out != STANDARD_STREAM:
        check_place(out, "--out")
    elif as_json:
        raise click.UsageError(
            "--json and the picture cannot both go to standard output; name a file in --out"
        )
    if position == path == STANDARD_STREAM:
        raise click.UsageError("POSITION and --orders cannot both be read from standard input")
    most = {"png": MOST_PNG, "gif": MOST_GIF}.get(form, MOST_SIZE)
    if size is not None and size > most:
        raise click.UsageError(
            f"--size: a {form.upper()} is at most {most} pixels wide; larger ones are for SVG"
        )
    # Neither can follow what its reader prefers.
    style = "light" if form != "svg" and style == "auto" else style
    if form == "gif":
        if heat or path or power:
            raise click.UsageError("a GIF shows all orders of a game; leave out --heat, --orders and --power")
        phases = played_phases(read_record(position, phase, board), board)
        write(out, gif(phases, size or WIDTH, style, theme, patterns), form, as_json)
        return
    if power is not None and heat is None and path is None and not judged:
        raise click.UsageError("--power needs --heat, --orders or --results")
    where, played = read_played(position, phase=phase, map=board)
    if judged and path is None and not any(played.values()):
        raise BordeauxError(
            f"--results: {name_of(position)} has no orders of {where.phase}; give --orders FILE"
        )
    orders = read_orders(path, where) if path else played if judged else None
    results = adjudicate(where, orders).results if judged and orders is not None else None
    warmth = heat_of(where, heat, power) if heat else None
    leaders = leaders_of(where, heat, power) if heat else None
    if orders is not None and power is not None:
        name = where.map.power(power)
        orders = {name: orders.get(name, [])}
    picture = svg(
        where,
        orders,
        results,
        warmth,
        size=size,
        style=style,
        theme=theme,
        patterns=patterns,
        leaders=leaders,
    )
    if out == STANDARD_STREAM:
        sys.stdout.write(picture)
        return
    write(out, png(picture) if form == "png" else picture.encode(), form, as_json, str(where.phase))


def write(out: str, data: bytes, form: str, as_json: bool, phase: str | None = None) -> None:
    """Write a picture, and say so."""
    write_whole(out, data)
    value = {"file": out, "format": form, **({"phase": phase} if phase else {}), "bytes": len(data)}
    print_result(as_json, value, f"{out}: {len(data):,} bytes of {form}")
