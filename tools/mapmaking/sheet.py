"""From longitude and latitude to coordinates on the sheet: a conic projection, and enlarging lenses."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

__all__ = ["Sheet", "places"]

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
