"""Results on standard output: JSON for programs, tables for people.

Everything readable goes through rich, which leaves colours out when standard output is no terminal
or NO_COLOR is set. Text from files is never taken for markup.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import IO, Any

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bordeaux.board.position import Position

__all__ = ["print_json", "print_position", "print_table", "print_text", "table"]

PLAIN_WIDTH = 160
"""Columns of a table where there is no terminal to measure."""


def console(stream: IO[str] | None = None) -> Console:
    """A console on `stream`, standard output by default, that prints text as it stands."""
    stream = stream or sys.stdout
    width = None if stream.isatty() or os.environ.get("COLUMNS") else PLAIN_WIDTH
    return Console(file=stream, width=width, markup=False, highlight=False, emoji=False)


def print_json(value: Any) -> None:
    """Print `value` as JSON on one line."""
    click.echo(json.dumps(value, ensure_ascii=False))


def print_text(text: str = "", style: str = "") -> None:
    """Print one line of text."""
    console().print(Text(text, style=style))


def table(*columns: str, numbers: Iterable[str] = (), title: str | None = None) -> Table:
    """An empty table; `numbers` names the columns that stand to the right."""
    made = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False)
    right = set(numbers)
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return made


def print_table(made: Table) -> None:
    """Print a table."""
    console().print(made)


def print_position(position: Position) -> None:
    """Print the units and centres of every power that has some, and the phase above them."""
    made = table("power", "units", "centres", title=f"Next: {position.phase}")
    dislodged = {power: [f"*{lost.unit}" for lost in position.dislodged if lost.unit.power == power]
                 for power in position.map.powers}  # fmt: skip
    for power in position.map.powers:
        units = [*map(str, position.units_of(power)), *dislodged[power]]
        centres = position.centres.get(power, ())
        if units or centres:
            made.add_row(power, ", ".join(units), f"{len(centres)}: {' '.join(centres)}")
    print_table(made)
    if position.victor:
        print_text(f"{position.victor} has won.", style="bold")
