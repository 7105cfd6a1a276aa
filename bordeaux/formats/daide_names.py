"""Names of powers, provinces, coasts, units and turns in DAIDE, and back."""

from __future__ import annotations

from typing import Any

from bordeaux.board.daide_syntax import Tree, show
from bordeaux.board.errors import FormatError, MapError, PositionError, quote
from bordeaux.board.map import Map
from bordeaux.board.phase import Phase
from bordeaux.board.unit import Unit

__all__ = [
    "place_from_daide",
    "place_to_daide",
    "power_from_daide",
    "power_to_daide",
    "province_from_daide",
    "province_to_daide",
    "turn_from_daide",
    "turn_to_daide",
    "unit_from_daide",
    "unit_to_daide",
]

_TURNS = {("S", "M"): "SPR", ("S", "R"): "SUM", ("F", "M"): "FAL", ("F", "R"): "AUT", ("W", "A"): "WIN"}
_SEASONS = {token: turn for turn, token in _TURNS.items()}
_KINDS = {"A": "AMY", "F": "FLT"}
_LETTERS = {token: letter for letter, token in _KINDS.items()}


def turn_to_daide(phase: Phase) -> Tree:
    """``("SPR", "1901")`` for S1901M; raises FormatError at the end of a game, which has no turn."""
    token = _TURNS.get((phase.season, phase.kind))
    if token is None:
        raise FormatError(f"DAIDE has no turn for phase {phase}; use JSON or text")
    return token, str(phase.year)


def turn_from_daide(tree: object) -> Phase:
    """The phase of ``("SPR", "1901")``."""
    match tree:
        case (str(season), str(year)) if season in _SEASONS and year.isdecimal() and len(year) <= 4:
            return Phase(int(year), *_SEASONS[season])
    raise PositionError(f"unknown turn {_quoted(tree)}; write it like (SPR 1901)")


def power_to_daide(power: str, map: Map) -> str:
    """The tag of a power."""
    return map.tags[power]


def power_from_daide(token: object, map: Map) -> str:
    """The power that has a tag; raises PositionError."""
    for power, tag in map.tags.items():
        if tag == token:
            return power
    raise PositionError(f"unknown power {_quoted(token)} (powers: {', '.join(map.tags.values())})")


def province_to_daide(tag: str, map: Map) -> str:
    """The token of a province or location, without its coast."""
    return map.province(tag.partition("/")[0]).daide


def province_from_daide(token: object, map: Map) -> str:
    """The tag of a province; a coast is accepted and dropped.

    The tokens of DAIDE have precedence over the tags of the map: ``GOL`` may be another province's tag on our
    map.
    """
    if isinstance(token, tuple) and len(token) == 2:
        token = token[0]
    if isinstance(token, str):
        for province in map.provinces:
            if province.daide == token:
                return province.name
        try:
            return map.province(token).name
        except MapError as error:
            raise PositionError(str(error)) from None
    raise PositionError(f"expected a province, not {_quoted(token)}")


def place_to_daide(location: str, map: Map) -> Any:
    """``"TRI"``, or ``("SPA", "NCS")`` for a place with a coast."""
    tag, _, coast = location.partition("/")
    token = province_to_daide(tag, map)
    return (token, coast[:-1] + "CS" if len(coast) == 2 else coast) if coast else token


def place_from_daide(tree: object, map: Map) -> str:
    """Name of a place, with its coast if one is given; raises PositionError."""
    tag = province_from_daide(tree, map)
    if not isinstance(tree, tuple):
        return tag
    token = str(tree[1])
    coast = token.removesuffix("S") if len(token) == 3 and token.endswith("CS") else token
    known = map.province(tag).coasts
    if coast not in known:
        hint = f"; it has {' and '.join(known)}" if known else ""
        raise PositionError(f"{tag} has no coast {quote(token)}{hint}")
    return f"{tag}/{coast}"


def unit_to_daide(unit: Unit, map: Map) -> Tree:
    """``("AUS", "FLT", "TRI")``."""
    return power_to_daide(unit.power, map), _KINDS[unit.kind], place_to_daide(unit.location, map)


def unit_from_daide(tree: object, map: Map) -> Unit:
    """The unit of ``("AUS", "FLT", "TRI")``; raises PositionError."""
    if not isinstance(tree, tuple) or len(tree) != 3 or tree[1] not in _LETTERS:
        raise PositionError(f"expected a unit like (AUS FLT TRI), not {_quoted(tree)}")
    kind = _LETTERS[tree[1]]
    power = power_from_daide(tree[0], map)
    try:
        return Unit(power, kind, map.location(kind, place_from_daide(tree[2], map)).name)
    except MapError as error:
        raise PositionError(f"{_quoted(tree)}: {error}") from None


def _quoted(tree: object) -> str:
    return quote(f"({show(tree)})" if isinstance(tree, tuple) else tree)
