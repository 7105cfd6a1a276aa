"""Maps in DAIDE's ``MDF`` message in text form. `bordeaux.board.mapmessage` parses it; this module builds the
map, and writes the message."""

from __future__ import annotations

from typing import Any

from bordeaux.board.daide_syntax import Tree, show
from bordeaux.board.errors import MapError, quote
from bordeaux.board.map import Map, Province
from bordeaux.board.mapcheck import COAST_TOKENS
from bordeaux.board.mapmessage import NOBODY, draft_from_mdf
from bordeaux.formats.daide_names import place_to_daide, power_to_daide, province_to_daide

__all__ = ["map_from_mdf", "map_to_mdf"]


def map_from_mdf(text: str, name: str = "mdf", like: Map | None = None) -> Map:
    """Build a map called `name` from an MDF message. Raises MapError with the wrong token.

    Powers and provinces are named by their tokens. With `like`, those with equal tokens in that map get its
    names. The map has no initial units, and each power owns the homes that it does not share.
    """
    draft = draft_from_mdf(text, name, like.provinces, like.tags) if like else draft_from_mdf(text, name)
    return Map.of(draft)


def map_to_mdf(map: Map) -> str:
    """The MDF message of a map, on one line. Raises MapError for a coast that DAIDE has no token for."""
    for province in map.provinces:
        for coast in province.coasts:
            if coast not in COAST_TOKENS:
                raise MapError(f"MDF: DAIDE has no token for coast {quote(coast)} of {province.name}")
    groups: dict[tuple[str, ...], list[str]] = {(power,): [] for power in map.powers}
    others = []
    for province in map.provinces:
        if province.centre:
            groups.setdefault(province.homes, []).append(province.daide)
        else:
            others.append(province.daide)
    homes = tuple((_owner(powers, map), *tokens) for powers, tokens in groups.items() if tokens)
    borders = tuple(_borders(province, map) for province in map.provinces)
    powers = tuple(power_to_daide(power, map) for power in map.powers)
    return show(("MDF", powers, (homes, tuple(others)), borders))


def _owner(powers: tuple[str, ...], map: Map) -> Any:
    tokens = tuple(power_to_daide(power, map) for power in powers)
    if len(tokens) > 1:
        return tokens
    return tokens[0] if tokens else NOBODY


def _borders(province: Province, map: Map) -> Tree:
    lists: list[Tree] = []
    for location in map.locations_in("A", province.name):
        neighbours = map.adjacent("A", location.name)
        lists.append(("AMY", *(province_to_daide(name, map) for name in neighbours)))
    for location in map.locations_in("F", province.name):
        _, _, coast = location.name.partition("/")
        places = tuple(place_to_daide(name, map) for name in map.adjacent("F", location.name))
        lists.append((("FLT", COAST_TOKENS[coast]) if coast else "FLT", *places))
    return province.daide, *lists
