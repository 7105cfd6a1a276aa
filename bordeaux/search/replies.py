"""Testing a complete set against the best replies of nearby enemies (paper 002, sections 3.3, 4.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from bordeaux.board.position import Position
from bordeaux.search.power_search import PowerSearch
from bordeaux.search.scoring import CAUTION, Judged

__all__ = ["Neighbourhood", "near", "value_against_replies"]

#: Moves within which a unit can matter to another power.
NEAR = 2
#: Sets that an enemy chooses its reply from.
REPLIES = 6


class Neighbourhood:
    """Which powers are near which: a unit of one within two moves of a unit or centre of the other."""

    def __init__(self, position: Position) -> None:
        self._near = near(position, NEAR)

    def enemies(self, power: str) -> list[str]:
        """Powers near enough to harm one, those with the most units near first."""
        counts = {enemy: count for (enemy, other), count in self._near.items() if other == power}
        return sorted(counts, key=lambda enemy: (-counts[enemy], enemy))


def near(position: Position, moves: int = 1) -> Counter[tuple[str, str]]:
    """How many units of one power are within so many moves of a unit or centre of another, by pairs."""
    map = position.map
    places: dict[str, set[int]] = {power: set() for power in map.powers}
    for unit in position.units:
        places[unit.power].add(map.province(unit.province).index)
    for tag, owner in zip(map.centres, position.owners, strict=True):
        if owner is not None:
            places[owner].add(map.province(tag).index)
    found: Counter[tuple[str, str]] = Counter()
    for unit in position.units:
        distances = map.tables.distances(map.location(unit.kind, unit.location).index)
        found.update(
            (unit.power, power)
            for power, theirs in places.items()
            if power != unit.power and any(distances[place] <= moves for place in theirs)
        )
    return found


def value_against_replies(
    side: PowerSearch,
    orders: bytes,
    current: Mapping[str, bytes],
    foes: Iterable[PowerSearch],
    caution: float = CAUTION,
) -> Judged:
    """Judge a set by its value against the backgrounds of the search and against replies to it.

    `current` are the orders that are expected of everybody else. Each of the `foes` replies in its
    own interest: with the set of its pool that is best for itself when it sees ours. The set is then
    played against each reply alone, and against all together. `caution` is the share of the worst
    of them, from 0 to 1.
    """
    node = side.space.node_of(orders)
    expected = side.space.value(node)
    replies: dict[str, bytes] = {}
    for foe in foes:
        around = b"".join(best for name, best in current.items() if name != foe.power) + orders
        pool = foe.ranked()[:REPLIES]
        values = [foe.space.values(foe.space.node_of(each), [around])[0] for each in pool]
        reply = max(zip(values, pool, strict=True))[1]
        if reply != current[foe.power]:
            replies[foe.power] = reply
    backgrounds = [_joined({**current, power: reply}) for power, reply in replies.items()]
    if len(replies) > 1:
        backgrounds.append(_joined({**current, **replies}))
    return Judged(expected, tuple(side.space.values(node, backgrounds)), caution)


def _joined(sets: Mapping[str, bytes]) -> bytes:
    return b"".join(sets.values())
