"""Positions and maps as DAIDE sends them: ``NOW`` with the units, ``SCO`` with the centres, ``MDF`` with
the map."""

from __future__ import annotations

from typing import Any

from bordeaux.board.errors import FormatError, MapError, PositionError, placed, quote
from bordeaux.board.map import Map
from bordeaux.board.mapcheck import COAST_TOKENS
from bordeaux.board.mapmessage import NOBODY, Tree, draft_from_mdf, parse_daide, show
from bordeaux.board.order import Dislodged, Province, Unit
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position, checked

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
    power, place = power_from_daide(tree[0], map), place_from_daide(tree[2], map)
    with placed(_quoted(tree), PositionError):
        return Unit(power, kind, map.location(kind, place).name)


def _quoted(tree: object) -> str:
    return quote(f"({show(tree)})" if isinstance(tree, tuple) else tree)


def position_to_daide(position: Position) -> str:
    """``NOW`` and ``SCO`` of a position, a line each. Raises FormatError at the end of a game."""
    return f"{now_to_daide(position)}\n{sco_to_daide(position)}"


def now_to_daide(position: Position) -> str:
    """The ``NOW`` message: the turn and all units. Raises FormatError at the end of a game."""
    map = checked(position).map
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
    map = Map.standard() if map is None else Map.load(map)
    messages = _messages(parse_daide(text))
    missing = [name for name in ("NOW", "SCO") if name not in messages]
    if missing:
        raise FormatError(f"no {' and no '.join(missing)} message in DAIDE; a position needs NOW and SCO")
    turn, *entries = messages["NOW"] or ((),)
    phase = turn_from_daide(turn)
    standing: list[Unit] = []
    dislodged: list[Dislodged] = []
    with placed("NOW"):
        for entry in entries:
            match entry:
                case (power, kind, place, "MRT", tuple(places)):
                    unit = unit_from_daide((power, kind, place), map)
                    retreats = tuple(place_from_daide(retreat, map) for retreat in places)
                    dislodged.append(Dislodged(unit, retreats))
                case _:
                    standing.append(unit_from_daide(entry, map))
    with placed("SCO"):
        centres = _centres(messages["SCO"], map)
    return Position(map, phase, standing, centres, dislodged)


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
    for group in groups:
        if not isinstance(group, tuple) or not group:
            raise PositionError(f"expected centres like (AUS BUD TRI VIE), not {quote(show((group,)))}")
        owner, *tokens = group
        tags = [province_from_daide(token, map) for token in tokens]
        if owner != NOBODY:
            centres.setdefault(power_from_daide(owner, map), []).extend(tags)
    return centres


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
