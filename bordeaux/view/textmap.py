"""A board in characters, and shares of a whole as one bar, for a terminal."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.view.board.geometry import drawing_of
from bordeaux.view.palette import TERMINAL


def draw_board(position: Position, width: int | None = None) -> RenderableType:
    """The map above a table of the powers with their centres and units.

    If there is no drawing of the map, or if it is wider than `width` columns, a line says so.
    """
    parts: list[RenderableType] = [Text(str(position.phase), style="bold")]
    size = map_size(position.map)
    fits = size is not None and (width is None or width >= size[0])
    if fits:
        parts.append(draw_map(position))
    parts.append(power_table(position))
    if size is not None and not fits:
        parts.append(Text(f"(in {size[0]} columns there is room for the map)", style="dim"))
    return Group(*parts)


def map_size(map: Map) -> tuple[int, int] | None:
    """Columns and lines of the drawing of a map; None for a map without one."""
    places = _places(_name(map))
    if not places or set(places) != {province.name for province in map.provinces}:
        return None
    return _columns(_name(map)), 1 + max(row for _, row in places.values())


def draw_map(position: Position) -> Text:
    """The board of the standard map.

    Supply centres are in capitals, coloured by their owner. A unit follows its province: its kind, and the
    first letter of its power in lower case; ``!`` marks a dislodged one.
    """
    map = position.map
    colours = colours_of(map)
    owners = dict(zip(map.centres, position.owners, strict=True))
    standing = {unit.province: unit for unit in position.units}
    dislodged = {driven_out.unit.province: driven_out.unit for driven_out in position.dislodged}
    rows: dict[int, list[tuple[int, Text]]] = {}
    for name, (column, row) in _places(_name(map)).items():
        unit = standing.get(name)
        owner = owners.get(name)
        tag = unit.location if unit else name
        label = Text(tag if name in owners else tag.lower(), style=colours[owner] if owner else "")
        for piece, mark in ((unit, ""), (dislodged.get(name), "!")):
            if piece is not None:
                initial = map.tags[piece.power][0].lower()
                label.append(f" {piece.kind}{initial}{mark}", style=f"bold reverse {colours[piece.power]}")
        rows.setdefault(row, []).append((column, label))
    lines = []
    for row in range(max(rows) + 1):
        line = Text()
        for column, label in sorted(rows.get(row, []), key=lambda item: item[0]):
            line.append(" " * max(column - len(line), 1 if line else 0))
            line.append_text(label)
        lines.append(line)
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


def _name(map: Map) -> str:
    return drawing_of(map) or map.name


@cache
def _drawing(name: str) -> dict[str, Any]:
    """The drawing of a map; empty for a map without one."""
    source = resources.files("bordeaux.view") / "data" / f"{name}.toml"
    return tomllib.loads(source.read_text("utf-8")) if source.is_file() else {}


def _columns(name: str) -> int:
    columns: int = _drawing(name)["columns"]
    return columns


@cache
def _places(name: str) -> dict[str, tuple[int, int]]:
    """Column and row of every province of a map; empty for a map without a drawing."""
    read = _drawing(name).get("places", {})
    return {province: (column, row) for province, (column, row) in read.items()}


EDGE = "|"


def draw_shares(map: Map, shares: Mapping[str, float], width: int) -> Text:
    """A bar of `width` columns, the powers in the order of the map; each block ends with an edge, so that it
    is readable without colours. The shares sum up to 1, or are all 0: then the bar is empty."""
    colours = colours_of(map)
    bar = Text(no_wrap=True, overflow="crop", end="")
    for power, columns in apportioned(shares, width).items():
        if columns:
            tag = map.tags[power][: columns - 1]
            bar.append(tag.ljust(columns - 1) + EDGE, style=f"bold reverse {colours[power]}")
    return bar


def apportioned(parts: Mapping[str, float], seats: int) -> dict[str, int]:
    """`seats` whole units divided in proportion to parts that sum up to 1, by largest remainders.

    If all parts are 0, all get 0.
    """
    quotas = {power: part * seats for power, part in parts.items()}
    dealt = {power: int(quota) for power, quota in quotas.items()}
    left = seats - sum(dealt.values()) if any(quotas.values()) else 0
    for power in sorted(quotas, key=lambda name: dealt[name] - quotas[name])[:left]:
        dealt[power] += 1
    return dealt
