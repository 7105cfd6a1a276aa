"""Make the geometry of the standard map's picture: python tools/make_map.py

Coastlines come from the npm package world-atlas (Natural Earth, public domain), borders from
tools/mapmaking/standard.toml. It needs shapely and, for the coastlines, npm. The output is a part of the
package: bordeaux/view/data/standard.json.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
import shapely
from mapmaking import marks as placing
from mapmaking.atlas import Atlas, Sheet, fetch, places, read
from mapmaking.shapes import GRID, CutError, arcs_of, coastline, cut, frame
from shapely.geometry.base import BaseGeometry

from bordeaux.board.map import Map
from bordeaux.cli.program import Script
from bordeaux.cli.report import report
from bordeaux.view.board.geometry import unfolded

ROOT = Path(__file__).resolve().parent
TOLD = ROOT / "mapmaking" / "standard.toml"
TARGET = ROOT.parent / "bordeaux" / "view" / "data" / "standard.json"


def whole_shapes(document: dict[str, Any]) -> dict[str, BaseGeometry]:
    """The whole shape of each province of a document."""
    arcs = [unfolded(arc, document["grid"]) for arc in document["arcs"]]

    def ring(numbers: Sequence[int]) -> list[tuple[float, float]]:
        return [point for n in numbers for point in (arcs[n] if n >= 0 else arcs[~n][::-1])[:-1]]

    parts: dict[str, list[BaseGeometry]] = {}
    for tag, _, rings in document["regions"]:
        if tag:
            parts.setdefault(tag, []).append(
                shapely.Polygon(ring(rings[0]), [ring(hole) for hole in rings[1:]])
            )
    return {tag: shapely.union_all(shapes) for tag, shapes in sorted(parts.items())}


def all_marks(
    board: Map, whole: dict[str, BaseGeometry], sheet: Sheet, settings: dict[str, Any]
) -> dict[str, placing.Marks]:
    """The marks of every location, by its name."""
    near = {name: tuple(sheet(places(text))[0]) for name, text in settings["near"].items()}
    by_place: dict[str, placing.Marks] = {}
    taken: BaseGeometry = shapely.Point()
    faults = []
    # Small provinces first: the others have room beside them.
    for tag, shape in sorted(whole.items(), key=lambda pair: pair[1].area):
        largest = max(shapely.get_parts(shape), key=lambda part: part.area)
        centre = board.province(tag).centre
        try:
            by_place[tag] = placing.province_marks(largest, centre, near.get(tag), taken)
            for coast in board.province(tag).coasts:
                name = f"{tag}/{coast}"
                # Another unit of the province never stands at the same time.
                others = {mark: at for mark, at in by_place[tag].items() if mark != "unit"}
                by_place[name] = placing.coast_marks(largest, near[name], others)
        except placing.MarksError as error:
            faults.append(f"{tag}: {error}")
        taken = taken.union(
            around(marks for name, marks in by_place.items() if name.partition("/")[0] == tag)
        )
    if faults:
        raise placing.MarksError("; ".join(faults))
    inner = frame(sheet).buffer(-2)
    for tag in whole:
        beaten = placing.beside(whole[tag], by_place[tag]["unit"], taken, inner)
        for name in (tag, *(f"{tag}/{coast}" for coast in board.province(tag).coasts)):
            by_place[name]["dislodged"] = beaten
        taken = taken.union(around([{"dislodged": beaten}]))
    return dict(sorted(by_place.items()))


def around(listed: Iterable[placing.Marks]) -> BaseGeometry:
    """The room that marks take, with the gaps between them and others."""
    boxes = [shapely.box(*placing.box(kind, at)) for marks in listed for kind, at in marks.items()]
    return shapely.union_all(boxes).buffer(placing.GAP, join_style="mitre")


@click.command(cls=Script)
@click.option("--atlas", type=Path, metavar="FOLDER", help="world-atlas, unpacked; else npm gets it.")
@click.option("--marks", "placed", is_flag=True, help="Place the marks alone, on the shapes that are there.")
@click.option("--out", type=Path, default=TARGET, metavar="FILE", help="File to write.")
def main(atlas: Path | None, placed: bool, out: Path) -> int:
    """Make the geometry of the standard map's picture. Exit code 1, with one line that says where, if the
    lines do not make the map."""
    settings = tomllib.loads(TOLD.read_text(encoding="utf-8"))
    sheet, board = Sheet(settings["projection"], settings["magnify"]), Map.load(settings["name"])
    document: dict[str, Any]
    try:
        if placed:
            document = json.loads(TARGET.read_text(encoding="utf-8"))
            document["marks"] = all_marks(board, whole_shapes(document), sheet, settings)
        else:
            land, countries = (Atlas(file) for file in (read(atlas) if atlas else fetch()))
            regions = cut(coastline(land, sheet, settings), countries, sheet, settings)
            regions.sort(key=lambda region: (region.tag, region.shape.bounds))
            arcs, rings = arcs_of(regions)
            document = {
                "map": settings["name"],
                "source": f"coastlines: {settings['coastlines']}; provinces: the authors of Bordeaux",
                "size": sheet.size,
                "grid": GRID,
                "arcs": arcs,
                "regions": [[r.tag, r.land, ring] for r, ring in zip(regions, rings, strict=True)],
            }
            document["marks"] = all_marks(board, whole_shapes(document), sheet, settings)
    except (CutError, placing.MarksError) as error:
        report(str(error))
        return 1
    out.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        f" {json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in document.items()
    ]
    out.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(
        f"{out}: {len(document['marks'])} places, {len(document['arcs'])} borders, {out.stat().st_size} bytes"
    )
    return 0


if __name__ == "__main__":
    main()
