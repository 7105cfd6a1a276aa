"""``bordeaux adjudicate``: what becomes of a phase's orders, and the position after them."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.text import Text

from bordeaux.board.convoys import convoy_route
from bordeaux.board.errors import FormatError
from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import Submitted, submit
from bordeaux.cli.errors import NO, report
from bordeaux.cli.options import json_option, map_option, phase_option, position_argument
from bordeaux.cli.orderfile import read_orders
from bordeaux.cli.output import print_json, print_position, print_table, table
from bordeaux.formats.load import read_position
from bordeaux.rules import Resolution, adjudicate
from bordeaux.rules.landroute import by_land
from bordeaux.rules.rulesets import DATC, RULE_SETS, RuleSet, rules_named

__all__ = ["command"]

STANDARD_INPUT = "-"
SUCCESS = "ok"
ADJUSTMENTS = (OrderKind.BUILD, OrderKind.DISBAND, OrderKind.WAIVE)


@click.command("adjudicate")
@position_argument
@phase_option
@map_option
@click.option(
    "--orders",
    "path",
    metavar="FILE",
    required=True,
    help='Orders as JSON, {"POWER": ["A PAR H", ...]}, or as text, FRANCE: A PAR H.',
)
@click.option(
    "--rules",
    metavar="NAME,...",
    default=DATC.name,
    callback=lambda context, option, text: rules_named(text),
    help=f"The rules, by name: {', '.join(RULE_SETS)}.  [default: {DATC.name}]",
)
@json_option
def command(
    position: str, phase: str | None, board: Map | None, path: str, rules: RuleSet, as_json: bool
) -> int | None:
    """Adjudicate orders in POSITION.

    The orders come from a FILE, or from standard input where that is -. Units without orders hold,
    disband or fall under civil disorder. Illegal orders are void; if there are any, the exit code
    is 1.

    The rules are those that DATC prefers. With daide convoys go by the shortest chain of fleets, all of
    which they need; with land-route an army walks where its VIA has no convoy; with keep-dislodged
    units that have no retreat wait for the retreat phase. Some programs keep records so.

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
    orders = by_rules(read_orders(path, where), where, rules)
    submitted = submit(where, orders, given_routes=rules.given_routes).orders
    resolution = adjudicate(where, orders, rules)
    if as_json:
        print_json(
            {
                "results": resolution.results,
                "reasons": resolution.reasons,
                "state": resolution.next.to_json(),
            }
        )
    else:
        print_resolution(where, submitted, resolution)
    illegal = illegal_orders(submitted, resolution)
    for line in illegal:
        report(f"illegal order of {line}")
    return NO if illegal else None


def by_rules(orders: dict[str, list[Order]], position: Position, rules: RuleSet) -> dict[str, list[Order]]:
    """The orders as the rules take them: with routes, or by land."""
    if rules.given_routes:
        return {power: [with_route(order, position) for order in given] for power, given in orders.items()}
    return by_land(position, orders) if rules.land_route else orders


def with_route(order: Order, position: Position) -> Order:
    """The order with the route that DAIDE asks of a convoyed move, and that text has no form for."""
    if not order.via or order.route:
        return order
    return order._replace(route=convoy_route(position, order.location, order.destination))


def outcome(each: Submitted, resolution: Resolution) -> tuple[list[str], str]:
    """Words and reason for one order."""
    if each.fault:
        return ["void"], f"void: {each.fault}"
    # Results stand under the unit as it is, which an order may name without its coast.
    keys = [key for key in resolution.results if province(key) == province(str(each.order))]
    key = next((key for key in keys if str(each.order).startswith(key)), keys[0])
    return resolution.results[key], resolution.reasons[key]


def illegal_orders(submitted: Sequence[Submitted], resolution: Resolution) -> list[str]:
    """One line for every order that a power may not give, or not that many of."""
    lines = []
    for each in submitted:
        words, reason = outcome(each, resolution)
        # A support or convoy may be void because another unit does something else: that is legal.
        if each.fault or ("void" in words and each.order.kind in ADJUSTMENTS):
            lines.append(f"{each.power}: {each.order}: {reason.removeprefix('void: ')}")
    return lines


def print_resolution(position: Position, submitted: Sequence[Submitted], resolution: Resolution) -> None:
    """Print for every power what became of its orders and units, then the position that follows."""
    rows: dict[str, list[tuple[str, list[str], str]]] = {power: [] for power in position.map.powers}
    ordered = set()
    for each in submitted:
        rows[each.power].append((str(each.order), *outcome(each, resolution)))
        ordered.add((each.power, province(str(each.order))))
    for unit in (*position.units, *(unit for unit, _ in position.dislodged)):
        key = str(unit)
        if key in resolution.results and (unit.power, unit.province) not in ordered:
            rows[unit.power].append((key, resolution.results[key], resolution.reasons[key]))
    made = table("power", "order", "result", "why")
    for power, listed in rows.items():
        for number, (text, words, reason) in enumerate(listed):
            result = Text(", ".join(words) or SUCCESS, style="red" if words else "green")
            made.add_row("" if number else power, text, result, reason, end_section=number == len(listed) - 1)
    print_table(str(position.phase), made)
    print_position(resolution.next)


def province(text: str) -> str:
    """The province that an order, or the name of a unit, begins with: ``STP`` of ``F STP/SC H``."""
    words = text.split()
    return words[1].partition("/")[0] if len(words) > 1 else text
