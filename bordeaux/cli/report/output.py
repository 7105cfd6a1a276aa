"""Results on standard output: JSON for programs, tables for people.

Readable output goes through rich, which omits colours if standard output is not a terminal or NO_COLOR is
set; `bordeaux --color` overrides both. Text from files is never interpreted as markup.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import IO, Any

import click
from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from bordeaux.board.cleaning import clean, json_line
from bordeaux.board.position import Position
from bordeaux.cli.report.layout import fitted

__all__ = ["print_json", "print_position", "print_table", "print_text", "table"]

PLAIN_WIDTH = 160
"""Columns of a table where there is no terminal to measure."""


class Output(Console):
    """A console on which text is only text: control sequences are escaped.

    It leaves a broken pipe to `bordeaux.cli.program`; rich itself would exit with 1.
    """

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The pieces of something to print, each of them cleaned; only our own control sequences are kept."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            if control or text.isprintable():
                yield segment
            else:
                yield Segment(clean(text, lines=True), style)

    def on_broken_pipe(self) -> None:
        """Called while BrokenPipeError is handled: let it propagate."""
        raise BrokenPipeError


def console(stream: IO[str] | None = None) -> Console:
    """A console on `stream`, by default standard output, that prints text unchanged."""
    stream = stream or sys.stdout
    width = None if stream.isatty() or os.environ.get("COLUMNS") else PLAIN_WIDTH
    context = click.get_current_context(silent=True)
    colour = context.color if context is not None else None
    return Output(
        file=stream,
        width=width,
        markup=False,
        highlight=False,
        emoji=False,
        force_terminal=colour or None,
        no_color=None if colour is None else not colour,
    )


def print_json(value: Any) -> None:
    """Print `value` as JSON on one line."""
    click.echo(json_line(value))


def print_text(text: str = "", style: str = "") -> None:
    """Print one line of text."""
    console().print(Text(text, style=style))


def table(*columns: str, numbers: Iterable[str] = ()) -> Table:
    """An empty table; `numbers` names the right-aligned columns."""
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    right = set(numbers)
    for column in columns:
        figures = column in right
        made.add_column(column, justify="right" if figures else "left", overflow="fold", no_wrap=figures)
    return made


def print_table(heading: str, made: RenderableType) -> None:
    """Print something that is laid out in columns under its heading.

    Trailing blanks of lines are removed where they are invisible.
    """
    shown = console()
    if isinstance(made, Table):
        made = fitted(made, shown)
    shown.print(Text(heading, style="bold"))
    if shown.is_terminal:
        shown.print(made)
        return
    with shown.capture() as captured:
        shown.print(made)
    for line in captured.get().splitlines():
        shown.out(line.rstrip(), highlight=False)


def print_position(position: Position) -> None:
    """Print the units and centres of every power that has some, below the phase."""
    made = table("power", "units", "centres")
    for power in position.map.powers:
        dislodged = [f"*{unit}" for unit, _ in position.dislodged if unit.power == power]
        units = [*map(str, position.units_of(power)), *dislodged]
        centres = position.centres.get(power, ())
        if units or centres:
            made.add_row(power, ", ".join(units), f"{len(centres)}: {' '.join(centres)}")
    print_table(f"Then: {position.phase}", made)
    if position.phase.kind == "-" and position.victor:
        print_text(f"{position.victor} has won.", style="bold")
