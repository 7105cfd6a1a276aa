"""``bordeaux book name``: the name of a set of first orders."""

from __future__ import annotations

from typing import Any

import click

from bordeaux.board.errors import OrderError, quote
from bordeaux.board.notation import parse_order
from bordeaux.board.position import Position
from bordeaux.cli.options import json_option
from bordeaux.cli.report import NO
from bordeaux.cli.report.output import print_json, print_text
from bordeaux.openings.names import alliances_of, beginnings, name_of, nearest


@click.command("name")
@click.argument("orders", metavar="ORDER...", nargs=-1, required=True)
@json_option
def command(orders: tuple[str, ...], as_json: bool) -> int | None:
    """Say what a set of first orders is called.

    The orders are those of Spring 1901, of one power or of several. A set has the name of an opening if all
    its orders are given; else the nearest opening is told. The exit code is 1 where nothing has a name.

    \b
    Example:
      bordeaux book name "A PAR - BUR" "A MAR S A PAR - BUR" "F BRE - MAO"
    """
    given = by_power(orders, Position.start())
    names = {power: name_of(power, sent) for power, sent in given.items()}
    close = {power: nearest(power, sent) for power, sent in given.items() if names[power] is None}
    together = alliances_of(given)
    if as_json:
        answers: dict[str, Any] = {
            power: {
                "name": name,
                "nearest": dict(zip(("name", "share"), like, strict=True)) if like else None,
            }
            for power, name in names.items()
            for like in (close.get(power),)
        }
        print_json({"powers": answers, "alliances": together})
    else:
        for power, name in names.items():
            like = close.get(power)
            hint = f"; {like[1]:.0%} of the orders are those of {like[0]}" if like else ""
            if name is None and (more := beginnings(power, given[power])):
                hint = f"; with other orders of {power.title()} {', '.join(more)}"
            print_text(f"{power}: {name or 'no known opening'}{hint}")
        for alliance in together:
            print_text(f"together: {alliance}")
    return None if any(names.values()) or together else NO


def by_power(texts: tuple[str, ...], start: Position) -> dict[str, list[str]]:
    """Orders by power, in the order of the map. Raises OrderError."""
    given: dict[str, list[str]] = {power: [] for power in start.map.powers}
    for text in texts:
        order = parse_order(text, start.map, start)
        unit = start.unit_at(order.location.partition("/")[0])
        if unit is None:
            raise OrderError(f"order {quote(text)}: no unit stands there in {start.phase}")
        given[unit.power].append(str(order))
    return {power: sent for power, sent in given.items() if sent}
