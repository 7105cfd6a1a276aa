"""Coastlines and borders, and the sheet that they are drawn on.

The former come from the npm package world-atlas: Natural Earth as TopoJSON. The sheet is a conic projection
of longitude and latitude, with enlarging lenses.
"""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from shapely import Polygon

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


EARTH = 6371.0
"""Kilometres."""


def places(text: str) -> np.ndarray:
    """The points of ``longitude latitude, longitude latitude``, as rows."""
    return np.array([[float(number) for number in pair.split()] for pair in text.split(",")])


class Sheet:
    """Lambert's conformal conic projection on two parallels, then lenses: near the middle of each, lengths
    grow by its strength, farther off they shrink a little, and far away there is no change."""

    def __init__(self, settings: Mapping[str, Any], lenses: Mapping[str, Sequence[float]]) -> None:
        (self.meridian, middle), parallels = settings["middle"], settings["parallels"]
        low, high = (math.radians(parallel) for parallel in parallels)
        self.cone = math.log(math.cos(low) / math.cos(high)) / math.log(tangent(high) / tangent(low))
        self.factor = EARTH * math.cos(low) * tangent(low) ** self.cone / self.cone
        self.origin = self.factor / tangent(math.radians(middle)) ** self.cone
        self.lenses = [
            (self._plane(np.array([[east, north]]))[0], radius, strength)
            for east, north, radius, strength in lenses.values()
        ]
        self.left, base, right, self.top = settings["box"]
        self.scale = settings["width"] / (right - self.left)
        # A sheet that is less high fits a screen at a larger scale.
        self.flat = settings.get("flat", 1.0)
        self.size = (settings["width"], round((self.top - base) * self.scale * self.flat))

    def _plane(self, degrees: np.ndarray) -> np.ndarray:
        """Kilometres east and north of the middle."""
        north = np.radians(np.clip(degrees[:, 1], -60, 89))
        far = self.factor / np.tan(np.pi / 4 + north / 2) ** self.cone
        turn = self.cone * np.radians(degrees[:, 0] - self.meridian)
        return np.stack([far * np.sin(turn), self.origin - far * np.cos(turn)], axis=1)

    def __call__(self, degrees: np.ndarray) -> np.ndarray:
        """Rows of x to the right and y down, in pixels."""
        plane = self._plane(np.asarray(degrees)[:, :2])
        moved = plane.copy()
        for middle, radius, strength in self.lenses:
            off = plane - middle
            moved += strength * off * np.exp(-(off**2).sum(axis=1, keepdims=True) / (2 * radius**2))
        across, down = moved[:, 0] - self.left, (self.top - moved[:, 1]) * self.flat
        return np.stack([across, down], axis=1) * self.scale


def tangent(latitude: float) -> float:
    """The tangent in the formula of the projection."""
    return math.tan(math.pi / 4 + latitude / 2)
