"""Shares of a whole as one bar: a block for every power, in its colour and with its tag."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text

from bordeaux.board.map import Map
from bordeaux.evaluation import apportioned
from bordeaux.view.textmap import colours_of

__all__ = ["draw_shares"]

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
