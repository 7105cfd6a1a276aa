"""Names in DUI, the line protocol for Diplomacy engines: provinces, powers and their letters.

A province is its tag in lower case, except those in ``data/dui.json``. On input every name that the map has
is read. A power is its full name in lower case, or in a position its first letter.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

from bordeaux.board.errors import FormatError, MapError, quote
from bordeaux.board.map import Map

__all__ = ["NOBODY", "letters", "power_of_letter", "province_to_dui"]

NOBODY = "N"
"""The letter of a centre that nobody owns."""


@functools.cache
def _special() -> dict[str, dict[str, str]]:
    text = (Path(__file__).parent / "data" / "dui.json").read_text("utf-8")
    names: dict[str, dict[str, str]] = json.loads(text)
    return names


def province_to_dui(tag: str, map: Map) -> str:
    """The name of a province given by its tag."""
    return _special().get(map.name, {}).get(tag, tag.lower())


@functools.cache
def letters(map: Map) -> dict[str, str]:
    """The letter of each power. Raises MapError if two powers share one, or if one is the letter of neutral
    centres."""
    letters = {power: power[0].upper() for power in map.powers}
    if len({*letters.values(), NOBODY}) <= len(letters):
        raise MapError(f"the powers of map {map.name} have no letters of their own in DFEN; write JSON")
    return letters


def power_of_letter(letter: str, map: Map) -> str:
    """The power of a letter. Raises FormatError for an unknown one."""
    for power, own in letters(map).items():
        if own == letter.upper():
            return power
    raise FormatError(f"no power has the letter {quote(letter)}; letters: {' '.join(letters(map).values())}")
