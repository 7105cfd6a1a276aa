"""Make the geometry of the standard map's picture: python tools/make_map.py

Coastlines come from the npm package world-atlas (Natural Earth, public domain), borders from
tools/mapmaking/standard.toml. It needs shapely and, for the coastlines, npm. The output is a part of the
package: bordeaux/view/data/standard.json.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import shapely
from mapmaking import marks as placing
from mapmaking.arcs import arcs_of
from mapmaking.atlas import Atlas, fetch, read
from mapmaking.shapes import GRID, CutError, Region, coastline, cut, frame
from mapmaking.sheet import Sheet, places
from shapely.geometry.base import BaseGeometry

from bordeaux.board.map import Map
from bordeaux.cli.program import Script
from bordeaux.cli.report.errors import report

ROOT = Path(__file__).resolve().parent
TOLD = ROOT / "mapmaking" / "standard.toml"
TARGET = ROOT.parent / "bordeaux" / "view" / "data" / "standard.json"


def shapes_of(regions: Sequence[Region]) -> dict[str, BaseGeometry]:
    """The whole shape of each province."""
    parts: dict[str, list[BaseGeometry]] = {}
    for region in regions:
        if region.tag:
            parts.setdefault(region.tag, []).append(region.shape)
    return {tag: shapely.union_all(shapes) for tag, shapes in sorted(parts.items())}


def all_marks(
    board: Map, whole: dict[str, BaseGeometry], sheet: Sheet, settings: dict[str, Any]
) -> dict[str, placing.Marks]:
    """The marks of every location, by its name."""
    near = {name: tuple(sheet(places(text))[0]) for name, text in settings["near"].items()}
    by_place: dict[str, placing.Marks] = {}
    faults = []
    for tag, shape in whole.items():
        largest = max(shapely.get_parts(shape), key=lambda part: part.area)
        centre = board.province(tag).centre
        try:
            by_place[tag] = placing.province_marks(largest, centre, near.get(tag), shapely.Point())
            for coast in board.province(tag).coasts:
                name = f"{tag}/{coast}"
                # Another unit of the province never stands at the same time.
                others = {mark: at for mark, at in by_place[tag].items() if mark != "unit"}
                by_place[name] = placing.coast_marks(largest, near[name], others)
                if "dislodged" in others:
                    by_place[name]["dislodged"] = others["dislodged"]
        except placing.MarksError as error:
            faults.append(f"{tag}: {error}")
    if faults:
        raise placing.MarksError("; ".join(faults))
    inner = frame(sheet).buffer(-2)
    for name, marks in by_place.items():
        if "dislodged" not in marks:
            boxes = [
                shapely.box(*placing.box(kind, at))
                for marks in by_place.values()
                for kind, at in marks.items()
            ]
            taken = shapely.union_all(boxes).buffer(placing.GAP, join_style="mitre")
            marks["dislodged"] = placing.beside(whole[name.partition("/")[0]], marks["unit"], taken, inner)
            print(f"{name}: a dislodged unit stands over the border", file=sys.stderr)
    return by_place


@click.command(cls=Script)
@click.option("--atlas", type=Path, metavar="FOLDER", help="world-atlas, unpacked; else npm gets it.")
@click.option("--out", type=Path, default=TARGET, metavar="FILE", help="File to write.")
def main(atlas: Path | None, out: Path) -> int:
    """Make the geometry of the standard map's picture. Exit code 1, with one line that says where, if the
    lines do not make the map."""
    settings = tomllib.loads(TOLD.read_text(encoding="utf-8"))
    sheet, board = Sheet(settings["projection"], settings["magnify"]), Map.load(settings["name"])
    land, countries = (Atlas(document) for document in (read(atlas) if atlas else fetch()))
    try:
        regions = cut(coastline(land, sheet, settings), countries, sheet, settings)
        regions.sort(key=lambda region: (region.tag, region.shape.bounds))
        marks = all_marks(board, shapes_of(regions), sheet, settings)
    except (CutError, placing.MarksError) as error:
        report(str(error))
        return 1
    arcs, rings = arcs_of(regions)
    document = {
        "map": settings["name"],
        "source": f"coastlines: {settings['coastlines']}; provinces: the authors of Bordeaux",
        "size": sheet.size,
        "grid": GRID,
        "arcs": arcs,
        "regions": [[r.tag, r.land, ring] for r, ring in zip(regions, rings, strict=True)],
        "marks": marks,
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        f" {json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in document.items()
    ]
    out.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{out}: {len(marks)} places, {len(arcs)} borders, {out.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    main()
