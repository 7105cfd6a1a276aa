"""Conversion between DAIDE's values and Bordeaux's: turns, units, orders, positions and maps.

DAIDE names powers and provinces by tokens, distinguishes retreats from moves and removals from disbands,
and lists the fleets of a convoy. So some translations need the map or the position. Reading is strict: a
token that the map does not have is an error. Source: DAIDE Message Syntax 0.178.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import NoReturn

from bordeaux.board.errors import FormatError, OrderError, PositionError, quote
from bordeaux.board.map import Map
from bordeaux.board.mapcheck import COAST_TOKENS
from bordeaux.board.mapmessage import NOBODY
from bordeaux.board.order import Order, OrderKind, Unit
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.submission import convoy_route
from bordeaux.daide import language as d
from bordeaux.formats.daide import map_from_mdf, map_to_mdf, position_from_daide

_SEASONS = {"SPR": ("S", "M"), "SUM": ("S", "R"), "FAL": ("F", "M"), "AUT": ("F", "R"), "WIN": ("W", "A")}
_TURNS = {phase: season for season, phase in _SEASONS.items()}
_KINDS = {"A": "AMY", "F": "FLT"}
_LETTERS = {token: letter for letter, token in _KINDS.items()}
_COASTS = {token: coast for coast, token in COAST_TOKENS.items()}


def turn_of(phase: Phase) -> d.SeasonYear:
    """``SPR 1901`` for S1901M. Raises FormatError at the end of a game, which has no turn."""
    season = _TURNS.get((phase.season, phase.kind))
    if season is None:
        raise FormatError(f"DAIDE has no turn for phase {phase}")
    return d.SeasonYear(season, phase.year)


def phase_of(turn: d.SeasonYear) -> Phase:
    """The phase of a turn. Raises FormatError for a year out of range."""
    season = _SEASONS.get(turn.season)
    if season is None or not 0 <= turn.year <= 9999:
        raise FormatError(f"unknown turn {quote(f'{turn.season} {turn.year}')}; write it like SPR 1901")
    return Phase(turn.year, *season)


class DaideNames:
    """The names of one map in DAIDE, in both directions.

    `powers` maps tokens to powers and `provinces` tokens to the tags of provinces; `tags` and `tokens` are
    the reverse. Unknown names raise PositionError.
    """

    def __init__(self, map: Map) -> None:
        self.powers = {tag: power for power, tag in map.tags.items()}
        self.provinces = {province.daide: province.name for province in map.provinces}
        self.tags = dict(map.tags)
        self.tokens = {province.name: province.daide for province in map.provinces}
        self._locations = {(location.kind, location.name) for location in map.locations}
        self._entered = {(kind, name.partition("/")[0]) for kind, name in self._locations}

    def power(self, token: str) -> str:
        """The power of a token."""
        return self.powers.get(token) or _unknown("power", token, self.powers)

    def province(self, token: str) -> str:
        """The tag of a province."""
        return self.provinces.get(token) or _unknown("province", token, self.provinces)

    def location(self, kind: str, place: d.Place) -> str:
        """The name of the location of a unit of a kind (A or F): ``SPA/SC``."""
        tag = self.province(place.province)
        name = tag if place.coast is None else f"{tag}/{_COASTS.get(place.coast, place.coast)}"
        if (kind, name) not in self._locations:
            raise PositionError(f"there is no place {quote(str(place))} for units of kind {kind}")
        return name

    def place(self, location: str) -> d.Place:
        """DAIDE's name of a location."""
        tag, _, coast = location.partition("/")
        if coast and coast not in COAST_TOKENS:
            raise PositionError(f"DAIDE has no token for coast {quote(coast)} of {tag}")
        return d.Place(self.tokens[tag], COAST_TOKENS[coast] if coast else None)

    def goal(self, kind: str, location: str) -> d.Place:
        """DAIDE's name of where a unit of a kind is to go; no province in which none of them can ever be."""
        if (kind, location.partition("/")[0]) not in self._entered:
            raise OrderError(f"there is no place {quote(location)} for units of kind {kind}")
        return self.place(location)

    def unit(self, unit: d.Unit) -> Unit:
        """The unit with this DAIDE name."""
        kind = _LETTERS.get(unit.kind) or _unknown("kind of unit", unit.kind, _LETTERS)
        return Unit(self.power(unit.power), kind, self.location(kind, unit.place))

    def unit_value(self, unit: Unit) -> d.Unit:
        """DAIDE's name of a unit."""
        return d.Unit(self.tags[unit.power], _KINDS[unit.kind], self.place(unit.location))


