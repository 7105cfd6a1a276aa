"""A position as DAIDE sends it: a ``NOW`` message with the units and a ``SCO`` message with the centres.

::

    NOW (AUT 1902) (FRA FLT (SPA SCS)) (ITA AMY TYR MRT (VEN PIE)) (AUS FLT ADR MRT ())
    SCO (AUS BUD TRI) (FRA BRE MAR PAR SPA) (ITA NAP ROM VEN) (UNO BEL BUL ...)

Of several messages of a kind the last counts, and other messages are skipped, so that the log of a
game may be given as it is. Source: DAIDE Message Syntax 0.178.
"""

from __future__ import annotations

from bordeaux.board.daide_syntax import Tree, parse_daide, show
from bordeaux.board.errors import FormatError, PositionError, quote
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.board.unit import Dislodged, Unit
from bordeaux.formats.daide_names import (
    place_from_daide,
    place_to_daide,
    power_from_daide,
    power_to_daide,
    province_from_daide,
    province_to_daide,
    turn_from_daide,
    turn_to_daide,
    unit_from_daide,
    unit_to_daide,
)

__all__ = ["now_to_daide", "position_from_daide", "position_to_daide", "sco_to_daide"]

NOBODY = "UNO"


def position_to_daide(position: Position) -> str:
    """``NOW`` and ``SCO`` of a position, a line each. Raises FormatError at the end of a game."""
    return f"{now_to_daide(position)}\n{sco_to_daide(position)}"


def now_to_daide(position: Position) -> str:
    """The ``NOW`` message: the turn and all units. Raises FormatError at the end of a game."""
    map = position.map
    units: list[Tree] = [unit_to_daide(unit, map) for unit in position.units]
    for unit, retreats in position.dislodged:
        places = tuple(place_to_daide(place, map) for place in retreats)
        units.append((*unit_to_daide(unit, map), "MRT", places))
    return show(("NOW", turn_to_daide(position.phase), *units))


def sco_to_daide(position: Position) -> str:
    """The ``SCO`` message: the centres of each power with centres, then the neutral ones."""
    map = position.map
    groups: list[Tree] = []
    for power, centres in position.centres.items():
        groups.append((power_to_daide(power, map), *(province_to_daide(tag, map) for tag in centres)))
    unowned = [tag for tag, owner in zip(map.centres, position.owners, strict=True) if owner is None]
    if unowned:
        groups.append((NOBODY, *(province_to_daide(tag, map) for tag in unowned)))
    return show(("SCO", *groups))


def position_from_daide(text: str, map: Map | None = None) -> Position:
    """Read ``NOW`` and ``SCO``, on the standard map if none is given. Raises FormatError or PositionError."""
    map = map or Map.standard()
    messages = _messages(parse_daide(text))
    missing = [name for name in ("NOW", "SCO") if name not in messages]
    if missing:
        raise FormatError(f"no {' and no '.join(missing)} message in DAIDE; a position needs NOW and SCO")
    turn, *entries = messages["NOW"] or ((),)
    phase = turn_from_daide(turn)
    standing: list[Unit] = []
    dislodged: list[Dislodged] = []
    try:
        for entry in entries:
            match entry:
                case (power, kind, place, "MRT", tuple(places)):
                    unit = unit_from_daide((power, kind, place), map)
                    retreats = tuple(place_from_daide(retreat, map) for retreat in places)
                    dislodged.append(Dislodged(unit, retreats))
                case _:
                    standing.append(unit_from_daide(entry, map))
    except PositionError as error:
        raise PositionError(f"NOW: {error}") from None
    return Position(map, phase, standing, _centres(messages["SCO"], map), dislodged)


def _messages(tree: Tree) -> dict[str, list[object]]:
    """The parameters of each message by its first token; the last of a kind counts."""
    messages: dict[str, list[object]] = {}
    current: list[object] | None = None
    for item in tree:
        if isinstance(item, str):
            current = messages[item] = []
        elif current is None:
            raise FormatError(f"DAIDE text must start with a message such as NOW, not {quote(show((item,)))}")
        else:
            current.append(item)
    return messages


def _centres(groups: list[object], map: Map) -> dict[str, list[str]]:
    centres: dict[str, list[str]] = {}
    try:
        for group in groups:
            if not isinstance(group, tuple) or not group:
                raise PositionError(f"expected centres like (AUS BUD TRI VIE), not {quote(show((group,)))}")
            owner, *tokens = group
            tags = [province_from_daide(token, map) for token in tokens]
            if owner != NOBODY:
                centres.setdefault(power_from_daide(owner, map), []).extend(tags)
    except PositionError as error:
        raise PositionError(f"SCO: {error}") from None
    return centres
