"""The term `stalemate` once more, from the rules and the names of provinces alone, to hold the core against.

Nothing here looks at what `bordeaux.evaluation` makes of a line for the core.
"""

from __future__ import annotations

from collections import Counter

from bordeaux.board.order import Unit
from bordeaux.board.position import Position
from bordeaux.evaluation import StalemateLine, stalemate_lines

__all__ = ["complete", "worth"]

#: Centres of another power from which on lines matter; what a line lacking nearly nothing is worth.
LEADER, FORMING = 10, 0.3


def complete(position: Position, line: StalemateLine, power: str) -> bool:
    """Whether a power holds a line with nothing wanting and nobody in the way."""
    return _in_place(position, line, power) == len(line.units) and _in_the_way(position, line, power) == 0


def worth(position: Position, power: str) -> float:
    """What the best of the lines is worth to a power, in centres (docs/metamap.md, "The term")."""
    counts = Counter(position.owners)
    own = counts[power]
    most = max(counts[other] for other in position.map.powers if other != power)
    if most < max(LEADER, own):
        return 0.0
    losing = most >= 1.5 * own
    return max((_worth(position, line, power, losing) for line in stalemate_lines(position.map)), default=0.0)


def _worth(position: Position, line: StalemateLine, power: str, losing: bool) -> float:
    occupied = {unit.province for unit in position.units if unit.power == power}
    if 2 * len(occupied & set(line.held)) < len(line.held):
        return 0.0
    if complete(position, line, power):
        return len(line.centres)
    against = _in_the_way(position, line, power)
    if not losing or against is None:
        return 0.0
    share = max(0, _in_place(position, line, power) - against) / len(line.units)
    return FORMING * share**2 * len(line.centres)


def _in_place(position: Position, line: StalemateLine, power: str) -> int:
    """How many units of a power stand in the line and can do their part."""
    return sum(unit.power == power and _does_its_part(position, line, unit) for unit in position.units)


def _does_its_part(position: Position, line: StalemateLine, unit: Unit) -> bool:
    if unit.province not in line.held:
        return False
    supported = line.supports.get(unit.province)
    reached = {name[:3] for name in position.map.adjacent(unit.kind, unit.location)}
    return supported is None or supported in reached


def _in_the_way(position: Position, line: StalemateLine, power: str) -> int | None:
    """Units of others behind a line, and vacant homes there in which their owners could build; None where a
    fleet is, or could be built, in waters that must be free of fleets."""
    others = [unit for unit in position.units if unit.power != power]
    if any(unit.kind == "F" and {unit.location, unit.province} & set(line.no_fleets) for unit in others):
        return None
    homes = {
        home
        for other in position.map.powers
        if other != power
        for home in set(position.map.homes[other]) & set(position.centres.get(other, ()))
    }
    waters = {name[:3] for name in line.no_fleets}
    if any(home in waters and position.map.locations_in("F", home) for home in homes):
        return None
    vacant = homes & set(line.sheltered) - {unit.province for unit in position.units}
    return sum(unit.province in line.sheltered for unit in others) + len(vacant)