def _unknown(what: str, token: object, known: Iterable[str]) -> NoReturn:
    listed = " ".join(known)
    shown = f"; the map has {listed}" if len(listed) < 100 else ""
    raise PositionError(f"unknown {what} {quote(token)}{shown}")


@functools.lru_cache(maxsize=64)
def names(map: Map) -> DaideNames:
    """The names of a map in DAIDE, cached for each map."""
    return DaideNames(map)


def order_of(value: d.Order, map: Map) -> tuple[str, Order]:
    """The power that gives an order, and the order. Raises OrderError for names not on the map.

    The order need not be legal. Of the unit that it supports or convoys only the kind and the place are kept.
    """
    known = names(map)
    try:
        return _order_of(value, known)
    except PositionError as error:
        raise OrderError(f"order {quote(str(value))}: {error}") from None


_KIND = {
    d.HLD: OrderKind.HOLD,
    d.DSB: OrderKind.DISBAND,
    d.REM: OrderKind.DISBAND,
    d.BLD: OrderKind.BUILD,
    d.MTO: OrderKind.MOVE,
    d.RTO: OrderKind.RETREAT,
}


def _order_of(value: d.Order, known: DaideNames) -> tuple[str, Order]:
    if isinstance(value, d.WVE):
        return known.power(value.power), Order(OrderKind.WAIVE)
    power, kind, location = known.unit(value.unit)
    match value:
        case d.MTO(_, place) | d.RTO(_, place):
            order = Order(_KIND[type(value)], kind, location, destination=known.location(kind, place))
        case d.CTO(_, province, via):
            route, goal = tuple(known.province(sea) for sea in via), known.province(province)
            order = Order(OrderKind.MOVE, kind, location, destination=goal, via=True, route=route)
        case d.SUP(_, other, None):
            target = known.unit(other)
            order = Order(OrderKind.SUPPORT_HOLD, kind, location, target.kind, target.location)
        case d.SUP(_, other, str(goal)) | d.CVY(_, other, goal):
            target = known.unit(other)
            verb = OrderKind.CONVOY if isinstance(value, d.CVY) else OrderKind.SUPPORT_MOVE
            order = Order(verb, kind, location, target.kind, target.location, known.province(goal))
        case _:
            order = Order(_KIND[type(value)], kind, location)
    return power, order


def value_of(order: Order, power: str, position: Position) -> d.Order:
    """DAIDE's form of a power's order in a position.

    A convoyed move without a route gets a shortest chain of the present fleets at sea. Raises OrderError if
    there is none, if the supported or convoyed unit does not exist, or for a place where no unit of the kind
    can be.
    """
    map, goal, other = position.map, order.destination, None
    route: tuple[str, ...] = ()
    if order.kind == OrderKind.MOVE and (
        order.via or (order.unit == "A" and goal not in map.adjacent("A", order.location))
    ):
        route = order.route or convoy_route(position, order.location, goal)
        if not route:
            raise OrderError(f"order {quote(str(order))}: no fleets stand that could convoy it")
    if order.target:
        unit = position.unit_at(order.target.partition("/")[0])
        if unit is None:
            raise OrderError(f"order {quote(str(order))}: no unit stands in {order.target}")
        other = names(map).unit_value(unit)
    return order_value(order, power, map, other, route, position.phase.kind == "A")


