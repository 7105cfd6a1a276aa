"""``bordeaux evaluate``: the evaluation of a position for every power, term by term."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click
from rich.table import Table

from bordeaux.board.map import Map
from bordeaux.cli.options import evaluation_option, json_option, position_options
from bordeaux.cli.report.output import print_json, print_table, table
from bordeaux.evaluation import Evaluation, Prospects, evaluate, prospect
from bordeaux.formats.load import read_position

SHARES = ("share", "solo")


@click.command("evaluate")
@position_options
@evaluation_option
@click.option(
    "--shares",
    "shared",
    is_flag=True,
    help="Show what recorded games say of the end.",
)
@json_option
def command(
    position: str, phase: str | None, board: Map | None, evaluation: str | None, shared: bool, as_json: bool
) -> None:
    """Evaluate POSITION for every power.

    The value of a power is the sum of its weighted terms. An evaluation that only says what the ends of a
    search's rollouts are worth (prospect, centres, an .npz file) has the terms of hand. The expected end of
    the game is learnt from recorded games. It has a share (the power's squared centres divided by the sum
    of all squares; a solo counts 1) and the chance of a solo. The share is a softmax over powers; its terms
    are shown.

    \b
    Examples:
      bordeaux evaluate start
      bordeaux evaluate game.json --phase F1903M --shares
      bordeaux evaluate game.json --evaluation paper --json
    """
    where = read_position(position, phase=phase, map=board)
    evaluation = evaluation or "default"
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
    print_table(f"{where.phase}, {evaluation} evaluation", valued(where.map, values))
    if shared:
        print_table(f"{where.phase}, expected of the end", expected_end(where.map, expected))


def by_term(map: Map, ranked: Sequence[str], rows: Mapping[str, Mapping[str, str]], heads: int) -> Table:
    """A table with a row for each name and a column for each power, the best one first; a line below the
    first `heads` rows."""
    tags = [map.tags[power] for power in ranked]
    made = table("", *tags, numbers=tags)
    made.padding = 0
    for number, (name, cells) in enumerate(rows.items(), 1):
        made.add_row(name, *(cells.get(power, "") for power in ranked), end_section=number == heads)
    return made


def valued(map: Map, values: Mapping[str, Evaluation]) -> Table:
    """The values of the powers, and their terms."""
    ranked = sorted(values, key=lambda power: -values[power].value)
    rows = {"value": {power: points(value.value) for power, value in values.items()}}
    for power, value in values.items():
        for term, worth in value.terms.items():
            rows.setdefault(term, {})[power] = points(worth)
    return by_term(map, ranked, rows, 1)


def expected_end(map: Map, expected: Mapping[str, Prospects]) -> Table:
    """The expected results of the powers, and the terms of their shares."""
    ranked = sorted(expected, key=lambda power: -expected[power].share)
    rows = {name: {power: f"{getattr(of, name):.1%}" for power, of in expected.items()} for name in SHARES}
    for term in expected[ranked[0]].terms:
        rows[term] = {power: points(of.terms[term]) for power, of in expected.items()}
    return by_term(map, ranked, rows, len(SHARES))


def points(value: float) -> str:
    """A value in points; what is nearly 0 is not shown as ``-0.00``."""
    return f"{round(value, 2) + 0.0:.2f}"
