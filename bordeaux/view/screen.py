"""A running game in a terminal: orders, results, standings and the end, as much as the window holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.layout import Layout
from rich.measure import Measurement
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from bordeaux.board.cleaning import clean
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.daide.client.table import Ending, PlayedOrder, in_words
from bordeaux.view.textmap import colours_of, draw_map, map_size

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
    """Every power with its centres, their change from `before`, and its units; `away` are those in civil
    disorder."""
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


#: The minimum width beside a map, and the width of the standings, in columns.
BESIDE = 46
#: The minimum number of lines for events.
NEWS = 4
#: The number of lines below a map from which on the results are shown there.
BELOW = 13


class ScreenScene(NamedTuple):
    """The contents of the screen: a line about the game, the position and the earlier one to compare with,
    and the last phases with their orders (the latest first). Also the powers in civil disorder, the events,
    and the time that is left ("" without a deadline)."""

    title: str
    position: Position | None = None
    before: Position | None = None
    last: Sequence[tuple[str, Sequence[PlayedOrder]]] = ()
    away: frozenset[str] = frozenset()
    news: Sequence[str] = ()
    clock: str = ""


def draw_screen(scene: ScreenScene, width: int, height: int) -> RenderableType:
    """The screen, exactly `width` by `height`: the map if it fits, the standings, the orders of the last
    phase, and the events. If the map does not fit, a line gives the necessary size."""
    whole, below, left, right = Layout(), Layout(), Layout(), Layout()
    heading = Layout(_heading(scene), size=1)
    if scene.position is None:
        whole.split_column(heading, Layout(_news(scene, height)))
        return whole
    size = map_size(scene.position.map)
    powers = len(scene.position.map.powers)
    standing = Layout(draw_standing(scene.position, scene.before, scene.away), size=powers)
    results = Layout(_results(scene))
    news = Layout(_news(scene, NEWS - 1), size=NEWS)
    if size is None or width < size[0] or height < size[1] + NEWS:
        why = [] if size is None else [Layout(_no_map(size, width, height), size=1)]
        whole.split_column(heading, *why, standing, results, news)
        return whole
    board = Layout(draw_map(scene.position), size=size[1])
    if width >= size[0] + BESIDE:
        left.size = size[0] + 2
        left.split_column(board, Layout(Text(" ")))
        right.split_column(standing, results, news)
        below.split_row(left, right)
        whole.split_column(heading, below)
    elif height >= size[1] + BELOW + 1:
        left.size = BESIDE
        left.split_column(standing, Layout(_news(scene, height)))
        below.split_row(left, results)
        whole.split_column(heading, board, below)
    else:
        line = Layout(_short_standing(scene.position), size=1)
        whole.split_column(heading, board, line, Layout(_news(scene, height - size[1] - 2, ruled=False)))
    return whole


def _no_map(size: tuple[int, int], width: int, height: int) -> Text:
    """Why there is no map: its size, and the available size."""
    needed = f"{size[0]} columns and {size[1] + NEWS} lines"
    text = f"(the board takes {needed}; here are {width} and {height})"
    return Text(text, style="dim", no_wrap=True, overflow="ellipsis")


def _heading(scene: ScreenScene) -> RenderableType:
    phase = "" if scene.position is None else str(scene.position.phase)
    made = Table.grid(expand=True)
    made.add_column(ratio=1, no_wrap=True)
    made.add_column(justify="right", no_wrap=True)
    made.add_row(Text(f" {scene.title}"), Text(f" {phase}  {scene.clock} " if scene.clock else f" {phase} "))
    made.style = "reverse"
    return made


def _results(scene: ScreenScene) -> RenderableType:
    parts: list[RenderableType] = []
    if scene.position is not None:
        for phase, played in scene.last:
            parts += [_rule(f"orders of {phase}"), draw_results(scene.position.map, played)]
    return Group(*parts) if parts else Text(" ")  # rich takes an empty group for none at all


def _news(scene: ScreenScene, lines: int, ruled: bool = True) -> RenderableType:
    shown = [Text(line, no_wrap=True, overflow="ellipsis") for line in scene.news[-lines:]] if lines else []
    return Group(*([_rule("news")] if ruled else []), *shown)


def _rule(title: str) -> Rule:
    return Rule(Text(title, style="dim"), align="left", style="dim")


def _short_standing(position: Position) -> Text:
    """All powers in one line, most centres first."""
    owned, colours = position.centres, colours_of(position.map)
    line = Text(no_wrap=True)
    for power in sorted(position.map.powers, key=lambda name: -len(owned.get(name, ()))):
        line.append(f"{position.map.tags[power]} ", style=f"bold {colours[power]}")
        line.append(f"{len(owned.get(power, ()))}   ")
    return line
