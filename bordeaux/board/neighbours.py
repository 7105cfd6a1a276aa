"""Which powers are near each other."""

from __future__ import annotations

from collections import Counter

from bordeaux.board.position import Position

__all__ = ["Neighbourhood", "near"]

#: Moves within which a unit can affect another power.
NEAR = 2


class Neighbourhood:
    """Which powers are near each other: a unit of one is within two moves of a unit or centre of the
    other."""

    def __init__(self, position: Position) -> None:
        self._near = near(position, NEAR)

    def enemies(self, power: str) -> list[str]:
        """Powers near enough to harm one, those with the most units near first."""
        counts = {enemy: count for (enemy, other), count in self._near.items() if other == power}
        return sorted(counts, key=lambda enemy: (-counts[enemy], enemy))


def near(position: Position, moves: int = 1) -> Counter[tuple[str, str]]:
    """The number of units of one power within a number of moves of a unit or centre of another, by pairs."""
    map = position.map
    places: dict[str, set[int]] = {power: set() for power in map.powers}
    for unit in position.units:
        places[unit.power].add(map.province(unit.province).index)
    for tag, owner in zip(map.centres, position.owners, strict=True):
        if owner is not None:
            places[owner].add(map.province(tag).index)
    contacts: Counter[tuple[str, str]] = Counter()
    for unit in position.units:
        distances = map.tables.distances(map.location(unit.kind, unit.location).index)
        contacts.update(
            (unit.power, power)
            for power, theirs in places.items()
            if power != unit.power and any(distances[place] <= moves for place in theirs)
        )
    return contacts
