"""``bordeaux evaluate``: the evaluation of a position for every power, term by term."""

from __future__ import annotations

from collections.abc import Mapping

import click
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from bordeaux.board.map import Map
from bordeaux.cli.options import evaluation_option, json_option, map_option, phase_option, position_argument
from bordeaux.cli.report.output import console, print_json, print_table, table
from bordeaux.evaluation import Evaluation, Prospects, evaluate, prospect
from bordeaux.formats.load import read_position
from bordeaux.view.textmap import draw_shares

WIDEST = 105
"""Columns of the bar of shares at most."""
UNLIMITED = 10_000
"""Columns of a screen on which every table fits."""


@click.command("evaluate")
@position_argument
@phase_option
@map_option
@evaluation_option
@click.option(
    "--shares",
    "shared",
    is_flag=True,
    help="Show what recorded games say of the end, and a bar of the shares.",
)
@json_option
def command(
    position: str, phase: str | None, board: Map | None, evaluation: str, shared: bool, as_json: bool
) -> None:
    """Evaluate POSITION for every power.

    The value of a power is the sum of its weighted terms. The expected end of the game is learnt from
    recorded games. It has a share (the power's squared centres
    divided by the sum of all squares; a solo counts 1) and the chance of a solo. The share is a softmax
    over powers; its terms are shown.

    \b
    Examples:
      bordeaux evaluate start
      bordeaux evaluate game.json --phase F1903M --shares
      bordeaux evaluate game.json --evaluation paper --json
    """
    where = read_position(position, phase=phase, map=board)
    values = evaluate(where, evaluation)
    expected = prospect(where) if shared else {}
    if as_json:
        print_json(
            {
                power: {"value": value.value, "terms": dict(value.terms)}
                | ({"expected": expected[power]._asdict()} if shared else {})
                for power, value in values.items()
            }
        )
        return
    screen = console()
    made = by_power(values)
    if not fits(made, screen):
        made = by_term(where.map, values)
    print_table(f"{where.phase}, {evaluation} evaluation", made)
    if shared:
        made = expected_by_power(expected)
        if not fits(made, screen):
            made = expected_by_term(where.map, expected)
        print_table(f"{where.phase}, expected of the end", made)
        bar = {power: prospects.share for power, prospects in expected.items()}
        screen.print(draw_shares(where.map, bar, min(screen.width, WIDEST)), end="\n")


def fits(made: Table, screen: Console) -> bool:
    """Whether a table fits on the screen without a broken word."""
    return Measurement.get(screen, screen.options.update(max_width=UNLIMITED), made).maximum <= screen.width


def by_power(values: Mapping[str, Evaluation]) -> Table:
    """A row for each power, best first, with its value and its terms."""
    terms = list(dict.fromkeys(term for value in values.values() for term in value.terms))
    columns = ["value", *terms]
    made = table("power", *columns, numbers=columns)
    for power, value in sorted(values.items(), key=lambda item: -item[1].value):
        shown = [points(value.terms[term]) if term in value.terms else "" for term in terms]
        made.add_row(power, points(value.value), *shown)
    return made


def by_term(map: Map, values: Mapping[str, Evaluation]) -> Table:
    """The same for narrow screens: a row for each term, in whole points, without terms that are 0 for all."""
    terms = list(dict.fromkeys(term for value in values.values() for term, of in value.terms.items() if of))
    ranked = sorted(values, key=lambda power: -values[power].value)
    tags = [map.tags[power] for power in ranked]
    made = table("", *tags, numbers=tags)
    made.padding = 0
    made.add_row("value", *(f"{values[power].value:.0f}" for power in ranked), end_section=True)
    for term in terms:
        made.add_row(term, *(f"{values[power].terms.get(term, 0.0) + 0.0:.0f}" for power in ranked))
    return made


def expected_by_power(expected: Mapping[str, Prospects]) -> Table:
    """A row for each power, best first, with its expected result and the terms of its share."""
    terms = list(dict.fromkeys(term for prospects in expected.values() for term in prospects.terms))
    columns = ["share", "solo", *terms]
    made = table("power", *columns, numbers=columns)
    for power, prospects in sorted(expected.items(), key=lambda item: -item[1].share):
        shown = [f"{round(prospects.terms[term], 2) + 0.0:.2f}" for term in terms]
        made.add_row(power, f"{prospects.share:.1%}", f"{prospects.solo:.1%}", *shown)
    return made


def expected_by_term(map: Map, expected: Mapping[str, Prospects]) -> Table:
    """The same for narrow screens: a row for each term, in tenths."""
    ranked = sorted(expected, key=lambda power: -expected[power].share)
    tags = [map.tags[power] for power in ranked]
    made = table("", *tags, numbers=tags)
    made.padding = 0
    made.add_row("share", *(f"{expected[power].share:.0%}" for power in ranked))
    made.add_row("solo", *(f"{expected[power].solo:.0%}" for power in ranked), end_section=True)
    for term in expected[ranked[0]].terms:
        made.add_row(term, *(f"{round(expected[power].terms[term], 1) + 0.0:.1f}" for power in ranked))
    return made


def points(value: float) -> str:
    """A value in points; a term of 0 with a negative weight is not shown as ``-0.00``."""
    return f"{value + 0.0:.2f}"
