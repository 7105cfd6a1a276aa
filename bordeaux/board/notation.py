"""Reading orders in the notations that people use; ``str(order)`` writes them.

The canonical notation is that of DATC and of the PyPI package ``diplomacy``:

- ``A PAR - BUR``, ``A PAR H``, ``A LON - NWY VIA``;
- ``A MAR S A PAR - BUR``, ``A MAR S A PAR``, ``F NTH C A LON - NWY``;
- ``A PAR R GAS``, ``A PAR D``, ``F STP/NC B``, ``WAIVE``.

Input may differ from it in these ways:

- any case, full names, and whole words for the letters;
- ``->`` or ``to`` for ``-``, and ``build A PAR``;
- nationalities, which are ignored (DATC 4.C.5 and 4.C.6);
- the fleets of a convoy as steps of its path (``A LON - NTH - NWY``);
- sentences of webDiplomacy (``The army at Marseilles support move to Burgundy from Paris``);
- the words of godip (``Mar Support Par Bur``).

Unambiguous omissions are filled in (DATC 4.E.2). The map gives the one coast that a fleet can reach (4.B.2)
and the only possible kind of a unit (4.C.3). A position also gives the kind and coast of the unit, whatever
was written (4.B.5, 4.C.1, 4.C.2). It adds ``VIA`` where an army can only go by convoy. Meaningless coasts are
dropped (4.B.6). A coast that exists and cannot be reached is kept, which makes the order illegal (4.B.3).
"""

from __future__ import annotations

import functools
from typing import NamedTuple

from bordeaux.board.errors import MapError, OrderError, quote
from bordeaux.board.map import Map
from bordeaux.board.notation_words import Cursor, Place
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.placement import Placement
from bordeaux.board.unit import Unit

