"""``bordeaux book name``: the name of a set of first orders."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from bordeaux.board.errors import BordeauxError, FormatError, OrderError, quote
from bordeaux.board.errors import name_of as source_name
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.position import Position
from bordeaux.cli.options import json_option
from bordeaux.cli.report import NO
from bordeaux.cli.report.output import print_json, print_text
from bordeaux.formats.games import game_from_json
from bordeaux.formats.order_sheet import orders_in
from bordeaux.formats.source import open_source, parse_json, read_text
from bordeaux.openings.names import alliances_of, beginnings, name_of, nearest


@click.command("name")
@click.argument("orders", metavar="ORDER...|FILE", nargs=-1, required=True)
@json_option
def command(orders: tuple[str, ...], as_json: bool) -> int | None:
    """Say what a set of first orders is called.

    The orders are those of Spring 1901, of one power or of several; or they stand in a FILE: a saved game, or
    {"POWER": ["A PAR H", ...]} in JSON; - is standard input. A set has the name of an opening if all its
    orders are given; else the nearest opening is told. The exit code is 1 where nothing has a name.

    \b
    Examples:
      bordeaux book name "A PAR - BUR" "A MAR S A PAR - BUR" "F BRE - MAO"
      bordeaux book name game.json
    """
    start = Position.start(Map.standard())
    if len(orders) == 1 and (orders[0] == "-" or Path(orders[0]).is_file()):
        given = from_file(orders[0], start)
    else:
        given = from_arguments(orders, start)
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


def from_arguments(texts: tuple[str, ...], start: Position) -> dict[str, list[str]]:
    """Orders by power. Raises OrderError."""
    given: dict[str, list[str]] = {}
    for text in texts:
        order = parse_order(text, start.map, start)
        unit = start.unit_at(order.location.partition("/")[0])
        if unit is None:
            raise OrderError(f"order {quote(text)}: no unit stands there in {start.phase}")
        given.setdefault(unit.power, []).append(str(order))
    return in_order(given, start)


def from_file(path: str, start: Position) -> dict[str, list[str]]:
    """Orders by power from a saved game or a file of orders. Raises FormatError, MapError, OrderError."""
    with open_source(path) as handle:
        try:
            text = read_text(handle)
            document = parse_json(text) if text.lstrip()[:1] == "{" else None
            if isinstance(document, dict) and "phases" in document:
                game = game_from_json(document)
                return in_order(game.phases[game.index(str(start.phase))].orders, start)
            read = orders_in(text, start)
        except BordeauxError as error:
            kind = type(error) if isinstance(error, BordeauxError) else FormatError
            raise kind(f"{source_name(path)}: {error}") from None
    return in_order({power: [str(order) for order in sent] for power, sent in read.items()}, start)


def in_order(given: Mapping[str, list[str]], start: Position) -> dict[str, list[str]]:
    """The same in the order of the map, without powers that sent no orders."""
    by_power = {start.map.power(name): sent for name, sent in given.items()}
    return {power: by_power[power] for power in start.map.powers if by_power.get(power)}
