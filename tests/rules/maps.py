"""Small random maps, on which everything touches everything and trouble is never far."""

from __future__ import annotations

from bordeaux.board.map import Map
from bordeaux.board.order import Province
from bordeaux.board.phase import Phase
from tests.oracle.choosers import Chooser

__all__ = ["POWERS", "small_map"]

POWERS = ("REDS", "BLUES", "GREENS", "GREYS")
COASTS = ("NC", "SC")


def small_map(choose: Chooser) -> Map:
    """A map of six to twelve provinces with seas, coasts, and some provinces with two coasts."""
    count = choose.choice(range(6, 13))
    tags = [f"P{first}{second}" for first in "ABC" for second in "XYZW"][:count]
    kinds = ["sea", "coastal", "coastal"]
    kinds += [choose.choice(("sea", "coastal", "coastal", "inland")) for _ in tags[3:]]
    terrain = dict(zip(tags, kinds, strict=True))
    coasts: dict[str, tuple[str, ...]] = {
        tag: COASTS if terrain[tag] == "coastal" and choose.chance(25) else () for tag in tags
    }
    borders: dict[tuple[str, str], list[str]] = {}
    for tag in tags:
        if terrain[tag] != "sea":
            borders["A", tag] = []
        if terrain[tag] != "inland":
            for location in _fleet_locations(tag, coasts):
                borders["F", location] = []
    for number, one in enumerate(tags):
        # Each province borders on the one before it, so that the map hangs together.
        for other in tags[:number]:
            if other == tags[number - 1] or choose.chance(45):
                _join(one, other, terrain, coasts, borders, choose)
    return Map(
        "small",
        "A small map",
        Phase.parse("S1901M"),
        {power: power[:3] for power in POWERS},
        [
            Province(number, tag, f"Place {tag}", terrain[tag], coasts[tag], (), False, (), tag)
            for number, tag in enumerate(tags)
        ],
        {key: tuple(value) for key, value in borders.items()},
        (),
    )


def _fleet_locations(tag: str, coasts: dict[str, tuple[str, ...]]) -> list[str]:
    return [f"{tag}/{coast}" for coast in coasts[tag]] or [tag]


def _join(
    one: str,
    other: str,
    terrain: dict[str, str],
    coasts: dict[str, tuple[str, ...]],
    borders: dict[tuple[str, str], list[str]],
    choose: Chooser,
) -> None:
    """Let two provinces border on each other, by land, by water, or by both."""
    if "sea" not in (terrain[one], terrain[other]):
        borders["A", one].append(other)
        borders["A", other].append(one)
        if choose.chance(40):
            return
    if "inland" in (terrain[one], terrain[other]):
        return
    for location in _fleet_locations(one, coasts):
        for there in _fleet_locations(other, coasts):
            # Of two coasts one borders on the water, or both do.
            if "/" not in location + there or choose.chance(60):
                borders["F", location].append(there)
                borders["F", there].append(location)
