"""``bordeaux adjudicate``: what becomes of a phase's orders, and the position after them."""

from __future__ import annotations

import click
from rich.text import Text

from bordeaux.board.errors import FormatError
from bordeaux.board.formats.load import read_position
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.cli.errors import NO, report
from bordeaux.cli.options import json_option, phase_option, position_argument
from bordeaux.cli.orderfile import read_orders
from bordeaux.cli.output import print_json, print_position, print_table, table
from bordeaux.rules import Resolution, adjudicate

__all__ = ["command"]

STANDARD_INPUT = "-"
SUCCESS = "ok"


@click.command("adjudicate")
@position_argument
@phase_option
@click.option(
    "--orders", "path", metavar="FILE", required=True, help='Orders as JSON: {"POWER": ["A PAR H", ...]}.'
)
@json_option
def command(position: str, phase: str | None, path: str, as_json: bool) -> int | None:
    """Adjudicate the orders of FILE (- for standard input) in POSITION.

    Units without orders hold, disband or fall under civil disorder. Illegal orders are void; if
    there are any, the exit code is 1.

    \b
    Examples:
      bordeaux adjudicate start --orders orders.json
      echo '{"FRANCE": ["A PAR - BUR"]}' | bordeaux adjudicate start --orders - --json
    """
    if position == path == STANDARD_INPUT:
        raise click.UsageError(
            "POSITION and --orders cannot both be read from standard input; give one of them as a file"
        )
    where = read_position(position, phase=phase)
    if where.phase.kind == "-":
        raise FormatError(f"{position}: the game is over, there is nothing to adjudicate; choose a --phase")
    orders = read_orders(path, where)
    resolution = adjudicate(where, orders)
    illegal = illegal_orders(where, orders, resolution)
    if as_json:
        print_json(
            {
                "results": resolution.results,
                "reasons": resolution.reasons,
                "state": resolution.next.to_json(),
            }
        )
    else:
        print_resolution(where, orders, resolution)
    for line in illegal:
        report(f"illegal order of {line}")
    return NO if illegal else None


def illegal_orders(position: Position, orders: dict[str, list[Order]], resolution: Resolution) -> list[str]:
    """One line for every order that a power may not give, or not that many of."""
    lines = [
        f"{each.power}: {each.order}: {each.fault}" for each in submit(position, orders).orders if each.fault
    ]
    if position.phase.kind == "A" and not lines:
        # Each is legal alone; only adjudication counts them.
        lines = [
            f"{unit}: {resolution.reasons[unit]}"
            for unit, words in resolution.results.items()
            if "void" in words
        ]
    return lines


def print_resolution(position: Position, orders: dict[str, list[Order]], resolution: Resolution) -> None:
    """Print for every power what became of its orders and units, then the position that follows."""
    key_of = {province(key): key for key in resolution.results}
    rows: dict[str, list[tuple[str, str]]] = {power: [] for power in position.map.powers}
    for power, given in orders.items():
        rows[power] += [(str(order), key_of.get(province(str(order)), "")) for order in given]
    ordered = {key for listed in rows.values() for _, key in listed}
    for unit in (*position.units, *(lost.unit for lost in position.dislodged)):
        if str(unit) not in ordered and str(unit) in resolution.results:
            rows[unit.power].append((str(unit), str(unit)))
    made = table("power", "order", "result", "why", title=f"{position.phase}")
    for power, listed in rows.items():
        for row, (text, key) in enumerate(listed):
            words = resolution.results.get(key, [])
            made.add_row(
                "" if row else power,
                text,
                Text(", ".join(words) or SUCCESS, style="red" if words else "green"),
                resolution.reasons.get(key, ""),
                end_section=row == len(listed) - 1,
            )
    print_table(made)
    print_position(resolution.next)


def province(text: str) -> str:
    """The province that an order, or the name of a unit, begins with: ``STP`` of ``F STP/SC H``."""
    words = text.split()
    return words[1].partition("/")[0] if len(words) > 1 else text
