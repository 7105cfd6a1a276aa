"""Positions and orders that Hypothesis makes up, for the tests of notation and formats."""

from __future__ import annotations

from hypothesis import strategies as st

from bordeaux import Map, Order, Phase, Position, Unit
from bordeaux.board.order import Dislodged, OrderKind

__all__ = ["MAP", "orders", "phases", "positions"]

MAP = Map.standard()
KINDS_OF_PHASE = {"S": "MR", "F": "MR", "W": "A"}
LOCATIONS = [(location.kind, location.name) for location in MAP.locations]
FLEETS = [name for kind, name in LOCATIONS if kind == "F"]
ARMIES = [name for kind, name in LOCATIONS if kind == "A"]


@st.composite
def phases(draw: st.DrawFn) -> Phase:
    """Any phase of a game that is going on."""
    season = draw(st.sampled_from("SFW"))
    return Phase(draw(st.integers(1, 9999)), season, draw(st.sampled_from(KINDS_OF_PHASE[season])))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any position, however unlikely, with dislodged units if it is a retreat phase."""
    phase = draw(phases())
    places = draw(st.lists(st.sampled_from(LOCATIONS), max_size=34, unique_by=lambda place: place[1][:3]))
    units = [Unit(draw(st.sampled_from(MAP.powers)), kind, name) for kind, name in places]
    centres: dict[str, list[str]] = {}
    for centre in MAP.centres:
        owner = draw(st.sampled_from((None, *MAP.powers)))
        if owner is not None:
            centres.setdefault(owner, []).append(centre)
    dislodged = []
    if phase.kind == "R":
        chosen = draw(st.lists(st.sampled_from(LOCATIONS), max_size=5, unique_by=lambda place: place[1][:3]))
        for kind, name in chosen:
            near = MAP.adjacent(kind, name)
            retreats = draw(st.lists(st.sampled_from(near), unique=True))
            unit = Unit(draw(st.sampled_from(MAP.powers)), kind, name)
            dislodged.append(Dislodged(unit, tuple(retreats)))
    return Position(MAP, phase, units, centres, dislodged)


@st.composite
def orders(draw: st.DrawFn) -> Order:
    """Any well-formed order, legal or not; a fleet always says its coast."""
    kind = draw(st.sampled_from(OrderKind))
    if kind == OrderKind.WAIVE:
        return Order(kind)
    unit, location = draw(st.sampled_from(LOCATIONS))
    if kind in (OrderKind.HOLD, OrderKind.DISBAND, OrderKind.BUILD):
        return Order(kind, unit, location)
    if kind in (OrderKind.MOVE, OrderKind.RETREAT):
        destination = draw(st.sampled_from(ARMIES if unit == "A" else FLEETS))
        via = kind == OrderKind.MOVE and unit == "A" and draw(st.booleans())
        return Order(kind, unit, location, destination=destination, via=via)
    other, target = draw(st.sampled_from(LOCATIONS))
    if kind == OrderKind.SUPPORT_HOLD:
        return Order(kind, unit, location, other, target)
    destination = draw(st.sampled_from(ARMIES if other == "A" else FLEETS))
    return Order(kind, unit, location, other, target, destination)
