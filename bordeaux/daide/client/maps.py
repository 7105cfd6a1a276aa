"""The map of a server's MDF message: the same bundled map if there is one, else a map made from the
message."""

from __future__ import annotations

import functools
from typing import TypeAlias

from bordeaux.board.map import Map
from bordeaux.board.mapfile import bundled_maps
from bordeaux.daide import language as d
from bordeaux.daide import translate

__all__ = ["map_of"]

Shape: TypeAlias = tuple[object, ...]


def map_of(message: d.MDF, name: str) -> Map:
    """The map of a message, under the name that the server gave.

    If it has the powers, homes and borders of a bundled map it is that one, with its full names. Otherwise
    tokens that the standard map has too get its names. Raises MapError for a contradictory message.
    """
    shape = _shape(message)
    for bundled in sorted(bundled_maps(), key=lambda bundled: bundled != name):
        if _bundled_shape(bundled) == shape:
            return Map.load(bundled)
    return translate.map_of(message, name, like=Map.standard())


@functools.cache
def _bundled_shape(name: str) -> Shape:
    return _shape(translate.mdf_of(Map.load(name)))


def _shape(message: d.MDF) -> Shape:
    """The content of a message, independent of its order."""
    homes = frozenset(
        (frozenset([home.owner] if isinstance(home.owner, str) else home.owner), frozenset(home.provinces))
        for home in message.centres
        if home.provinces
    )
    borders = frozenset(
        (adjacency.province, border.kind, border.coast, frozenset(border.places))
        for adjacency in message.adjacencies
        for border in adjacency.borders
        if border.places
    )
    return frozenset(message.powers), homes, frozenset(message.others), borders
