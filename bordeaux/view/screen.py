"""A running game in a terminal: orders and results, standings, and the end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from bordeaux.board.cleaning import clean
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.daide.client.table import Ending, PlayedOrder, in_words
from bordeaux.view.textmap import colours_of

GAP = 2
BAR = "█"


class PackedTexts:
    """Short texts side by side, as many on a line as fit, without breaks within a text."""

    def __init__(self, texts: Iterable[Text]) -> None:
        self.texts = list(texts)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines."""
        line = Text()
        for text in self.texts:
            if line and line.cell_len + GAP + text.cell_len > options.max_width:
                yield line
                line = Text()
            line.append(" " * GAP if line else "")
            line.append_text(text)
        yield line

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Anything between the longest text and one line of all."""
        sizes = [text.cell_len for text in self.texts] or [0]
        most = sum(sizes) + GAP * (len(sizes) - 1)
        return Measurement(min(max(sizes), options.max_width), min(most, options.max_width))


def result_text(played: PlayedOrder) -> Text:
    """An order and its result: ``A PAR - BUR (bounced)``, failures in red."""
    order = played.order
    said = in_words(played.results, bool(order.target) or order.via)
    return Text(f"{order} ({said})", "red") if said else Text(str(order))


def draw_results(map: Map, played: Sequence[PlayedOrder]) -> RenderableType:
    """The orders of a phase with their results, power by power in the order of the map."""
    made = Table.grid(padding=(0, 2, 0, 0))
    made.add_column(no_wrap=True)
    made.add_column(ratio=1)
    colours = colours_of(map)
    for power in map.powers:
        texts = [result_text(result) for result in played if result.power == power]
        if texts:
            made.add_row(Text(power, style=f"bold {colours[power]}"), PackedTexts(texts))
    return made


def draw_standing(
    position: Position, before: Position | None = None, away: Collection[str] = ()
) -> RenderableType:
    """Every power with its centres, their change from `before`, its units, and whether it is `away`."""
    made = Table.grid(padding=(0, 2, 0, 0))
    for number in range(5):
        made.add_column(justify="right" if number in (1, 2) else "left", no_wrap=True)
    colours = colours_of(position.map)
    owned = position.centres
    for power in sorted(position.map.powers, key=lambda name: -len(owned.get(name, ()))):
        count = len(owned.get(power, ()))
        units = len(position.units_of(power)) + sum(
            dislodged.unit.power == power for dislodged in position.dislodged
        )
        change = 0 if before is None else count - len(before.centres.get(power, ()))
        state = "civil disorder" if power in away else "" if count or units else "out"
        made.add_row(
            Text(power, style=f"bold {colours[power]}" if count or units else "dim"),
            Text(str(count), style="bold"),
            Text(f"{change:+}" if change else "", style="green" if change > 0 else "red"),
            Text(BAR * count, style=colours[power]),
            Text(state or f"{units} unit{'' if units == 1 else 's'}", style="red" if state else "dim"),
        )
    return made


def draw_end(ending: Ending, map: Map) -> RenderableType:
    """The end of a game: every power with its centres and its player."""
    made = Table(box=None, pad_edge=False, header_style="")
    for column in ("power", "centres", "player", ""):
        made.add_column(column, justify="right" if column == "centres" else "left")
    colours = colours_of(map)
    shares = {"solo": "wins", "draw": "shares the draw"}
    for power in sorted(map.powers, key=lambda name: -ending.centres.get(name, 0)):
        result = shares.get(ending.kind, "") if power in ending.powers else ""
        made.add_row(
            Text(power, style=colours[power]),
            str(ending.centres.get(power, 0)),
            Text(clean(ending.names.get(power, ""))),
            Text(result, style="bold"),
        )
    return Group(Text(str(ending), style="bold"), made)
