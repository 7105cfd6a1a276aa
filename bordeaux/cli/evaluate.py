"""``bordeaux evaluate``: what the evaluation thinks of every power, term by term."""

from __future__ import annotations

import click

from bordeaux.board.formats.load import read_position
from bordeaux.board.map import Map
from bordeaux.cli.options import evaluation_option, json_option, map_option, phase_option, position_argument
from bordeaux.cli.output import print_json, print_table, table
from bordeaux.evaluation import evaluate

__all__ = ["command"]


@click.command("evaluate")
@position_argument
@phase_option
@map_option
@evaluation_option
@json_option
def command(position: str, phase: str | None, board: Map | None, evaluation: str, as_json: bool) -> None:
    """Evaluate POSITION for every power.

    The terms of a power, already weighted, add up to its value.

    \b
    Examples:
      bordeaux evaluate start
      bordeaux evaluate game.json --evaluation paper --json
    """
    where = read_position(position, phase=phase, map=board)
    values = evaluate(where, evaluation)
    if as_json:
        print_json(
            {power: {"value": each.value, "terms": dict(each.terms)} for power, each in values.items()}
        )
        return
    terms = list(dict.fromkeys(term for each in values.values() for term in each.terms))
    made = table("power", "value", *terms, numbers=("value", *terms))
    for power, each in sorted(values.items(), key=lambda item: -item[1].value):
        shown = [points(each.terms[term]) if term in each.terms else "" for term in terms]
        made.add_row(power, points(each.value), *shown)
    print_table(f"{where.phase}, {evaluation} evaluation", made)


def points(value: float) -> str:
    """A value in points; a term that counts against a power is no ``-0.00`` when it is nothing."""
    return f"{value + 0.0:.2f}"
