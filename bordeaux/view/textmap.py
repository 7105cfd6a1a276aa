"""A board in characters, for a terminal."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.view.board.geometry import drawing_of
from bordeaux.view.palette import TERMINAL

WORD = re.compile(r"\S+")


def draw_board(position: Position, width: int | None = None) -> RenderableType:
    """The map above a table of the powers with their centres and units.

    If there is no drawing of the map, or if it is wider than `width` columns, a line says so.
    """
    parts: list[RenderableType] = [Text(str(position.phase), style="bold"), power_table(position)]
    columns, places = _drawing(position.map)
    if set(places) == {province.name for province in position.map.provinces}:
        if width is None or width >= columns:
            parts.insert(1, draw_map(position))
        else:
            parts.append(Text(f"(in {columns} columns there is room for the map)", style="dim"))
    return Group(*parts)


def draw_map(position: Position) -> Text:
    """The board of the standard map.

    Supply centres are in capitals, coloured by their owner. A unit follows its province: its kind, and the
    first letter of its power in lower case; ``!`` marks a dislodged one.
    """
    map = position.map
    colours = colours_of(map)
    owners = position.owner_of
    standing = {unit.province: unit for unit in position.units}
    dislodged = {driven_out.unit.province: driven_out.unit for driven_out in position.dislodged}
    rows: dict[int, list[tuple[int, Text]]] = {}
    for name, (column, row) in _drawing(map)[1].items():
        unit = standing.get(name)
        owner = owners.get(name)
        tag = unit.location if unit else name
        label = Text(tag if name in owners else tag.lower(), style=colours[owner] if owner else "")
        for piece, mark in ((unit, ""), (dislodged.get(name), "!")):
            if piece is not None:
                initial = map.tags[piece.power][0].lower()
                label.append(f" {piece.kind}{initial}{mark}", style=f"bold reverse {colours[piece.power]}")
        rows.setdefault(row, []).append((column, label))
    lines = [Text() for _ in range(max(rows) + 1)]
    for row, labels in rows.items():
        for column, label in sorted(labels, key=lambda item: item[0]):
            lines[row].append(" " * max(column - len(lines[row]), 1 if lines[row] else 0))
            lines[row].append_text(label)
    return Text("\n").join(lines)


def power_table(position: Position) -> Table:
    """Centres and units of every power that has some, most centres first."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    made.add_column("power")
    made.add_column("centres", justify="right")
    made.add_column("which", overflow="fold")
    made.add_column("units", overflow="fold")
    centres = position.centres
    colours = colours_of(position.map)
    for power in sorted(position.map.powers, key=lambda name: -len(centres.get(name, ()))):
        units = [f"{unit.kind} {unit.location}" for unit in position.units_of(power)]
        for unit, retreats in position.dislodged:
            if unit.power == power:
                units.append(f"*{unit.kind} {unit.location} (may go to {', '.join(retreats) or 'nowhere'})")
        owned = centres.get(power, ())
        if units or owned:
            row = Text(power, style=colours[power])
            made.add_row(row, str(len(owned)), " ".join(owned), ", ".join(units))
    return made


def colours_of(map: Map) -> dict[str, str]:
    """The colour of every power of a map."""
    return {power: TERMINAL[number % len(TERMINAL)] for number, power in enumerate(map.powers)}


@cache
def _drawing(map: Map) -> tuple[int, dict[str, tuple[int, int]]]:
    """The columns of the drawing of a map, and the column and row of every province, if it has one."""
    source = resources.files("bordeaux.view") / "data" / f"{drawing_of(map) or map.name}.toml"
    if not source.is_file():
        return 0, {}
    read = tomllib.loads(source.read_text("utf-8"))
    lines = enumerate(read["provinces"].splitlines())
    return read["columns"], {tag[0]: (tag.start(), row) for row, line in lines for tag in WORD.finditer(line)}
