"""Results on standard output: JSON for programs; for people tables that fit the window."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import IO, Any

import click
from rich import box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from bordeaux.board.cleaning import clean, json_line
from bordeaux.board.errors import BordeauxError
from bordeaux.board.position import Position

UNLIMITED = 10_000


class Phrases:
    """Texts in sequence, separated by semicolons; lines end between them, so that none that fits on a line is
    broken."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = list(texts)

    def __str__(self) -> str:
        return "; ".join(self.texts)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines."""
        line = ""
        for number, text in enumerate(self.texts, 1):
            more = text if number == len(self.texts) else f"{text};"
            if line and len(line) + 1 + len(more) > options.max_width:
                yield Text(line)
                line = ""
            line += (" " if line else "") + more
        yield Text(line)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Anything between the longest text and one line of all."""
        longest = max((len(text) + 1 for text in self.texts), default=0)
        return Measurement(min(longest, options.max_width), min(len(str(self)), options.max_width))


def fitted(made: Table, console: Console) -> Table:
    """The table with no word broken in the window of `console`; where the words have no room side by side,
    every row stands in lines of header and cell."""
    wide = console.options.update(max_width=UNLIMITED)
    sizes = [
        [Measurement.get(console, wide, cell) for cell in (column.header, *column.cells)]
        for column in made.columns
    ]
    most = [max(size.maximum for size in column) for column in sizes]
    least = [
        full if column.no_wrap else max(size.minimum for size in cells)
        for column, cells, full in zip(made.columns, sizes, most, strict=True)
    ]
    between = Measurement.get(console, wide, made).maximum - sum(most)
    room = console.width - between - sum(least)
    if room < 0:
        return in_lines(made)
    widths = list(least)
    while room and (short := [place for place, width in enumerate(widths) if width < most[place]]):
        widths[min(short, key=widths.__getitem__)] += 1
        room -= 1
    for column, width in zip(made.columns, widths, strict=True):
        column.width = width
    return made


def in_lines(made: Table) -> Table:
    """The cells of a table as lines of header and cell, row after row."""
    lines = Table.grid(padding=(0, 2, 0, 0))
    lines.add_column(no_wrap=True)
    lines.add_column(overflow="fold")
    for row in zip(*(column.cells for column in made.columns), strict=True):
        for column, cell in zip(made.columns, row, strict=True):
            if str(cell):
                lines.add_row(column.header, cell)
        lines.add_row()
    return lines


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
    columns = os.environ.get("COLUMNS")
    # Programs that do not know the width of their window say 0.
    width = None if (columns.strip("0") if columns else stream.isatty()) else PLAIN_WIDTH
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


def print_result(as_json: bool, value: Any, text: str) -> None:
    """Print a result, as JSON for programs or in words."""
    if as_json:
        print_json(value)
    else:
        print_text(text)


def print_text(text: str = "", style: str = "") -> None:
    """Print lines of text, as `print_shown` does."""
    print_shown(Text(text, style=style))


def table(*columns: str, numbers: Iterable[str] = ()) -> Table:
    """An empty table; `numbers` names the right-aligned columns."""
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    right = set(numbers)
    for column in columns:
        figures = column in right
        made.add_column(column, justify="right" if figures else "left", overflow="fold", no_wrap=figures)
    return made


def print_table(heading: str, made: RenderableType) -> None:
    """Print something that is laid out in columns under its heading."""
    screen = console()
    screen.print(Text(heading, style="bold"))
    print_shown(fitted(made, screen) if isinstance(made, Table) else made)


def print_shown(shown: RenderableType) -> None:
    """Print, without trailing blanks of lines where they are invisible. There a line of text stays one line,
    for programs that read line by line."""
    screen = console()
    if screen.is_terminal:
        screen.print(shown)
        return
    with screen.capture() as captured:
        screen.print(shown, soft_wrap=isinstance(shown, Text))
    for line in captured.get().splitlines():
        screen.out(line.rstrip(), highlight=False)


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


def plural(count: int, what: str) -> str:
    """A number of things, such as ``1 phase`` and ``1,200 phases``."""
    return f"{count:,} {what}{'s' * (count != 1)}"


def percent(value: float, digits: int = 1) -> str:
    """A share of 1 as per cent."""
    return f"{value:.{digits}%}"


LONGEST = 255
"""Bytes in the name of a file that systems take; that under which it is written first is longer."""


def check_place(path: str | None, option: str, *, fresh: bool = False) -> None:
    """Raise BordeauxError if a file of this name could not be written at the end, if the command line names
    it as a file to read too, and with `fresh` if it exists already."""
    if path is None:
        return
    if "\0" in path or not path:
        raise BordeauxError(f"{option}: {path!r} is not a file name")
    from bordeaux.formats.whole_files import beside

    target = Path(os.path.realpath(path))
    if target.name and len(os.fsencode(beside(target).name)) > LONGEST:
        raise BordeauxError(f"{option}: {path} cannot be written: its name is too long")
    if target.is_dir() or path.endswith(("/", os.sep)):
        raise BordeauxError(f"{option}: {path} is a folder; name a file")
    if target.exists() and not target.is_file():
        # A device or pipe would be lost, as files are written beside their place and moved there.
        raise BordeauxError(f"{option}: {path} is no ordinary file; name one")
    if (reader := _reader_of(target, option)) is not None:
        raise BordeauxError(f"{option}: {path} is the file of {reader} already; name another")
    if fresh and target.exists():
        raise BordeauxError(f"{option}: {path} is there already; name another file, or add --force")
    if not target.parent.is_dir():
        raise BordeauxError(f"{option}: there is no folder {target.parent}; make it first")
    # Rights say too little, of read-only systems and to who may all: only trying tells.
    probe = beside(target)
    try:
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise BordeauxError(f"{option}: {path} cannot be written: {error.strerror}") from None


def _reader_of(target: Path, option: str) -> str | None:
    """The other option or argument of the command line that names an existing file, if one does."""
    context = click.get_current_context(silent=True)
    if context is None or not target.exists():
        return None
    for parameter in context.command.params:
        name = parameter.opts[0] if isinstance(parameter, click.Option) else parameter.human_readable_name
        given = context.params.get(parameter.name or "")
        for value in given if isinstance(given, tuple) else (given,):
            same = isinstance(value, str) and "\0" not in value and os.path.realpath(value) == str(target)
            if same and option not in (name, *parameter.opts):
                return name
    return None


def check_places(places: Mapping[str, str | None], fresh: Collection[str] = ()) -> None:
    """Check the file of every option, by its name, as `check_place` does, with `fresh` for the given options.
    Also raises BordeauxError if two options name one file."""
    taken: dict[str, str] = {}
    for option, path in places.items():
        check_place(path, option, fresh=option in fresh)
        if path is not None and (first := taken.setdefault(os.path.realpath(path), option)) != option:
            raise BordeauxError(f"{option}: {path} is the file of {first} already; name another")


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file atomically; a link is kept, and its target written."""
    from bordeaux.formats.whole_files import whole

    with whole(path) as part:
        part.write_bytes(content.encode() if isinstance(content, str) else content)