__all__ = ["format_order", "parse_order"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


HOLDS = _words("H HOLD HOLDS HLD STAND STANDS")
MOVES = _words("- TO M MOVE MOVES MTO CTO ATTACK ATTACKS GO GOES")
MOVES_BY_CONVOY = _words("MOVEVIACONVOY")
FROM = _words("FROM")
SUPPORTS = _words("S SUPPORT SUPPORTS SUP")
CONVOYS = _words("C CONVOY CONVOYS CVY")
RETREATS = _words("R RETREAT RETREATS RTO")
DISBANDS = _words("D DISBAND DISBANDS DISBANDED REMOVE REMOVES REMOVED DESTROY DESTROYS DSB REM")
BUILDS = _words("B BUILD BUILDS BLD")
WAIVES = _words("WAIVE WAIVES WAIVED WVE")
BY = _words("VIA BY")
BY_CONVOY = _words("CONVOY CONVOYS C SEA")


class _Draft(NamedTuple):
    """An order as written, without omissions filled in."""

    kind: OrderKind
    unit: Place | None = None
    target: Place | None = None
    destination: Place | None = None
    via: bool = False


def format_order(order: Order) -> str:
    """Write an order in canonical notation."""
    return str(order)


def parse_order(text: str, map: Map, position: Placement | None = None) -> Order:
    """Read one order; with a `position`, omissions are filled in from it.

    The order need not be legal. Raises OrderError if the text is not an order, names something that is not on
    the map, or is ambiguous.
    """
    if not isinstance(text, str):
        raise OrderError(f"an order is text such as 'A PAR - BUR', not {quote(text)}")
    return _complete(_read(text, map), text, map, position)


@functools.lru_cache(maxsize=1 << 16)
def _read(text: str, map: Map) -> _Draft:
    """The draft of an order. Games repeat the same few thousand texts, hence the cache."""
    cursor = Cursor(text, map)
    draft = _read_order(cursor)
    if cursor.rest():
        raise cursor.fail(f"cannot read {quote(cursor.rest())} at its end")
    return draft


def _read_order(cursor: Cursor) -> _Draft:
    if not cursor.rest():
        raise cursor.fail("there is nothing in it; write it like 'A PAR - BUR'")
    if cursor.peek() in WAIVES or (cursor.peek() in BUILDS and cursor.peek(1) in WAIVES):
        while cursor.peek() in WAIVES or cursor.peek() in BUILDS:
            cursor.at += 1
        return _Draft(OrderKind.WAIVE)
    if cursor.peek(1) and not cursor.at_place():
        if cursor.take_any(BUILDS):
            return _Draft(OrderKind.BUILD, cursor.unit())
        if cursor.take_any(DISBANDS):
            return _Draft(OrderKind.DISBAND, cursor.unit())
    unit = cursor.unit()
    if cursor.take_any(HOLDS):
        return _Draft(OrderKind.HOLD, unit)
    if cursor.take_any(SUPPORTS):
        if cursor.peek() in MOVES | HOLDS:
            return _read_support_sentence(cursor)._replace(unit=unit)
        target = cursor.unit()
        if not cursor.rest() or cursor.take_any(HOLDS) or _take_to_hold(cursor):
            return _Draft(OrderKind.SUPPORT_HOLD, unit, target)
        return _Draft(OrderKind.SUPPORT_MOVE, unit, target, _read_goal(cursor))
    if cursor.take_any(CONVOYS):
        if cursor.peek() in MOVES:
            goal = _read_path(cursor).destination
            return _Draft(OrderKind.CONVOY, unit, _read_origin(cursor), goal)
        return _Draft(OrderKind.CONVOY, unit, cursor.unit(), _read_goal(cursor))
    if cursor.take_any(RETREATS):
        cursor.take_any(MOVES)
        return _Draft(OrderKind.RETREAT, unit, destination=cursor.place())
    if cursor.take_any(DISBANDS):
        return _Draft(OrderKind.DISBAND, unit)
    if cursor.take_any(BUILDS):
        return _Draft(OrderKind.BUILD, unit._replace(kind=cursor.kind() or unit.kind))
    if cursor.take_any(MOVES_BY_CONVOY):
        return _Draft(OrderKind.MOVE, unit, destination=cursor.place(), via=True)
    return _read_path(cursor)._replace(unit=unit)


def _read_support_sentence(cursor: Cursor) -> _Draft:
    """Read what follows in ``support move to Burgundy from Paris`` and ``support hold to Burgundy``."""
    if cursor.take_any(HOLDS):
        cursor.take("TO")
        return _Draft(OrderKind.SUPPORT_HOLD, target=cursor.unit())
    goal = _read_path(cursor).destination
    return _Draft(OrderKind.SUPPORT_MOVE, target=_read_origin(cursor), destination=goal)


def _read_origin(cursor: Cursor) -> Place:
    """Read ``from Paris``."""
    if not cursor.take_any(FROM):
        raise cursor.fail("it does not say from where; write it like 'A MAR S A PAR - BUR'")
    return cursor.unit()


def _read_goal(cursor: Cursor) -> Place | None:
    """Read the destination of a supported or convoyed unit: ``- BUR``, or the bare ``Bur`` of godip."""
    return cursor.place() if cursor.at_place() else _read_path(cursor).destination


def _take_to_hold(cursor: Cursor) -> bool:
    return cursor.peek(1) in HOLDS and cursor.take("TO", cursor.peek(1))


def _read_path(cursor: Cursor) -> _Draft:
    """Read ``- NWY``, ``- NTH - NWY``, ``to NWY via convoy``; the draft lacks its unit."""
    steps: list[Place] = []
    while cursor.take_any(MOVES):
        while cursor.take_any(MOVES):
            pass
        steps.append(cursor.place())
    if not steps:
        said = f"not {quote(cursor.rest())}" if cursor.rest() else "but the order ends"
        raise cursor.fail(f"expected H, - (move), S, C, R, D or B after the unit, {said}")
    *route, destination = steps
    for step in route:
        _check_sea(cursor, step)
    via = _take_via(cursor) or bool(route)
    return _Draft(OrderKind.MOVE, None, None, destination, via)


def _check_sea(cursor: Cursor, step: Place) -> None:
    province = step.province
    if province.kind != "sea":
        raise cursor.fail(f"{province.full} ({province.name}) is no sea that a convoy could cross")


def _take_via(cursor: Cursor) -> bool:
    """Skip ``VIA``, ``VIA CONVOY``, ``BY CONVOY``, ``(VIA CONVOY)``, ``VIA NTH NWG``."""
    bracket = cursor.peek(1) in BY and cursor.take("(")
    if not cursor.take_any(BY):
        return False
    if not cursor.take_any(BY_CONVOY):
        while cursor.at_place():
            _check_sea(cursor, cursor.place())
    if bracket and not cursor.take(")"):
        raise cursor.fail("a bracket is not closed")
    return True


def _complete(draft: _Draft, text: str, map: Map, position: Placement | None) -> Order:
    kind = draft.kind
    if draft.unit is None:
        return Order(kind)
    if kind == OrderKind.MOVE and position is not None and position.phase.kind == "R":
        kind = OrderKind.RETREAT
    unit, location = _identify(draft.unit, _ordered(draft.unit, kind, position), text)
    if draft.target is not None:
        target = draft.target
        there = position.unit_at(target.province.name) if position is not None else None
        target_unit, target_location = _identify(target, there, text)
        goal = draft.destination.location(target_unit) if draft.destination is not None else ""
        return Order(kind, unit, location, target_unit, target_location, goal)
    if draft.destination is None:
        return Order(kind, unit, location)
    goal = _reachable(map, unit, location, draft.destination)
    sails = kind == OrderKind.MOVE and unit == "A"
    via = sails and (draft.via or (position is not None and _needs_convoy(map, location, goal)))
    return Order(kind, unit, location, destination=goal, via=via)


def _ordered(place: Place, kind: OrderKind, position: Placement | None) -> Unit | None:
    """The unit that an order for a place concerns."""
    if position is None or kind == OrderKind.BUILD:
        return None
    if position.phase.kind == "R":
        tag = place.province.name
        return next(
            (dislodged.unit for dislodged in position.dislodged if dislodged.unit.province == tag), None
        )
    return position.unit_at(place.province.name)


def _identify(place: Place, there: Unit | None, text: str) -> tuple[str, str]:
    """Kind and location of a unit: of the actual unit, or else as written."""
    if there is not None:
        return there.kind, there.location
    province = place.province
    kind = place.kind
    if not kind:
        if province.kind == "sea" or place.coast in province.coasts:
            kind = "F"
        elif province.kind == "inland":
            kind = "A"
        else:
            tag = province.name
            raise OrderError(f"order {quote(text)}: an army or a fleet? write 'A {tag}' or 'F {tag}'")
    return kind, place.location(kind)


def _reachable(map: Map, unit: str, location: str, destination: Place) -> str:
    """The name of a unit's destination, with the coast if only one is within its reach."""
    name = destination.location(unit)
    province = destination.province
    if unit == "F" and province.coasts and name == province.name:
        try:
            near = map.adjacent(unit, location)
        except MapError:
            return name
        options = [f"{name}/{coast}" for coast in province.coasts if f"{name}/{coast}" in near]
        if len(options) == 1:
            return options[0]
    return name


def _needs_convoy(map: Map, origin: str, goal: str) -> bool:
    """Whether an army on a coast can reach another coast by sea only."""
    by_sea = map.province(origin).kind == map.province(goal).kind == "coastal"
    return by_sea and origin != goal and goal not in map.adjacent("A", origin)
