"""``bordeaux adjudicate``: the results of a phase's orders, and the next position."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.text import Text

from bordeaux.board.errors import FormatError
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.board.submission import Submitted, submit
from bordeaux.cli.options import json_option, position_options
from bordeaux.cli.report import NO, report
from bordeaux.cli.report.output import print_json, print_position, print_table, table
from bordeaux.formats.load import read_position
from bordeaux.formats.order_sheet import read_orders
from bordeaux.rules import Resolution, adjudicate
from bordeaux.rules.adjudication import as_taken, illegal_orders, order_results
from bordeaux.rules.rulesets import DATC, RULE_SETS, RuleSet, rules_named

STANDARD_INPUT = "-"
SUCCESS = "ok"


@click.command("adjudicate")
@position_options
@click.option(
    "--orders",
    "path",
    metavar="FILE",
    required=True,
    help='Orders as JSON, {"POWER": ["A PAR H", ...]}, or as text, FRANCE: A PAR H.',
)
@click.option("--lenient", is_flag=True, help="Leave out orders that cannot be read, with a note for each.")
@click.option(
    "--rules",
    metavar="NAME,...",
    default=DATC.name,
    callback=lambda context, option, text: rules_named(text),
    help=f"The rules, by name: {', '.join(RULE_SETS)}.  [default: {DATC.name}]",
)
@json_option
def command(
    position: str,
    phase: str | None,
    board: Map | None,
    path: str,
    lenient: bool,
    rules: RuleSet,
    as_json: bool,
) -> int | None:
    """Adjudicate orders in POSITION.

    The orders come from a FILE, or from standard input where that is -. Units without orders hold,
    disband or fall under civil disorder. Illegal orders are void; if there are any, the exit code
    is 1. An order that cannot be read is an error; with --lenient it is left out, with a note on
    standard error that names its line.

    The rules are those that DATC prefers. With daide, a convoy takes the shortest chain of fleets and fails
    if one of them is dislodged. With land-route, an army with VIA goes by land if there is no convoy. With
    keep-dislodged, units without a retreat wait for the retreat phase, as in the records of some programs.

    \b
    Examples:
      bordeaux adjudicate start --orders orders.json
      echo 'FRANCE: A PAR - BUR' | bordeaux adjudicate start --orders - --json
    """
    if position == path == STANDARD_INPUT:
        raise click.UsageError(
            "POSITION and --orders cannot both be read from standard input; give one of them as a file"
        )
    where = read_position(position, phase=phase, map=board)
    if where.phase.kind == "-":
        raise FormatError(f"{position}: the game is over, there is nothing to adjudicate; choose a --phase")
    orders = as_taken(where, read_orders(path, where, lenient=lenient), rules)
    submitted = submit(where, orders, given_routes=rules.given_routes).orders
    resolution = adjudicate(where, orders, rules)
    if as_json:
        print_json(
            {
                "results": resolution.results,
                "reasons": resolution.reasons,
                "by_power": {
                    power: {
                        unit: {"results": words, "reason": reason} for unit, (words, reason) in named.items()
                    }
                    for power, named in resolution.by_power.items()
                },
                "state": resolution.after.to_json(),
            }
        )
    else:
        print_resolution(where, submitted, resolution)
    illegal = illegal_orders(submitted, resolution)
    for line in illegal:
        report(f"illegal order of {line}")
    return NO if illegal else None


def print_resolution(position: Position, submitted: Sequence[Submitted], resolution: Resolution) -> None:
    """Print the results of the orders and units of every power, then the next position."""
    made = table("power", "order", "result", "why")
    for power, listed in order_results(position, submitted, resolution).items():
        for number, (text, words, reason) in enumerate(listed):
            result = Text(", ".join(words) or SUCCESS, style="red" if words else "green")
            made.add_row("" if number else power, text, result, reason, end_section=number == len(listed) - 1)
    print_table(str(position.phase), made)
    print_position(resolution.after)
