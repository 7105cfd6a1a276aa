"""Results on standard output: JSON for programs; for people tables that fit the window, with no word or
number broken."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

import click
from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Text

from bordeaux.board.cleaning import clean, json_line
from bordeaux.board.errors import BordeauxError
from bordeaux.board.position import Position

# If the columns do not fit side by side, long texts move to lines of their own below their row. If that is
# not enough, the columns are divided over several tables. Only a single word that is wider than the window
# is broken.

INDENT = 4
"""Columns by which a text on a line of its own stands behind its row."""
EDGE = 1
"""Columns that stay blank at the left of a table."""
LONG = 12
"""Columns from which on a text may go to a line of its own."""
LONGER = 24
"""Columns from which on a text goes there with others."""
UNLIMITED = 10_000
PLAIN = ("name", "orders", "set")
"""Headers of texts that need none on a line of their own."""


_UNIT = r"[AF] [A-Z]{3}(?:/[NSEW]C)?"
_ORDER = re.compile(
    rf"\b{_UNIT}(?: (?:[SC] {_UNIT}))?(?: (?:-|R) [A-Z]{{3}}(?:/[NSEW]C)?(?: VIA)?| [HBD]\b)?"
)
_JOINED = "\ue000"
"""Stands for a blank within an order while lines are broken."""


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


class Measured(NamedTuple):
    """A column with its cells, and its minimum and maximum width in characters (`least`, `most`); `long` says
    that its cells may be moved to lines of their own."""

    column: Column
    cells: list[RenderableType]
    least: int
    most: int
    long: bool


def fitted(made: Table, console: Console) -> RenderableType:
    """The table as it fits the window of `console`."""
    columns = [measured(column, console) for column in made.columns]
    width = console.width
    for column in columns:
        column.column.min_width = None
    if needed([column.most for column in columns], made) <= width:
        return made
    if needed([column.least for column in columns], made) > width:
        made.collapse_padding = True
    if needed([column.least for column in columns], made) <= width:
        share_out(columns, width - needed([0] * len(columns), made))
        return made
    below: list[int] = []
    for number in sorted(range(len(columns)), key=lambda number: -columns[number].least):
        kept = [column.least for place, column in enumerate(columns) if place not in below]
        if needed(kept, made) <= width:
            break
        if columns[number].long and len(kept) > 1:
            below.append(number)
    if below:
        # Where one goes, the other long ones go too, so that they stand together.
        rest = [place for place in range(len(columns)) if place not in below and place > 0]
        below += [place for place in rest if columns[place].long and columns[place].most >= LONGER]
    return dealt_out(made, columns, sorted(below), width)


def measured(column: Column, console: Console) -> Measured:
    """A column with its widths."""
    cells = list(column.cells)
    options = console.options.update(max_width=UNLIMITED, no_wrap=False)
    sizes = [Measurement.get(console, options, cell) for cell in (column.header, *cells)]
    most = max((size.maximum for size in sizes), default=0)
    # A figure is one word, and so is what stands in brackets behind it.
    least = most if column.no_wrap else max((size.minimum for size in sizes), default=0)
    return Measured(column, cells, least, most, not column.no_wrap and most >= LONG)


def needed(widths: Sequence[int], made: Table) -> int:
    """The width of a line with these columns, including separators and edges."""
    gap = 2 if made.collapse_padding else 3
    gap -= 1 if made.box is None else 0
    if made.padding[1] == made.padding[3] == 0:
        gap = 0 if made.box is None else 1
    edges = 0 if made.box is None or not made.show_edge else 2
    return sum(widths) + gap * max(0, len(widths) - 1) + edges


def share_out(columns: Sequence[Measured], room: int) -> None:
    """Give every column a width, `room` in all: what each needs, and the rest to the narrowest."""
    widths = [column.least for column in columns]
    rest = room - sum(widths)
    while rest > 0:
        short = [place for place, column in enumerate(columns) if widths[place] < column.most]
        if not short:
            break
        place = min(short, key=lambda place: widths[place])
        widths[place] += 1
        rest -= 1
    for column, width in zip(columns, widths, strict=True):
        column.column.width = width


def dealt_out(made: Table, columns: Sequence[Measured], below: Sequence[int], width: int) -> RenderableType:
    """Several tables with some of the columns each; the first column is in all. The columns `below` have
    lines of their own in the first table."""
    beside = [place for place in range(len(columns)) if place not in below]
    groups = list(grouped(made, columns, beside, width))
    parts: list[RenderableType] = []
    for number, group in enumerate(groups):
        parts += rows_of(made, columns, group, below if number == 0 else (), width)
    return Group(*parts)


def grouped(
    made: Table, columns: Sequence[Measured], beside: Sequence[int], width: int
) -> Iterator[list[int]]:
    """Columns in groups that fit, each with the first column if that is a text."""
    key = [beside[0]] if beside and not columns[beside[0]].column.no_wrap else []
    group = list(key)
    for place in beside[len(key) :]:
        if (
            len(group) > len(key)
            and needed([columns[index].least for index in (*group, place)], made) > width
        ):
            yield group
            group = list(key)
        group.append(place)
    yield group


def rows_of(
    made: Table, columns: Sequence[Measured], group: Sequence[int], below: Sequence[int], width: int
) -> Iterator[RenderableType]:
    """One table with the columns of a group, in which every row is followed by its texts `below`."""
    chosen = [columns[place] for place in group]
    share_out(chosen, width - needed([0] * len(chosen), made))
    # A first column of long names stands above its row, as it says whose row that is.
    above = [place for place in below if place == 0]
    part = part_of(made, chosen, header=True)
    part.show_edge = not below
    for row in range(len(made.rows)):
        if not below:
            add(part, made, chosen, row)
            continue
        if row == 0:
            yield Text()
            yield Padding(part, (0, 0, 0, EDGE), expand=False)
        for place in above:
            yield Padding(columns[place].cells[row], (0, 0, 0, EDGE), expand=False)
        single = part_of(made, chosen, header=False)
        add(single, made, chosen, row)
        yield Padding(single, (0, 0, 0, EDGE), expand=False)
        for place in below:
            if place not in above and str(columns[place].cells[row]):
                yield Padding(said(columns[place], row), (0, 0, 0, INDENT), expand=False)
    if below:
        yield Text()
    else:
        yield part


def said(column: Measured, row: int) -> RenderableType:
    """A cell on a line of its own, with the header of its column if necessary."""
    header = str(column.column.header)
    if not header or header in PLAIN:
        return column.cells[row]
    line = Table.grid(padding=(0, 1, 0, 0))
    line.add_column(no_wrap=True)
    line.add_column(overflow="fold")
    line.add_row(f"{header}:", column.cells[row])
    return line


def part_of(made: Table, chosen: Sequence[Measured], header: bool) -> Table:
    """An empty table with the style of `made`, and some of its columns."""
    part = Table(
        box=made.box if header else None,
        pad_edge=made.pad_edge,
        collapse_padding=made.collapse_padding,
        padding=made.padding,
        show_header=header,
        show_edge=made.show_edge,
    )
    if not header:
        # The blanks that the box would have drawn at the left edge and between the columns.
        part.padding = (0, needed([0, 0], made) - needed([0], made), 0, 0)
        part.pad_edge = False
    for fitted_column in chosen:
        column = fitted_column.column
        part.add_column(
            column.header if header else "",
            justify=column.justify,
            overflow="fold",
            no_wrap=column.no_wrap,
            width=column.width,
        )
    return part


def add(part: Table, made: Table, chosen: Sequence[Measured], row: int) -> None:
    """Add the cells of a row."""
    about = made.rows[row]
    part.add_row(
        *(fitted_column.cells[row] for fitted_column in chosen),
        style=about.style,
        end_section=about.end_section and part.box is not None,
    )


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


def print_prose(text: str) -> None:
    """Print sentences. Lines end between words, and never within an order."""
    unbroken = _ORDER.sub(lambda order: order[0].replace(" ", _JOINED), text)
    for line in textwrap.wrap(unbroken, console().width, break_long_words=False, break_on_hyphens=False):
        print_text(line.replace(_JOINED, " "))


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


def percent(value: float, digits: int = 1) -> str:
    """A share of 1 as per cent."""
    return f"{value:.{digits}%}"


LONGEST = 255
"""Bytes in the name of a file that systems take; that under which it is written first is longer."""


def check_place(path: str | None, option: str, *, fresh: bool = False) -> None:
    """Raise BordeauxError if a file of this name could not be written at the end, and with `fresh` if it
    exists already."""
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


def check_places(
    places: Mapping[str, str | None],
    fresh: Collection[str] = (),
    read: Mapping[str, str | None] | None = None,
) -> None:
    """Check the file of every option, by its name, as `check_place` does, with `fresh` for the given options.
    Also raises BordeauxError if two options name one file. `read` are options whose files are only read."""
    taken = {os.path.realpath(path): option for option, path in (read or {}).items() if path}
    for option, path in places.items():
        check_place(path, option, fresh=option in fresh)
        if path is not None and (first := taken.setdefault(os.path.realpath(path), option)) != option:
            raise BordeauxError(f"{option}: {path} is the file of {first} already; name another")


def write_whole(path: str, content: str | bytes) -> None:
    """Write a file atomically; a link is kept, and its target written."""
    from bordeaux.formats.whole_files import whole

    with whole(path) as part:
        part.write_bytes(content.encode() if isinstance(content, str) else content)
