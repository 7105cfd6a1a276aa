"""``bordeaux legal``: every legal order, by the location of its unit."""

from __future__ import annotations

import click

from bordeaux.board.map import Map
from bordeaux.cli.options import json_option, position_options
from bordeaux.cli.report.output import print_json, print_table, print_text, table
from bordeaux.formats.load import read_position
from bordeaux.rules import legal_orders


@click.command("legal")
@position_options
@click.option("--power", metavar="P", help="Only the orders of this power; all without it.")
@json_option
def command(position: str, phase: str | None, board: Map | None, power: str | None, as_json: bool) -> None:
    """List the legal orders in POSITION.

    \b
    Examples:
      bordeaux legal start --power ITALY
      bordeaux legal game.json --phase F1902R --json
      bordeaux legal start --map gulfs
    """
    where = read_position(position, phase=phase, map=board)
    wanted = None if power is None or power.strip().lower() == "all" else where.map.power(power)
    orders = legal_orders(where, wanted)
    if as_json:
        print_json(orders)
        return
    total = sum(map(len, orders.values()))
    whose = wanted or "all powers"
    if not total:
        whom = "No power has" if wanted is None else f"{wanted} has no"
        print_text(f"{whom} orders to give in {where.phase}.")
        return
    made = table("location", "orders")
    for location, choices in orders.items():
        made.add_row(location, "\n".join(choices), end_section=True)
    print_table(f"{where.phase}, {whose}: {total} legal orders", made)
