"""Coastlines and borders of countries from the npm package world-atlas: Natural Earth as TopoJSON."""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from shapely import Polygon

__all__ = ["PACKAGE", "Atlas", "fetch"]

PACKAGE = "world-atlas@2.0.2"


def fetch() -> tuple[dict[str, Any], dict[str, Any]]:
    """Land and countries at 1:50m, through the npm client. Raises OSError without npm."""
    npm = shutil.which("npm")
    if npm is None:
        raise FileNotFoundError("npm is needed to get the coastlines, or give --atlas FOLDER")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([npm, "pack", "--silent", PACKAGE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (packed,) = Path(folder).glob("*.tgz")
        with tarfile.open(packed) as archive:
            archive.extractall(folder, filter="data")
        return read(Path(folder, "package"))


def read(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Land and countries from the unpacked package."""
    land, countries = (
        json.loads(Path(folder, f"{name}-50m.json").read_bytes()) for name in ("land", "countries")
    )
    return land, countries


class Atlas:
    """A TopoJSON document: its arcs in degrees, rows of longitude and latitude."""

    def __init__(self, document: dict[str, Any]) -> None:
        scale, shift = (np.array(document["transform"][key]) for key in ("scale", "translate"))
        self.arcs = [np.cumsum(np.array(arc), axis=0) * scale + shift for arc in document["arcs"]]
        self.objects = document["objects"]

    def _ring(self, numbers: list[int]) -> np.ndarray:
        parts = [self.arcs[n] if n >= 0 else self.arcs[~n][::-1] for n in numbers]
        ring = np.concatenate([parts[0], *(part[1:] for part in parts[1:])])
        # The rings of Russia go on beyond 180 degrees; they may begin there too.
        ring[:, 0] = np.unwrap(ring[:, 0], period=360)
        if ring[:, 0].min() < -185:
            ring[:, 0] += 360
        return ring

    def polygons(self, name: str) -> Iterator[Polygon]:
        """The polygons of an object."""
        for shape in self.objects[name]["geometries"]:
            for rings in [shape["arcs"]] if shape["type"] == "Polygon" else shape["arcs"]:
                outer, *holes = (self._ring(ring) for ring in rings)
                yield Polygon(outer, holes)

    def border(self, first: str, second: str) -> list[np.ndarray]:
        """The arcs that two countries share. Raises ValueError if there are none."""
        both = self._arcs_of(first) & self._arcs_of(second)
        if not both:
            raise ValueError(f"{first} and {second} have no common border")
        return [self.arcs[number] for number in sorted(both)]

    def _arcs_of(self, country: str) -> set[int]:
        for shape in self.objects["countries"]["geometries"]:
            if shape["properties"]["name"] == country:
                lists = [shape["arcs"]] if shape["type"] == "Polygon" else shape["arcs"]
                return {n if n >= 0 else ~n for rings in lists for ring in rings for n in ring}
        raise ValueError(f"there is no country {country!r}")
