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


def position_to_daide(position: Position) -> str:
    """``NOW`` with the turn and all units, and ``SCO`` with the centres of each power and the neutral ones, a
    line each. Raises FormatError at the end of a game."""
    map, phase = checked(position).map, position.phase
    if (turn := _TURNS.get((phase.season, phase.kind))) is None:
        raise FormatError(f"DAIDE has no turn for phase {phase}; use JSON or text")
    units = [_unit_to_daide(unit, map) for unit in position.units]
    for unit, retreats in position.dislodged:
        units.append((*_unit_to_daide(unit, map), "MRT", tuple(_to_daide(place, map) for place in retreats)))
    owned = {map.tags[power]: list(centres) for power, centres in position.centres.items()}
    owned[NOBODY] = [tag for tag, owner in position.owner_of.items() if owner is None]
    groups = [(owner, *(_token(tag, map) for tag in tags)) for owner, tags in owned.items() if tags]
    return f"{show(('NOW', (turn, str(phase.year)), *units))}\n{show(('SCO', *groups))}"


def _token(tag: str, map: Map) -> str:
    """The token of a province or location, without its coast."""
    return map.province(tag.partition("/")[0]).daide


def _to_daide(location: str, map: Map) -> Any:
    """``"TRI"``, or ``("SPA", "NCS")`` for a place with a coast."""
    token, coast = _token(location, map), location.partition("/")[2]
    return (token, coast[:-1] + "CS" if len(coast) == 2 else coast) if coast else token


def _unit_to_daide(unit: Unit, map: Map) -> Tree:
    return map.tags[unit.power], _KINDS[unit.kind], _to_daide(unit.location, map)


def position_from_daide(text: str, map: Map | None = None) -> Position:
    """Read ``NOW`` and ``SCO``, on the standard map if none is given. Raises FormatError or PositionError."""
    map = Map.standard() if map is None else Map.load(map)
    messages: dict[str, list[object]] = {}
    for item in parse_daide(text):
        if isinstance(item, str):
            current = messages[item] = []  # The last message of a kind counts.
        elif not messages:
            raise FormatError(f"DAIDE text must start with a message such as NOW, not {quote(show((item,)))}")
        else:
            current.append(item)
    missing = [name for name in ("NOW", "SCO") if name not in messages]
    if missing:
        raise FormatError(f"no {' and no '.join(missing)} message in DAIDE; a position needs NOW and SCO")
    turn, *entries = messages["NOW"] or ((),)
    match turn:
        case (str(season), str(year)) if season in _SEASONS and year.isdecimal() and len(year) <= 4:
            phase = Phase(int(year), *_SEASONS[season])
        case _:
            raise PositionError(f"unknown turn {_quoted(turn)}; write it like (SPR 1901)")
    standing: list[Unit] = []
    dislodged: list[Dislodged] = []
    with placed("NOW"):
        for entry in entries:
            match entry:
                case (power, kind, place, "MRT", tuple(places)):
                    unit = _unit_from_daide((power, kind, place), map)
                    dislodged.append(Dislodged(unit, tuple(_place(retreat, map) for retreat in places)))
                case _:
                    standing.append(_unit_from_daide(entry, map))
    centres: dict[str, list[str]] = {}
    with placed("SCO"):
        for group in messages["SCO"]:
            if not isinstance(group, tuple) or not group:
                wanted = "expected centres like (AUS BUD TRI VIE)"
                raise PositionError(f"{wanted}, not {quote(show((group,)))}")
            owner, *tokens = group
            tags = [_province(token, map) for token in tokens]
            if owner != NOBODY:
                centres.setdefault(_power(owner, map), []).extend(tags)
    return Position(map, phase, standing, centres, dislodged)


def _power(token: object, map: Map) -> str:
    for power, tag in map.tags.items():
        if tag == token:
            return power
    raise PositionError(f"unknown power {_quoted(token)} (powers: {', '.join(map.tags.values())})")


def _province(token: object, map: Map) -> str:
    """The tag of a province; a coast is accepted and dropped. The tokens of DAIDE have precedence over the
    tags of the map: ``GOL`` may be another province's tag on our map."""
    if isinstance(token, tuple) and len(token) == 2:
        token = token[0]
    if not isinstance(token, str):
        raise PositionError(f"expected a province, not {_quoted(token)}")
    for province in map.provinces:
        if province.daide == token:
            return province.name
    try:
        return map.province(token).name
    except MapError as error:
        raise PositionError(str(error)) from None


def _place(tree: object, map: Map) -> str:
    """Name of a place, with its coast if one is given."""
    tag = _province(tree, map)
    if not isinstance(tree, tuple):
        return tag
    token = str(tree[1])
    coast = token.removesuffix("S") if len(token) == 3 and token.endswith("CS") else token
    known = map.province(tag).coasts
    if coast not in known:
        hint = f"; it has {' and '.join(known)}" if known else ""
        raise PositionError(f"{tag} has no coast {quote(token)}{hint}")
    return f"{tag}/{coast}"


def _unit_from_daide(tree: object, map: Map) -> Unit:
    if not isinstance(tree, tuple) or len(tree) != 3 or tree[1] not in _LETTERS:
        raise PositionError(f"expected a unit like (AUS FLT TRI), not {_quoted(tree)}")
    kind, power, place = _LETTERS[tree[1]], _power(tree[0], map), _place(tree[2], map)
    with placed(_quoted(tree), PositionError):
        return Unit(power, kind, map.location(kind, place).name)


def _quoted(tree: object) -> str:
    return quote(f"({show(tree)})" if isinstance(tree, tuple) else tree)


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
    others = tuple(province.daide for province in map.provinces if not province.centre)
    for province in map.provinces:
        if province.centre:
            groups.setdefault(province.homes, []).append(province.daide)
    homes = []
    for owners, tokens in groups.items():
        tags = tuple(map.tags[power] for power in owners)
        if tokens:
            homes.append((tags if len(tags) > 1 else tags[0] if tags else NOBODY, *tokens))
    borders = tuple(_borders(province, map) for province in map.provinces)
    return show(("MDF", tuple(map.tags[power] for power in map.powers), (tuple(homes), others), borders))


def _borders(province: Province, map: Map) -> Tree:
    lists: list[Tree] = []
    for location in map.locations_in("A", province.name):
        neighbours = map.adjacent("A", location.name)
        lists.append(("AMY", *(_token(name, map) for name in neighbours)))
    for location in map.locations_in("F", province.name):
        _, _, coast = location.name.partition("/")
        places = (_to_daide(name, map) for name in map.adjacent("F", location.name))
        lists.append((("FLT", COAST_TOKENS[coast]) if coast else "FLT", *places))
    return province.daide, *lists
