"""The screen of a person who watches a game: which parts are shown in the available space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.layout import Layout
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from bordeaux.board.position import Position
from bordeaux.daide.client.table import PlayedOrder
from bordeaux.view.textmap import colours_of, draw_map, map_size
from bordeaux.view.turns import draw_results, draw_standing

__all__ = ["ScreenScene", "draw_screen"]

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
    whole = Layout()
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
        under = height - 1 - size[1]
        left, right, below = Layout(size=size[0] + 2), Layout(), Layout()
        if under >= NEWS:
            left.split_column(board, Layout(_news(scene, under - 1)))
            right.split_column(standing, results)
        else:
            left.split_column(board, Layout(Text(" ")))
            right.split_column(standing, results, news)
        below.split_row(left, right)
        whole.split_column(heading, below)
    elif height >= size[1] + BELOW + 1:
        below, left = Layout(), Layout(size=BESIDE)
        left.split_column(standing, Layout(_news(scene, height)))
        below.split_row(left, results)
        whole.split_column(heading, board, below)
    else:
        line = Layout(_short_standing(scene.position), size=1)
        rest = height - size[1] - 2
        whole.split_column(heading, board, line, Layout(_news(scene, rest, ruled=False)))
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