def order_value(
    order: Order, power: str, map: Map, other: d.Unit | None, route: Sequence[str], removal: bool
) -> d.Order:
    """DAIDE's form of an order, with data that the order does not contain. These are the unit that it
    supports or convoys, the seas of its convoy (none for a move without), and whether a disbanding is a
    removal."""
    known = names(map)
    if order.kind == OrderKind.WAIVE:
        return d.WVE(known.tags[power])
    unit = known.unit_value(Unit(power, order.unit, order.location))
    goal = order.destination
    match order.kind:
        case OrderKind.HOLD:
            return d.HLD(unit)
        case OrderKind.MOVE if route:
            return d.CTO(unit, _token(known, goal), tuple(_token(known, sea) for sea in route))
        case OrderKind.MOVE | OrderKind.RETREAT:
            place = known.goal(order.unit, goal)
            return d.MTO(unit, place) if order.kind == OrderKind.MOVE else d.RTO(unit, place)
        case OrderKind.SUPPORT_HOLD if other is not None:
            return d.SUP(unit, other, None)
        case OrderKind.SUPPORT_MOVE if other is not None:
            return d.SUP(unit, other, _token(known, goal))
        case OrderKind.CONVOY if other is not None:
            return d.CVY(unit, other, _token(known, goal))
        case OrderKind.DISBAND:
            return d.REM(unit) if removal else d.DSB(unit)
        case OrderKind.BUILD:
            return d.BLD(unit)
    raise OrderError(f"order {quote(str(order))} does not name the unit that it helps")


def _token(known: DaideNames, location: str) -> str:
    return known.tokens[location.partition("/")[0]]


def units_at(position: Position) -> tuple[d.UnitAt, ...]:
    """All units in the form of ``NOW``: the undislodged ones, then the dislodged ones with their retreats."""
    known = names(position.map)
    standing = [d.UnitAt(known.unit_value(unit), None) for unit in position.units]
    dislodged = [
        d.UnitAt(known.unit_value(unit), tuple(known.place(retreat) for retreat in retreats))
        for unit, retreats in position.dislodged
    ]
    return (*standing, *dislodged)


def adjustments_owed(position: Position, power: str) -> int:
    """The builds (positive) or removals (negative) that a power must order in Winter by DAIDE; 0 in other
    seasons.

    Unlike `Position.adjustments` it counts builds without an open home centre: they must be waived, one
    ``WVE`` each (LANGUAGE.md, section 6).
    """
    if position.phase.kind != "A":
        return 0
    return len(position.centres.get(power, ())) - len(position.units_of(power))


def now_of(position: Position, turn: d.SeasonYear | None = None) -> d.NOW:
    """The ``NOW`` message of a position.

    The end of a game has no turn, so one must be given; raises FormatError without.
    """
    return d.NOW(turn or turn_of(position.phase), units_at(position))


def sco_of(position: Position) -> d.SCO:
    """The ``SCO`` message: the centres of each power with centres, then the neutral ones."""
    known = names(position.map)
    groups = [
        d.Owned(known.tags[power], tuple(known.tokens[tag] for tag in centres))
        for power, centres in position.centres.items()
    ]
    unowned = tuple(known.tokens[tag] for tag, owner in position.owner_of.items() if owner is None)
    return d.SCO((*groups, d.Owned(NOBODY, unowned)) if unowned else tuple(groups))


def position_of(now: d.NOW, sco: d.SCO, map: Map) -> Position:
    """The position of a ``NOW`` and a ``SCO`` message. Raises PositionError or FormatError.

    A dislodged unit with an empty list of retreats (``MRT ()``) is kept: it needs a disband order.
    """
    if now.turn is None:
        raise FormatError("NOW without a turn is a request, not a position")
    return position_from_daide(f"{now} {sco}", map)


def mdf_of(map: Map) -> d.MDF:
    """The ``MDF`` message of a map. Raises MapError for a coast that DAIDE has no token for, and FormatError
    for a map that no vocabulary can hold."""
    message = d.read(map_to_mdf(map), side="server", vocabulary=d.Vocabulary.for_map(map))
    assert isinstance(message, d.MDF)
    return message


def map_of(mdf: d.MDF, name: str = "mdf", like: Map | None = None) -> Map:
    """The map of an ``MDF`` message. Raises MapError for a contradictory one.

    Powers and provinces with tokens that the map `like` has too get its names.
    """
    return map_from_mdf(d.text(mdf), name, like)
